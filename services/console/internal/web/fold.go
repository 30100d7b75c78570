package web

import (
	"fmt"
	"time"
)

// A span is one line of a timeline: one event, or several of a kind that came
// one after the other.
type span struct {
	moment             // the first
	Count    int       // how many
	Until    time.Time // of the last
	Interval time.Duration
}

// fold joins events of a kind that follow each other: nineteen times "delivery
// chosen" is one line. Interval is the time since the line before.
func fold(all []moment) []span {
	var out []span
	for _, m := range all {
		if n := len(out); n > 0 && out[n-1].Aggregate == m.Aggregate && out[n-1].Event.Name == m.Event.Name {
			out[n-1].Count++
			out[n-1].Until = m.At
			continue
		}
		s := span{moment: m, Count: 1, Until: m.At}
		if n := len(out); n > 0 {
			s.Interval = m.At.Sub(out[n-1].Until)
		}
		out = append(out, s)
	}
	return out
}

// took writes a time between two events, in its two greatest units.
func took(d time.Duration) string {
	switch {
	case d < 0:
		return "0 s"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d d %d h", int(d.Hours())/24, int(d.Hours())%24)
}

// waitTime is how long something waits: 3 d 4 h.
func waitTime(now, since time.Time) string {
	if since.IsZero() {
		return "–"
	}
	return took(now.Sub(since))
}
