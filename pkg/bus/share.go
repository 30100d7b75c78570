package bus

import (
	"context"
	"sync"
)

// shared lets calls of one kind share the work. A call that finds one of the same
// key under way is answered by the next, which begins later and is for all that
// have come by then: so each sees all that was acknowledged before it came, and
// however many come, two are under way or waiting.
type shared[T any] struct {
	mu   sync.Mutex
	busy map[string]*next[T] // what follows the call under way; nil where nothing does
}

type next[T any] struct {
	done  chan struct{}
	value T
	err   error
}

// do gives what call gives, or the error of ctx. call gets a context that does not
// end with that of one caller, as it may be for many; what it gives must not be
// changed.
func (s *shared[T]) do(ctx context.Context, key string, call func(context.Context) (T, error)) (T, error) {
	s.mu.Lock()
	following, busy := s.busy[key]
	if !busy {
		if s.busy == nil {
			s.busy = map[string]*next[T]{}
		}
		s.busy[key] = nil
		s.mu.Unlock()
		defer s.follow(key, call)
		return call(ctx)
	}
	if following == nil {
		following = &next[T]{done: make(chan struct{})}
		s.busy[key] = following
	}
	s.mu.Unlock()
	select {
	case <-following.done:
		return following.value, following.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// follow begins the call that others wait for, if any.
func (s *shared[T]) follow(key string, call func(context.Context) (T, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	following := s.busy[key]
	if following == nil {
		delete(s.busy, key)
		return
	}
	s.busy[key] = nil
	go func() {
		defer s.follow(key, call)
		defer close(following.done)
		following.value, following.err = call(context.Background())
	}()
}
