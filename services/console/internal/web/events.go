package web

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
)

type eventsView struct {
	page
	Rows       []moment // newest first
	Aggregate  string   // the filter; empty: all
	Aggregates []contract.Aggregate
	Older      string // where the page before begins; only with a filter
}

// eventsShown is how many events a page begins with.
const eventsShown = 50

// events shows what happened last, and goes on live.
func (s *Server) events(c *call) error {
	ask := c.r.URL.Query()
	v := eventsView{page: c.page("events", "Event streams"), Aggregate: ask.Get("aggregate"), Aggregates: contract.Aggregates()}
	of, err := chosen(v.Aggregate)
	if err != nil {
		return err
	}
	var before []bus.Position
	if len(of) == 1 {
		before = positions(ask.Get("before"))
	}
	if v.Rows, err = s.latest(c, of, before); err != nil {
		return err
	}
	if len(of) == 1 && len(v.Rows) == eventsShown {
		v.Older = older(v.Rows, before)
	}
	return c.show("events", v)
}

// positions reads a list of positions; what is none is left out.
func positions(list string) (all []bus.Position) {
	for text := range strings.SplitSeq(list, ",") {
		if p, err := bus.ParsePosition(text); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// older is where the page before begins, in each part of the stream: before the
// oldest event shown, or where this page began.
func older(rows []moment, before []bus.Position) string {
	oldest := map[int]uint64{}
	for _, p := range before {
		oldest[p.Part] = p.Seq
	}
	for _, r := range rows {
		if seq, ok := oldest[r.Position.Part]; !ok || r.Position.Seq < seq {
			oldest[r.Position.Part] = r.Position.Seq
		}
	}
	var list []string
	for _, part := range slices.Sorted(maps.Keys(oldest)) {
		list = append(list, bus.Position{Part: part, Seq: oldest[part]}.String())
	}
	return strings.Join(list, ",")
}

func chosen(aggregate string) ([]contract.Aggregate, error) {
	if aggregate == "" {
		return contract.Aggregates(), nil
	}
	if !slices.Contains(contract.Aggregates(), contract.Aggregate(aggregate)) {
		return nil, missing("kind of event")
	}
	return []contract.Aggregate{contract.Aggregate(aggregate)}, nil
}

func (s *Server) latest(c *call, of []contract.Aggregate, before []bus.Position) ([]moment, error) {
	var rows []moment
	for _, a := range of {
		events, err := s.Bus.Latest(c.r.Context(), a, before, eventsShown)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			rows = append(rows, c.moment(e))
		}
	}
	slices.SortStableFunc(rows, func(a, b moment) int {
		if d := b.At.Compare(a.At); d != 0 {
			return d
		}
		return int(int64(b.Seq) - int64(a.Seq))
	})
	return rows[:min(eventsShown, len(rows))], nil
}

type historyView struct {
	page
	Aggregate contract.Aggregate
	ID        string
	Rows      []moment // oldest first
	Owner     string   // account
	More      uint64   // where the next part begins
}

// history shows the whole life of one aggregate.
func (s *Server) history(c *call) error {
	aggregate, id := c.r.PathValue("aggregate"), c.r.PathValue("id")
	of, err := chosen(aggregate)
	if err != nil || len(of) != 1 || !contract.ValidToken(id) {
		return missing("history")
	}
	after, _ := strconv.ParseUint(c.r.URL.Query().Get("after"), 10, 64)
	events, err := s.Bus.History(c.r.Context(), of[0], id, after, historyMost)
	if err != nil {
		return err
	}
	if len(events) == 0 && after == 0 {
		return missing(words(aggregate) + ", or its events are not kept any more")
	}
	v := historyView{page: c.page("events", "History"), Aggregate: of[0], ID: id}
	for _, e := range events {
		v.Rows = append(v.Rows, c.moment(e))
		v.Owner = c.accountName(e.Account)
	}
	if len(events) == historyMost {
		v.More = events[len(events)-1].Seq
	}
	return c.show("history", v)
}

type eventView struct {
	page
	contract.Event
	Name  string // of the account
	Body  string
	Whole bool // Body is all of it
}

// event shows one event with its body.
func (s *Server) event(c *call) error {
	of, err := chosen(c.r.PathValue("aggregate"))
	at, wrong := bus.ParsePosition(c.r.PathValue("at"))
	if err != nil || wrong != nil || len(of) != 1 {
		return missing("event")
	}
	e, err := s.Bus.EventAt(c.r.Context(), of[0], at)
	if errors.Is(err, bus.ErrNoEvent) {
		return missing("event")
	}
	if err != nil {
		return err
	}
	if err := c.saw(contract.AuditRecord{Action: "read an event", Kind: "event", ID: e.ID, Account: e.Account}); err != nil {
		return err
	}
	body := pretty(e.Data)
	return c.show("event", eventView{c.page("events", "Event"), e, c.accountName(e.Account), body, len(body) < maxBody})
}
