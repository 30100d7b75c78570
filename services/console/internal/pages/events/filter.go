package events

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
)

// A Filter says which events somebody wants to see; what is empty is any.
type Filter struct {
	of          []contract.Aggregate
	Aggregate   string
	Account     string
	Type        string // name of the event
	ID          string // of the aggregate, or its beginning
	Correlation string
	Cause       string // id of the command that an event followed from
}

func readFilter(q url.Values) (Filter, error) {
	get := func(name string) string { return untrusted.Line(strings.TrimSpace(q.Get(name)), 100) }
	f := Filter{Aggregate: get("aggregate"), Account: get("account"), Type: strings.ReplaceAll(get("type"), " ", "_"), ID: get("id"),
		Correlation: get("correlation"), Cause: get("cause")}
	var err error
	f.of, err = selectAggregates(f.Aggregate)
	return f, err
}

// fits tells whether an event is wanted.
func (f Filter) fits(h bus.Headline) bool {
	return (f.Aggregate == "" || f.Aggregate == string(h.Aggregate)) &&
		(f.Account == "" || f.Account == h.Account) &&
		(f.Type == "" || f.Type == string(h.Event.Name)) &&
		strings.HasPrefix(h.AggregateID, f.ID) &&
		(f.Correlation == "" || f.Correlation == h.Correlation) &&
		(f.Cause == "" || f.Cause == h.Cause || f.Cause == h.Event.ID)
}

// narrow tells whether events are picked from a stream, so that a page has to
// look through more of it than it shows.
func (f Filter) narrow() bool {
	return f.Account != "" || f.Type != "" || f.ID != "" || f.Correlation != "" || f.Cause != ""
}

// Query is the filter as it stands in an address.
func (f Filter) Query() template.URL {
	q := url.Values{}
	for name, value := range map[string]string{"aggregate": f.Aggregate, "account": f.Account, "type": f.Type, "id": f.ID, "correlation": f.Correlation, "cause": f.Cause} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return template.URL(q.Encode()) //nolint:gosec // it is encoded
}

// places are where a page begins in each part of each stream: before these.
type places map[contract.Aggregate][]bus.Position

// readPlaces reads what String wrote; what is none is left out.
func readPlaces(text string) places {
	p := places{}
	for one := range strings.SplitSeq(text, ",") {
		a, at, _ := strings.Cut(one, ":")
		if pos, err := bus.ParsePosition(at); err == nil && slices.Contains(contract.Aggregates(), contract.Aggregate(a)) {
			p[contract.Aggregate(a)] = append(p[contract.Aggregate(a)], pos)
		}
	}
	return p
}

func (p places) String() string {
	var all []string
	for _, a := range contract.Aggregates() {
		for _, at := range p[a] {
			all = append(all, string(a)+":"+at.String())
		}
	}
	return strings.Join(all, ",")
}

// noteShown notes that a page has shown an event, so that the next one begins before it.
func (p places) noteShown(h bus.Headline) {
	list := p[h.Aggregate]
	i := slices.IndexFunc(list, func(at bus.Position) bool { return at.Part == h.Position.Part })
	if i < 0 {
		p[h.Aggregate] = append(list, h.Position)
		return
	}
	list[i].Seq = min(list[i].Seq, h.Position.Seq)
}
