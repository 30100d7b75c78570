package timeline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/quotes"
)

// A Span is one step of a timeline: one event, or several that are one thing to people.
type Span struct {
	Moment             // the first
	Count    int       // how many
	Until    time.Time // of the last
	Interval time.Duration
	Step     string // what they are together; "" where all are of one kind
	Parts    []Part // what they are, in the order in which they came first
}

// A Part of a step are its events of one kind.
type Part struct {
	Title string
	Count int
}

// What a customer does by events of several kinds, in any number and order.
const (
	choosing = "The customer chooses a delivery"
	paying   = "The customer goes to pay"
)

var steps = map[Kind]string{
	{contract.QuoteAggregate, quotes.EventDeliveryChosen}: choosing,
	{contract.QuoteAggregate, contract.RequestRefused}:    choosing,
	{contract.CheckoutAggregate, checkouts.EventBegun}:    paying,
	{contract.CheckoutAggregate, checkouts.EventOpened}:   paying,
	{contract.CheckoutAggregate, checkouts.EventClosed}:   paying,
	{contract.CheckoutAggregate, contract.RequestRefused}: paying,
}

// Fold joins events that follow each other and are of one kind or of one step: nineteen
// times "delivery chosen", with refusals between, is one line. Interval is the time since the
// line before.
func Fold(all []Moment) []Span {
	var out []Span
	for _, m := range all {
		step := steps[Kind{m.Aggregate, m.Event.Name}]
		if n := len(out); n > 0 && m.Letter == nil && out[n-1].Letter == nil && (step != "" && out[n-1].Step == step || out[n-1].Aggregate == m.Aggregate && out[n-1].Event.Name == m.Event.Name) {
			out[n-1].add(m)
			continue
		}
		s := Span{Moment: m, Step: step}
		if n := len(out); n > 0 {
			s.Interval = m.At.Sub(out[n-1].Until)
		}
		s.add(m)
		out = append(out, s)
	}
	for i := range out {
		if len(out[i].Parts) == 1 {
			out[i].Step = ""
		}
	}
	return out
}

func (s *Span) add(m Moment) {
	s.Count++
	s.Until = m.At
	i := slices.IndexFunc(s.Parts, func(p Part) bool { return p.Title == m.Title() })
	if i < 0 {
		i, s.Parts = len(s.Parts), append(s.Parts, Part{Title: m.Title()})
	}
	s.Parts[i].Count++
}

// Title is what happened, in words.
func (s Span) Title() string {
	if s.Step != "" {
		return s.Step
	}
	return s.Moment.Title()
}

// Details are the kinds of events of a step with their numbers; "" where there is one kind.
func (s Span) Details() string {
	if s.Step == "" {
		return ""
	}
	parts := make([]string, len(s.Parts))
	for i, p := range s.Parts {
		parts[i] = fmt.Sprintf("%d × %s", p.Count, p.Title)
	}
	return strings.Join(parts, ", ")
}
