package outline

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Bounds on outlines of parts.
const (
	fewParts  = 3                     // shapes of this kind tell that a layer draws parts
	partPads  = 2                     // pads across the line of one
	deepInPad = geom.Micrometre * 100 // how far within a pad its line runs
	manyRings = 3000                  // more are a drawing
)

// drawsParts tells whether the pieces are outlines of parts and none is the board:
// several whose line runs through two pads each, while not nearly all pads lie within them.
func (s *selection) drawsParts() bool {
	areas := s.board.Outline.Areas
	if len(areas) < fewParts || len(areas) > manyRings {
		return false
	}
	pads, sure := s.flashes(), 0
	for _, a := range areas {
		if s.padsAcross(a.Outer, pads, false) >= partPads {
			sure++
		}
	}
	return sure >= fewParts && !s.mostlyWithin(areas, pads)
}

// drawsDetail tells whether all that the outline layer draws is a small place within the
// copper: a detail such as the shape of one part. An outline that lies beside its copper
// is as large as that, and is none.
func (s *selection) drawsDetail() bool {
	const enough, part = 20, 10
	box := s.outlineBox()
	if len(s.content) < enough || box.Empty() || part*float64(box.Width())*float64(box.Height()) >= extent(s.content) {
		return false
	}
	within := 0
	for _, p := range s.content {
		if box.Contains(p) {
			within++
		}
	}
	return part*within < len(s.content)
}

// outlineBox is the box of what the outline layers draw, closed or not.
func (s *selection) outlineBox() geom.Box {
	box := s.board.Outline.Bounds()
	for _, p := range s.board.Outline.Open {
		box = box.Union(p.Bounds())
	}
	return box
}

// A land is where a pad is.
type land struct {
	box     geom.Box
	drilled bool // its hole may be half on the board's edge
}

// flashes gives the pads: what is flashed, and small filled places, as tools draw pads of
// odd shapes. Those of several layers at one place count once.
func (s *selection) flashes() []land {
	const large = 5 * geom.Millimetre
	drilled, seen := map[geom.Point]bool{}, map[geom.Point]bool{}
	for i := range s.board.Holes {
		drilled[s.board.Holes[i].A] = true
	}
	var out []land
	for _, l := range s.board.Copper() {
		if !s.meter.Spend(pcb.Lookups, len(l.Features)) {
			return nil
		}
		for i := range l.Features {
			f := &l.Features[i]
			if f.Clear || f.Kind != pcb.FlashFeature && f.Kind != pcb.RegionFeature {
				continue
			}
			box := l.FeatureBounds(f)
			if at := box.Centre(); !seen[at] && (f.Kind == pcb.FlashFeature || max(box.Width(), box.Height()) < large) {
				seen[at] = true
				out = append(out, land{box, drilled[at]})
			}
		}
	}
	return out
}

// padsAcross counts the pads that a closed line runs through, those with holes where these
// count too. A line within one pad is a slot for its leg.
func (s *selection) padsAcross(p geom.Path, pads []land, drilled bool) int {
	box := p.Bounds()
	if !s.meter.Spend(pcb.Lookups, len(pads)) {
		return 0
	}
	n := 0
	for _, pad := range pads {
		if pad.box.Grow(deepInPad).ContainsBox(box) {
			return 0
		}
		core := pad.box.Grow(-deepInPad)
		if !core.Empty() && (drilled || !pad.drilled) && box.Overlaps(core) && s.meter.Spend(pcb.Pairs, len(p.Points)) && runsThrough(p, core) {
			n++
		}
	}
	return n
}

// runsThrough tells whether a line meets a box.
func runsThrough(p geom.Path, box geom.Box) bool {
	for e := range p.Edges() {
		if at, _ := e.Nearest(box.Centre()); box.Contains(at) {
			return true
		}
	}
	return false
}

// mostlyWithin tells whether nearly all pads lie within one of the pieces, as on boards.
func (s *selection) mostlyWithin(areas []geom.Polygon, pads []land) bool {
	n := 0
	for _, pad := range pads {
		at := pad.box.Centre()
		if slices.ContainsFunc(areas, func(a geom.Polygon) bool {
			return a.Bounds().Contains(at) && s.meter.Spend(pcb.Lookups, len(a.Outer.Points)) && a.Outer.Winding(at) != 0
		}) {
			n++
		}
	}
	return 10*n >= 9*len(pads)
}
