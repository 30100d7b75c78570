package shape

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Shape is a piece of copper, a hole or a border: a core swept by a round pen.
// The zero Shape is the point 0, 0.
type Shape struct {
	edge geom.Edge // core, when there is no area
	r    float64   // of the pen
	area *area

	hollow bool // of an area only the border
}

// Circle is a disc.
func Circle(centre geom.Point, diameter int64) Shape {
	return Shape{edge: geom.Line(centre, centre), r: float64(diameter) / 2}
}

// Stroke is a line from a to b with round ends.
func Stroke(a, b geom.Point, width int64) Shape {
	return Shape{edge: geom.Line(a, b), r: float64(width) / 2}
}

// Curve is an edge, straight or bent, with round ends.
func Curve(e geom.Edge, width int64) Shape { return Shape{edge: e, r: float64(width) / 2} }

// Area is what a polygon covers, grown by half of width all round.
func Area(p geom.Polygon, width int64) Shape {
	return Shape{area: &area{poly: p, box: p.Bounds()}, r: float64(width) / 2}
}

// Border is the edges of a polygon without its inside, as the cut along an
// outline is, width wide.
func Border(p geom.Polygon, width int64) Shape {
	return Shape{area: &area{poly: p, box: p.Bounds()}, r: float64(width) / 2, hollow: true}
}

// Rim is the border of an area's core. It shares what the area knows of its
// edges, so that asking a large one for it again and again costs nothing.
func (s *Shape) Rim() Shape { return Shape{area: s.area, edge: s.edge, hollow: true} }

// Meter lets what is measured against an area count as work; once that has to stop,
// distances are what was found until then. It is for shapes that nobody else has yet.
func (s *Shape) Meter(m pcb.Meter) {
	if s.area != nil {
		s.area.meter = m
	}
}

// Prepare lists the edges of an area, which its first measuring does otherwise: for
// those who have a processor to spare.
func (s *Shape) Prepare() {
	if s.area != nil {
		s.area.list()
	}
}

// IsArea tells whether the core is an area or a border.
func (s *Shape) IsArea() bool { return s.area != nil }

// Polygon is the core of an area or border; empty for others.
func (s *Shape) Polygon() geom.Polygon {
	if s.area == nil {
		return geom.Polygon{}
	}
	return s.area.poly
}

// Edge is the core of a shape that is no area; a circle's has no length.
func (s *Shape) Edge() geom.Edge { return s.edge }

// Width is the width of the pen: of a circle the diameter, of a stroke its width, of
// an area what it was grown by.
func (s *Shape) Width() float64 { return 2 * s.r }

// Bounds is the box that the shape covers.
func (s *Shape) Bounds() geom.Box {
	r := int64(math.Ceil(s.r))
	if s.area != nil {
		return s.area.box.Grow(r)
	}
	return s.edge.Bounds().Grow(r)
}

// CorePoint is a point on the core: the middle of an edge, of an area a point inside or
// on its border.
func (s *Shape) CorePoint() geom.Point {
	if s.area == nil {
		return s.edge.Mid()
	}
	if c := s.area.box.Centre(); !s.hollow && s.area.contains(c) {
		return c
	}
	if p := s.area.poly.Outer.Points; len(p) > 0 {
		return p[0]
	}
	return geom.Point{}
}

// Contains tells whether p lies in the shape or on its border.
func (s *Shape) Contains(p geom.Point) bool {
	if s.area == nil {
		return s.DistTo(p) <= 0
	}
	d, _, _ := s.area.distEdge(geom.Line(p, p), s.r+1, s.hollow) // what lies farther does not matter
	return d <= s.r
}

// DistTo is how far p lies from the shape: 0 or negative inside. In an area the
// depth is not measured.
func (s *Shape) DistTo(p geom.Point) float64 {
	d, _ := s.core(p)
	return d - s.r
}

// Room is how far every point round p still lies in the shape, at most enough: 0 on
// its border, negative when p lies outside.
func (s *Shape) Room(p geom.Point, enough float64) float64 {
	if s.area == nil {
		return min(enough, -s.DistTo(p))
	}
	in := !s.hollow && s.area.contains(p)
	at := geom.Line(p, p)
	c := newClosing(enough+s.r, s.area.meter)
	c.nearestTo(s.area, &at)
	d := c.d
	if !in {
		d = -d
	}
	return min(enough, d+s.r)
}

func (s *Shape) core(p geom.Point) (float64, geom.Point) {
	if s.area == nil {
		q, d := s.edge.Nearest(p)
		return d, q
	}
	d, _, q := s.area.distEdge(geom.Line(p, p), math.Inf(1), s.hollow)
	return d, q
}

// Dist is the distance to another shape and the points, one on the border of
// each, between which it is measured. When the two overlap it is 0 or negative and
// both points lie where they do; how deep is not measured for areas.
func (s *Shape) Dist(o *Shape) (d float64, onS, onO geom.Point) {
	d, onS, onO, _ = s.DistWithin(o, math.Inf(1))
	return d, onS, onO
}

// DistWithin is [Shape.Dist] for those closer than reach; ok is false for others. It
// does not look at what lies farther away.
func (s *Shape) DistWithin(o *Shape, reach float64) (d float64, onS, onO geom.Point, ok bool) {
	return s.distWithin(o, reach, s.hollow, o.hollow)
}

// BorderDist is [Shape.Within] for shapes of which neither lies inside the other, as
// when it is known that they do not touch: only their borders are looked at.
func (s *Shape) BorderDist(o *Shape, reach float64) (d float64, onS, onO geom.Point, ok bool) {
	return s.distWithin(o, reach, true, true)
}

// Holds tells of a shape that does not come near the border of the area s whether
// it lies inside. It answers for one point, so for all that hangs together with it.
func (s *Shape) Holds(o *Shape) bool {
	if s.area == nil || s.hollow {
		return false
	}
	p := o.edge.A
	if o.area != nil {
		if len(o.area.poly.Outer.Points) == 0 {
			return false
		}
		p = o.area.poly.Outer.Points[0]
	}
	return s.area.contains(p)
}

// HoldsHole tells of areas whose borders come nowhere near each other whether a hole of
// o lies inside s, as under a pad that is larger than the hole round its middle: s then
// lies on what surrounds the hole, though any one point of it may lie within the hole.
func (s *Shape) HoldsHole(o *Shape) bool {
	return s.area != nil && !s.hollow && o.area != nil && s.area.holdsHole(o.area)
}

func (s *Shape) distWithin(o *Shape, reach float64, rimS, rimO bool) (d float64, onS, onO geom.Point, ok bool) {
	grown := reach + s.r + o.r
	switch {
	case s.area == nil && o.area == nil:
		d, onS, onO = edgeDistance(&s.edge, &o.edge, grown)
	case s.area == nil:
		d, onS, onO = o.area.distEdge(s.edge, grown, rimO)
	case o.area == nil:
		d, onO, onS = s.area.distEdge(o.edge, grown, rimS)
	default:
		d, onS, onO = s.area.dist(o.area, grown, rimS, rimO)
	}
	if d > grown {
		return math.Inf(1), onS, onO, false
	}
	onS, onO = contact(d, onS, onO, s.r, o.r)
	d -= s.r + o.r
	return d, onS, onO, d <= reach
}

// contact moves the nearest points of two cores to the borders of the shapes; to
// one point in between when the shapes overlap.
func contact(d float64, p, q geom.Point, r, s float64) (geom.Point, geom.Point) {
	if d == 0 {
		return p, q
	}
	if d < r+s {
		m := interpolate(p, q, (d+r-s)/2/d)
		return m, m
	}
	return interpolate(p, q, r/d), interpolate(q, p, s/d)
}

func interpolate(p, q geom.Point, t float64) geom.Point {
	t = max(0, min(1, t))
	return geom.Pt(
		p.X+int64(math.Round(t*float64(q.X-p.X))),
		p.Y+int64(math.Round(t*float64(q.Y-p.Y))),
	)
}
