package limit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"boardorder/pkg/bus"
)

const (
	timeout    = 2 * time.Second // for the shared state, the wait for one's turn included; then the request is refused
	contention = 50              // compare-and-set attempts
	maxHeld    = 100_000         // callers in memory
	retention  = time.Hour       // from this window on, what was taken outlives the broker

	// A rate does not wait for a shared state that does not answer, and asks again
	// after a while: an election takes seconds.
	rateTimeout = 250 * time.Millisecond
	rateRetry   = time.Second
)

// Limiter takes tokens for callers. Tokens leased from the shared state are
// spent here without asking again.
type Limiter struct {
	short, long *bus.Bucket
	now         func() time.Time
	rateTimeout time.Duration

	mu    sync.Mutex
	held  map[string]*holding
	alone time.Time // until then the shared state of rates is not asked
}

// holding is what this replica holds for one caller and policy.
type holding struct {
	policy Policy
	place  chan struct{} // held by who uses it; see lock
	leased int           // tokens taken in slice and not spent; void once it is over
	slice  int64         // in which this replica took tokens last
	size   int           // of the last lease
	spent  int           // in that slice, by this replica
	unused taken         // less: leased tokens that were not spent in time, to be given back
	seen   window        // as last seen in the shared state
	rev    uint64        // its revision; 0 = not known
	own    window        // taken of a rate while the shared state did not answer, to be added to it
}

// New limits by the states in two buckets: short is for windows of less than an
// hour, long for others, of which a restart of the broker must not make new quotas.
func New(short, long *bus.Bucket, now func() time.Time) *Limiter {
	return &Limiter{short: short, long: long, now: now, rateTimeout: rateTimeout, held: map[string]*holding{}}
}

// bucket is where a policy's states lie.
func (l *Limiter) bucket(p Policy) *bus.Bucket {
	if p.isRate() {
		return l.short
	}
	return l.long
}

// isRate reports whether a policy bounds how fast, not how much: what it lets
// through costs no money and is not kept.
func (p Policy) isRate() bool { return p.Window < retention }

// Take takes one token of the policy for a caller, whose name is made of
// [A-Za-z0-9_-]. An error means that the shared state cannot be reached, or that ctx
// ended; where the policy is a rate, what this replica knows decides instead.
func (l *Limiter) Take(ctx context.Context, p Policy, caller string) (State, error) {
	return l.TakeMany(ctx, p, caller, 1)
}

// TakeMany takes n tokens, or none when there are fewer.
func (l *Limiter) TakeMany(ctx context.Context, p Policy, caller string, n int) (State, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	key := p.key(caller)
	h := l.holding(p, key)
	if err := h.lock(ctx); err != nil {
		return State{}, err
	}
	defer h.unlock()
	h.turn(p.slice(l.now()))
	if h.leased < n {
		if err := l.draw(ctx, p, key, h, n); err != nil {
			return State{}, err
		}
	}
	now := l.now()
	seen := h.seen.merge(h.own).prune(p, now)
	s := State{Policy: p, Allowed: h.leased >= n, Reset: seen.reset(p, now), slice: h.slice}
	if !s.Allowed {
		s.Retry = seen.wait(p, now, n-h.leased)
		return s, nil
	}
	h.leased -= n
	h.spent += n
	s.Remaining = seen.freeTokens(p) + h.leased
	return s, nil
}

// GiveBack returns the token that a state allowed, for a request that came to
// nothing. One of a slice that is over stays taken.
func (l *Limiter) GiveBack(s State, caller string) {
	h := l.holding(s.Policy, s.Policy.key(caller))
	h.place <- struct{}{} // whoever is there leaves within timeout
	defer h.unlock()
	h.turn(s.Policy.slice(l.now()))
	if s.Allowed && s.slice == h.slice && h.spent > 0 {
		h.leased, h.spent = h.leased+1, h.spent-1
	}
}

// lock waits for one's turn until ctx ends: where the shared state does not answer,
// many requests of a caller wait side by side, not each for those before it.
func (h *holding) lock(ctx context.Context) error {
	select {
	case h.place <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("rate limit: wait for others of the caller: %w", ctx.Err())
	}
}

func (h *holding) unlock() { <-h.place }

// turn voids what was leased in an earlier slice: spent now, it would count for
// the time in which it was taken.
func (h *holding) turn(slice int64) {
	if slice == h.slice {
		return
	}
	if h.leased > 0 {
		h.unused = taken{slice: h.slice, n: -h.leased}
	}
	h.size = h.spent / 2 // doubled with each lease
	h.leased, h.spent, h.slice = 0, 0, slice
}

func (l *Limiter) holding(p Policy, key string) *holding {
	l.mu.Lock()
	defer l.mu.Unlock()
	h, ok := l.held[key]
	if !ok {
		if len(l.held) >= maxHeld {
			l.held = map[string]*holding{} // their leases are lost to them, not to the quota
		}
		h = &holding{policy: p, place: make(chan struct{}, 1)}
		l.held[key] = h
	}
	return h
}

// draw leases tokens. Those of a rate come out of what this replica has seen and
// counted where the shared state does not answer: no request waits for an election.
func (l *Limiter) draw(ctx context.Context, p Policy, key string, h *holding, n int) error {
	if !p.isRate() {
		return l.lease(ctx, p, key, h, n)
	}
	if !l.isAlone() {
		ctx, cancel := context.WithTimeout(ctx, l.rateTimeout)
		defer cancel()
		err := l.lease(ctx, p, key, h, n)
		if err == nil {
			return nil
		}
		if ctx.Err() == nil || context.Cause(ctx) == context.DeadlineExceeded {
			l.setAlone(rateRetry)
		}
	}
	now := l.now()
	h.turn(p.slice(now))
	if least := n - h.leased; h.seen.merge(h.own).prune(p, now).freeTokens(p) >= least {
		h.own = h.own.prune(p, now).plus(taken{h.slice, least, p.sliceOffset(now)})
		h.leased += least
	}
	return nil
}

func (l *Limiter) isAlone() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now().Before(l.alone)
}

func (l *Limiter) setAlone(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.alone = l.now().Add(d)
}

// lease takes as many tokens from the shared state as are missing to n, or more,
// if they are there.
// It first trusts what it saw last: if nobody else has changed it, one write is
// all.
func (l *Limiter) lease(ctx context.Context, p Policy, key string, h *holding, n int) error {
	for range contention {
		fresh := h.rev == 0
		if fresh {
			if err := l.look(ctx, p, key, h); err != nil {
				return err
			}
		}
		now := l.now()
		h.turn(p.slice(now))
		least := n - h.leased
		next := h.seen.merge(h.own).plus(h.unused).prune(p, now)
		free := next.freeTokens(p)
		switch {
		case free < least && fresh:
			err := l.report(ctx, p, key, h, next)
			if errors.Is(err, bus.ErrWrongRevision) {
				continue
			}
			return err
		case free < least:
			// Refuse only on what is written now: another replica may have given
			// tokens back.
			h.rev = 0
			continue
		}
		want := min(free, max(least, min(2*h.size, p.lease())))
		last := p.sliceOffset(now)
		if want > least {
			last = p.sliceTime() // some will be spent later in it
		}
		next = next.plus(taken{h.slice, want, last})
		rev, err := l.write(ctx, p, key, next, h.rev)
		if errors.Is(err, bus.ErrWrongRevision) {
			h.rev = 0
			continue
		}
		h.unused = taken{} // written, or lost to the quota
		if err != nil {
			h.rev = 0
			return fmt.Errorf("rate limit: %w", err)
		}
		h.leased, h.size, h.seen, h.rev, h.own = h.leased+want, want, next, rev, nil
		return nil
	}
	return fmt.Errorf("rate limit: changed by others %d times", contention)
}

// report adds to the shared state what was taken without it, where nothing is left to
// take: the other replicas would let as much through again.
func (l *Limiter) report(ctx context.Context, p Policy, key string, h *holding, next window) error {
	if len(h.own) == 0 {
		return nil
	}
	rev, err := l.write(ctx, p, key, next, h.rev)
	if err != nil {
		h.rev = 0
		return fmt.Errorf("rate limit: %w", err)
	}
	h.seen, h.rev, h.own, h.unused = next, rev, nil, taken{}
	return nil
}

func (l *Limiter) look(ctx context.Context, p Policy, key string, h *holding) error {
	value, rev, err := l.bucket(p).Get(ctx, key)
	if errors.Is(err, bus.ErrNoKey) {
		h.seen, h.rev = nil, 0
		return nil
	}
	if err != nil {
		return fmt.Errorf("rate limit: %w", err)
	}
	if h.seen, err = readWindow(value); err != nil {
		return fmt.Errorf("rate limit: %w", err)
	}
	h.rev = rev
	return nil
}

func (l *Limiter) write(ctx context.Context, p Policy, key string, w window, rev uint64) (uint64, error) {
	if rev == 0 {
		return l.bucket(p).Create(ctx, key, w.text())
	}
	return l.bucket(p).Update(ctx, key, w.text(), rev)
}

// Return gives back what was leased of long windows and not spent, before a replica
// stops. What cannot be given back in time is lost to the quota until its window is over.
func (l *Limiter) Return(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	l.mu.Lock()
	held := maps.Clone(l.held)
	l.mu.Unlock()
	for key, h := range held {
		if h.policy.isRate() {
			continue
		}
		if err := l.giveUp(ctx, key, h); err != nil {
			return fmt.Errorf("rate limit: give back: %w", err)
		}
	}
	return nil
}

// giveUp writes down that what is held of one quota was not spent.
func (l *Limiter) giveUp(ctx context.Context, key string, h *holding) error {
	if err := h.lock(ctx); err != nil {
		return err
	}
	defer h.unlock()
	if h.leased > 0 {
		h.turn(h.slice + 1)
	}
	for range contention {
		if h.unused.n == 0 {
			return nil
		}
		if h.rev == 0 {
			if err := l.look(ctx, h.policy, key, h); err != nil {
				return err
			}
		}
		_, err := l.write(ctx, h.policy, key, h.seen.plus(h.unused), h.rev)
		if errors.Is(err, bus.ErrWrongRevision) {
			h.rev = 0
			continue
		}
		h.unused, h.rev = taken{}, 0
		if err != nil {
			return err
		}
	}
	return fmt.Errorf("changed by others %d times", contention)
}

// Look gives what is left of a policy for a caller, and takes nothing. What replicas hold for
// requests to come counts as taken.
func (l *Limiter) Look(ctx context.Context, p Policy, caller string) (State, error) {
	h := &holding{}
	if err := l.look(ctx, p, p.key(caller), h); err != nil {
		return State{}, err
	}
	now := l.now()
	left := h.seen.prune(p, now)
	return State{Policy: p, Allowed: left.freeTokens(p) > 0, Remaining: left.freeTokens(p), Reset: left.reset(p, now)}, nil
}
