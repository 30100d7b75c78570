package outline

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// reportAcross warns of open chains that come in over the edge of the board, turn and go out
// again, as room for connectors is drawn: nothing is cut along them.
func (s *selection) reportAcross() {
	const many = 500 // chains of a drawing
	open := s.board.Outline.Open
	if len(open) > many {
		return
	}
	for _, p := range open {
		if box := p.Bounds(); s.leadsAcross(p) {
			s.find(pcb.Warning, "outline_drawing", startOf(p), 0,
				"an open line of %.2f x %.2f mm on the outline layer comes in over the edge of the board and goes out again: it is taken as drawing, so that nothing is cut off there; if the board ends at it, send an outline that is one line",
				geom.Millimetres(box.Width()), geom.Millimetres(box.Height()))
		}
	}
}

// leadsAcross reports whether a chain turns within the board, deeper than letters stand there,
// and ends beyond its edge on both ends.
func (s *selection) leadsAcross(p geom.Path) bool {
	const deep = geom.Millimetre
	box := p.Bounds()
	if min(box.Width(), box.Height()) <= deep || s.depth(startOf(p)) > 0 || s.depth(endOf(p)) > 0 {
		return false
	}
	return slices.ContainsFunc(p.Points, func(q geom.Point) bool { return s.depth(q) > float64(deep) })
}

// depth is how far within the edge of the board a point lies; 0 for beyond.
func (s *selection) depth(p geom.Point) float64 {
	for _, a := range s.board.Outline.Areas {
		if a.Bounds().Contains(p) && s.meter.Spend(pcb.Lookups, cornersOf(a)) && a.Outer.Winding(p) != 0 {
			d, _ := a.EdgeDistance(p)
			return d
		}
	}
	return 0
}
