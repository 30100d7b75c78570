package measure

import (
	"math"
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// CutoutEdge tells whether a hole is the edge of a cutout rather than a slot: a way of the
// cutter, not said to be plated, that closes on itself round far more than the cutter is
// wide, at least as much as the fabricator can mill, and round no copper. Tools that write
// the drawn edge of a cutout into a rout file give the width of the line as the cutter's;
// the fabricator mills along its inside with a cutter of his own.
func (in *Input) CutoutEdge(i int, mills int64) bool {
	const much = 5 // times the cutter's width
	h := &in.Board.Holes[i]
	if h.Kind != pcb.RoutedHole || h.Plating == pcb.Plated || h.Function == pcb.FuncSlot || h.Diameter <= 0 || int(h.Path) >= len(in.Board.Routes) {
		return false
	}
	way := in.Board.Routes[h.Path]
	if len(way.Points) < 3 || !in.Meter.Spend(pcb.Lookups, 4*len(way.Points)) {
		return false
	}
	if !way.Closed && way.Points[0].Dist(way.Points[len(way.Points)-1]) > float64(h.Diameter)/2 {
		return false
	}
	// What is enclosed is at least so wide somewhere, whatever its shape.
	wide := 2 * math.Abs(way.Area()) / math.Max(1, way.Length())
	if wide < float64(max(much*h.Diameter, mills)) {
		return false
	}
	c, err := in.Copper()
	return err == nil && c.Holes[i] < 0 && !slices.ContainsFunc(c.Layers, func(l *copper.Layer) bool { return in.copperIn(l, way) })
}

// Bare tells whether a hole is a way of the cutter that nothing says is plated: neither the
// files nor copper that it meets.
func (in *Input) Bare(i int) bool {
	h := &in.Board.Holes[i]
	if h.Kind != pcb.RoutedHole || h.Plating != pcb.PlatingUnknown {
		return false
	}
	c, err := in.Copper()
	return err == nil && c.Holes[i] < 0
}

// copperIn tells whether copper of a layer lies within a closed way.
func (in *Input) copperIn(l *copper.Layer, way geom.Path) bool {
	found := false
	l.Index.Search(way.Bounds(), func(k int) bool {
		found = !in.Meter.Spend(pcb.Lookups, len(way.Points)) || way.Winding(l.Items[k].Shape.CorePoint()) != 0
		return !found
	})
	return found
}
