// Package wait lets requests wait for their outcome. All of them hang on one
// subscription to the wake-up calls; each costs a map entry and a channel.
package wait

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

const (
	shards = 64
	// every is how often a waiter looks for itself: a lost wake-up call costs
	// at most this much.
	every = 5 * time.Second
)

// Waiters is where requests wait.
type Waiters struct {
	most   int64
	count  atomic.Int64
	closed chan struct{}
	once   sync.Once
	shards [shards]shard
}

type shard struct {
	mu      sync.Mutex
	waiters map[string][]*Waiter
}

// A Waiter waits for one request.
type Waiter struct {
	waiters *Waiters
	request string
	wake    chan struct{} // holds one call
}

// New makes a set that takes at most so many waiters.
func New(most int) *Waiters {
	r := &Waiters{most: int64(most), closed: make(chan struct{})}
	for i := range r.shards {
		r.shards[i].waiters = map[string][]*Waiter{}
	}
	return r
}

// Join registers a waiter, before its request is published. Leave must be
// called. It gives nil when the set is full or closed; a nil Waiter does not
// wait.
func (r *Waiters) Join(request string) *Waiter {
	if r.count.Add(1) > r.most || r.isClosed() {
		r.count.Add(-1)
		return nil
	}
	w := &Waiter{waiters: r, request: request, wake: make(chan struct{}, 1)}
	s := r.shard(request)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiters[request] = append(s.waiters[request], w)
	return w
}

// Leave ends the waiting.
func (w *Waiter) Leave() {
	if w == nil {
		return
	}
	s := w.waiters.shard(w.request)
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.waiters[w.request]
	for i, other := range list {
		if other == w {
			list = append(list[:i:i], list[i+1:]...)
			w.waiters.count.Add(-1)
			break
		}
	}
	if len(list) == 0 {
		delete(s.waiters, w.request)
		return
	}
	s.waiters[w.request] = list
}

// Wake tells all who wait for a request to look.
func (r *Waiters) Wake(request string) {
	s := r.shard(request)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.waiters[request] {
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
}

// Close sends everybody home: the edge is about to stop.
func (r *Waiters) Close() { r.once.Do(func() { close(r.closed) }) }

func (r *Waiters) isClosed() bool {
	select {
	case <-r.closed:
		return true
	default:
		return false
	}
}

// Waiting is how many wait now.
func (r *Waiters) Waiting() int { return int(r.count.Load()) }

// Until calls look at once and then as Next does.
func (w *Waiter) Until(ctx context.Context, timeout time.Duration, look func(context.Context) (found bool, err error)) (bool, error) {
	found, err := look(ctx)
	if found || err != nil {
		return found, err
	}
	return w.Next(ctx, timeout, look)
}

// Next calls look on each wake-up call, every few seconds, and a last time
// when the timeout ends or the set closes, until it says that it found what
// it looked for. It reports what look said last. Whoever joined before the
// request was published has missed nothing and need not look at once.
func (w *Waiter) Next(ctx context.Context, timeout time.Duration, look func(context.Context) (found bool, err error)) (bool, error) {
	if w == nil || timeout <= 0 {
		return false, nil
	}
	end := time.NewTimer(timeout)
	defer end.Stop()
	again := time.NewTimer(jitter())
	defer again.Stop()
	for {
		select {
		case <-w.wake:
		case <-again.C:
			again.Reset(jitter())
		case <-end.C:
			return look(ctx)
		case <-w.waiters.closed:
			return look(ctx)
		case <-ctx.Done():
			return false, nil
		}
		if found, err := look(ctx); found || err != nil {
			return found, err
		}
	}
}

func jitter() time.Duration { return every - every/10 + rand.N(every/10) }

func (r *Waiters) shard(request string) *shard {
	var h uint32 = 2166136261 // FNV-1a
	for i := range len(request) {
		h = (h ^ uint32(request[i])) * 16777619
	}
	return &r.shards[h%shards]
}
