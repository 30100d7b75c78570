package boardedge

import (
	"context"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/outline"
	"boardorder/pkg/board/upload/places"
)

// CutsWithin tells whether a file that is an outline by its name holds cutouts of the board
// that another file draws the edge of: it is called so, and every line of it closes to a
// shape within that edge. doubtful is told where it is called so and its lines do not.
func (s Search) CutsWithin(ctx context.Context, w, edge *artwork.File) (joins, doubtful bool) {
	const most = 0.5 // of the board's extent: more is an edge
	routes := w.Result.Routes() && !w.Result.Cutouts()
	if !w.Result.Cutouts() && !routes || edge.Result.Cutouts() || len(w.Layer.Features) == 0 {
		return false, false
	}
	if routes { // the way round the board is one as well
		defer func() { doubtful = !joins && hasAreasWithin(w.Layer, edge.Layer) }()
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

// hasAreasWithin tells whether a layer fills areas that lie within what another goes round, and that
// the other does not draw itself.
func hasAreasWithin(l, edge *pcb.Layer) bool {
	const fine = geom.Millimetre / 2 // no cutter is as narrow
	box := places.Extent(edge)
	drawn := map[geom.Box]bool{}
	for i := range edge.Features {
		if f := &edge.Features[i]; f.Kind == pcb.RegionFeature {
			drawn[edge.Regions[f.Shape].Bounds()] = true
		}
	}
	return slices.ContainsFunc(l.Features, func(f pcb.Feature) bool {
		if f.Clear || f.Kind != pcb.RegionFeature {
			return false
		}
		b := l.Regions[f.Shape].Bounds()
		return min(b.Width(), b.Height()) >= fine && box.Grow(-fine).ContainsBox(b) && !drawn[b]
	})
}

// AdoptRoutes makes outlines of the films that say of themselves that they hold what is routed without
// plating and that fill areas only, where another draws the edge: their areas are cutouts of it.
func AdoptRoutes(files []*artwork.File) {
	if !slices.ContainsFunc(files, func(w *artwork.File) bool { return w.Layer.Role == pcb.RoleOutline }) {
		return
	}
	for _, w := range files {
		if r := w.Result; w.Layer.Role == pcb.RoleDrillDrawing && r.StatesRouting() && r.Plating == pcb.NonPlated && fillsOnly(w.Layer) {
			w.Layer.Role, r.Role, r.Doubt = pcb.RoleOutline, pcb.RoleOutline, ""
			r.Why = "areas that are routed without plating"
		}
	}
}

// fillsOnly tells whether a layer holds areas and nothing else.
func fillsOnly(l *pcb.Layer) bool {
	return len(l.Features) > 0 && !slices.ContainsFunc(l.Features, func(f pcb.Feature) bool { return f.Clear || f.Kind != pcb.RegionFeature })
}
