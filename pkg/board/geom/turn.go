package geom

import "math"

// Turns counts how often the direction of a closed path goes all the way round:
// 1 or -1 for one that neither crosses nor overlaps itself, also when it runs into
// a hole and back along one line. It takes one step an edge.
func (p Path) Turns() int {
	turns := 0
	var first, last Point
	take := func(d Point) {
		if d == (Point{}) {
			return
		}
		if last == (Point{}) {
			first = d
		} else {
			turns += turned(last, d)
		}
		last = d
	}
	for e := range p.Edges() {
		if !e.IsArc() {
			take(e.B.Sub(e.A))
			continue
		}
		flat := e.AppendFlat(nil, e.Radius()/8)
		at := e.A
		for _, q := range flat {
			take(q.Sub(at))
			at = q
		}
	}
	if last != (Point{}) {
		turns += turned(last, first)
	}
	return turns
}

// turned is 1 or -1 where the shorter turn from one direction to the next passes
// that of the x axis, counter-clockwise or clockwise.
func turned(from, to Point) int {
	below, above := from.Y < 0, to.Y < 0
	if below == above {
		return 0
	}
	left := float64(from.X)*float64(to.Y)-float64(from.Y)*float64(to.X) >= 0
	switch {
	case below && left:
		return 1
	case above && !left:
		return -1
	}
	return 0
}

// Overlap finds a place that a closed path runs round twice or more in the same
// direction. It looks beside at most samples of its edges, at a distance of 1 µm.
func (p Path) Overlap(samples int) (Point, bool) {
	n := 0
	for range p.Edges() {
		n++
	}
	step, i := max(1, n/samples), -1
	for e := range p.Edges() {
		if i++; i%step != 0 || e.A == e.B {
			continue
		}
		m, dir := e.Mid(), e.B.Sub(e.A).Angle()
		for _, side := range [2]float64{1, -1} {
			q := m.Polar(float64(Micrometre), dir+side*math.Pi/2)
			if w := p.Winding(q); w >= 2 || w <= -2 {
				return q, true
			}
		}
	}
	return Point{}, false
}
