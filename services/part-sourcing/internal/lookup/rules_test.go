package lookup_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// TestSince: an answer from before a moment is asked for anew, and one from after it is not.
func TestSince(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{batch: 10, requests: map[string]int{}}
		e := lookup.New(lookup.NewMemory(100, nil), nil, lookup.Supply{Source: s, Policy: lookup.Policy{Found: hours, Missing: hours}})
		defer e.Close()
		e.Ask(t.Context(), "fake", numbers(0, 1))
		at := time.Now()
		time.Sleep(time.Minute)
		for _, tt := range []struct {
			rule     string
			since    time.Time
			requests int
		}{{"at any time", time.Time{}, 1}, {"at its moment", at, 1}, {"after it", at.Add(1), 2}, {"after it, and it was asked for anew", at.Add(1), 2}} {
			if r := e.AskBy(t.Context(), "fake", numbers(0, 1), lookup.Terms{Since: tt.since})[0]; r.State != lookup.Found || s.requests["P0"] != tt.requests {
				t.Errorf("%s: %s, asked %d times; want found and %d", tt.rule, r.State, s.requests["P0"], tt.requests)
			}
		}
	})
}

// TestSparing: a source that can spare no calls is asked nothing by who is sparing, whom its
// answers that are kept still serve; all others ask.
func TestSparing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, spares, asked := &fake{batch: 10, requests: map[string]int{}}, false, 0
		e := lookup.New(lookup.NewMemory(100, nil), nil, lookup.Supply{Source: s, Policy: lookup.Policy{Found: hours, Missing: hours}, Spares: func(_ context.Context, parts int) bool {
			asked += parts
			return spares
		}})
		defer e.Close()
		e.Ask(t.Context(), "fake", numbers(0, 1))
		for i, want := range []lookup.State{lookup.Found, lookup.Failed, lookup.Failed} {
			r := e.AskBy(t.Context(), "fake", numbers(0, 3), lookup.Terms{Sparing: true})[i]
			if r.State != want || want == lookup.Failed && outside.KindOf(r.Err) != outside.OverQuota {
				t.Errorf("P%d while nothing is spared: %s, %v; want %s", i, r.State, r.Err, want)
			}
		}
		if s.calls != 1 || asked != 6 {
			t.Errorf("%d calls, %d parts asked for; want 1 call and 2 parts each of 3 times", s.calls, asked)
		}
		spares = true
		if r := e.AskBy(t.Context(), "fake", numbers(0, 3), lookup.Terms{Sparing: true}); r[2].State != lookup.Found || s.requests["P0"] != 1 {
			t.Errorf("while calls are spared: %s, P0 asked for %d times; want found, once", r[2].State, s.requests["P0"])
		}
	})
}

// broken is a cache that cannot be had.
type broken struct{}

func (broken) Get(context.Context, []string) (map[string]lookup.Entry, error) {
	return nil, errors.New("away")
}

func (broken) Put(context.Context, string, lookup.Entry, time.Duration) error {
	return errors.New("away")
}

// short is a source that answers less than it is asked.
type short struct{ fake }

func (*short) Lookup(context.Context, []part.Query) ([]part.Answer, error) { return nil, nil }

// TestWithoutHelp: a cache that cannot be had costs calls and no answers; a source whose answers
// do not match its queries has failed.
func TestWithoutHelp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{batch: 10, requests: map[string]int{}}
		e := lookup.New(broken{}, nil, lookup.Supply{Source: s, Policy: lookup.Policy{Found: hours}})
		for range 2 {
			if r := e.Ask(t.Context(), "fake", numbers(0, 1))[0]; r.State != lookup.Found {
				t.Errorf("without a cache: %s, %v; want found", r.State, r.Err)
			}
			time.Sleep(time.Minute)
		}
		e.Close()
		if s.requests["P0"] != 2 {
			t.Errorf("without a cache a part was asked for %d times, want 2", s.requests["P0"])
		}
		e = lookup.New(lookup.NewMemory(100, nil), nil, lookup.Supply{Source: &short{fake{batch: 10}}})
		defer e.Close()
		if r := e.Ask(t.Context(), "fake", numbers(0, 1))[0]; r.State != lookup.Failed || outside.KindOf(r.Err) != outside.Unavailable {
			t.Errorf("no answer to one query: %s, %v; want failed", r.State, r.Err)
		}
	})
}

// claims play the other processes: keys that they hold, until they are let go.
type claims struct {
	mu   sync.Mutex
	held map[string]bool
	err  error
}

func (c *claims) FindHeld(_ context.Context, keys []string) (map[string]bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[string]bool{}
	for _, k := range keys {
		out[k] = c.held[k]
	}
	return out, c.err
}

func (c *claims) Take(ctx context.Context, keys []string) (map[string]bool, func(), error) {
	held, err := c.FindHeld(ctx, keys)
	return held, func() {}, err
}

// TestClaims: what another process asks for is waited for and not asked twice; what it gives up
// is asked here, and so is everything where nobody can tell.
func TestClaims(t *testing.T) {
	t.Parallel()
	const key = "fake/mpn:P0"
	for rule, tt := range map[string]struct {
		err      error
		other    func(*claims, lookup.Cache) // what the other process does after a second
		requests int
		at       time.Duration // when there is an answer, at least
	}{
		"it answers": {nil, func(c *claims, cache lookup.Cache) {
			_ = cache.Put(context.Background(), key, lookup.Entry{Answer: part.Answer{Offers: []part.Offer{{SKU: "theirs"}}}, At: time.Now()}, hours)
		}, 0, time.Second},
		"it gives up": {nil, func(c *claims, _ lookup.Cache) {
			c.mu.Lock()
			c.held[key] = false
			c.mu.Unlock()
		}, 1, time.Second},
		"nobody can tell": {errors.New("away"), func(*claims, lookup.Cache) {}, 1, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &fake{batch: 10, requests: map[string]int{}}
			c, cache := &claims{held: map[string]bool{key: tt.err == nil}, err: tt.err}, lookup.NewMemory(100, nil)
			e := lookup.NewShared(cache, c, nil, lookup.Supply{Source: s, Policy: lookup.Policy{Found: hours}})
			defer e.Close()
			begun := time.Now()
			time.AfterFunc(time.Second, func() { tt.other(c, cache) })
			r := e.Ask(t.Context(), "fake", numbers(0, 1))[0]
			if took := time.Since(begun); r.State != lookup.Found || s.requests["P0"] != tt.requests || took < tt.at || took > time.Minute {
				t.Errorf("%s: %s, %v, asked %d times, after %s; want found, %d, after %s or more", rule, r.State, r.Err, s.requests["P0"], took, tt.requests, tt.at)
			}
		})
	}
}

// TestMemoryForgets: an entry is there until its time and not at it.
func TestMemoryForgets(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	m := lookup.NewMemory(3, func() time.Time { return now })
	if err := m.Put(t.Context(), "a", lookup.Entry{}, time.Minute); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		after time.Duration
		there bool
	}{{0, true}, {time.Minute - 1, true}, {1, false}} {
		now = now.Add(tt.after)
		if got, err := m.Get(t.Context(), []string{"a", "b"}); (len(got) == 1) != tt.there || err != nil {
			t.Errorf("%s later: %d entries, %v; want it there %t", tt.after, len(got), err, tt.there)
		}
	}
}
