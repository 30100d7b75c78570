package shared

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"

	"golang.org/x/sync/errgroup"
)

// Claims are [lookup.Claims] in a bucket whose values go by themselves shortly
// after whoever took them is gone.
type Claims struct {
	Bucket Bucket
	// Wait is how long the broker may take; 1 s. Where it takes longer nothing is
	// claimed for a while.
	Wait time.Duration

	mu               sync.Mutex
	unavailableUntil time.Time // not asked until then
}

const (
	claimsAtOnce = 32
	claimWait    = time.Second
	// unavailablePause is how long the broker is left alone that did not answer.
	unavailablePause = 5 * time.Second
	// renewEvery leaves room for a renewal that fails.
	renewEvery = contract.PartClaimRetention / 4
)

var errUnavailable = errors.New("the broker did not answer a moment ago")

// Take implements [lookup.Claims].
func (c *Claims) Take(ctx context.Context, keys []string) (held map[string]bool, release func(), err error) {
	var mu sync.Mutex
	held, revs := map[string]bool{}, map[string]uint64{}
	err = c.visitKeys(ctx, keys, func(ctx context.Context, key string) error {
		rev, err := c.Bucket.Create(ctx, name(key), nil)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case errors.Is(err, bus.ErrWrongRevision):
			held[key] = true
		case err == nil:
			revs[key] = rev
		default:
			return err
		}
		return nil
	})
	if len(revs) == 0 {
		return held, func() {}, err
	}
	return held, c.hold(ctx, revs), err
}

// FindHeld implements [lookup.Claims].
func (c *Claims) FindHeld(ctx context.Context, keys []string) (map[string]bool, error) {
	var mu sync.Mutex
	held := map[string]bool{}
	err := c.visitKeys(ctx, keys, func(ctx context.Context, key string) error {
		_, _, err := c.Bucket.Get(ctx, name(key))
		if errors.Is(err, bus.ErrNoKey) {
			return nil
		}
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		held[key] = true
		return nil
	})
	return held, err
}

// hold renews claims, by key, until they are released.
func (c *Claims) hold(ctx context.Context, revs map[string]uint64) (release func()) {
	ctx = context.WithoutCancel(ctx) // also what ends gives its claims back
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		t := time.NewTicker(renewEvery)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				c.renew(ctx, revs)
			case <-stop:
				return
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-stopped
		keys := make([]string, 0, len(revs))
		for key := range revs {
			keys = append(keys, key)
		}
		// What is not given back ends by itself.
		_ = c.visitKeys(ctx, keys, func(ctx context.Context, key string) error {
			err := c.Bucket.DeleteAt(ctx, name(key), revs[key])
			if errors.Is(err, bus.ErrWrongRevision) {
				return nil
			}
			return err
		})
	})
}

// renew has claims last; those that ended meanwhile are another's, or nobody's.
func (c *Claims) renew(ctx context.Context, revs map[string]uint64) {
	keys := make([]string, 0, len(revs))
	for key := range revs {
		keys = append(keys, key)
	}
	var mu sync.Mutex
	_ = c.visitKeys(ctx, keys, func(ctx context.Context, key string) error {
		mu.Lock()
		rev := revs[key]
		mu.Unlock()
		rev, err := c.Bucket.Update(ctx, name(key), nil, rev)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case errors.Is(err, bus.ErrWrongRevision):
			delete(revs, key)
		case err == nil:
			revs[key] = rev
		default:
			return err
		}
		return nil
	})
}

// visitKeys does something with every key, as long as the broker answers in time.
func (c *Claims) visitKeys(ctx context.Context, keys []string, do func(ctx context.Context, key string) error) error {
	c.mu.Lock()
	unavailable := time.Now().Before(c.unavailableUntil)
	c.mu.Unlock()
	if unavailable {
		return errUnavailable
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.Wait, claimWait))
	defer cancel()
	var group errgroup.Group
	group.SetLimit(claimsAtOnce)
	for _, key := range keys {
		group.Go(func() error { return do(ctx, key) })
	}
	err := group.Wait()
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.unavailableUntil = time.Now().Add(unavailablePause)
	}
	return err
}
