package outside_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"boardorder/services/part-sourcing/internal/outside"
)

// TestWindows: however calls come, no period holds more than its limit.
func TestWindows(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	limits := []outside.Limit{{Calls: 3, Period: time.Minute}, {Calls: 20, Period: time.Hour}}
	w := outside.NewWindows(func() time.Time { return now }, limits...)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	var taken []time.Time
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		now = now.Add(time.Duration(r.IntN(20_000)) * time.Millisecond)
		wait, ok := w.Take(over)
		if ok {
			taken = append(taken, now)
			continue
		}
		if wait <= 0 || wait > time.Hour {
			t.Fatalf("wait %v", wait)
		}
	}
	for _, l := range limits {
		for i := l.Calls; i < len(taken); i++ {
			if taken[i].Sub(taken[i-l.Calls]) < l.Period {
				t.Fatalf("more than %d calls in %v", l.Calls, l.Period)
			}
		}
	}
	if len(taken) < 900 { // 20 an hour for 55 hours
		t.Errorf("only %d calls", len(taken))
	}
	w.Exhaust(2 * time.Hour)
	if wait, ok := w.Take(over); ok || wait < time.Hour {
		t.Errorf("after the supplier refused: %v, %v", wait, ok)
	}
}
