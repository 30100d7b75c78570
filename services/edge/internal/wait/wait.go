// Package wait lets requests wait for their outcome. Each waiter costs a map
// entry, a channel and a subscription to the one subject that it waits for.
package wait

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/trace"
)

const (
	shards = 64
	// every is how often a waiter looks for itself: a lost wake-up call costs
	// at most this much.
	every = 5 * time.Second
)

// Changes says when an aggregate of the projection has changed. It may fail:
// then waiters look from time to time.
type Changes interface {
	WatchChange(a contract.Aggregate, id string, do func(committed *contract.Event)) (stop func(), err error)
}

// Waiters is where requests wait.
type Waiters struct {
	changes Changes
	limit   int64
	count   atomic.Int64
	closed  chan struct{}
	once    sync.Once
	shards  [shards]shard
}

// A Subject is what is waited for: an aggregate, or a request by its operation.
type Subject struct {
	Of contract.Aggregate
	ID string
}

// Request is the subject of those who wait for a request's outcome.
func Request(id string) Subject { return Subject{contract.OperationAggregate, id} }

type shard struct {
	mu     sync.Mutex
	groups map[Subject]*group
}

// group is all who wait for the same.
type group struct {
	waiters []*Waiter
	stop    func() // the subscription; nil if there is none
}

// A Waiter waits for one subject.
type Waiter struct {
	waiters *Waiters
	subject Subject
	wake    chan struct{} // holds one call
	outcome atomic.Pointer[contract.Event]
}

// New makes a set that takes at most so many waiters.
func New(limit int, changes Changes) *Waiters {
	w := &Waiters{changes: changes, limit: int64(limit), closed: make(chan struct{})}
	for i := range w.shards {
		w.shards[i].groups = map[Subject]*group{}
	}
	return w
}

// Join registers a waiter, before its request is published. Leave must be
// called. It gives nil when the set is full or closed; a nil Waiter does not
// wait.
func (w *Waiters) Join(s Subject) *Waiter {
	if w.count.Add(1) > w.limit || w.IsClosed() {
		w.count.Add(-1)
		return nil
	}
	waiter := &Waiter{waiters: w, subject: s, wake: make(chan struct{}, 1)}
	at := w.shard(s.ID)
	at.mu.Lock()
	defer at.mu.Unlock()
	g := at.groups[s]
	if g == nil {
		g = &group{}
		at.groups[s] = g
		g.stop, _ = w.changes.WatchChange(s.Of, s.ID, func(committed *contract.Event) { w.wake(s, committed) })
	}
	g.waiters = append(g.waiters, waiter)
	return waiter
}

// Leave ends the waiting.
func (w *Waiter) Leave() {
	if w == nil {
		return
	}
	at := w.waiters.shard(w.subject.ID)
	if stop := at.remove(w); stop != nil {
		stop() // without the lock that a wake-up call on its way may want
	}
}

func (s *shard) remove(w *Waiter) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groups[w.subject]
	if g == nil || !slices.Contains(g.waiters, w) {
		return nil
	}
	w.waiters.count.Add(-1)
	g.waiters = slices.DeleteFunc(g.waiters, func(other *Waiter) bool { return other == w })
	if len(g.waiters) > 0 {
		return nil
	}
	delete(s.groups, w.subject)
	return g.stop
}

// Wake makes all who wait for a subject look.
func (w *Waiters) Wake(s Subject) { w.wake(s, nil) }

func (w *Waiters) wake(s Subject, committed *contract.Event) {
	at := w.shard(s.ID)
	at.mu.Lock()
	defer at.mu.Unlock()
	g := at.groups[s]
	if g == nil {
		return
	}
	for _, w := range g.waiters {
		if committed != nil {
			w.outcome.Store(committed)
		}
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
}

// OutcomeEvent is the event that completes the request that is waited for, where a
// call has handed it over; else nil.
func (w *Waiter) OutcomeEvent() *contract.Event {
	if w == nil {
		return nil
	}
	return w.outcome.Load()
}

// Close ends all waiting: the edge is about to stop.
func (w *Waiters) Close() { w.once.Do(func() { close(w.closed) }) }

// IsClosed reports whether all waiting has ended.
func (w *Waiters) IsClosed() bool {
	select {
	case <-w.closed:
		return true
	default:
		return false
	}
}

// Waiting is how many wait now.
func (w *Waiters) Waiting() int { return int(w.count.Load()) }

// Await calls look at once and then as AwaitNext does.
func (w *Waiter) Await(ctx context.Context, timeout time.Duration, look func(context.Context) (found bool, err error)) (bool, error) {
	found, err := look(ctx)
	if found || err != nil {
		return found, err
	}
	return w.AwaitNext(ctx, timeout, look)
}

// AwaitNext calls look on each wake-up call, every few seconds, and a last time
// when the timeout ends or the set closes, until it says that it found what
// it looked for. It reports what look said last. Whoever joined before the
// request was published has missed nothing and need not look at once.
func (w *Waiter) AwaitNext(ctx context.Context, timeout time.Duration, look func(context.Context) (found bool, err error)) (bool, error) {
	if w == nil || timeout <= 0 {
		return false, nil
	}
	ctx, end := trace.Start(ctx, "wait for "+string(w.subject.Of))
	defer end(nil)
	over := time.NewTimer(timeout)
	defer over.Stop()
	again := time.NewTimer(jitter())
	defer again.Stop()
	for {
		select {
		case <-w.wake:
		case <-again.C:
			again.Reset(jitter())
		case <-over.C:
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

func (w *Waiters) shard(id string) *shard {
	var h uint32 = 2166136261 // FNV-1a
	for i := range len(id) {
		h = (h ^ uint32(id[i])) * 16777619
	}
	return &w.shards[h%shards]
}
