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
	Exhaust(d time.Duration)
}

// A Limit allows so many calls in any period of that length.
type Limit struct {
	Calls  int
	Period time.Duration
}

// Windows is a quota of several limits for one process. In no period, wherever
// it begins, are there more calls than its limit allows.
type Windows struct {
	limits []Limit
	now    func() time.Time

	mu    sync.Mutex
	calls Calls
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
	return TakeBy(ctx, w.now, func() time.Duration {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.calls.Take(w.now(), w.limits)
	})
}

// Exhaust implements Quota.
func (w *Windows) Exhaust(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls.Refuse(w.now().Add(d))
}

// TakeBy tries until try counts a call, which it says by 0, or until that would
// take longer than ctx allows. Otherwise try says when to try again.
func TakeBy(ctx context.Context, now func() time.Time, try func() time.Duration) (time.Duration, bool) {
	for {
		wait := try()
		if wait == 0 {
			return 0, true
		}
		if end, ok := ctx.Deadline(); ok && now().Add(wait).After(end) || ctx.Err() != nil {
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

// Calls are the calls that were made, as far as limits look back.
type Calls struct {
	At    []time.Time `json:"at"`             // oldest first
	Until time.Time   `json:"until,omitzero"` // the supplier refuses calls until then
}

// Take counts a call if one may be made now, and else tells when.
func (c *Calls) Take(now time.Time, limits []Limit) time.Duration {
	wait, most := c.Until.Sub(now), 0
	for _, l := range limits {
		most = max(most, l.Calls)
		if n := len(c.At); n >= l.Calls {
			wait = max(wait, c.At[n-l.Calls].Add(l.Period).Sub(now))
		}
	}
	if wait > 0 {
		return wait
	}
	c.At = append(c.At, now)
	if len(c.At) > 2*most {
		c.At = append(c.At[:0], c.At[len(c.At)-most:]...)
	}
	return 0
}

// Refuse notes that the supplier refuses calls until then.
func (c *Calls) Refuse(until time.Time) {
	if until.After(c.Until) {
		c.Until = until
	}
}
