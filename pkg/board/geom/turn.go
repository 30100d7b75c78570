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
			turns += axisCrossing(last, d)
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
		turns += axisCrossing(last, first)
	}
	return turns
}

// axisCrossing is 1 or -1 where the shorter turn from one direction to the next passes
// that of the x axis, counter-clockwise or clockwise.
func axisCrossing(from, to Point) int {
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
// direction, and that has room for a circle of a width; 0 is any place. It looks beside
// at most samples of its edges, not closer than 1 µm.
func (p Path) Overlap(samples int, width int64) (Point, bool) {
	n := 0
	for range p.Edges() {
		n++
	}
	step, i := max(1, n/samples), -1
	beside := max(float64(Micrometre), float64(width)/2)
	for e := range p.Edges() {
		if i++; i%step != 0 || e.A == e.B {
			continue
		}
		m, dir := e.Mid(), e.B.Sub(e.A).Angle()
		for _, side := range [2]float64{1, -1} {
			q := m.Polar(beside, dir+side*math.Pi/2)
			if p.twiceRound(q) && (width == 0 || p.roomTwiceRound(q, 0.99*beside, dir)) {
				return q, true
			}
		}
	}
	return Point{}, false
}

func (p Path) twiceRound(q Point) bool {
	w := p.Winding(q)
	return w >= 2 || w <= -2
}

// roomTwiceRound looks at a distance from q, along a direction and across it.
func (p Path) roomTwiceRound(q Point, distance, dir float64) bool {
	for k := range 4 {
		if !p.twiceRound(q.Polar(distance, dir+float64(k)*math.Pi/2)) {
			return false
		}
	}
	return true
}
