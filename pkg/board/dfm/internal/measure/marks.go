package measure

import (
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// markRoom is how many times as large as a pad its opening is where the opening was made
// for more than the pad.
const markRoom = 6

// mark reports whether a dot that lies alone is part of a mark, such as a ring of bars for
// cameras: the opening that lays it bare is that of much more, and the stencil of its side,
// which has openings elsewhere, puts no paste on it.
func (in *Input) mark(l *copper.Layer, i int, opening *shape.Shape) bool {
	prints := in.stencils()[l.Layer.Side]
	if prints == nil {
		return false
	}
	box, room := l.Items[i].Shape.Bounds(), opening.Bounds()
	area := func(b geom.Box) float64 { return float64(b.Width()) * float64(b.Height()) }
	if area(room) < markRoom*area(box) {
		return false
	}
	printed := false
	prints.Search(box, func(int) bool {
		printed = true
		return false
	})
	return !printed
}

// makeStencils gives what the stencil of each side prints, as boxes; a side without has none.
func makeStencils(b *pcb.Board, m pcb.Meter) map[pcb.Side]*shape.Index {
	out := map[pcb.Side]*shape.Index{}
	for _, s := range []pcb.Side{pcb.Top, pcb.Bottom} {
		var boxes []geom.Box
		for _, l := range b.Find(pcb.RolePaste, s) {
			for i := range l.Features {
				f := &l.Features[i]
				if f.Clear {
					continue
				}
				if !m.Spend(pcb.Lookups, l.BoundsWork(f)) {
					return out
				}
				boxes = append(boxes, l.FeatureBounds(f))
			}
		}
		if len(boxes) > 0 {
			out[s] = shape.NewIndex(boxes).SetMeter(m)
		}
	}
	return out
}
