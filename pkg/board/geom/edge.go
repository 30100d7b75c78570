package geom

import "math"

// Turn tells how an edge goes from its start to its end.
type Turn uint8

// Turns of an edge.
const (
	Straight         Turn = iota // a line
	CounterClockwise             // an arc
	Clockwise                    // an arc
)

// Edge is a line or a circular arc from A to B. An arc whose ends coincide is a
// full circle. Centre matters for arcs only. Files round their numbers, so the
// two ends of an arc may lie at slightly different distances from its centre:
// [Edge.Radius] is their mean.
type Edge struct {
	A, B   Point
	Centre Point
	Turn   Turn
}

// Line is the straight edge from a to b.
func Line(a, b Point) Edge { return Edge{A: a, B: b} }

// ArcEdge is the arc from a to b round centre.
func ArcEdge(a, b, centre Point, clockwise bool) Edge {
	t := CounterClockwise
	if clockwise {
		t = Clockwise
	}
	return Edge{a, b, centre, t}
}

// ArcThrough is the arc that starts at a, passes mid and ends at b, as KiCad
// writes arcs. Three points on a line give a straight edge.
func ArcThrough(a, mid, b Point) Edge {
	ux, uy := float64(mid.X-a.X), float64(mid.Y-a.Y)
	vx, vy := float64(b.X-a.X), float64(b.Y-a.Y)
	d := 2 * (ux*vy - uy*vx)
	if d == 0 {
		if a == b && a != mid { // a full circle through mid
			return ArcEdge(a, a, a.Mid(mid), false)
		}
		return Line(a, b)
	}
	u2, v2 := ux*ux+uy*uy, vx*vx+vy*vy
	cx, cy := (vy*u2-uy*v2)/d, (ux*v2-vx*u2)/d
	if math.Abs(cx) > float64(MaxCoord)*4 || math.Abs(cy) > float64(MaxCoord)*4 {
		return Line(a, b) // so flat that the chord is the arc
	}
	return ArcEdge(a, b, Point{a.X + round(cx), a.Y + round(cy)}, d < 0)
}

// ArcBetween is the arc from a to b that turns through an angle in degrees,
// counter-clockwise where it is positive, and through less than a whole turn. It is a line
// where its centre would lie beyond [MaxCoord].
func ArcBetween(a, b Point, degrees float64) Edge {
	k := 0.5 / math.Tan(degrees/2*math.Pi/180)
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	x, y := float64(a.X)+dx/2-dy*k, float64(a.Y)+dy/2+dx*k
	if math.Abs(x) > float64(MaxCoord) || math.Abs(y) > float64(MaxCoord) {
		return Line(a, b)
	}
	return ArcEdge(a, b, Pt(int64(math.Round(x)), int64(math.Round(y))), degrees < 0)
}

// Reverse is the same edge from B to A.
func (e Edge) Reverse() Edge {
	e.A, e.B = e.B, e.A
	switch e.Turn {
	case Clockwise:
		e.Turn = CounterClockwise
	case CounterClockwise:
		e.Turn = Clockwise
	}
	return e
}

// IsArc tells whether the edge is curved.
func (e Edge) IsArc() bool { return e.Turn != Straight }

// Radius of an arc, in nanometres; 0 for a line.
func (e Edge) Radius() float64 {
	if e.Turn == Straight {
		return 0
	}
	return (e.A.Dist(e.Centre) + e.B.Dist(e.Centre)) / 2
}

// Sweep is the angle an arc runs through, in radians: positive
// counter-clockwise, negative clockwise, ±2π for a full circle, 0 for a line.
func (e Edge) Sweep() float64 {
	if e.Turn == Straight {
		return 0
	}
	if e.A == e.B {
		if e.Turn == Clockwise {
			return -2 * math.Pi
		}
		return 2 * math.Pi
	}
	s := e.B.Sub(e.Centre).Angle() - e.A.Sub(e.Centre).Angle()
	switch {
	case e.Turn == CounterClockwise && s <= 0:
		s += 2 * math.Pi
	case e.Turn == Clockwise && s >= 0:
		s -= 2 * math.Pi
	}
	return s
}

// Len is the length of the edge in nanometres.
func (e Edge) Len() float64 {
	if e.Turn == Straight {
		return e.A.Dist(e.B)
	}
	return math.Abs(e.Sweep()) * e.Radius()
}

// Mid is the point half-way along the edge.
func (e Edge) Mid() Point {
	if e.Turn == Straight {
		return e.A.Mid(e.B)
	}
	return e.Centre.Polar(e.Radius(), e.A.Sub(e.Centre).Angle()+e.Sweep()/2)
}

// Bounds is the box that the edge fills, without any width.
func (e Edge) Bounds() Box {
	b := BoxOf(e.A, e.B)
	if e.Turn == Straight {
		return b
	}
	r := e.Radius()
	for i, d := range [4]Point{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		if e.spans(float64(i) * math.Pi / 2) {
			rr := round(r)
			b = b.Add(Point{e.Centre.X + d.X*rr, e.Centre.Y + d.Y*rr})
		}
	}
	return b
}

// spans tells whether the arc passes the direction a (radians) of its centre.
func (e Edge) spans(a float64) bool {
	sweep := e.Sweep()
	d := a - e.A.Sub(e.Centre).Angle()
	if sweep < 0 {
		d, sweep = -d, -sweep
	}
	d = math.Mod(d, 2*math.Pi)
	if d < 0 {
		d += 2 * math.Pi
	}
	return d <= sweep
}
