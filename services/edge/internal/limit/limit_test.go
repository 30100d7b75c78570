package limit

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
)

var start = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestTake(t *testing.T) {
	t.Parallel()
	p := Policy{"p", 10, time.Minute} // one every 6 s
	tests := map[string]struct {
		full time.Duration // from now
		want int
		got  int
		wait time.Duration // afterwards, for one more
	}{
		"nothing taken":      {0, 1, 1, 0},
		"long ago":           {-time.Hour, 1, 1, 0},
		"all at once":        {0, 10, 10, 6 * time.Second},
		"more than there is": {0, 15, 10, 6 * time.Second},
		"half gone":          {30 * time.Second, 10, 5, 6 * time.Second},
		"one left":           {54 * time.Second, 1, 1, 6 * time.Second},
		"none left":          {58 * time.Second, 1, 0, 4 * time.Second},
	}
	for name, tt := range tests {
		got, after := take(p, start.Add(tt.full), start, tt.want)
		if w := wait(p, after, start); got != tt.got || w != tt.wait {
			t.Errorf("%s: got %d, then %v to wait; want %d, %v", name, got, w, tt.got, tt.wait)
		}
	}
}

// However requests are spread over time, no window sees more than the quota
// plus what flows back within it.
func TestTakeNeverGivesMoreThanTheQuota(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	p := Policy{"p", 20, time.Minute}
	var full time.Time
	now, given := start, 0
	for range 10_000 {
		now = now.Add(time.Duration(r.Int64N(int64(4 * time.Second))))
		got, after := take(p, full, now, 1+r.IntN(3))
		given += got
		full = after
		if most := p.Quota + int(now.Sub(start)/p.interval()) + 1; given > most {
			t.Fatalf("%d given after %v, at most %d", given, now.Sub(start), most)
		}
		if l := left(p, full, now); l < 0 || l > p.Quota {
			t.Fatalf("%d left of %d", l, p.Quota)
		}
	}
}

func limiters(t *testing.T, n int, now func() time.Time) []*Limiter {
	t.Helper()
	b := bustest.Start(t)
	var out []*Limiter
	for range n {
		bucket, err := b.Bucket(t.Context(), contract.RateLimitsBucket)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, New(bucket, now))
	}
	return out
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
							t.Error(err)
							return
						}
						if s.Allowed {
							passed.Add(1)
						} else if s.Retry <= 0 || s.Remaining != 0 {
							t.Errorf("refused with %+v", s)
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
	if err != nil || s.Allowed || s.RetryAfter() != 20 || s.Header() != `"p";r=0;t=60` {
		t.Errorf("Take over the quota = %+v %q, %v", s, s.Header(), err)
	}
	if s, err := l.Take(t.Context(), p, "b"); err != nil || !s.Allowed {
		t.Errorf("another caller: %+v, %v", s, err)
	}
	offset.Store(int64(20 * time.Second))
	if s, err := l.Take(t.Context(), p, "a"); err != nil || !s.Allowed {
		t.Errorf("after 20 s: %+v, %v", s, err)
	}
}

func TestLimiterFailsClosed(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	bucket, err := b.Bucket(t.Context(), contract.RateLimitsBucket)
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	if s, err := New(bucket, time.Now).Take(t.Context(), Requests, "a"); err == nil || s.Allowed {
		t.Errorf("Take without a broker = %+v, %v", s, err)
	}
}

func TestAccountsHaveTheirOwnQuotas(t *testing.T) {
	t.Parallel()
	if q := Requests.For(map[string]int{"requests": 5}).Quota; q != 5 {
		t.Errorf("quota %d, want 5", q)
	}
	if q := Requests.For(map[string]int{"requests": -1, "other": 7}).Quota; q != Requests.Quota {
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
		t.Errorf("%v is remembered", p.held)
	}
}
