package shape

import (
	"math"

	"boardorder/pkg/board/geom"
)

// areApart tells of two lines that they are farther apart than reach, which costs less
// than to measure how far: no roots, no divisions, no points. False tells nothing,
// nor does it of arcs.
func areApart(e, f *geom.Edge, reach float64) bool {
	if e.IsArc() || f.IsArc() || math.IsInf(reach, 1) {
		return false
	}
	const rounding = 2 // that nearest points are rounded to
	d := square(reach + rounding)
	// All by e.A.
	u, p, q := e.B.Sub(e.A), f.A.Sub(e.A), f.B.Sub(e.A)
	v, w := q.Sub(p), u.Sub(p)
	if isBeyond(u, p, d) && isBeyond(u, q, d) && isBeyond(v, p.Neg(), d) && isBeyond(v, w, d) {
		return u.Cross(p) < 0 == (u.Cross(q) < 0) || v.Cross(p) > 0 == (v.Cross(w) < 0)
	}
	return false
}

// edgeDistance is the distance of two edges, with the nearest point on each, when it is at
// most reach; else it may be infinite.
func edgeDistance(e, f *geom.Edge, reach float64) (d float64, onE, onF geom.Point) {
	switch {
	case e.A == e.B && !e.IsArc():
		q, d := f.Nearest(e.A)
		return d, e.A, q
	case f.A == f.B && !f.IsArc():
		p, d := e.Nearest(f.A)
		return d, p, f.A
	case areApart(e, f, reach):
		return math.Inf(1), onE, onF
	}
	return e.Dist(*f)
}

// isBeyond tells whether the point p is farther from the line that runs from 0 to v
// than the root of d.
func isBeyond(v, p geom.Point, d float64) bool {
	along, whole := v.Dot(p), v.Dot(v)
	switch {
	case along <= 0:
		return p.Dot(p) > d
	case along >= whole:
		r := p.Sub(v)
		return r.Dot(r) > d
	}
	c := v.Cross(p)
	return c*c > d*whole
}
