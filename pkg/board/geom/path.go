package geom

import (
	"iter"
	"math"
)

// Path is a chain of edges through Points. Every edge is straight unless Bends
// says otherwise: most paths on a board have no arcs, and those cost nothing.
// A closed path runs back to its first point; the first point is not repeated
// at the end, except that a full circle is two equal points, the first edge bent.
type Path struct {
	Points []Point
	Bends  []Bend // by rising At
	Closed bool
}

// Bend makes the edge that starts at Points[At] an arc round Centre.
type Bend struct {
	At        int32
	Clockwise bool
	Centre    Point
}

// Len is the number of edges.
func (p Path) Len() int {
	if n := len(p.Points); n > 1 {
		if p.Closed && !p.wraps() {
			return n
		}
		return n - 1
	}
	return 0
}

// wraps tells whether the last point already is the first.
func (p Path) wraps() bool { return p.Points[0] == p.Points[len(p.Points)-1] }

// Edges yields the edges in order.
func (p Path) Edges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		bend := 0
		for i := range p.Len() {
			j := i + 1
			if j == len(p.Points) {
				j = 0
			}
			e := Edge{A: p.Points[i], B: p.Points[j]}
			for bend < len(p.Bends) && int(p.Bends[bend].At) < i {
				bend++
			}
			if bend < len(p.Bends) && int(p.Bends[bend].At) == i {
				e = ArcEdge(e.A, e.B, p.Bends[bend].Centre, p.Bends[bend].Clockwise)
			}
			if !yield(e) {
				return
			}
		}
	}
}

// LineTo appends a straight edge to q; the first call sets the start.
func (p *Path) LineTo(q Point) { p.Points = append(p.Points, q) }

// ArcTo appends an arc to q. The path must have a start.
func (p *Path) ArcTo(q, centre Point, clockwise bool) {
	p.Bends = append(p.Bends, Bend{int32(len(p.Points) - 1), clockwise, centre})
	p.Points = append(p.Points, q)
}

// Add appends an edge; the first sets the start.
func (p *Path) Add(e Edge) {
	if len(p.Points) == 0 {
		p.Points = append(p.Points, e.A)
	}
	if e.Turn == Straight {
		p.LineTo(e.B)
		return
	}
	p.ArcTo(e.B, e.Centre, e.Turn == Clockwise)
}

// Bounds is the box that the path fills, without any width.
func (p Path) Bounds() Box {
	b := BoxOf(p.Points...)
	if len(p.Bends) == 0 {
		return b
	}
	for e := range p.Edges() {
		if e.IsArc() {
			b = b.Union(e.Bounds())
		}
	}
	return b
}

// Length is the sum of the edges' lengths in nanometres.
func (p Path) Length() float64 {
	sum := 0.0
	for e := range p.Edges() {
		sum += e.Len()
	}
	return sum
}

// Area is the signed area in square nanometres, arcs included: positive when
// the path runs counter-clockwise. An open path counts as closed by a line.
func (p Path) Area() float64 {
	if len(p.Points) < 2 {
		return 0
	}
	o, sum := p.Points[0], 0.0
	for e := range p.Edges() {
		sum += e.A.Sub(o).Cross(e.B.Sub(o)) / 2
		if e.IsArc() {
			r, s := e.Radius(), e.Sweep()
			sum += r * r * (s - math.Sin(s)) / 2
		}
	}
	return sum
}

// Reverse gives the same path run the other way.
func (p Path) Reverse() Path {
	edges := make([]Edge, 0, p.Len())
	for e := range p.Edges() {
		edges = append(edges, e.Reverse())
	}
	r := Path{Closed: p.Closed}
	for i := len(edges) - 1; i >= 0; i-- {
		if i == 0 && p.Closed && !edges[i].IsArc() && len(r.Points) > 1 {
			break // the closing line is implied
		}
		r.Add(edges[i])
	}
	return r
}

// Distance is how far q lies from the nearest edge, and that nearest point.
func (p Path) Distance(q Point) (float64, Point) {
	best, at := math.Inf(1), Point{}
	for e := range p.Edges() {
		if n, d := e.Nearest(q); d < best {
			best, at = d, n
		}
	}
	if len(p.Points) == 1 {
		return q.Dist(p.Points[0]), p.Points[0]
	}
	return best, at
}

// Winding counts how often the closed path runs round q, counter-clockwise
// positive. Points exactly on an edge belong to either side.
func (p Path) Winding(q Point) int {
	n := 0
	if len(p.Bends) == 0 { // nearly all paths, and this is asked for often
		for i, b := range p.Points {
			a := p.Points[max(i, 1)-1]
			if i == 0 {
				a = p.Points[len(p.Points)-1]
			}
			if (a.Y <= q.Y) != (b.Y <= q.Y) {
				n += crossing(a, b, q)
			}
		}
		return n
	}
	for e := range p.Edges() {
		n += crossing(e.A, e.B, q)
		if e.IsArc() {
			n += segmentWinding(e, q)
		}
	}
	if !p.Closed && len(p.Points) > 1 {
		n += crossing(p.Points[len(p.Points)-1], p.Points[0], q)
	}
	return n
}

// crossing counts the crossing of line a-b with the ray from q to the right.
func crossing(a, b, q Point) int {
	if (a.Y <= q.Y) == (b.Y <= q.Y) {
		return 0
	}
	side := b.Sub(a).Cross(q.Sub(a))
	switch {
	case a.Y <= q.Y && side > 0:
		return 1
	case b.Y <= q.Y && side < 0:
		return -1
	}
	return 0
}

// segmentWinding counts whether q lies between an arc and its chord.
func segmentWinding(e Edge, q Point) int {
	if q.Dist(e.Centre) >= e.Radius() {
		return 0
	}
	if e.A != e.B {
		side := e.B.Sub(e.A).Cross(q.Sub(e.A))
		if side == 0 {
			side = chordSide(e.A, e.B)
		}
		// The arc bulges to the right of its chord when counter-clockwise.
		if (e.Turn == CounterClockwise) != (side < 0) {
			return 0
		}
	}
	if e.Turn == CounterClockwise {
		return 1
	}
	return -1
}

// chordSide tells on which side of a-b a point on it counts: as [crossing] takes it,
// to the right of the line where that rises or falls, above where it is level.
func chordSide(a, b Point) float64 {
	switch {
	case a.Y < b.Y, a.Y == b.Y && b.X < a.X:
		return -1
	}
	return 1
}

// Circle is the closed counter-clockwise path round c.
func Circle(c Point, r int64) Path {
	s := Point{c.X + r, c.Y}
	return Path{Points: []Point{s, s}, Bends: []Bend{{0, false, c}}, Closed: true}
}

// Rect is the closed counter-clockwise path round b.
func Rect(b Box) Path {
	return Path{Closed: true, Points: []Point{
		b.Min, {b.Max.X, b.Min.Y}, b.Max, {b.Min.X, b.Max.Y},
	}}
}

// Capsule is the closed path round a line a-b drawn with a round pen of radius r.
func Capsule(a, b Point, r int64) Path {
	if a == b {
		return Circle(a, r)
	}
	d := b.Sub(a)
	l := d.Len()
	n := Point{round(-float64(d.Y) / l * float64(r)), round(float64(d.X) / l * float64(r))}
	p := Path{Closed: true}
	p.LineTo(a.Sub(n))
	p.LineTo(b.Sub(n))
	p.ArcTo(b.Add(n), b, false)
	p.LineTo(a.Add(n))
	p.ArcTo(a.Sub(n), a, false)
	return p
}

// Winding is what the edge adds to the winding of a closed path round q.
func (e Edge) Winding(q Point) int {
	n := crossing(e.A, e.B, q)
	if e.IsArc() {
		n += segmentWinding(e, q)
	}
	return n
}
