package geom

import "math"

// Nearest is the point of the edge closest to p, and its distance.
func (e Edge) Nearest(p Point) (Point, float64) {
	if e.Turn == Straight {
		q := nearestOnLine(e.A, e.B, p)
		return q, p.Dist(q)
	}
	if v := p.Sub(e.Centre); (v != Point{}) && e.spans(v.Angle()) {
		q := e.Centre.Polar(e.Radius(), v.Angle())
		return q, math.Abs(v.Len() - e.Radius())
	}
	da, db := p.Dist(e.A), p.Dist(e.B)
	if da <= db {
		return e.A, da
	}
	return e.B, db
}

func nearestOnLine(a, b, p Point) Point {
	d := b.Sub(a)
	l2 := d.Dot(d)
	if l2 == 0 {
		return a
	}
	t := p.Sub(a).Dot(d) / l2
	if t <= 0 {
		return a
	}
	if t >= 1 {
		return b
	}
	return Point{a.X + round(t*float64(d.X)), a.Y + round(t*float64(d.Y))}
}

// Dist is the distance between two edges, 0 when they touch or cross, and the
// points (one on each) between which it is measured.
func (e Edge) Dist(f Edge) (d float64, onE, onF Point) {
	if q, ok := e.crosses(f); ok {
		return 0, q, q
	}
	d = math.Inf(1)
	take := func(p, q Point, dd float64) {
		if dd < d {
			d, onE, onF = dd, p, q
		}
	}
	for _, p := range [2]Point{e.A, e.B} {
		q, dd := f.Nearest(p)
		take(p, q, dd)
	}
	for _, q := range [2]Point{f.A, f.B} {
		p, dd := e.Nearest(q)
		take(p, q, dd)
	}
	if e.Turn != Straight || f.Turn != Straight {
		e.curveCandidates(f, take)
	}
	return d, onE, onF
}

// curveCandidates offers the inner points at which a curve and another edge
// may come closest: they lie on the line through the centre(s).
func (e Edge) curveCandidates(f Edge, take func(p, q Point, d float64)) {
	switch {
	case e.Turn == Straight:
		p := nearestOnLine(e.A, e.B, f.Centre)
		q, d := f.Nearest(p)
		take(p, q, d)
	case f.Turn == Straight:
		q := nearestOnLine(f.A, f.B, e.Centre)
		p, d := e.Nearest(q)
		take(p, q, d)
	default:
		v := f.Centre.Sub(e.Centre)
		if v == (Point{}) { // concentric: if they overlap, any shared direction will do
			p := e.Mid()
			q, d := f.Nearest(p)
			take(p, q, d)
			q = f.Mid()
			p, d = e.Nearest(q)
			take(p, q, d)
			return
		}
		for _, a := range [2]float64{v.Angle(), v.Angle() + math.Pi} {
			if e.spans(a) {
				p := e.Centre.Polar(e.Radius(), a)
				q, d := f.Nearest(p)
				take(p, q, d)
			}
			if f.spans(a) {
				q := f.Centre.Polar(f.Radius(), a)
				p, d := e.Nearest(q)
				take(p, q, d)
			}
		}
	}
}

// crosses gives a point that both edges share, if they have one.
func (e Edge) crosses(f Edge) (Point, bool) {
	switch {
	case e.Turn == Straight && f.Turn == Straight:
		return linesCross(e.A, e.B, f.A, f.B)
	case e.Turn == Straight:
		return lineArcCross(e, f)
	case f.Turn == Straight:
		return lineArcCross(f, e)
	}
	return arcsCross(e, f)
}

// linesCross handles proper crossings and touches; parallel lines that overlap
// are found by the end points in Dist.
func linesCross(a, b, c, d Point) (Point, bool) {
	r, s, ac := b.Sub(a), d.Sub(c), c.Sub(a)
	den := r.Cross(s)
	if den == 0 {
		return Point{}, false
	}
	t, u := ac.Cross(s)/den, ac.Cross(r)/den
	if t < 0 || t > 1 || u < 0 || u > 1 {
		return Point{}, false
	}
	return Point{a.X + round(t*float64(r.X)), a.Y + round(t*float64(r.Y))}, true
}

func lineArcCross(l, arc Edge) (Point, bool) {
	d, m := l.B.Sub(l.A), l.A.Sub(arc.Centre)
	r := arc.Radius()
	a, b, c := d.Dot(d), m.Dot(d), m.Dot(m)-r*r
	disc := b*b - a*c
	if a == 0 || disc < 0 {
		return Point{}, false
	}
	root := math.Sqrt(disc)
	for _, t := range [2]float64{(-b - root) / a, (-b + root) / a} {
		if t < 0 || t > 1 {
			continue
		}
		p := Point{l.A.X + round(t*float64(d.X)), l.A.Y + round(t*float64(d.Y))}
		if arc.spans(p.Sub(arc.Centre).Angle()) {
			return p, true
		}
	}
	return Point{}, false
}

func arcsCross(e, f Edge) (Point, bool) {
	v := f.Centre.Sub(e.Centre)
	d, r, s := v.Len(), e.Radius(), f.Radius()
	if d == 0 || d > r+s || d < math.Abs(r-s) {
		return Point{}, false
	}
	x := (d*d + r*r - s*s) / (2 * d)
	open := math.Acos(max(-1, min(1, x/r)))
	for _, a := range [2]float64{v.Angle() + open, v.Angle() - open} {
		p := e.Centre.Polar(r, a)
		if e.spans(a) && f.spans(p.Sub(f.Centre).Angle()) {
			return p, true
		}
	}
	return Point{}, false
}
