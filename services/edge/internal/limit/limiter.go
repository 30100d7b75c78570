package limit

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"boardorder/pkg/bus"
)

const (
	timeout    = 2 * time.Second // for the shared state; then the request is refused
	contention = 50              // compare-and-set attempts
	mostHeld   = 100_000         // callers in memory
)

// Limiter takes tokens for callers. Tokens leased from the shared state are
// spent here without asking again.
type Limiter struct {
	bucket *bus.Bucket
	now    func() time.Time

	mu   sync.Mutex
	held map[string]*holding
}

// holding is what this replica holds for one caller and policy.
type holding struct {
	mu     sync.Mutex
	leased int
	until  time.Time // leased tokens are void afterwards: they have flowed back
	full   time.Time // as last seen in the shared state
	rev    uint64    // its revision; 0 = not known
}

// New limits by the states in the bucket.
func New(bucket *bus.Bucket, now func() time.Time) *Limiter {
	return &Limiter{bucket: bucket, now: now, held: map[string]*holding{}}
}

// Take takes one token of the policy for a caller, whose name is made of
// [A-Za-z0-9_-]. An error means that the shared state cannot be reached.
func (l *Limiter) Take(ctx context.Context, p Policy, caller string) (State, error) {
	return l.TakeMany(ctx, p, caller, 1)
}

// TakeMany takes n tokens, or none when there are fewer.
func (l *Limiter) TakeMany(ctx context.Context, p Policy, caller string, n int) (State, error) {
	key := p.Name + "." + caller
	h := l.holding(key)
	h.mu.Lock()
	defer h.mu.Unlock()
	if !l.now().Before(h.until) {
		h.leased = 0
	}
	if h.leased < n {
		if err := l.lease(ctx, p, key, h, n-h.leased); err != nil {
			return State{}, err
		}
	}
	now := l.now()
	s := State{Policy: p, Allowed: h.leased >= n, Reset: max(h.full.Sub(now), 0)}
	if !s.Allowed {
		s.Retry = wait(p, h.full, now)
		return s, nil
	}
	h.leased -= n
	s.Remaining = min(left(p, h.full, now)+h.leased, p.Quota-1)
	return s, nil
}

func (l *Limiter) holding(key string) *holding {
	l.mu.Lock()
	defer l.mu.Unlock()
	h, ok := l.held[key]
	if !ok {
		if len(l.held) >= mostHeld {
			l.held = map[string]*holding{} // their leases are lost to them, not to the quota
		}
		h = &holding{}
		l.held[key] = h
	}
	return h
}

// lease takes at least so many tokens from the shared state, if they are there.
// It first trusts what it saw last: if nobody else has changed it, one write is
// all.
func (l *Limiter) lease(ctx context.Context, p Policy, key string, h *holding, least int) error {
	want := max(least, p.lease())
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for range contention {
		if h.rev == 0 {
			if err := l.look(ctx, key, h); err != nil {
				return err
			}
		}
		now := l.now()
		got, full := take(p, h.full, now, want)
		if got == 0 {
			if h.rev == 0 {
				return nil
			}
			// Refuse only on what is written now: another replica's clock or a
			// raised quota may have changed it.
			if err := l.look(ctx, key, h); err != nil {
				return err
			}
			if got, full = take(p, h.full, now, want); got == 0 {
				return nil
			}
		}
		rev, err := l.write(ctx, key, full, h.rev)
		if errors.Is(err, bus.ErrMoved) {
			h.rev = 0
			continue
		}
		if err != nil {
			h.rev = 0
			return fmt.Errorf("rate limit: %w", err)
		}
		h.leased, h.full, h.rev, h.until = h.leased+got, full, rev, full
		return nil
	}
	return fmt.Errorf("rate limit: changed by others %d times", contention)
}

func (l *Limiter) look(ctx context.Context, key string, h *holding) error {
	value, rev, err := l.bucket.Get(ctx, key)
	if errors.Is(err, bus.ErrNoKey) {
		h.full, h.rev = time.Time{}, 0
		return nil
	}
	if err != nil {
		return fmt.Errorf("rate limit: %w", err)
	}
	ns, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return fmt.Errorf("rate limit: %w", err)
	}
	h.full, h.rev = time.Unix(0, ns), rev
	return nil
}

func (l *Limiter) write(ctx context.Context, key string, full time.Time, rev uint64) (uint64, error) {
	value := strconv.AppendInt(nil, full.UnixNano(), 10)
	if rev == 0 {
		return l.bucket.Create(ctx, key, value)
	}
	return l.bucket.Update(ctx, key, value, rev)
}
