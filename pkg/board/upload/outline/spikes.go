package outline

import (
	"math"

	"boardorder/pkg/board/geom"
)

// dropSpikes takes off the pieces what only hangs on their edge: lines of a drawing that end on
// it, along which the edge would lead out and back again.
func (s *selection) dropSpikes() {
	for i, a := range s.board.Outline.Areas {
		s.board.Outline.Areas[i].Outer = trimSpikes(a.Outer)
	}
}

// trimSpikes leaves out of a closed path what leads from a corner back to it round next to
// nothing.
func trimSpikes(p geom.Path) geom.Path {
	const nothing = 1e12 // square nanometres
	whole := math.Abs(p.Area())
	var kept []geom.Edge
	at := map[geom.Point]int{} // where in kept a corner begins an edge
	for e := range p.Edges() {
		if k, again := at[e.A]; again {
			loop := pathOf(kept[k:])
			switch area := math.Abs(loop.Area()); {
			case area < nothing:
				for _, gone := range kept[k:] {
					delete(at, gone.A)
				}
				kept = kept[:k]
			case whole-area < nothing: // the walk began on what hangs
				return trimSpikes(loop)
			}
		}
		at[e.A] = len(kept)
		kept = append(kept, e)
	}
	if len(kept) == p.Len() {
		return p
	}
	return pathOf(kept)
}

// pathOf is the closed path of edges that follow one another.
func pathOf(edges []geom.Edge) geom.Path {
	p := geom.Path{Closed: true}
	for _, e := range edges {
		p.Add(e)
	}
	return p
}
