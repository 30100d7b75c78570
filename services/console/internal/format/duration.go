package format

import (
	"fmt"
	"time"
)

// Duration writes a time between two events, in its two greatest units.
func Duration(d time.Duration) string {
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

// Wait is how long something waits: 3 d 4 h.
func Wait(now, since time.Time) string {
	if since.IsZero() {
		return "–"
	}
	return Duration(now.Sub(since))
}
