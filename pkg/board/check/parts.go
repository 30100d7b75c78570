package check

import (
	"context"
	"sync"

	"boardorder/pkg/board/parallel"
)

// parts are what the rules about copper and holes share, each made when first
// asked for.
type parts struct {
	drills func() *drillTable
	border func() *border
	live   func() []bool // of each island: something is connected to it
	judged func() []bool // of each copper layer: it is what it seems
}

// share sets the parts up.
func (in *input) share() {
	in.drills = sync.OnceValue(func() *drillTable { return newDrillTable(in.board) })
	in.border = sync.OnceValue(func() *border { return newBorder(in.board) })
	in.judged = sync.OnceValue(func() []bool { return judgedLayers(in) })
	in.live = sync.OnceValue(func() []bool { return liveIslands(in) })
}

// sharing does work(k) for k below n, on several goroutines, and gives the results
// in order.
func sharing[T any](ctx context.Context, n int, work func(k int) T) []T {
	out := make([]T, n)
	_ = parallel.Each(ctx, n, func(k int) { out[k] = work(k) }) // the rule tells of ctx
	return out
}
