package web

import (
	"testing"
	"time"
)

func TestPreferredWait(t *testing.T) {
	t.Parallel()
	for prefer, want := range map[string]int{
		"wait=10": 10, "respond-async, wait=0": 0, `wait="5"`: 5, "": -1, "wait=151": -1, "wait=-1": -1, "wait": -1, "waiting=3": -1,
	} {
		n, ok := parsePrefer(prefer)
		if !ok {
			n = -1
		}
		if n != want {
			t.Errorf("parsePrefer(%q) = %d, want %d", prefer, n, want)
		}
	}
}

func TestTakesGzip(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{"": false, "gzip": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "gzip; q=0": false, "x-gzip": false} {
		if got := takesGzip(accept); got != want {
			t.Errorf("takesGzip(%q) = %v, want %v", accept, got, want)
		}
	}
}

// TestSlowBodiesEnd: a body that drips is cut off long before the time that a
// large one has, however steadily it drips.
func TestSlowBodiesEnd(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	drip := func(every time.Duration, bytes int64) (ended time.Duration) {
		b := &Body{stall: stall}
		for now := start; now.Sub(start) < time.Hour; now = now.Add(every) {
			if due := b.due(now); !due.After(now) || due.Before(now.Add(every)) {
				return due.Sub(start)
			}
			b.got += bytes
		}
		return time.Hour
	}
	for name, tt := range map[string]struct {
		every time.Duration
		bytes int64
		want  time.Duration
	}{
		"a byte a second":         {time.Second, 1, 30 * time.Second},
		"a byte every 29 s":       {29 * time.Second, 1, 30 * time.Second},
		"nothing for too long":    {31 * time.Second, 1 << 20, 30 * time.Second},
		"just fast enough":        {time.Second, 8 << 10, 20 * time.Minute},
		"fast, and without end":   {time.Second, 1 << 20, 20 * time.Minute},
		"half as fast as allowed": {time.Second, 4 << 10, time.Minute},
	} {
		if got := drip(tt.every, tt.bytes).Round(10 * time.Second); got != tt.want {
			t.Errorf("%s: ends after %v, want %v", name, got, tt.want)
		}
	}
}
