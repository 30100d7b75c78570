package measure

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// widestMasked is the diameter up to which a plated hole that the mask covers is a via; what
// is larger takes a screw.
const widestMasked = geom.Millimetre

// IsMasked reports whether the solder mask covers a hole and the copper around it on both
// sides of the board, so that nothing can be soldered into it: a via. What the files state to
// be a hole of a part stays one.
func (in *Input) IsMasked(d *Drilled) bool {
	if d.Kind != pcb.DrillHole || d.Function == pcb.FuncComponentDrill || d.Pin > 0 || d.Diameter > widestMasked {
		return false
	}
	sides := in.Sides()
	if len(sides) < 2 {
		return false
	}
	for _, f := range sides {
		if f.Doubtful || len(f.Openings.Shapes) == 0 || f.solders(d) {
			return false
		}
	}
	return true
}

// solders reports whether an opening of the mask shows anything of a hole, or a pad there that
// is stated to be of a part.
func (f *Side) solders(d *Drilled) bool {
	open := false
	barrel := shape.Circle(d.A, d.Diameter)
	f.Openings.VisitNear(&barrel, 0, func(i int) {
		open = open || overlaps(&barrel, &f.Openings.Shapes[i])
	})
	f.Pads.VisitNear(&barrel, 0, func(i int) {
		if p := f.Pads.Feature(i); p.Function.Pad() && f.Pads.Shapes[i].Contains(d.A) {
			open = true
		}
	})
	return open
}
