package outline

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Bounds on marks that a drawing on the outline layer leaves within the board.
const (
	lettered   = 200                    // lines that belong to no shape: a drawing with lettering
	thinMark   = geom.Millimetre        // narrower than the cutter
	letterSize = geom.Micrometre * 2500 // the largest letter
	centred    = geom.Micrometre * 250  // between the middles of a hole and a mark round it
	roundHole  = geom.Micrometre * 100  // between the wall of a hole and a mark round it
	largeMark  = geom.Millimetre * 15   // round a hole
	minPiece   = 1_000_000 * 1_000_000  // square nanometres of a board
)

// dropMarks takes away cutouts that no cutter makes: what is drawn round a hole that is
// drilled, for what is left of its rim would fall out, and letters of a drawing that lies on
// the layer.
func (s *selection) dropMarks() {
	o := &s.board.Outline
	cutouts := s.cutouts()
	if len(cutouts) == 0 || len(cutouts) > manyRings {
		return
	}
	drop, letters := map[geom.Box]bool{}, 0
	drawing := len(o.Open) >= lettered
	for _, c := range cutouts {
		switch {
		case s.roundsHole(c):
			drop[c.Bounds()] = true
		case drawing && s.isLetter(c):
			drop[c.Bounds()] = true
			letters++
		}
	}
	if len(drop) == 0 {
		return
	}
	gone := s.removeCutouts(cutouts, drop)
	if rims := len(drop) - letters; rims > 0 {
		s.find(pcb.Note, "outline_drawing", gone.Min, 0, "closed shapes on the outline layer are drawn round drilled holes (%d); taken as marks, not as cutouts", rims)
	}
	if letters > 0 {
		s.find(pcb.Warning, "outline_drawing", gone.Min, 0, "closed shapes as small as letters (%d) lie among the %d lines of a drawing on the outline layer; taken as lettering, not as cutouts: say so if they are to be cut out", letters, len(o.Open))
	}
}

// roundsHole reports whether a cutout follows the rim of a hole at a distance.
func (s *selection) roundsHole(c geom.Path) bool {
	box := c.Bounds()
	if max(box.Width(), box.Height()) > largeMark || !s.meter.Spend(pcb.Lookups, len(s.board.Holes)) {
		return false
	}
	for i := range s.board.Holes {
		h := &s.board.Holes[i]
		if h.A == h.B && h.A.Dist(box.Centre()) <= float64(centred) {
			if d, _ := c.Distance(h.A); d >= float64(h.Diameter/2+roundHole) {
				return true
			}
		}
	}
	return false
}

// isLetter reports whether a cutout is too narrow for a cutter, or as small as a letter with
// copper in its place.
func (s *selection) isLetter(c geom.Path) bool {
	box := c.Bounds()
	return min(box.Width(), box.Height()) < thinMark && max(box.Width(), box.Height()) <= letterSize ||
		max(box.Width(), box.Height()) <= letterSize && s.hasCopper(box.Centre())
}

// hasCopper reports whether an area of copper covers a place on any layer.
func (s *selection) hasCopper(p geom.Point) bool {
	for _, l := range s.board.Copper() {
		if !s.meter.Spend(pcb.Lookups, len(l.Features)) {
			return false
		}
		covered := l.Negative
		for i := range l.Features {
			f := &l.Features[i]
			if f.Kind == pcb.RegionFeature && l.FeatureBounds(f).Contains(p) && l.Regions[f.Shape].Contains(p) {
				covered = f.Clear == l.Negative
			}
		}
		if covered {
			return true
		}
	}
	return false
}
