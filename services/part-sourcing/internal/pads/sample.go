package pads

import (
	"cmp"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"
)

// A sample is a placed part of which it can be told whether it lies on its pads: its own
// are known, or its case is.
type sample struct {
	index  int // of the list's parts
	part   *placement.Part
	own    *own
	length int64 // of a chip without own pads
}

// samplesOf are the parts of a list that tell. cases are names of cases and land patterns
// by folded designator, where the list of placements has none.
func (p *Pads) samplesOf(l *placement.List, cases map[string]string) (out []sample) {
	if p.isEmpty() {
		return nil
	}
	for i := range l.Parts {
		q := &l.Parts[i]
		ref := refdes.Fold(q.Ref)
		s := sample{index: i, part: q}
		name := q.Footprint
		if s.length = lengthOf(name); s.length == 0 {
			name = cmp.Or(cases[ref], name)
			s.length = lengthOf(name)
		}
		centred := s.length > 0 || casecode.Parse(name).IsTold() || chips[strings.ToUpper(refdes.Letters(q.Ref))]
		if o, known := p.own[ref]; known && centred && (o.top || o.bottom) {
			s.own = &o
		}
		if s.own != nil || s.length > 0 {
			out = append(out, s)
		}
	}
	return out
}

// chips are designators of parts that are placed by their middles; connectors and switches
// are by other points, too.
var chips = map[string]bool{"R": true, "C": true, "L": true, "FB": true, "D": true, "Q": true, "U": true, "IC": true}

func lengthOf(name string) int64 { return casecode.Parse(name).Length() }

// liesOn reports whether a sample lies on its pads at a place and side.
func (p *Pads) liesOn(s *sample, at geom.Point, side placement.Side) bool {
	if s.own != nil {
		return s.own.isOn(side) && s.own.holds(at)
	}
	return p.side(side).seats(at, s.length)
}

func (o *own) isOn(side placement.Side) bool {
	return side == placement.Bottom && o.bottom || side != placement.Bottom && o.top
}

// holds reports whether a place is that of the part: among its pads, or in the middle of
// two on the surface.
func (o *own) holds(at geom.Point) bool {
	if o.isChip() {
		return o.box.Centre().Dist(at) <= slack(0)+o.box.Min.Dist(o.box.Max)/4
	}
	return o.box.Grow(ownReach).Contains(at)
}

// isChip reports whether the pads are two on the surface.
func (o *own) isChip() bool { return o.pads == 2 && o.top != o.bottom }

// mayLieOn reports whether a sample may lie there though not all says so: near its own pads,
// or where one end of a chip has a pad. Connectors and switches are placed by other points
// than their middles, so their own pads tell only where they are exchanged.
func (p *Pads) mayLieOn(s *sample, at geom.Point, side placement.Side) bool {
	switch {
	case s.own == nil:
		return p.side(side).touches(at, s.length)
	case !s.own.isOn(side):
		return false
	}
	return !s.own.isChip() || s.own.box.Grow(geom.Millimetre).Contains(at)
}

// hasManyLegs reports whether a name is of a case that no pads of a chip are for.
func hasManyLegs(name string) bool {
	c := casecode.Parse(name)
	return c.Size == "" && (c.Pins > 2 || c.Family != "" && casecode.Differ(c, casecode.Case{Size: "0603"}))
}

// targets are places where the sample lies on its pads.
func (p *Pads) targets(s *sample, side placement.Side) []geom.Point {
	if s.own == nil {
		return p.side(side).places(s.length)
	}
	if s.own.isOn(side) {
		return []geom.Point{s.own.box.Centre()}
	}
	return nil
}
