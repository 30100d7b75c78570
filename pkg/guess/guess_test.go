package guess_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/guess"
)

const window = contract.ConsoleAttemptWindow

func counter(t *testing.T, b *bus.Bus, now func() time.Time) *guess.Counter {
	t.Helper()
	bucket, err := b.Bucket(t.Context(), contract.ConsoleAttemptsBucket)
	if err != nil {
		t.Fatal(err)
	}
	return guess.New(bucket, window, now)
}

// TestParallelGuessesAreCountedOneByOne: at all replicas together, and no
// replica that starts later forgets them.
func TestParallelGuessesAreCountedOneByOne(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	replicas := []*guess.Counter{counter(t, b, time.Now), counter(t, b, time.Now)}
	var looked atomic.Int64
	var wg sync.WaitGroup
	for i := range 120 {
		wg.Go(func() {
			wait, err := replicas[i%2].Begin(t.Context(), guess.Bound{Subject: "ann", Max: 5})
			if err != nil {
				t.Errorf("attempt %d: %v, want it counted", i, err)
			} else if wait == 0 {
				looked.Add(1)
			}
		})
	}
	wg.Wait()
	if n := looked.Load(); n != 5 {
		t.Errorf("%d of 120 guesses were looked at, want 5", n)
	}
	if wait, err := counter(t, b, time.Now).Begin(t.Context(), guess.Bound{Subject: "ann", Max: 5}); err != nil || wait <= 0 {
		t.Errorf("a replica that started later: %v, %v", wait, err)
	}
}

func TestCounter(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	start := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	c := counter(t, bustest.Start(t), func() time.Time { return start.Add(time.Duration(passed.Load())) })
	wide, narrow := guess.Bound{Subject: "address", Max: 4}, guess.Bound{Subject: "pair", Max: 2}
	begin := func(name string, want time.Duration, bounds ...guess.Bound) {
		t.Helper()
		if wait, err := c.Begin(t.Context(), bounds...); err != nil || wait != want {
			t.Errorf("%s: wait %v, %v; want %v", name, wait, err, want)
		}
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	begin("first", 0, wide, narrow)
	passed.Store(int64(time.Minute))
	begin("second", 0, wide, narrow)
	begin("third", window-time.Minute, wide, narrow)
	begin("another pair", 0, wide, guess.Bound{Subject: "other", Max: 2})
	begin("and once more", 0, wide) // the third took nothing of the address
	begin("address used up", window-time.Minute, wide)
	do(c.Undo(t.Context(), wide))
	begin("after one was taken back", 0, wide)
	passed.Store(int64(window))
	begin("when the first is over", 0, narrow)
	begin("the second is not", time.Minute, narrow)
	do(c.Forget(t.Context(), narrow))
	begin("after all were forgotten", 0, narrow)
	do(c.Forget(t.Context(), guess.Bound{Subject: "unknown", Max: 1}))
}
