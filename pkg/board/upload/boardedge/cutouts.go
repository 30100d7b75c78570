package boardedge

import (
	"context"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/outline"
)

// CutsWithin tells whether a file that is an outline by its name holds cutouts of the board
// that another file draws the edge of: it is called so, and every line of it closes to a
// shape within that edge. doubtful is told where it is called so and its lines do not.
func (s Search) CutsWithin(ctx context.Context, w, edge *artwork.File) (joins, doubtful bool) {
	const most = 0.5 // of the board's extent: more is an edge
	if !w.Result.Cutouts() || edge.Result.Cutouts() || len(w.Layer.Features) == 0 {
		return false, false
	}
	cuts, rim := outline.Edges(w.Layer), outline.Edges(edge.Layer)
	if !s.Meter.SpendTimes(pcb.Lookups, 4, len(cuts)+len(rim)) {
		return false, true
	}
	alone := outline.Find(ctx, rim).Outline
	box := alone.Bounds()
	inner := outline.Find(ctx, cuts).Outline
	if len(alone.Areas) == 0 || len(inner.Areas) == 0 || len(inner.Open) > 0 || !box.Grow(outline.Touch).ContainsBox(inner.Bounds()) {
		return false, len(cuts) > 0
	}
	whole := float64(box.Width()) * float64(box.Height())
	for _, s := range inner.Areas {
		if b := s.Outer.Bounds(); float64(b.Width())*float64(b.Height()) > most*whole {
			return false, false
		}
	}
	both := outline.Find(ctx, slices.Concat(rim, cuts)).Outline
	ok := len(both.Open) <= len(alone.Open) && len(both.Areas) == len(alone.Areas) && countCutouts(both) > countCutouts(alone) && isSameBox(both.Bounds(), box)
	return ok, !ok && countCutouts(both) != countCutouts(alone)
}

func countCutouts(o pcb.Outline) (n int) {
	for _, s := range o.Areas {
		n += len(s.Holes)
	}
	return n
}

func isSameBox(a, b geom.Box) bool {
	return a.Grow(outline.Touch).ContainsBox(b) && b.Grow(outline.Touch).ContainsBox(a)
}
