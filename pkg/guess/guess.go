// Package guess bounds how often something secret may be guessed: passwords,
// codes. Every guess is counted before it is looked at, in a bucket that all
// replicas share, so that guesses made at the same time do not pass together
// and a restart forgets none.
package guess

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
)

// A Bound is how many guesses one subject has within a window.
type Bound struct {
	Subject string // what is guessed, or who guesses; any text
	Max     int    // at least 1
}

// Counter counts guesses.
type Counter struct {
	bucket *bus.Bucket
	window time.Duration
	now    func() time.Time
}

// New counts in a bucket whose values live as long as the window.
func New(bucket *bus.Bucket, window time.Duration, now func() time.Time) *Counter {
	return &Counter{bucket, window, now}
}

// contention is how often a count is tried anew that others change.
const contention = 1000

// Begin counts one guess for each bound, in order, and stops at the first that
// is used up: then the guess must not be looked at, and wait is when the next
// one may be. An error means that nobody can count now.
func (c *Counter) Begin(ctx context.Context, bounds ...Bound) (wait time.Duration, err error) {
	for i, b := range bounds {
		if wait, err = c.count(ctx, b); err != nil || wait > 0 {
			return wait, errors.Join(err, c.Undo(ctx, bounds[:i]...))
		}
	}
	return 0, nil
}

// Undo takes one guess back for each bound: it was a good one, or not looked at.
func (c *Counter) Undo(ctx context.Context, bounds ...Bound) error {
	return c.applyAll(bounds, func(b Bound) error {
		return c.change(ctx, b, func(times []int64) ([]int64, bool) {
			return times[:max(len(times)-1, 0)], len(times) > 0
		})
	})
}

// Forget takes all guesses back: whoever made them knew the secret in the end.
func (c *Counter) Forget(ctx context.Context, bounds ...Bound) error {
	return c.applyAll(bounds, func(b Bound) error {
		return c.change(ctx, b, func(times []int64) ([]int64, bool) { return nil, len(times) > 0 })
	})
}

func (c *Counter) applyAll(bounds []Bound, do func(Bound) error) error {
	var errs []error
	for _, b := range bounds {
		errs = append(errs, do(b))
	}
	return errors.Join(errs...)
}

func (c *Counter) count(ctx context.Context, b Bound) (wait time.Duration, err error) {
	err = c.change(ctx, b, func(times []int64) ([]int64, bool) {
		now := c.now()
		if wait = 0; len(times) >= b.Max {
			wait = max(time.UnixMilli(times[len(times)-b.Max]).Add(c.window).Sub(now), time.Millisecond)
			return times, false
		}
		return append(times, now.UnixMilli()), true
	})
	return wait, err
}

// change changes the times of a subject's guesses within the window.
func (c *Counter) change(ctx context.Context, b Bound, edit func([]int64) (after []int64, changed bool)) error {
	key := contract.DeriveID("guess", b.Subject)
	for range contention {
		times, rev, err := c.read(ctx, key)
		if err != nil {
			return err
		}
		after, changed := edit(times)
		if !changed {
			return nil
		}
		err = c.write(ctx, key, after, rev)
		if !errors.Is(err, bus.ErrWrongRevision) {
			return err
		}
	}
	return fmt.Errorf("count a guess: changed by others %d times", contention)
}

func (c *Counter) read(ctx context.Context, key string) (times []int64, rev uint64, err error) {
	value, rev, err := c.bucket.Get(ctx, key)
	if errors.Is(err, bus.ErrNoKey) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("count a guess: %w", err)
	}
	if err := json.Unmarshal(value, &times); err != nil {
		return nil, 0, fmt.Errorf("count a guess: %w", err)
	}
	oldest := c.now().Add(-c.window).UnixMilli()
	return slices.DeleteFunc(times, func(at int64) bool { return at <= oldest }), rev, nil
}

func (c *Counter) write(ctx context.Context, key string, times []int64, rev uint64) error {
	value, err := json.Marshal(times)
	if err != nil {
		return err
	}
	if rev == 0 {
		_, err = c.bucket.Create(ctx, key, value)
	} else {
		_, err = c.bucket.Update(ctx, key, value, rev)
	}
	if err != nil && !errors.Is(err, bus.ErrWrongRevision) {
		return fmt.Errorf("count a guess: %w", err)
	}
	return err
}
