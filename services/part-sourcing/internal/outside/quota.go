package outside

import (
	"cmp"
	"context"
	"slices"
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
	// Spares reports whether less than so many percent of the calls of the longest period are
	// used, by whomever, and the supplier takes calls.
	Spares(ctx context.Context, percent int) bool
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

// Spares implements Quota.
func (w *Windows) Spares(_ context.Context, percent int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls.Spares(w.now(), w.limits, percent)
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

// Spares reports whether less than so many percent of the calls of the longest period are used.
func (c *Calls) Spares(now time.Time, limits []Limit, percent int) bool {
	if now.Before(c.Until) {
		return false
	}
	if len(limits) == 0 {
		return true
	}
	longest := slices.MaxFunc(limits, func(a, b Limit) int { return cmp.Compare(a.Period, b.Period) })
	used := 0
	for _, at := range c.At {
		if now.Sub(at) < longest.Period {
			used++
		}
	}
	return 100*used < percent*longest.Calls
}

// Refuse notes that the supplier refuses calls until then.
func (c *Calls) Refuse(until time.Time) {
	if until.After(c.Until) {
		c.Until = until
	}
}
