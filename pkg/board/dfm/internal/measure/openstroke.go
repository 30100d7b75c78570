package measure

import (
	"math"
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/process"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// OpenStroke reports whether an item is a stroke that the solder mask leaves open over
// its whole shape: a pad or a contact that was drawn, for tracks run under the mask. An
// opening of a quarter of the board and more tells nothing of what lies in it.
func (in *Input) OpenStroke(l *copper.Layer, i int) bool {
	f, s := l.FeatureOf(i), &l.Items[i].Shape
	if f == nil || s.IsArea() || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature {
		return false
	}
	return in.maskOpens(l, s)
}

// contactEnd is how far a track that is a contact runs past the edge at most, or ends before it:
// tails of flexible boards are cut through their contacts.
const contactEnd = geom.Millimetre

// OpenEnd reports whether a straight stroke ends near a place of the board's edge, and the solder
// mask leaves it open from its end to there, and round both. The cover of a flexible board is open
// in bands: there the middle line is enough.
func (in *Input) OpenEnd(l *copper.Layer, i int, edge geom.Point) bool {
	s := &l.Items[i].Shape
	if s.IsArea() {
		return false
	}
	a, b := s.Edge().A, s.Edge().B
	if b.Dist(edge) < a.Dist(edge) {
		a, b = b, a
	}
	if a.Dist(edge) > float64(contactEnd) {
		return false
	}
	width := int64(s.Width())
	if in.Flexible() {
		width = rimSlack
	}
	end := shape.Stroke(a, a.Polar(min(a.Dist(edge), a.Dist(b)), b.Sub(a).Angle()), width)
	return in.maskOpens(l, &end)
}

// Flexible reports whether the files say that the board bends: by their word, by its sheets, or by
// what no other board has.
func (in *Input) Flexible() bool {
	facts := &in.Board.Facts
	return facts.Flex.Known && facts.Flex.Value || facts.Material.IsStated() && process.Polyimide(facts.Material.Value) ||
		slices.ContainsFunc(facts.Processes, func(p pcb.Fact[pcb.Process]) bool { return p.Value == pcb.Stiffening || p.Value == pcb.Coverlaying })
}

// maskOpens reports whether the solder mask of an outer layer's side leaves a stroke open.
func (in *Input) maskOpens(l *copper.Layer, s *shape.Shape) bool {
	for _, side := range in.Sides() {
		if side.Copper == l.Layer {
			return side.opens(s, in.Board.Outline.Bounds())
		}
	}
	return false
}

// opens reports whether openings cover a stroke to its rim.
func (f *Side) opens(s *shape.Shape, whole geom.Box) bool {
	var over []int
	f.Openings.VisitNear(s, 0, func(j int) {
		if box := f.Openings.Boxes[j]; 4*size(box) < size(whole) {
			over = append(over, j)
		}
	})
	if len(over) == 0 || !f.Openings.meter.SpendTimes(pcb.Lookups, len(over), rimPoints) {
		return false
	}
	return visitRimPoints(s.Edge(), s.Width()/2, func(p geom.Point) bool {
		for _, j := range over {
			if f.Openings.Shapes[j].DistTo(p) <= float64(rimSlack) && f.Openings.Dark(j, p) {
				return true
			}
		}
		return false
	})
}

func size(b geom.Box) float64 { return float64(b.Width()) * float64(b.Height()) }

const (
	rimSlack  = 5 * geom.Micrometre // rounding of circles to grids
	rimParts  = 64                  // places along a stroke that are looked at
	rimPoints = 3 * (rimParts + 1)
)

// visitRimPoints gives places along a stroke, in its middle and on both sides of it, and
// at its two ends, until yield says false; it reports whether that never was.
func visitRimPoints(e geom.Edge, r float64, yield func(geom.Point) bool) bool {
	dir := e.B.Sub(e.A).Angle()
	turn := 0.0 // of the direction, from one end to the other
	if e.IsArc() {
		turn = e.Sweep()
		dir = e.A.Sub(e.Centre).Angle() + math.Copysign(math.Pi/2, turn)
	}
	if !yield(e.A.Polar(r, dir+math.Pi)) || !yield(e.B.Polar(r, dir+turn)) {
		return false
	}
	for k := range rimParts + 1 {
		part := float64(k) / rimParts
		p, along := e.A.Polar(e.A.Dist(e.B)*part, dir), dir
		if e.IsArc() {
			along += turn * part
			p = e.Centre.Polar(e.Radius(), e.A.Sub(e.Centre).Angle()+turn*part)
		}
		if !yield(p) || !yield(p.Polar(r, along+math.Pi/2)) || !yield(p.Polar(r, along-math.Pi/2)) {
			return false
		}
	}
	return true
}
