package timeline

import (
	"time"
)

// A Span is one line of a timeline: one event, or several of a kind that came
// one after the other.
type Span struct {
	Moment             // the first
	Count    int       // how many
	Until    time.Time // of the last
	Interval time.Duration
}

// Fold joins events of a kind that follow each other: nineteen times "delivery
// chosen" is one line. Interval is the time since the line before.
func Fold(all []Moment) []Span {
	var out []Span
	for _, m := range all {
		if n := len(out); n > 0 && out[n-1].Aggregate == m.Aggregate && out[n-1].Event.Name == m.Event.Name {
			out[n-1].Count++
			out[n-1].Until = m.At
			continue
		}
		s := Span{Moment: m, Count: 1, Until: m.At}
		if n := len(out); n > 0 {
			s.Interval = m.At.Sub(out[n-1].Until)
		}
		out = append(out, s)
	}
	return out
}
