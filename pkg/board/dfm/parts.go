package dfm

import (
	"context"
	"sync"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/internal/parallel"
)

// parts are what the rules about copper and holes share, each made when first
// asked for.
type parts struct {
	drills func() *drillTable
	border func() *border // outlines and cutouts
	scored func() *border // V-scores
	live   func() []bool  // of each island: something is connected to it
	judged func() []bool  // of each copper layer: it is what it seems
}

// share sets the parts up.
func (in *input) share() {
	in.drills = sync.OnceValue(func() *drillTable { return newDrillTable(in.board, in.meter) })
	in.border = sync.OnceValue(func() *border { return newBorder(in.board, in.meter) })
	in.scored = sync.OnceValue(func() *border { return newScored(in.board, in.meter) })
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

// sharingItems is [sharing] of the copper of all layers, in parts of equal size.
func sharingItems[T any](ctx context.Context, c *copper.Copper, work func(layer, part, parts int) T) []T {
	const size = 2048
	type piece struct{ layer, part, parts int }
	var pieces []piece
	for k, l := range c.Layers {
		parts := 1 + len(l.Items)/size
		for part := range parts {
			pieces = append(pieces, piece{k, part, parts})
		}
	}
	return sharing(ctx, len(pieces), func(k int) T { return work(pieces[k].layer, pieces[k].part, pieces[k].parts) })
}
