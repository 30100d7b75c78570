package events

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/timeline"

	"github.com/tidwall/gjson"
)

// hidesEvent reports whether an event with its body is not shown.
func hidesEvent(c *page.Call, e contract.Event) (bool, error) {
	if c.Hides(e.Labels) {
		return true, nil
	}
	if e.Aggregate == contract.AuditAggregate {
		var r audits.Record
		if err := json.Unmarshal([]byte(gjson.GetBytes(e.Data, "state.record").Raw), &r); err != nil {
			return true, fmt.Errorf("decode audit event %s: %w", e.ID, err)
		}
		return c.HidesEntry(r)
	}
	if hidden, err := c.HidesFormal(e.AggregateID); hidden || err != nil {
		return true, err
	}
	return c.HidesAny(e.Data, "state.id", "state.ref", "state.order")
}

// hidesHeadline reports whether an event is not shown in a list, such as what happened to
// a formal order before it was declared.
func hidesHeadline(c *page.Call, h bus.Headline) (bool, error) {
	if c.Hides(h.Labels) {
		return true, nil
	}
	if h.Aggregate == contract.FormalAggregate || h.Aggregate == contract.CaseAggregate {
		return c.HidesFormal(h.AggregateID)
	}
	return false, nil
}

type eventsView struct {
	page.Frame
	Filter
	Rows       []timeline.Moment // newest first
	Aggregates []contract.Aggregate
	Older      string    // where the page before begins; "" at the beginning of the record
	At         string    // the time that was asked for
	Looked     time.Time // how far back was looked for events that fit
}

const (
	// eventsShown is how many events a page has.
	eventsShown = 50
	// lookEach is how many events of a stream are looked at at once for those that
	// fit a filter, and looks how often: a page answers, and "Older" goes on.
	lookEach = 500
	looks    = 10
)

// List shows what happened last, or before a place or a time, and goes on live.
func (s *Section) List(c *page.Call) error {
	query := c.R.URL.Query()
	f, err := readFilter(query)
	if err != nil {
		return err
	}
	v := eventsView{Frame: c.Frame("events", "Event streams"), Filter: f, Aggregates: contract.Aggregates(), At: query.Get("at")}
	begin := readPlaces(query.Get("before"))
	if at, ok := readTime(v.At); ok && query.Get("before") == "" {
		if begin, err = s.placesAt(c, f.of, at); err != nil {
			return err
		}
	}
	if err := s.fill(c, &v, begin); err != nil {
		return err
	}
	return c.Show(templates, "events", v)
}

// readTime reads what a browser's field for a time gives; UTC.
func readTime(text string) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", time.DateTime, time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

func (s *Section) placesAt(c *page.Call, of []contract.Aggregate, at time.Time) (places, error) {
	p := places{}
	for _, a := range of {
		found, err := s.Bus.PositionsAt(c.R.Context(), a, at)
		if err != nil {
			return nil, err
		}
		p[a] = found
	}
	return p, nil
}

// fill fills a page with the newest events before a place that fit the filter.
// Each look takes as many of every stream; what is newer than the oldest of a
// stream that has more to give is complete, and only that is shown.
func (s *Section) fill(c *page.Call, v *eventsView, from places) error {
	each := eventsShown
	if v.narrow() {
		each = lookEach
	}
	for range looks {
		found, more, err := s.look(c, v.of, from, each)
		if err != nil {
			return err
		}
		for _, h := range found {
			from.noteShown(h)
			v.Looked = h.At
			hidden, err := hidesHeadline(c, h)
			if err != nil {
				return err
			}
			if v.fits(h) && !hidden {
				v.Rows = append(v.Rows, timeline.NewMoment(c, h))
			}
			if len(v.Rows) == eventsShown {
				break
			}
		}
		if !more && len(v.Rows) < eventsShown {
			return nil
		}
		if len(v.Rows) == eventsShown {
			break
		}
	}
	v.Older = from.String()
	return nil
}

// look gives the newest events before a place in all of the streams, newest
// first, and whether there are more.
func (s *Section) look(c *page.Call, of []contract.Aggregate, from places, each int) (all []bus.Headline, more bool, err error) {
	var since time.Time // of the youngest end of a stream that has more to give
	for _, a := range of {
		found, err := s.Bus.Latest(c.R.Context(), a, from[a], each)
		if err != nil {
			return nil, false, err
		}
		if len(found) == each {
			more = true
			if found[0].StoredAt.After(since) {
				since = found[0].StoredAt
			}
		}
		all = append(all, found...)
	}
	slices.SortStableFunc(all, func(a, b bus.Headline) int {
		if d := b.StoredAt.Compare(a.StoredAt); d != 0 {
			return d
		}
		return int(int64(b.Position.Seq) - int64(a.Position.Seq))
	})
	end := len(all)
	if more {
		end = slices.IndexFunc(all, func(h bus.Headline) bool { return h.StoredAt.Before(since) })
		if end < 0 {
			end = len(all)
		}
	}
	return all[:end], more, nil
}

func selectAggregates(aggregate string) ([]contract.Aggregate, error) {
	if aggregate == "" {
		return contract.Aggregates(), nil
	}
	if !slices.Contains(contract.Aggregates(), contract.Aggregate(aggregate)) {
		return nil, page.Missing("kind of event")
	}
	return []contract.Aggregate{contract.Aggregate(aggregate)}, nil
}

type historyView struct {
	page.Frame
	Aggregate contract.Aggregate
	ID        string
	Rows      []timeline.Moment // oldest first
	Owner     string            // account
	More      uint64            // where the next part begins
}

// History shows the whole life of one aggregate.
func (s *Section) History(c *page.Call) error {
	aggregate, id := c.R.PathValue("aggregate"), c.R.PathValue("id")
	of, err := selectAggregates(aggregate)
	if err != nil || len(of) != 1 || !contract.ValidToken(id) {
		return page.Missing("history")
	}
	after, _ := strconv.ParseUint(c.R.URL.Query().Get("after"), 10, 64)
	events, err := s.Bus.History(c.R.Context(), of[0], id, after, timeline.MaxHistory)
	if err != nil {
		return err
	}
	if len(events) == 0 && after == 0 {
		return historyError(aggregate)
	}
	v := historyView{Frame: c.Frame("events", "History"), Aggregate: of[0], ID: id}
	if of[0] == contract.FormalAggregate || of[0] == contract.CaseAggregate { // also what happened before it was declared
		if hidden, err := c.HidesFormal(id); hidden || err != nil {
			return errors.Join(err, historyError(aggregate))
		}
	}
	for _, e := range events {
		if c.Hides(e.Labels) {
			return historyError(aggregate)
		}
		v.Rows = append(v.Rows, timeline.NewMoment(c, e))
		v.Owner = c.AccountName(e.Account)
	}
	if len(events) == timeline.MaxHistory {
		v.More = events[len(events)-1].Seq
	}
	return c.Show(templates, "history", v)
}

func historyError(aggregate string) error {
	return page.Missing(format.Words(aggregate) + ", or its events are no longer kept")
}

type eventView struct {
	page.Frame
	contract.Event
	Name  string // of the account
	Body  string
	Whole bool // Body is all of it
}

// Show shows one event with its body.
func (s *Section) Show(c *page.Call) error {
	of, err := selectAggregates(c.R.PathValue("aggregate"))
	at, wrong := bus.ParsePosition(c.R.PathValue("at"))
	if err != nil || wrong != nil || len(of) != 1 {
		return page.Missing("event")
	}
	e, err := s.Bus.EventAt(c.R.Context(), of[0], at)
	if errors.Is(err, bus.ErrNoEvent) {
		return page.Missing("event")
	}
	if err != nil {
		return err
	}
	if hidden, err := hidesEvent(c, e); hidden || err != nil {
		return errors.Join(err, page.Missing("event"))
	}
	if err := c.RecordAccess(audits.Record{Action: "read an event", Kind: "event", ID: e.ID, Account: e.Account, Controlled: e.Labels.IsControlled()}); err != nil {
		return err
	}
	body := format.Pretty(e.Data)
	return c.Show(templates, "event", eventView{c.Frame("events", "Event"), e, c.AccountName(e.Account), body, len(body) < format.MaxBody})
}
