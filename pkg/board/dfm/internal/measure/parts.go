package measure

import (
	"context"
	"sync"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/shape"
)

// parts are what the rules about copper and holes share, each made when first
// asked for.
type parts struct {
	Drills func() *drillTable
	Border func() *Border // outlines and cutouts
	Scored func() *Border // V-scores
	Live   func() []bool  // of each island: something is connected to it
	Away   func() []bool  // of each node: drills take all of its copper
	Waste  func() []bool  // of each node: all of its copper lies beside the board
	Judged func() []bool  // of each copper layer: it is what it seems

	// Of each hole of the board: it lies wholly within a larger one; wholly beside the
	// board; either, so that it is not made.
	Contained, Outside, Unmade func() []bool

	Breaks func() []bool // of each hole of the board: it is broken along
}

// share sets the parts up.
func (in *Input) share() {
	in.Drills = sync.OnceValue(func() *drillTable { return newDrillTable(in.Board, in.Meter) })
	in.Border = sync.OnceValue(func() *Border { return newBorder(in.Board, in.Meter) })
	in.Scored = sync.OnceValue(func() *Border { return newScored(in.Board, in.Meter) })
	in.Judged = sync.OnceValue(func() []bool { return findJudged(in) })
	in.Away = sync.OnceValue(func() []bool { return findDrilledAway(in) })
	in.Contained = sync.OnceValue(func() []bool { return shape.FindContained(in.Board, in.Meter) })
	in.Outside = sync.OnceValue(func() []bool { return holesOutside(in) })
	in.Unmade = sync.OnceValue(func() []bool { return unmadeHoles(in) })
	in.Breaks = sync.OnceValue(func() []bool { return breakHoles(in) })
	in.Waste = sync.OnceValue(func() []bool { return wasteNodes(in) })
	in.Live = sync.OnceValue(func() []bool { return liveIslands(in) })
}

// Collect does work(k) for k below n, on several goroutines, and gives the results
// in order.
func Collect[T any](ctx context.Context, n int, work func(k int) T) []T {
	out := make([]T, n)
	_ = parallel.Run(ctx, n, func(k int) { out[k] = work(k) }) // the rule tells of ctx
	return out
}

// CollectParts is [Collect] of the copper of all layers, in parts of equal size.
func CollectParts[T any](ctx context.Context, c *copper.Copper, work func(layer, part, parts int) T) []T {
	const size = 2048
	type piece struct{ layer, part, parts int }
	var pieces []piece
	for k, l := range c.Layers {
		parts := 1 + len(l.Items)/size
		for part := range parts {
			pieces = append(pieces, piece{k, part, parts})
		}
	}
	return Collect(ctx, len(pieces), func(k int) T { return work(pieces[k].layer, pieces[k].part, pieces[k].parts) })
}
