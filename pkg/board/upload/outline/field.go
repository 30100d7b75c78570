package outline

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// edges gives what the outline layers draw, without filled fields along the
// board's edge: they mark a chamfer or contacts, and their inner sides are no
// edges of the board.
func (s *selection) edges(layers []*pcb.Layer) []geom.Edge {
	drawn := s.edgesOfOnePen(layers)
	var filled []geom.Path
	for _, l := range layers {
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == pcb.RegionFeature && !f.Clear && f.Function != pcb.FuncDrawing {
				filled = append(filled, l.Regions[f.Shape].Outer)
			}
		}
	}
	const most = 500
	if len(drawn) > 0 && len(filled) > 0 && len(filled) <= most && len(s.content) > 0 {
		if rest, at := s.dropFields(drawn, filled); len(rest) < len(filled) {
			s.find(pcb.Warning, "outline_field", at, 0,
				"%d filled fields lie along the board's edge on the outline layer, as at %s; taken as markings, not as notches",
				len(filled)-len(rest), place(at))
			for _, p := range rest {
				drawn = border(drawn, p)
			}
			return drawn
		}
	}
	for _, p := range filled {
		drawn = border(drawn, p)
	}
	return drawn
}

// dropFields takes away the fields that share an edge with the board as the lines
// alone draw it, and tells where one is.
func (s *selection) dropFields(drawn []geom.Edge, filled []geom.Path) (rest []geom.Path, at geom.Point) {
	whole, area := geom.Path{}, math.Inf(1)
	closed, _ := newChainer(split(drawn, s.meter), s.meter).chains()
	for _, p := range closed {
		if a := math.Abs(p.Area()); a < area && holds(p, s.content, s.meter) {
			whole, area = p, a
		}
	}
	for _, p := range filled {
		if len(whole.Points) > 0 && math.Abs(p.Area()) < area/2 && s.touch(whole, p) {
			at = p.Points[0]
			continue
		}
		rest = append(rest, p)
	}
	return rest, at
}

// touch reports whether two paths share an edge, in either direction.
func (s *selection) touch(p, q geom.Path) bool {
	if !s.meter.SpendTimes(pcb.Pairs, len(p.Points), len(q.Points)) || !p.Bounds().Grow(Touch).Overlaps(q.Bounds()) {
		return false
	}
	for e := range p.Edges() {
		for f := range q.Edges() {
			if same(e, f) || same(e, f.Reverse()) {
				return true
			}
		}
	}
	return false
}
