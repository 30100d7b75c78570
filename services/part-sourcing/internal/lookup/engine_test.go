package lookup_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// A fake is a source that knows every part whose number begins with P.
type fake struct {
	batch int
	delay time.Duration

	mu       sync.Mutex
	requests map[string]int
	calls    int
	err      error
}

func (s *fake) Name() string                  { return "fake" }
func (s *fake) Batch() int                    { return s.batch }
func (s *fake) Takes(scheme part.Scheme) bool { return scheme == part.MPN }

func (s *fake) Lookup(ctx context.Context, queries []part.Query) ([]part.Answer, error) {
	select {
	case <-time.After(s.delay):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if len(queries) > s.batch {
		return nil, errors.New("too many")
	}
	out := make([]part.Answer, len(queries))
	for i, q := range queries {
		s.requests[q.Number]++
		if q.Number[0] == 'P' {
			out[i].Offers = []part.Offer{{SKU: q.Number}}
		}
	}
	return out, s.err
}

func numbers(from, to int) []part.Query {
	var out []part.Query
	for n := from; n < to; n++ {
		out = append(out, part.Query{Scheme: part.MPN, Number: fmt.Sprint("P", n)})
	}
	return out
}

func count(replies []lookup.Reply) map[lookup.State]int {
	m := map[lookup.State]int{}
	for _, r := range replies {
		m[r.State]++
	}
	return m
}

const hours = 12 * time.Hour

// TestAskedOnce: however many ask for overlapping lists at the same time and one
// after another, each part is asked for once, in full batches.
func TestAskedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{batch: 10, delay: 300 * time.Millisecond, requests: map[string]int{}}
		e := lookup.New(lookup.NewMemory(10_000, nil), nil, lookup.Supply{Source: s, Policy: lookup.Policy{Found: hours, Missing: hours}})
		defer e.Close()
		var wg sync.WaitGroup
		for i := range 200 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 10 * time.Millisecond)
				if got := count(e.Ask(t.Context(), "fake", numbers(i, i+100))); got[lookup.Found] != 100 {
					t.Errorf("list %d: %v, want 100 found", i, got)
				}
			})
		}
		wg.Wait()
		for n, times := range s.requests {
			if times != 1 {
				t.Errorf("%s was asked for %d times, want once", n, times)
			}
		}
		if len(s.requests) != 299 || s.calls > 60 {
			t.Errorf("%d parts in %d calls; want 299 in 60 at most", len(s.requests), s.calls)
		}
	})
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{batch: 10, requests: map[string]int{}}
		e := lookup.New(lookup.NewMemory(10_000, nil), nil, lookup.Supply{Source: s, Policy: lookup.Policy{Found: time.Hour, Missing: time.Minute}})
		defer e.Close()
		ask := func(number string) lookup.Reply {
			return e.Ask(t.Context(), "fake", []part.Query{{Scheme: part.MPN, Number: number}})[0]
		}
		for _, step := range []struct {
			after time.Duration
			p, x  int // how often each was asked for by then
			pAt   time.Duration
		}{{0, 1, 1, 0}, {30 * time.Second, 1, 1, 0}, {31 * time.Second, 1, 2, 0}, {time.Hour, 2, 3, 0}} {
			time.Sleep(step.after)
			if r := ask("P1"); r.State != lookup.Found || s.requests["P1"] != step.p {
				t.Errorf("after %v: %v, asked %d times; want it found, %d", step.after, r.State, s.requests["P1"], step.p)
			}
			if r := ask("X1"); r.State != lookup.Missing || s.requests["X1"] != step.x {
				t.Errorf("after %v: %v, asked %d times; want it missing, %d", step.after, r.State, s.requests["X1"], step.x)
			}
		}
		if r := e.Ask(t.Context(), "fake", []part.Query{{Scheme: part.FabCode, Number: "C1"}})[0]; r.State != lookup.NotTaken {
			t.Errorf("a scheme that the source does not take: %v, want %v", r.State, lookup.NotTaken)
		}
		if r := e.Ask(t.Context(), "nobody", numbers(0, 1))[0]; r.State != lookup.NotTaken {
			t.Errorf("a source that there is not: %v, want %v", r.State, lookup.NotTaken)
		}
	})
}

// TestNothingIsKept where the terms forbid it.
func TestNothingIsKept(t *testing.T) {
	t.Parallel()
	s := &fake{batch: 10, requests: map[string]int{}}
	e := lookup.New(lookup.NewMemory(10, nil), nil, lookup.Supply{Source: s})
	defer e.Close()
	for range 3 {
		e.Ask(t.Context(), "fake", numbers(0, 1))
	}
	if s.requests["P0"] != 3 {
		t.Errorf("asked %d times, want 3", s.requests["P0"])
	}
}

// TestCallerLeaves: what is not answered in time is pending, goes on, and is
// there when asked again.
func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{batch: 10, delay: time.Second, requests: map[string]int{}}
		e := lookup.New(lookup.NewMemory(100, nil), nil, lookup.Supply{Source: s, Policy: lookup.Policy{Found: hours}, Parallel: 1})
		defer e.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		if got := count(e.Ask(ctx, "fake", numbers(0, 20))); got[lookup.Found] != 10 || got[lookup.Pending] != 10 {
			t.Errorf("20 lookups in 1.5 s: %v, want 10 found and 10 pending", got)
		}
		if got := count(e.Ask(t.Context(), "fake", numbers(0, 20))); got[lookup.Found] != 20 || s.calls != 2 {
			t.Errorf("%v in %d calls; want 20 found, 2", got, s.calls)
		}
	})
}

func TestFailures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{batch: 10, requests: map[string]int{}, err: &outside.Error{Source: "fake", Kind: outside.OverQuota, RetryAfter: time.Minute}}
		e := lookup.New(lookup.NewMemory(100, nil), nil, lookup.Supply{Source: s, Policy: lookup.Policy{Found: hours}})
		defer e.Close()
		for range 3 {
			r := e.Ask(t.Context(), "fake", numbers(0, 1))[0]
			if r.State != lookup.Failed || outside.KindOf(r.Err) != outside.OverQuota {
				t.Errorf("over quota: %+v, want a failure for the quota", r)
			}
		}
		if s.calls != 1 {
			t.Errorf("a source that refuses calls was called %d times, want once", s.calls)
		}
		time.Sleep(2 * time.Minute)
		s.err = nil
		if r := e.Ask(t.Context(), "fake", numbers(0, 1))[0]; r.State != lookup.Found {
			t.Errorf("after the pause: %+v, want it found", r)
		}
	})
}

func TestCloseEndsCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{batch: 10, delay: time.Hour, requests: map[string]int{}}
		e := lookup.New(lookup.NewMemory(100, nil), nil, lookup.Supply{Source: s})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if r := e.Ask(ctx, "fake", numbers(0, 1))[0]; r.State != lookup.Pending {
			t.Errorf("no answer within a second: %+v, want it pending", r)
		}
		e.Close()
		if r := e.Ask(t.Context(), "fake", numbers(5, 6))[0]; r.State != lookup.Failed {
			t.Errorf("after Close: %+v, want it failed", r)
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	m := lookup.NewMemory(3, nil)
	for i := range 10 {
		if err := m.Put(t.Context(), fmt.Sprint(i), lookup.Entry{At: time.Now()}, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	got, err := m.Get(t.Context(), []string{"6", "7", "8", "9"})
	if err != nil || len(got) != 3 {
		t.Errorf("%d entries, %v", len(got), err)
	}
}
