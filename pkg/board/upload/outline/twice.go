package outline

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// sameEdge is how far two lines lie apart at most that are one edge drawn twice, as after it was
// moved a little, or taken over from another file: no cutter leaves that much between boards.
const sameEdge = 150 * geom.Micrometre

// smallBoard is the least side of what may be a board rather than a stroke of a drawing.
const smallBoard = 2 * geom.Millimetre

// dropRepeats takes away boards that repeat another one beside its line. Of the two the one with more
// cutouts stays.
func (s *selection) dropRepeats() {
	o := &s.board.Outline
	for i := 0; i < len(o.Areas); i++ {
		for k := i + 1; k < len(o.Areas); k++ {
			if !s.repeat(o.Areas[i].Outer, o.Areas[k].Outer) {
				continue
			}
			if len(o.Areas[k].Holes) > len(o.Areas[i].Holes) {
				o.Areas[i], o.Areas[k] = o.Areas[k], o.Areas[i]
			}
			box := o.Areas[i].Bounds()
			s.find(pcb.Note, "outline_twice", box.Min, 0, "the edge of %.2f x %.2f mm is drawn twice, less than %.2f mm apart; it was taken once",
				geom.Millimetres(box.Width()), geom.Millimetres(box.Height()), geom.Millimetres(sameEdge))
			o.Areas = append(o.Areas[:k], o.Areas[k+1:]...)
			k--
		}
	}
}

// repeat reports whether no corner of either path lies off the other.
func (s *selection) repeat(p, q geom.Path) bool {
	a, b := p.Bounds(), q.Bounds()
	if min(a.Width(), a.Height()) < smallBoard || !a.Grow(sameEdge).ContainsBox(b) || !b.Grow(sameEdge).ContainsBox(a) || !s.meter.SpendTimes(pcb.Pairs, len(p.Points), 2*len(q.Points)) {
		return false
	}
	return liesAlong(p, q) && liesAlong(q, p)
}

func liesAlong(p, q geom.Path) bool {
	for _, at := range p.Points {
		if d, _ := q.Distance(at); d > float64(sameEdge) {
			return false
		}
	}
	return true
}
