package draw

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// widestVia is the largest hole that is taken for a via's where no file says.
const widestVia = 500 * geom.Micrometre

// padOpenings is what a solder mask would leave open where no file draws it: the
// pads of the side, without vias. Boards are built with solder mask unless they
// are ordered without.
func padOpenings(b *board.Board, side board.Side) []*board.Layer {
	holes := map[geom.Point]*board.Hole{}
	for i := range b.Holes {
		holes[b.Holes[i].A] = &b.Holes[i]
	}
	var out []*board.Layer
	for _, l := range outer(b, side) {
		pads := *l
		pads.Role, pads.Features, pads.Negative = board.RoleMask, nil, false
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == board.FlashFeature && !f.Clear && !isVia(f, holes[f.A]) {
				pads.Features = append(pads.Features, *f)
			}
		}
		out = append(out, &pads)
	}
	return out
}

func isVia(f *board.Feature, h *board.Hole) bool {
	if f.Function != board.FuncUnknown {
		return !f.Function.Pad()
	}
	return h != nil && h.Kind == board.DrillHole && (h.Function == board.FuncViaDrill ||
		h.Function == board.FuncUnknown && h.Diameter <= widestVia)
}
