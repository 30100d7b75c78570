package outline

import (
	"cmp"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// maxSplit bounds the edges that are split: more of them are a drawing.
const maxSplit = 50_000

// split cuts edges where others end on them. Tools draw sides of a board twice,
// once whole and once in parts or a little longer; cut, the copies are the same
// edges again.
func split(edges []geom.Edge, m pcb.Meter) []geom.Edge {
	var ends []geom.Point
	for _, e := range edges {
		ends = append(ends, e.A, e.B)
	}
	byX := func(a, b geom.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) }
	slices.SortFunc(ends, byX)
	ends = slices.Compact(ends)
	var out []geom.Edge
	looked := m.Tally(pcb.Lookups)
	for _, e := range edges {
		box := e.Bounds().Grow(Touch)
		from, _ := slices.BinarySearchFunc(ends, geom.Pt(box.Min.X, box.Min.Y), byX)
		var cuts []geom.Point
		for _, p := range ends[from:] {
			if p.X > box.Max.X || !looked.Add(1) {
				break
			}
			if box.Contains(p) && cutsEdge(e, p) {
				cuts = append(cuts, p)
			}
		}
		if m.Spend(pcb.Crossings, len(cuts)) && m.Spend(pcb.Corners, len(cuts)) {
			out = append(out, divide(e, cuts)...)
		}
	}
	return out
}

// cutsEdge tells whether a point lies on an edge, away from its ends.
func cutsEdge(e geom.Edge, p geom.Point) bool {
	if e.A == e.B || p.Dist(e.A) <= float64(Touch) || p.Dist(e.B) <= float64(Touch) {
		return false
	}
	_, d := e.Nearest(p)
	return d <= float64(Touch)
}

// divide makes pieces of an edge that end at the points.
func divide(e geom.Edge, at []geom.Point) []geom.Edge {
	along := func(p geom.Point) float64 {
		piece := e
		piece.B = p
		return piece.Len()
	}
	slices.SortFunc(at, func(a, b geom.Point) int { return cmp.Compare(along(a), along(b)) })
	out := make([]geom.Edge, 0, len(at)+1)
	for _, p := range at {
		piece := e
		piece.B = p
		out = append(out, piece)
		e.A = p
	}
	return append(out, e)
}
