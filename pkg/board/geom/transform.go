package geom

import "math"

// Transform places a shape: mirror (x becomes -x), then rotate, then scale,
// then move. The zero Transform changes nothing.
type Transform struct {
	Offset   Point
	Rotation float64 // degrees counter-clockwise
	Scale    float64 // 0 means 1
	Mirror   bool    // x becomes -x, before rotating
}

// Move is the transform that only moves by d.
func Move(d Point) Transform { return Transform{Offset: d} }

// Identity tells whether t changes nothing.
func (t Transform) Identity() bool {
	return t.Offset == (Point{}) && t.Rotation == 0 && (t.Scale == 0 || t.Scale == 1) && !t.Mirror
}

func (t Transform) scale() float64 {
	if t.Scale == 0 {
		return 1
	}
	return t.Scale
}

// Matrix gives a, b, c, d of x' = a·x + b·y, y' = c·x + d·y, without the offset.
func (t Transform) Matrix() (a, b, c, d float64) {
	s, co := sincosDeg(t.Rotation)
	k := t.scale()
	a, b, c, d = co*k, -s*k, s*k, co*k
	if t.Mirror {
		a, c = -a, -c
	}
	return a, b, c, d
}

// Apply places the point p.
func (t Transform) Apply(p Point) Point { return t.Vector(p).Add(t.Offset) }

// Vector turns, mirrors and scales p without moving it.
func (t Transform) Vector(p Point) Point {
	if t.Mirror {
		p.X = -p.X
	}
	if t.Rotation != 0 {
		p = p.Rotate(t.Rotation)
	}
	if k := t.scale(); k != 1 {
		p = Point{round(float64(p.X) * k), round(float64(p.Y) * k)}
	}
	return p
}

// Length scales a length.
func (t Transform) Length(v int64) int64 {
	if k := t.scale(); k != 1 {
		return round(float64(v) * k)
	}
	return v
}

// Edge places an edge.
func (t Transform) Edge(e Edge) Edge {
	e.A, e.B = t.Apply(e.A), t.Apply(e.B)
	if e.Turn != Straight {
		e.Centre = t.Apply(e.Centre)
		if t.Mirror {
			e.Turn = Clockwise + CounterClockwise - e.Turn
		}
	}
	return e
}

// Path places a path, as a copy.
func (t Transform) Path(p Path) Path {
	out := Path{Closed: p.Closed, Points: make([]Point, len(p.Points))}
	for i, q := range p.Points {
		out.Points[i] = t.Apply(q)
	}
	if len(p.Bends) > 0 {
		out.Bends = make([]Bend, len(p.Bends))
		for i, b := range p.Bends {
			out.Bends[i] = Bend{b.At, b.Clockwise != t.Mirror, t.Apply(b.Centre)}
		}
	}
	return out
}

// Polygon places a polygon, as a copy.
func (t Transform) Polygon(p Polygon) Polygon {
	out := Polygon{Outer: t.Path(p.Outer)}
	for _, h := range p.Holes {
		out.Holes = append(out.Holes, t.Path(h))
	}
	return out
}

// Chain is the transform that does t first and u afterwards.
func (t Transform) Chain(u Transform) Transform {
	r := t.Rotation
	if u.Mirror {
		r = -r
	}
	scale := t.scale() * u.scale()
	if scale == 1 {
		scale = 0 // equal transforms are equal values
	}
	return Transform{
		Offset:   u.Apply(t.Offset),
		Rotation: math.Mod(r+u.Rotation, 360),
		Scale:    scale,
		Mirror:   t.Mirror != u.Mirror,
	}
}

// Rotate turns p round the origin by deg degrees counter-clockwise; quarter
// turns are exact.
func (p Point) Rotate(deg float64) Point {
	switch math.Mod(deg, 360) {
	case 0:
		return p
	case 90, -270:
		return Point{-p.Y, p.X}
	case 180, -180:
		return Point{-p.X, -p.Y}
	case 270, -90:
		return Point{p.Y, -p.X}
	}
	s, c := sincosDeg(deg)
	x, y := float64(p.X), float64(p.Y)
	return Point{round(x*c - y*s), round(x*s + y*c)}
}

func sincosDeg(deg float64) (s, c float64) {
	switch math.Mod(deg, 360) {
	case 0:
		return 0, 1
	case 90, -270:
		return 1, 0
	case 180, -180:
		return 0, -1
	case 270, -90:
		return -1, 0
	}
	return math.Sincos(deg * math.Pi / 180)
}
