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
			t.Fatalf("wait %v, want an hour at most", wait)
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
		t.Errorf("%d calls, want 900 at least", len(taken))
	}
	w.Exhaust(2 * time.Hour)
	if wait, ok := w.Take(over); ok || wait < time.Hour {
		t.Errorf("after the supplier refused: %v, %v; want an hour at least, false", wait, ok)
	}
}

// TestCalls: when the next call may be made, to the nanosecond, by the limit that is reached or
// by the supplier's word, whichever lasts longer.
func TestCalls(t *testing.T) {
	t.Parallel()
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	two := outside.Limit{Calls: 2, Period: time.Minute}
	three := outside.Limit{Calls: 3, Period: time.Hour}
	for rule, tt := range map[string]struct {
		calls  outside.Calls
		now    time.Time
		limits []outside.Limit
		wait   time.Duration
		kept   int
	}{
		"the first call":                     {outside.Calls{}, at(0), []outside.Limit{two}, 0, 1},
		"the last that is allowed":           {outside.Calls{At: []time.Time{at(0)}}, at(1), []outside.Limit{two}, 0, 2},
		"one too many":                       {outside.Calls{At: []time.Time{at(0), at(1)}}, at(2), []outside.Limit{two}, 58 * time.Second, 2},
		"a nanosecond too soon":              {outside.Calls{At: []time.Time{at(0), at(1)}}, at(60).Add(-1), []outside.Limit{two}, 1, 2},
		"a period after the first":           {outside.Calls{At: []time.Time{at(0), at(1)}}, at(60), []outside.Limit{two}, 0, 3},
		"of two limits the longer wait":      {outside.Calls{At: []time.Time{at(0), at(1), at(2)}}, at(3), []outside.Limit{two, three}, time.Hour - 3*time.Second, 3},
		"the supplier's word":                {outside.Calls{Until: at(100)}, at(0), []outside.Limit{two}, 100 * time.Second, 0},
		"the supplier's word, gone by":       {outside.Calls{Until: at(100)}, at(100), []outside.Limit{two}, 0, 1},
		"no limit":                           {outside.Calls{At: []time.Time{at(0)}}, at(0), nil, 0, 0},
		"what no limit looks back at is let": {outside.Calls{At: []time.Time{at(0), at(1), at(100), at(200)}}, at(300), []outside.Limit{two}, 0, 2},
	} {
		before := len(tt.calls.At)
		if wait := tt.calls.Take(tt.now, tt.limits); wait != tt.wait || len(tt.calls.At) != tt.kept {
			t.Errorf("%s: with %d calls at %d s of %v: wait %s and keep %d calls, want %s and %d", rule, before, tt.now.Unix(), tt.limits, wait, len(tt.calls.At), tt.wait, tt.kept)
		}
	}
	c := outside.Calls{}
	for _, until := range []int{100, 50} {
		c.Refuse(at(until))
	}
	if !c.Until.Equal(at(100)) {
		t.Errorf("refused until 100 s, then until 50 s: until %d s, want the later", c.Until.Unix())
	}
}

// TestSpares: who is sparing may call while less than its share of the longest period is used, by
// whomever, and never while the supplier refuses calls.
func TestSpares(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	limits := []outside.Limit{{Calls: 5, Period: time.Minute}, {Calls: 100, Period: 24 * time.Hour}}
	calls := func(n int, ago time.Duration) (c outside.Calls) {
		for range n {
			c.At = append(c.At, now.Add(-ago))
		}
		return c
	}
	refused := outside.Calls{Until: now.Add(time.Second)}
	for name, tt := range map[string]struct {
		calls   outside.Calls
		percent int
		want    bool
	}{
		"none used": {calls(0, 0), 30, true}, "one below": {calls(29, time.Hour), 30, true}, "all of it": {calls(30, time.Hour), 30, false},
		"of yesterday": {calls(100, 24*time.Hour), 30, true}, "of today still": {calls(30, 24*time.Hour-time.Second), 30, false},
		"no share": {calls(0, 0), 0, false}, "the whole day": {calls(99, time.Hour), 100, true}, "the supplier refuses": {refused, 30, false},
	} {
		if got := tt.calls.Spares(now, limits, tt.percent); got != tt.want {
			t.Errorf("%s: %t, want %t", name, got, tt.want)
		}
	}
	if w := outside.NewWindows(func() time.Time { return now }, limits...); !w.Spares(t.Context(), 30) {
		t.Error("a quota of which nothing is used spares nothing")
	}
}
