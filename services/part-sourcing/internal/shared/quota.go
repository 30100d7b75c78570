package shared

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/trace"
	"boardorder/services/part-sourcing/internal/outside"

	"go.uber.org/zap"
)

// A Quota is an [outside.Quota] that replicas share. While the bucket cannot be
// reached no call is allowed.
type Quota struct {
	Bucket Bucket
	Name   string // of the supplier
	Limits []outside.Limit
	Now    func() time.Time
	Log    *zap.Logger
}

const (
	// again is when to try again after another replica came first, or after an error.
	again, later = 5 * time.Millisecond, 500 * time.Millisecond
	// changes is how often a change is tried again that another replica came before.
	changes = 20
)

// Take implements [outside.Quota].
func (q *Quota) Take(ctx context.Context) (time.Duration, bool) {
	return outside.TakeBy(ctx, q.Now, func() time.Duration {
		var wait time.Duration
		err := q.change(ctx, func(c *outside.Calls) bool {
			wait = c.Take(q.Now(), q.Limits)
			return wait == 0
		})
		switch {
		case errors.Is(err, bus.ErrWrongRevision):
			return again
		case err != nil:
			q.Log.Warn("the count of calls cannot be reached", zap.String("supplier", q.Name), zap.Error(err), trace.ID(ctx))
			return later
		}
		return wait
	})
}

// Exhaust implements [outside.Quota].
func (q *Quota) Exhaust(d time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
	defer cancel()
	until := q.Now().Add(d)
	for range changes {
		err := q.change(ctx, func(c *outside.Calls) bool { c.Refuse(until); return true })
		if !errors.Is(err, bus.ErrWrongRevision) {
			if err != nil { // the next call finds out by itself
				q.Log.Warn("a supplier's exhausted quota was not recorded", zap.String("supplier", q.Name), zap.Error(err), trace.ID(ctx))
			}
			return
		}
	}
}

// Spares implements [outside.Quota]. While the count cannot be reached there is nothing to spare.
func (q *Quota) Spares(ctx context.Context, percent int) bool {
	spares := false
	err := q.change(ctx, func(c *outside.Calls) bool {
		spares = c.Spares(q.Now(), q.Limits, percent)
		return false
	})
	return err == nil && spares
}

// change changes the calls once, by compare-and-set; do says whether there is
// anything to write.
func (q *Quota) change(ctx context.Context, do func(*outside.Calls) bool) error {
	var calls outside.Calls
	data, rev, err := q.Bucket.Get(ctx, q.Name)
	switch {
	case errors.Is(err, bus.ErrNoKey):
	case err != nil:
		return err
	default:
		if err := json.Unmarshal(data, &calls); err != nil {
			return err
		}
	}
	if !do(&calls) {
		return nil
	}
	if data, err = json.Marshal(calls); err != nil {
		return err
	}
	if rev == 0 {
		_, err = q.Bucket.Create(ctx, q.Name, data)
	} else {
		_, err = q.Bucket.Update(ctx, q.Name, data, rev)
	}
	return err
}
