package designcheck

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/semaphore"
)

// bigBytes is what makes files big: those that take seconds rather than
// fractions of one.
const bigBytes = 8 << 20

// turn is how long a place is waited for at a time.
const turn = 4 * time.Minute

// A gate admits work to the processor and to memory. Big work has half of the
// places and half of the memory at most, so that small work always finds some.
type gate struct {
	places, big *semaphore.Weighted
	memory      *semaphore.Weighted
	budget      int64
	open        context.Context // ends when nobody is admitted any more
	shut        context.CancelFunc
}

func newGate(places int, memory int64) *gate {
	places = max(places, 1)
	open, shut := context.WithCancel(context.Background())
	return &gate{
		open: open, shut: shut,
		places: semaphore.NewWeighted(int64(places)), big: semaphore.NewWeighted(int64(max(places/2, 1))),
		memory: semaphore.NewWeighted(memory), budget: memory,
	}
}

// enter waits for a place and for the memory that so many bytes of files take.
// Each is waited for in this order by everyone, so that nobody waits for ever.
func (g *gate) enter(ctx context.Context, bytes int64) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, turn)
	defer cancel()
	defer context.AfterFunc(g.open, cancel)()
	var held []func()
	leave = func() {
		for _, release := range held {
			release()
		}
	}
	take := func(s *semaphore.Weighted, n int64) {
		if err != nil {
			return
		}
		if err = s.Acquire(ctx, n); err == nil {
			held = append(held, func() { s.Release(n) })
		}
	}
	bytes = min(bytes, g.budget)
	if bytes > bigBytes {
		bytes = min(bytes, g.budget/2)
		take(g.big, 1)
	}
	take(g.places, 1)
	take(g.memory, bytes)
	if err != nil {
		leave()
		return nil, fmt.Errorf("wait for a place: %w", err)
	}
	return leave, nil
}
