package netlist

import (
	"context"

	"boardorder/pkg/board/clip"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

const (
	widestBar      = 3 * geom.Millimetre // that holds a board without holes along which it breaks
	sectionPads    = 12                  // a board of its own has pads, of several parts
	sectionParts   = 3
	sectionCorners = 2000 // of an outline: each costs the corners of a pen
)

// sections are boards of a panel that nothing but narrow bars holds: boards of different designs whose
// nets have one name, which cables join later or nothing does.
type sections struct {
	shapes []shape.Shape // without the bars, and without a rim of half their width
}

// findSections finds what the board falls into without its narrow bars. There are no sections where
// copper leads from one to another: then the bars are of the board.
func (n *netting) findSections(ctx context.Context) *sections {
	areas, corners := n.in.Board.Outline.Areas, 0
	for _, a := range areas {
		corners += a.Outer.Len()
		for _, h := range a.Holes {
			corners += h.Len()
		}
	}
	if len(areas) != 1 || corners > sectionCorners {
		return &sections{}
	}
	pieces, err := clip.Shrink(ctx, areas[0], widestBar/2)
	if err != nil {
		return &sections{}
	}
	s := &sections{}
	for _, piece := range pieces {
		held := shape.Area(piece, 0)
		held.Meter(n.in.Meter)
		s.shapes = append(s.shapes, held)
	}
	pads, parts := make([]int, len(pieces)), make([]map[int32]bool, len(pieces))
	at := map[int32]int{} // the section that copper lies on
	for i := range n.pads {
		t := &n.pads[i]
		k := s.find(t)
		if k < 0 || t.node < 0 {
			continue
		}
		if other, known := at[t.node]; known && other != k {
			return &sections{}
		}
		at[t.node] = k
		if pads[k]++; parts[k] == nil {
			parts[k] = map[int32]bool{}
		}
		parts[k][n.part(t)] = true
	}
	kept := s.shapes[:0]
	for k := range s.shapes {
		if pads[k] >= sectionPads && len(parts[k]) >= sectionParts {
			kept = append(kept, s.shapes[k])
		}
	}
	s.shapes = kept
	return s
}

// find gives the section that a terminal lies on, its rim counted in; -1 for none.
func (s *sections) find(t *terminal) int {
	for k := range s.shapes {
		if s.shapes[k].DistTo(t.at) <= float64(widestBar)/2 {
			return k
		}
	}
	return -1
}

// separate reports whether a connection would lead from one section to another.
func (s *sections) separate(g gapBetween) bool {
	if len(s.shapes) < 2 {
		return false
	}
	a, b := s.find(g.a), s.find(g.b)
	return a >= 0 && b >= 0 && a != b
}
