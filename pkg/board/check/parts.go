package check

import (
	"context"
	"sync"
)

// parts are what the rules about copper and holes share, each made when first
// asked for.
type parts struct {
	drills func() *drillTable
	border func() *border
	live   func() []bool // of each island: something is connected to it
}

// share sets the parts up.
func (in *input) share() {
	in.drills = sync.OnceValue(func() *drillTable { return newDrillTable(in.board) })
	in.border = sync.OnceValue(func() *border { return newBorder(in.board) })
	in.live = sync.OnceValue(func() []bool { return liveIslands(in) })
}

// sharing does work(k) for k below n, on several goroutines, and gives the results
// in order.
func sharing[T any](ctx context.Context, n int, work func(k int) T) []T {
	out := make([]T, n)
	slots := make(chan struct{}, 2)
	var all sync.WaitGroup
	for k := range n {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() == nil {
				out[k] = work(k)
			}
		})
	}
	all.Wait()
	return out
}
