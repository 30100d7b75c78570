package main

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A figure is what a closed loop of clients measured.
type figure struct {
	rate     float64 // per second
	p50, p99 time.Duration
	cpu      time.Duration // of all processes, for one

	took    []time.Duration // sorted
	elapsed time.Duration
}

// combine is what two measurements of the same come to.
func (f figure) combine(g figure) figure {
	return newFigure(append(slices.Clone(f.took), g.took...), f.elapsed+g.elapsed, f.cpu*time.Duration(len(f.took))+g.cpu*time.Duration(len(g.took)))
}

func newFigure(took []time.Duration, elapsed, used time.Duration) figure {
	slices.Sort(took)
	n := len(took)
	return figure{
		rate: float64(n) / elapsed.Seconds(), p50: took[n/2], p99: took[n*99/100],
		cpu: used / time.Duration(n), took: took, elapsed: elapsed,
	}
}

// load lets n clients do one thing after another until the time is up. used is
// the processor time that all processes have taken so far.
func load(ctx context.Context, n int, each time.Duration, used func() (time.Duration, error), do func(ctx context.Context, client, i int) error) (figure, error) {
	start := time.Now()
	return loadWhile(ctx, n, func() bool { return time.Since(start) < each }, used, do)
}

// loadWhile lets n clients do one thing after another for as long as more says
// so, which is asked before each.
func loadWhile(ctx context.Context, n int, more func() bool, used func() (time.Duration, error), do func(ctx context.Context, client, i int) error) (figure, error) {
	before, err := used()
	if err != nil {
		return figure{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var took []time.Duration
	var clients sync.WaitGroup
	start := time.Now()
	for c := range n {
		clients.Go(func() {
			var mine []time.Duration
			for i := 0; ctx.Err() == nil && more(); i++ {
				begun := time.Now()
				if err := do(ctx, c, i); err != nil {
					cancel(err)
					break
				}
				mine = append(mine, time.Since(begun))
			}
			mu.Lock()
			took = append(took, mine...)
			mu.Unlock()
		})
	}
	clients.Wait()
	if err := context.Cause(ctx); err != nil {
		return figure{}, err
	}
	elapsed := time.Since(start)
	after, err := used()
	if err != nil {
		return figure{}, err
	}
	return newFigure(took, elapsed, after-before), nil
}
