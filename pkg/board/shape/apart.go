package shape

import (
	"math"

	"boardorder/pkg/board/geom"
)

// apart tells of two lines that they are farther apart than reach, which costs less
// than to measure how far: no roots, no divisions, no points. False tells nothing,
// nor does it of arcs.
func apart(e, f *geom.Edge, reach float64) bool {
	if e.IsArc() || f.IsArc() || math.IsInf(reach, 1) {
		return false
	}
	const rounding = 2 // that nearest points are rounded to
	d := square(reach + rounding)
	// All by e.A.
	u := vector{float64(e.B.X - e.A.X), float64(e.B.Y - e.A.Y)}
	p := vector{float64(f.A.X - e.A.X), float64(f.A.Y - e.A.Y)}
	q := vector{float64(f.B.X - e.A.X), float64(f.B.Y - e.A.Y)}
	v := q.less(p)
	if u.beyond(p, d) && u.beyond(q, d) && v.beyond(p.times(-1), d) && v.beyond(u.less(p), d) {
		return u.cross(p) < 0 == (u.cross(q) < 0) || v.cross(p) > 0 == (v.cross(u.less(p)) < 0)
	}
	return false
}

// between is the distance of two edges, with the nearest point on each, when it is at
// most reach; else it may be infinite.
func between(e, f *geom.Edge, reach float64) (d float64, onE, onF geom.Point) {
	switch {
	case e.A == e.B && !e.IsArc():
		q, d := f.Nearest(e.A)
		return d, e.A, q
	case f.A == f.B && !f.IsArc():
		p, d := e.Nearest(f.A)
		return d, p, f.A
	case apart(e, f, reach):
		return math.Inf(1), onE, onF
	}
	return e.Dist(*f)
}

// vector is one whose coordinates need no more rounding.
type vector struct{ x, y float64 }

func (v vector) less(w vector) vector   { return vector{v.x - w.x, v.y - w.y} }
func (v vector) times(f float64) vector { return vector{v.x * f, v.y * f} }
func (v vector) cross(w vector) float64 { return v.x*w.y - v.y*w.x }
func (v vector) dot(w vector) float64   { return v.x*w.x + v.y*w.y }

// beyond tells whether the point p is farther from the line that runs from 0 to v
// than the root of d.
func (v vector) beyond(p vector, d float64) bool {
	along, whole := v.dot(p), v.dot(v)
	switch {
	case along <= 0:
		return p.dot(p) > d
	case along >= whole:
		r := p.less(v)
		return r.dot(r) > d
	}
	c := v.cross(p)
	return c*c > d*whole
}
