package render

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const (
	// widestVia is the largest hole that is taken for a via's where no file says.
	widestVia = 520 * geom.Micrometre
	// offCentre is how far a hole may lie from its pad: files round differently.
	offCentre = 25 * geom.Micrometre
)

// padOpenings is what a solder mask would leave open where no file draws it: the
// pads of the side, without vias. Boards are built with solder mask unless they
// are ordered without.
func padOpenings(b *pcb.Board, side pcb.Side) []*pcb.Layer {
	holes := map[geom.Point]*pcb.Hole{}
	for i := range b.Holes {
		holes[cell(b.Holes[i].A)] = &b.Holes[i]
	}
	var out []*pcb.Layer
	for _, l := range outer(b, side) {
		pads := *l
		pads.Role, pads.Features, pads.Negative = pcb.RoleMask, nil, false
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == pcb.FlashFeature && !f.Clear && !isVia(f, holeAt(holes, f.A)) {
				pads.Features = append(pads.Features, *f)
			}
		}
		out = append(out, &pads)
	}
	return out
}

func cell(p geom.Point) geom.Point { return geom.Pt(p.X/(4*offCentre), p.Y/(4*offCentre)) }

// holeAt looks into the cell of a place and those around it.
func holeAt(holes map[geom.Point]*pcb.Hole, p geom.Point) *pcb.Hole {
	c := cell(p)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			if h := holes[c.Add(geom.Pt(dx, dy))]; h != nil && h.A.Dist(p) <= float64(offCentre) {
				return h
			}
		}
	}
	return nil
}

func isVia(f *pcb.Feature, h *pcb.Hole) bool {
	if f.Function != pcb.FuncUnknown && f.Function != pcb.FuncOther { // which says nothing
		return !f.Function.Pad()
	}
	return h != nil && h.Kind == pcb.DrillHole && (h.Function == pcb.FuncViaDrill ||
		h.Function == pcb.FuncUnknown && h.Diameter <= widestVia)
}
