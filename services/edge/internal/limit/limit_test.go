package limit

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
)

var start = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestWindow(t *testing.T) {
	t.Parallel()
	p := Policy{"p", 10, time.Minute} // slices of a second; start is the beginning of one
	at := func(seconds ...int) (w window) {
		for _, s := range seconds {
			at := start.Add(time.Duration(s) * time.Second)
			w = w.plus(taken{p.slice(at), 1, p.sliceOffset(at)})
		}
		return w
	}
	for name, tt := range map[string]struct {
		w    window
		left int
		wait time.Duration // for one
		ten  time.Duration // for ten
	}{
		"nothing taken":    {nil, 10, 0, 0},
		"long ago":         {at(-3600), 10, 0, 0},
		"a window ago":     {at(-61), 10, 0, 0},
		"exactly":          {at(-60), 10, 0, 0},
		"nearly":           {at(-59), 9, 0, time.Second},
		"half gone":        {at(-50, -40, -30, -20, -10), 5, 0, 50 * time.Second},
		"all at once":      {at(0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0, 60 * time.Second, 60 * time.Second},
		"one comes back":   {at(-59, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0, time.Second, 60 * time.Second},
		"more than quota":  {at(-50, -40, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0, 20 * time.Second, 60 * time.Second},
		"another's clock":  {at(2, 2, 0), 7, 0, 62 * time.Second},
		"out of its order": {at(0, -30, -59), 7, 0, 60 * time.Second},
	} {
		w := tt.w.prune(p, start)
		if l, one, ten := w.freeTokens(p), w.wait(p, start, 1), w.wait(p, start, 10); l != tt.left || one != tt.wait || ten != tt.ten {
			t.Errorf("%s: %d left, %v and %v to wait; want %d, %v, %v", name, l, one, ten, tt.left, tt.wait, tt.ten)
		}
		if again, err := readWindow(tt.w.text()); err != nil || string(again.text()) != string(tt.w.text()) {
			t.Errorf("%s: read again as %v, %v", name, again, err)
		}
	}
	if w := window(nil).wait(p, start, 11); w != p.Window {
		t.Errorf("more than there ever are: %v, want %v", w, p.Window)
	}
	if w := at(0, 0, 0).plus(taken{slice: p.slice(start), n: -2}); w.sum() != 1 {
		t.Errorf("given back: %v, want 1 left", w)
	}
}

// However requests are spread over time and replicas, no window of time sees
// more than the quota, and whoever waits as long as it is told passes.
func TestNoWindowHoldsMoreThanTheQuota(t *testing.T) {
	t.Parallel()
	for _, p := range []Policy{{"exact", 20, time.Minute}, {"leased", 400, time.Minute}} {
		var offset atomic.Int64
		now := func() time.Time { return start.Add(time.Duration(offset.Load())) }
		replicas := limiters(t, 3, now)
		for _, l := range replicas {
			l.rateTimeout = timeout // a busy machine is no broker that is away
		}
		r := rand.New(rand.NewPCG(1, 2))
		var passed []time.Time
		for range 20 * p.Quota {
			l := replicas[r.IntN(len(replicas))]
			s, err := l.Take(t.Context(), p, "caller")
			if err != nil {
				t.Fatal(err)
			}
			if !s.Allowed {
				if s.Remaining != 0 || s.Retry <= 0 || s.Retry > p.Window+p.sliceTime() {
					t.Fatalf("%s: refused with %+v, want nothing left, again within %v", p.Name, s, p.Window+p.sliceTime())
				}
				offset.Add(int64(s.Retry))
				if s, err = l.Take(t.Context(), p, "caller"); p.lease() == 1 && !s.Allowed || err != nil {
					t.Fatalf("%s: refused after the wait: %+v, %v", p.Name, s, err)
				}
			}
			if s.Allowed {
				passed = append(passed, now())
			}
			offset.Add(r.Int64N(int64(p.Window) / int64(p.Quota)))
		}
		limit := 0
		for i, begin := range passed {
			n := 0
			for _, at := range passed[i:] {
				if at.Sub(begin) < p.Window {
					n++
				}
			}
			limit = max(limit, n)
		}
		if limit > p.Quota || limit < p.Quota*9/10 {
			t.Errorf("%s: %d passed within a window, want up to %d", p.Name, limit, p.Quota)
		}
	}
}

// A caller within its quota is not refused because replicas hold tokens that
// they do not use.
func TestReplicasKeepNoTokensFromACaller(t *testing.T) {
	t.Parallel()
	var offset atomic.Int64
	replicas := limiters(t, 3, func() time.Time { return start.Add(time.Duration(offset.Load())) })
	p := Policy{"p", 600, time.Minute}
	for i := range 2000 {
		if s, err := replicas[i%3].Take(t.Context(), p, "a"); err != nil || !s.Allowed {
			t.Fatalf("request %d: %+v, %v", i, s, err)
		}
		offset.Add(int64(time.Minute / 560))
	}
}

func limiters(t *testing.T, n int, now func() time.Time) []*Limiter {
	t.Helper()
	b := bustest.Start(t)
	var out []*Limiter
	for range n {
		short, long := buckets(t, b)
		out = append(out, New(short, long, now))
	}
	return out
}

func buckets(t *testing.T, b *bus.Bus) (short, long *bus.Bucket) {
	t.Helper()
	short, err := b.Bucket(t.Context(), contract.RateLimitsBucket)
	if err != nil {
		t.Fatal(err)
	}
	if long, err = b.Bucket(t.Context(), contract.QuotasBucket); err != nil {
		t.Fatal(err)
	}
	return short, long
}

func TestReplicasTogetherKeepTheQuota(t *testing.T) {
	t.Parallel()
	for _, p := range []Policy{{"exact", 40, time.Hour}, {"leased", 400, time.Hour}} {
		var passed atomic.Int64
		var wg sync.WaitGroup
		for _, l := range limiters(t, 3, func() time.Time { return start }) {
			for range 4 {
				wg.Go(func() {
					for range p.Quota / 4 {
						s, err := l.Take(t.Context(), p, "caller")
						if err != nil {
							t.Errorf("Take(%v) for caller: %v", p, err)
							return
						}
						if s.Allowed {
							passed.Add(1)
						} else if s.Retry <= 0 || s.Remaining != 0 {
							t.Errorf("refused with %+v, want nothing left, and when again", s)
						}
					}
				})
			}
		}
		wg.Wait()
		if int(passed.Load()) != p.Quota {
			t.Errorf("%s: %d passed, want %d", p.Name, passed.Load(), p.Quota)
		}
	}
}

func TestLimiterCountsDownAndRecovers(t *testing.T) {
	t.Parallel()
	var offset atomic.Int64
	l := limiters(t, 1, func() time.Time { return start.Add(time.Duration(offset.Load())) })[0]
	p := Policy{"p", 3, time.Minute}
	for want := 2; want >= 0; want-- {
		if s, err := l.Take(t.Context(), p, "a"); err != nil || !s.Allowed || s.Remaining != want {
			t.Errorf("Take = %+v, %v; want %d left", s, err, want)
		}
	}
	s, err := l.Take(t.Context(), p, "a")
	if err != nil || s.Allowed || s.RetryAfter() != 60 || s.Header() != `"p";r=0;t=60` {
		t.Errorf("Take over the quota = %+v %q, %v", s, s.Header(), err)
	}
	if s, err := l.Take(t.Context(), p, "b"); err != nil || !s.Allowed {
		t.Errorf("another caller: %+v, %v", s, err)
	}
	late := State{Policy: p, Allowed: true, Reset: 61 * time.Second} // of a slice that was leased
	if got, want := late.Header(), `"p";r=0;t=60`; got != want {
		t.Errorf("longer than the window: %s, want %s", got, want)
	}
	offset.Store(int64(60 * time.Second))
	if s, err := l.Take(t.Context(), p, "a"); err != nil || !s.Allowed || s.Remaining != 2 {
		t.Errorf("after 60 s: %+v, %v", s, err)
	}
}

// Without the shared state a quota of an hour or a day refuses; a rate goes by what
// this replica has counted.
func TestQuotasFailClosedAndRatesOpen(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	short, long := buckets(t, b)
	b.Close()
	l := New(short, long, func() time.Time { return start })
	for _, p := range []Policy{DesignChecks, QuotesDay, UploadLink} {
		if s, err := l.Take(t.Context(), p, "a"); err == nil || s.Allowed {
			t.Errorf("%s without a broker = %+v, %v; want an error", p.Name, s, err)
		}
	}
	for _, p := range []Policy{{"rate", 3, time.Minute}, {"short", 3, 59 * time.Minute}} {
		for i := range 5 {
			s, err := l.Take(t.Context(), p, "a")
			if err != nil || s.Allowed != (i < 3) || s.Remaining != max(2-i, 0) {
				t.Errorf("%s without a broker, request %d = %+v, %v; want the first 3 to pass", p.Name, i+1, s, err)
			}
		}
	}
}

// A node that dies stops no request: what the bucket's leader would have counted is
// counted here, and added once there is another leader.
func TestRatesOutliveTheLeader(t *testing.T) {
	t.Parallel()
	servers := bustest.Cluster(t, topology.Config{})
	leader := 0
	bustest.WaitFor(t, "the bucket to have a leader", func() bool {
		for i, s := range servers {
			if s.JetStreamIsStreamLeader("$G", "KV_"+contract.RateLimitsBucket) {
				leader = i
				return true
			}
		}
		return false
	})
	short, long := buckets(t, bustest.Connect(t, servers[(leader+1)%3]))
	now := func() time.Time { return start }
	one, other := New(short, long, now), New(short, long, now)
	p := Policy{"p", 10, time.Minute}
	take := func(want bool, left int) {
		t.Helper()
		if s, err := one.Take(t.Context(), p, "a"); err != nil || s.Allowed != want || s.Remaining != left {
			t.Fatalf("Take = %+v, %v; want allowed %t, %d left", s, err, want, left)
		}
	}
	take(true, 9)
	servers[leader].Shutdown()
	for left := 8; left >= 1; left-- {
		take(true, left)
	}
	bustest.WaitFor(t, "another leader to count", func() bool {
		one.setAlone(-time.Second) // the clock of this test stands still
		if _, err := one.Take(t.Context(), p, "a"); err != nil {
			t.Fatal(err)
		}
		s, err := other.TakeMany(t.Context(), p, "a", 10)
		return err == nil && !s.Allowed && len(one.holding(p, p.key("a")).own) == 0
	})
}

// A replica that let the whole quota through by itself tells the others so, though it
// has nothing left to take.
func TestRatesTakenAloneAreReported(t *testing.T) {
	t.Parallel()
	all := limiters(t, 2, func() time.Time { return start })
	one, other := all[0], all[1]
	p := Policy{"p", 3, time.Minute}
	one.setAlone(time.Hour)
	for i := range 4 {
		if s, err := one.Take(t.Context(), p, "a"); err != nil || s.Allowed != (i < 3) {
			t.Fatalf("alone, request %d = %+v, %v; want the first 3 to pass", i+1, s, err)
		}
	}
	one.setAlone(-time.Second)
	if s, err := one.Take(t.Context(), p, "a"); err != nil || s.Allowed {
		t.Fatalf("over the quota: %+v, %v", s, err)
	}
	if s, err := other.Take(t.Context(), p, "a"); err != nil || s.Allowed {
		t.Errorf("the other replica: %+v, %v; want it to know of the 3", s, err)
	}
}

// While the shared state does not answer, the requests of one caller wait for it
// side by side: none waits for the timeouts of those before it.
func TestSilenceDoesNotAddUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := New(nil, nil, time.Now)
		if err := l.holding(Requests, Requests.key("a")).lock(t.Context()); err != nil { // another asks
			t.Fatal(err)
		}
		began := time.Now()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if s, err := l.Take(t.Context(), Requests, "a"); !errors.Is(err, context.DeadlineExceeded) || s.Allowed {
					t.Errorf("Take = %+v, %v", s, err)
				}
			})
		}
		all.Wait()
		if took := time.Since(began); took != timeout {
			t.Errorf("the last was refused after %s, want %s", took, timeout)
		}
	})
}

func TestAccountsHaveTheirOwnQuotas(t *testing.T) {
	t.Parallel()
	if q := Requests.ApplyLimits(map[string]int{"requests": 5}).Quota; q != 5 {
		t.Errorf("quota %d, want 5", q)
	}
	if q := Requests.ApplyLimits(map[string]int{"requests": -1, "other": 7}).Quota; q != Requests.Quota {
		t.Errorf("quota %d, want the usual", q)
	}
}

func TestTakeManyTakesAllOrNone(t *testing.T) {
	t.Parallel()
	l := limiters(t, 1, func() time.Time { return start })[0]
	p := Policy{"p", 10, time.Hour}
	for _, step := range []struct {
		n  int
		ok bool
	}{{4, true}, {7, false}, {6, true}, {1, false}} {
		if s, err := l.TakeMany(t.Context(), p, "a", step.n); err != nil || s.Allowed != step.ok || !s.Allowed && s.Retry <= 0 {
			t.Errorf("TakeMany(%d) = %+v, %v; want %v", step.n, s, err, step.ok)
		}
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	p := NewPlaces()
	leave, ok := p.Enter("a", 1)
	if !ok {
		t.Fatal("the first place is refused")
	}
	if _, ok := p.Enter("a", 1); ok {
		t.Error("there is one place more than there may be")
	}
	if other, ok := p.Enter("b", 1); !ok {
		t.Error("somebody else is refused")
	} else {
		other()
	}
	leave()
	if leave, ok := p.Enter("a", 1); !ok {
		t.Error("a place that was left is not free")
	} else {
		leave()
	}
	if len(p.held) != 0 {
		t.Errorf("%v is remembered, want nothing", p.held)
	}
}

// A token that is given back passes again, and none is made of nothing.
func TestGiveBack(t *testing.T) {
	t.Parallel()
	var offset atomic.Int64
	now := func() time.Time { return start.Add(time.Duration(offset.Load())) }
	l := limiters(t, 1, now)[0]
	p := Policy{"back", 2, time.Hour} // slices of a minute
	take := func() State {
		t.Helper()
		s, err := l.Take(t.Context(), p, "caller")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, second := take(), take()
	refused := take()
	if !first.Allowed || !second.Allowed || refused.Allowed {
		t.Fatalf("two of two tokens and one more: %+v, %+v, %+v; want the third refused alone", first, second, refused)
	}
	l.GiveBack(refused, "caller")
	if take().Allowed {
		t.Error("a refused request gave a token")
	}
	l.GiveBack(second, "caller")
	if again := take(); !again.Allowed || take().Allowed {
		t.Error("the token that was given back did not pass once")
	}
	offset.Add(int64(2 * time.Minute))
	l.GiveBack(first, "caller")
	if take().Allowed {
		t.Error("a token of a slice that is over was given back")
	}
}

// What is counted by the hour or longer lies where it outlives the broker's process,
// and each policy in one bucket only.
func TestLongWindowsOutliveTheBroker(t *testing.T) {
	t.Parallel()
	for _, b := range registry.Buckets() {
		if b.Name == contract.QuotasBucket && (b.Memory || b.TTL < Day) {
			t.Errorf("%+v is forgotten before its windows are over: want %v at least, not in memory", b, Day)
		}
	}
	short, long := buckets(t, bustest.Start(t))
	l := New(short, long, func() time.Time { return start })
	for _, p := range append(Policies(), Messages, BadKeys, UploadLink, NetworkMegabytes, BuyLinksRefused, OrdersRefused, LeakedKeys, Pages, Pictures, Notices) {
		if s, err := l.Take(t.Context(), p, "a"); err != nil || !s.Allowed {
			t.Fatalf("the first of %s: %+v, %v; want it allowed", p.Name, s, err)
		}
		in, notIn := short, long
		if p.Window >= time.Hour {
			in, notIn = long, short
		}
		if _, _, err := in.Get(t.Context(), p.key("a")); err != nil {
			t.Errorf("%s in the bucket of its windows: %v", p.Name, err)
		}
		if _, _, err := notIn.Get(t.Context(), p.key("a")); !errors.Is(err, bus.ErrNoKey) {
			t.Errorf("%s in the other bucket: %v", p.Name, err)
		}
	}
}

// A replica that stops gives back what it leased and did not spend, and nothing else.
func TestWhatIsLeasedIsReturned(t *testing.T) {
	t.Parallel()
	p := Policy{"leased", 400, time.Hour}
	replicas := limiters(t, 2, func() time.Time { return start })
	spent := 0
	for range 50 {
		if s, err := replicas[0].Take(t.Context(), p, "a"); err != nil || !s.Allowed {
			t.Fatalf("the %d. of %+v: %+v, %v; want it allowed", spent+1, p, s, err)
		}
		spent++
	}
	for range 2 { // the second time there is nothing left to return
		if err := replicas[0].Return(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for {
		s, err := replicas[1].Take(t.Context(), p, "a")
		if err != nil {
			t.Fatal(err)
		}
		if !s.Allowed {
			break
		}
		spent++
	}
	if spent != p.Quota {
		t.Errorf("%d of %d could be spent after a replica stopped, want all", spent, p.Quota)
	}
}
