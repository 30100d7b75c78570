package outside

import (
	"context"
	"sync"
	"time"
)

// A Quota allows so many calls and no more. Replicas that share a credential
// share its quota; [Windows] is one for a single process.
type Quota interface {
	// Take waits until a call may be made and counts it. Where that would take
	// longer than ctx allows it returns how long it would take, and counts
	// nothing.
	Take(ctx context.Context) (wait time.Duration, ok bool)
	// Exhausted says that the supplier itself refuses calls for so long.
	Exhausted(d time.Duration)
}

// A Limit allows so many calls in any period of that length.
type Limit struct {
	Calls  int
	Period time.Duration
}

// Windows is a quota of several limits. In no period, wherever it begins, are
// there more calls than its limit allows.
type Windows struct {
	limits []Limit
	now    func() time.Time

	mu    sync.Mutex
	calls []time.Time // of the longest period, oldest first
	until time.Time   // the supplier refuses calls until then
}

// NewWindows makes a quota; now is time.Now where it is nil.
func NewWindows(now func() time.Time, limits ...Limit) *Windows {
	if now == nil {
		now = time.Now
	}
	return &Windows{limits: limits, now: now}
}

// Take implements Quota.
func (w *Windows) Take(ctx context.Context) (time.Duration, bool) {
	for {
		wait := w.try()
		if wait == 0 {
			return 0, true
		}
		if end, ok := ctx.Deadline(); ok && w.now().Add(wait).After(end) || ctx.Err() != nil {
			return wait, false
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return wait, false
		}
	}
}

// try counts a call if one may be made now, and else tells when.
func (w *Windows) try() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	wait := w.until.Sub(now)
	for _, l := range w.limits {
		if n := len(w.calls); n >= l.Calls {
			wait = max(wait, w.calls[n-l.Calls].Add(l.Period).Sub(now))
		}
	}
	if wait > 0 {
		return wait
	}
	w.calls = append(w.calls, now)
	w.forget()
	return 0
}

// forget drops calls that no limit looks back to.
func (w *Windows) forget() {
	most := 0
	for _, l := range w.limits {
		most = max(most, l.Calls)
	}
	if len(w.calls) > 2*most {
		w.calls = append(w.calls[:0], w.calls[len(w.calls)-most:]...)
	}
}

// Exhausted implements Quota.
func (w *Windows) Exhausted(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if until := w.now().Add(d); until.After(w.until) {
		w.until = until
	}
}
