package shared_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/shared"
)

// A supplier has every part. It answers once it may.
type supplier struct {
	may  chan struct{} // nil: at once
	fail bool

	mu       sync.Mutex
	requests map[string]int
	calls    int
}

func (s *supplier) Name() string           { return "supplier" }
func (s *supplier) Batch() int             { return 10 }
func (s *supplier) Takes(part.Scheme) bool { return true }

func (s *supplier) Lookup(ctx context.Context, queries []part.Query) ([]part.Answer, error) {
	s.mu.Lock()
	s.calls++
	out := make([]part.Answer, len(queries))
	for i, q := range queries {
		if s.requests == nil {
			s.requests = map[string]int{}
		}
		s.requests[q.Number]++
		out[i].Offers = []part.Offer{{SKU: q.Number}}
	}
	s.mu.Unlock()
	if s.may != nil {
		select {
		case <-s.may:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if s.fail {
		return nil, &outside.Error{Source: "supplier", Kind: outside.Unavailable, Message: "down"}
	}
	return out, nil
}

// watched are claims that say when somebody waits for one.
type watched struct {
	*shared.Claims
	waits func()
}

func (w watched) FindHeld(ctx context.Context, keys []string) (map[string]bool, error) {
	held, err := w.Claims.FindHeld(ctx, keys)
	if len(held) > 0 {
		w.waits()
	}
	return held, err
}

// replica makes an engine with a connection of its own.
func replica(t *testing.T, b *bus.Bus, source lookup.Source, waits func()) *lookup.Engine {
	t.Helper()
	answers, err := b.Bucket(t.Context(), contract.PartAnswersBucket)
	if err != nil {
		t.Fatal(err)
	}
	claims, err := b.Bucket(t.Context(), contract.PartClaimsBucket)
	if err != nil {
		t.Fatal(err)
	}
	e := lookup.NewShared(shared.Cache{Bucket: answers}, watched{&shared.Claims{Bucket: claims}, waits}, nil,
		lookup.Supply{Source: source, Policy: lookup.Policy{Found: time.Hour, Missing: time.Hour}})
	t.Cleanup(e.Close)
	return e
}

func numbers(from, to int) (out []part.Query) {
	for n := from; n < to; n++ {
		out = append(out, part.Query{Scheme: part.MPN, Number: fmt.Sprint("P", n)})
	}
	return out
}

func checkFound(t *testing.T, who string, replies []lookup.Reply) {
	t.Helper()
	for _, r := range replies {
		if r.State != lookup.Found || r.Answer.Offers[0].SKU != r.Query.Number {
			t.Errorf("%s: reply %+v, want an offer of what was looked up", who, r)
		}
	}
}

func doNothing() {}

// TestReplicasAskOnce: overlapping lists on two replicas at the same moment ask the
// supplier for each part once, in full calls, and once more where what is kept is
// too old for both.
func TestReplicasAskOnce(t *testing.T) {
	t.Parallel()
	broker := bustest.Server(t, topology.Config{})
	s := &supplier{may: make(chan struct{})}
	waits := sync.OnceFunc(func() { close(s.may) }) // it answers once a replica waits for the other
	one, two := replica(t, bustest.Connect(t, broker), s, waits), replica(t, bustest.Connect(t, broker), s, waits)
	ask := func(since time.Time) {
		var wg sync.WaitGroup
		wg.Go(func() {
			checkFound(t, "one", one.AskBy(t.Context(), "supplier", numbers(0, 100), lookup.Terms{Since: since}))
		})
		wg.Go(func() {
			checkFound(t, "two", two.AskBy(t.Context(), "supplier", numbers(20, 120), lookup.Terms{Since: since}))
		})
		wg.Wait()
	}
	check := func(times int) {
		t.Helper()
		if len(s.requests) != 120 || s.calls > times*24 { // five in each at least, however the replicas take turns
			t.Errorf("%d parts in %d calls, want 120 in %d at most", len(s.requests), s.calls, times*24)
		}
		for number, n := range s.requests {
			if n != times {
				t.Errorf("%s was asked for %d times, want %d", number, n, times)
			}
		}
	}
	ask(time.Time{})
	check(1)
	ask(time.Time{})
	check(1)
	one.Close() // what both were told a moment ago is forgotten
	two.Close()
	one, two = replica(t, bustest.Connect(t, broker), s, doNothing), replica(t, bustest.Connect(t, broker), s, doNothing)
	ask(time.Now())
	check(2)
}

// TestClaimEnds: the part of a replica that is gone is asked for once its claim
// has ended, and that of one that waits long for the supplier is not.
func TestClaimEnds(t *testing.T) {
	t.Parallel()
	t.Run("gone", func(t *testing.T) {
		t.Parallel()
		broker := bustest.Server(t, topology.Config{})
		bucket, err := bustest.Connect(t, broker).Bucket(t.Context(), contract.PartClaimsBucket)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bucket.Create(t.Context(), contract.DeriveID("part", "supplier/"+numbers(0, 1)[0].Key()), nil); err != nil {
			t.Fatal(err)
		}
		begun, s := time.Now(), &supplier{}
		var waited atomic.Bool
		two := replica(t, bustest.Connect(t, broker), s, func() { waited.Store(true) })
		checkFound(t, "two", two.Ask(t.Context(), "supplier", numbers(0, 1)))
		const due = contract.PartClaimRetention
		if took := time.Since(begun); !waited.Load() || took < due*3/4 || took > due*3 || s.calls != 1 {
			t.Errorf("waited %v, %d calls after %s; want true, 1 after %s to %s", waited.Load(), s.calls, took, due*3/4, due*3)
		}
	})
	t.Run("slow", func(t *testing.T) {
		t.Parallel()
		broker := bustest.Server(t, topology.Config{})
		s, last := &supplier{may: make(chan struct{})}, &supplier{}
		begun := time.Now()
		answer := sync.OnceFunc(func() { close(s.may) })
		waits := func() {
			if time.Since(begun) > contract.PartClaimRetention*5/4 { // the claim is older than it would be unrenewed
				answer()
			}
		}
		one, two := replica(t, bustest.Connect(t, broker), s, doNothing), replica(t, bustest.Connect(t, broker), last, waits)
		var wg sync.WaitGroup
		wg.Go(func() { checkFound(t, "one", one.Ask(t.Context(), "supplier", numbers(0, 5))) })
		bustest.WaitFor(t, "the supplier is asked", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.calls == 1 })
		checkFound(t, "two", two.Ask(t.Context(), "supplier", numbers(0, 5)))
		wg.Wait()
		if last.calls != 0 {
			t.Errorf("a claim was taken over from one that asks: %v, want nothing asked", last.requests)
		}
	})
}

// TestClaimerFails: whoever waited for it asks on its own.
func TestClaimerFails(t *testing.T) {
	t.Parallel()
	broker := bustest.Server(t, topology.Config{})
	down, up := &supplier{fail: true, may: make(chan struct{})}, &supplier{}
	one, two := replica(t, bustest.Connect(t, broker), down, doNothing), replica(t, bustest.Connect(t, broker), up, sync.OnceFunc(func() { close(down.may) }))
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, r := range one.Ask(t.Context(), "supplier", numbers(0, 5)) {
			if r.State != lookup.Failed {
				t.Errorf("reply %+v, want state %v", r, lookup.Failed)
			}
		}
	})
	bustest.WaitFor(t, "the supplier is asked", func() bool { down.mu.Lock(); defer down.mu.Unlock(); return down.calls == 1 })
	checkFound(t, "two", two.Ask(t.Context(), "supplier", numbers(0, 5)))
	wg.Wait()
	if up.calls != 1 {
		t.Errorf("%d calls, want 1", up.calls)
	}
}

// TestCallerLeavesClaim: who waits for another replica waits no longer than it
// cares to, and what needs a call gets one meanwhile.
func TestCallerLeavesClaim(t *testing.T) {
	t.Parallel()
	broker := bustest.Server(t, topology.Config{})
	slow, quick := &supplier{may: make(chan struct{})}, &supplier{}
	waiting := make(chan struct{})
	one, two := replica(t, bustest.Connect(t, broker), slow, doNothing), replica(t, bustest.Connect(t, broker), quick, sync.OnceFunc(func() { close(waiting) }))
	first, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() { one.Ask(first, "supplier", numbers(0, 40)) })
	bustest.WaitFor(t, "all is asked", func() bool { slow.mu.Lock(); defer slow.mu.Unlock(); return len(slow.requests) == 40 })
	second, leave := context.WithCancel(t.Context())
	var replies []lookup.Reply
	wg.Go(func() { replies = two.Ask(second, "supplier", numbers(0, 40)) })
	<-waiting
	checkFound(t, "what nobody asked for", two.Ask(t.Context(), "supplier", numbers(40, 80)))
	leave()
	cancel()
	wg.Wait()
	for _, r := range replies {
		if r.State != lookup.Pending {
			t.Errorf("reply %+v, want state %v", r, lookup.Pending)
		}
	}
	close(slow.may)
	checkFound(t, "later", two.Ask(t.Context(), "supplier", numbers(0, 40)))
	if len(quick.requests) != 40 {
		t.Errorf("%d parts were asked for twice, want none", len(quick.requests)-40)
	}
}

// TestBrokerUnavailable: parts are looked up, claimed or not, where the broker is gone and
// where it does not answer.
func TestBrokerUnavailable(t *testing.T) {
	t.Parallel()
	t.Run("gone", func(t *testing.T) {
		t.Parallel()
		broker := bustest.Server(t, topology.Config{})
		e := replica(t, bustest.Connect(t, broker), &supplier{}, doNothing)
		checkFound(t, "before", e.Ask(t.Context(), "supplier", numbers(0, 20)))
		broker.Shutdown()
		broker.WaitForShutdown()
		begun := time.Now()
		checkFound(t, "gone", e.Ask(t.Context(), "supplier", numbers(100, 200)))
		const limit = 20 * time.Second
		if took := time.Since(begun); took > limit {
			t.Errorf("looked up in %s, want %s at most", took, limit)
		}
	})
	t.Run("silent", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			e := lookup.NewShared(lookup.NewMemory(1000, nil), &shared.Claims{Bucket: silent{}}, nil,
				lookup.Supply{Source: &supplier{}, Policy: lookup.Policy{Found: time.Hour}})
			defer e.Close()
			begun := time.Now()
			checkFound(t, "silent", e.Ask(t.Context(), "supplier", numbers(0, 200)))
			const limit = 1100 * time.Millisecond // once, however many calls there are
			if took := time.Since(begun); took > limit {
				t.Errorf("looked up in %s, want %s at most", took, limit)
			}
		})
	})
}

// silent is a bucket of a broker that answers nothing.
type silent struct{ shared.Bucket }

func (silent) Create(ctx context.Context, _ string, _ []byte) (uint64, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}
