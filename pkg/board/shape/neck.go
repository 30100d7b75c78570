package shape

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A Neck is where two stretches of an area's border face each other across the
// area.
type Neck struct {
	Width float64
	P, Q  geom.Point // on the border, either side
	// Along is the length of the shorter border between P and Q; infinite when they
	// lie on different paths, so that the neck divides nothing.
	Along float64

	of       *necks
	from, to int // edges between which that border runs
	turned   bool
}

// Side is the smaller part of the area on one side of the neck: the shorter border
// between P and Q, closed across the neck. Empty when there is none.
func (n *Neck) Side() geom.Path {
	switch {
	case math.IsInf(n.Along, 1):
		return geom.Path{}
	case n.turned:
		return n.of.side(n.from, n.to, n.Q, n.P)
	}
	return n.of.side(n.from, n.to, n.P, n.Q)
}

// Necks calls yield with each neck narrower than reach of an area that is not
// grown, until it returns false. Where the border goes round a corner on a way less
// than three times as long as the neck is wide there is no neck. Seams, edges that
// run to and fro through the area, count for nothing.
func (s *Shape) Necks(reach float64, yield func(Neck) bool) {
	if s.area == nil || s.hollow {
		return
	}
	n := &necks{measured: s.area.meter.Tally(pcb.Pairs), area: s.area, edges: s.area.list(), reach: reach}
	if n.tree = s.area.tree; n.tree == nil {
		n.tree = NewIndex(s.area.boxes).SetMeter(s.area.meter)
	}
	n.measure()
	more := true
	n.tree.Pairs(int64(math.Ceil(reach)), func(i, j int) {
		if !more {
			return
		}
		if k, ok := n.neckBetween(i, j); ok {
			more = yield(k)
		}
	})
}

type necks struct {
	measured pcb.Tally
	area     *area
	edges    []geom.Edge
	tree     *Index
	reach    float64
	path     []int32   // of each edge
	first    []int32   // first edge of each path; one more at the end
	at       []float64 // how far along its path each edge starts; one more at the end
	total    []float64 // length of each path
	seam     []int8    // 0 not known yet, 1 seam, -1 none
}

// measure lists paths and lengths. Paths follow each other in edges, each closed.
func (n *necks) measure() {
	n.path, n.at, n.seam = make([]int32, len(n.edges)), make([]float64, len(n.edges)), make([]int8, len(n.edges))
	k := 0
	for _, p := range append([]geom.Path{n.area.poly.Outer}, n.area.poly.Holes...) {
		p.Closed = true
		count := p.Len()
		if len(p.Points) == 1 {
			count = 1
		}
		n.first = append(n.first, int32(k))
		sum := 0.0
		for range count {
			n.path[k], n.at[k] = int32(len(n.total)), sum
			sum += n.edges[k].Len()
			k++
		}
		n.total = append(n.total, sum)
	}
	n.first = append(n.first, int32(k))
}

// neckBetween gives the neck between two edges, if there is one.
func (n *necks) neckBetween(i, j int) (Neck, bool) {
	e, f := &n.edges[i], &n.edges[j]
	if e.A == f.A || e.A == f.B || e.B == f.A || e.B == f.B || facesAway(e, f) || areApart(e, f, n.reach) {
		return Neck{}, false
	}
	const cost = 16 // of measuring, in pairs that are only looked at
	if !n.measured.Add(cost) {
		return Neck{}, false
	}
	d, p, q := e.Dist(*f)
	if d < 2 || d >= n.reach {
		return Neck{}, false
	}
	if d, p, q = middle(*e, *f, d, p, q); !n.faces(i, p, q) || !n.faces(j, q, p) || n.isSeam(i) || n.isSeam(j) {
		return Neck{}, false
	}
	k := Neck{Width: d, P: p, Q: q, Along: math.Inf(1), of: n, from: i, to: j}
	if n.path[i] == n.path[j] {
		way := n.at[j] + n.distanceAlong(j, q) - n.at[i] - n.distanceAlong(i, p) // i is less than j
		k.Along = min(way, n.total[n.path[i]]-way)
		if k.Along < 3*d {
			return Neck{}, false
		}
		if k.Along != way {
			k.from, k.to, k.turned = j, i, true
		}
	}
	return k, true
}

// facesAway tells for lines whether their inner sides turn from each other.
func facesAway(e, f *geom.Edge) bool {
	if e.IsArc() || f.IsArc() {
		return false
	}
	return e.B.Sub(e.A).Dot(f.B.Sub(f.A)) > 0
}

// middle puts the neck between two lines that run side by side into the middle of
// where they do, rather than at one of the many ends that are as near.
func middle(e, f geom.Edge, d float64, p, q geom.Point) (float64, geom.Point, geom.Point) {
	if e.IsArc() || f.IsArc() {
		return d, p, q
	}
	dir := e.B.Sub(e.A)
	l := dir.Len()
	t0, t1 := f.A.Sub(e.A).Dot(dir)/l/l, f.B.Sub(e.A).Dot(dir)/l/l
	lo, hi := max(0, min(t0, t1)), min(1, max(t0, t1))
	if lo >= hi {
		return d, p, q
	}
	m := interpolate(e.A, e.B, (lo+hi)/2)
	if o, w := f.Nearest(m); w <= d+2 {
		return w, m, o
	}
	return d, p, q
}

// faces tells whether q lies on the inner side of edge i, as seen from p on it.
func (n *necks) faces(i int, p, q geom.Point) bool {
	e := n.edges[i]
	dir := e.B.Sub(e.A)
	if e.IsArc() {
		v := p.Sub(e.Centre)
		dir = geom.Pt(-v.Y, v.X)
		if e.Turn == geom.Clockwise {
			dir = dir.Neg()
		}
	}
	return dir.Cross(q.Sub(p)) > 0.2*dir.Len()*q.Dist(p)
}

// distanceAlong is how far along edge i the point p lies.
func (n *necks) distanceAlong(i int, p geom.Point) float64 {
	e := n.edges[i]
	if !e.IsArc() {
		return e.A.Dist(p)
	}
	part := geom.ArcEdge(e.A, p, e.Centre, e.Turn == geom.Clockwise)
	if p == e.A {
		return 0
	}
	return part.Len()
}

// isSeam tells whether another edge runs back along edge i.
func (n *necks) isSeam(i int) bool {
	if n.seam[i] == 0 {
		n.seam[i] = -1
		m := n.edges[i].Mid()
		n.tree.Search(geom.BoxOf(m).Grow(2), func(j int) bool {
			if j != i {
				if _, d := n.edges[j].Nearest(m); d <= 2 {
					n.seam[i] = 1
				}
			}
			return n.seam[i] < 0
		})
	}
	return n.seam[i] > 0
}

// side is the border from p on edge i to q on edge j, closed across the neck.
func (n *necks) side(i, j int, p, q geom.Point) geom.Path {
	path := n.path[i]
	first, last := int(n.first[path]), int(n.first[path+1])
	count := j - i
	if count < 0 {
		count += last - first
	}
	if !n.area.spendLookups(count) {
		return geom.Path{}
	}
	out := geom.Path{Closed: true, Points: make([]geom.Point, 1, count+2)}
	out.Points[0] = p
	cut := n.edges[i]
	cut.A = p
	for k := i; k != j; {
		if cut.A != cut.B {
			out.Add(cut)
		}
		if k++; k == last {
			k = first
		}
		cut = n.edges[k]
	}
	cut.B = q
	if cut.A != cut.B {
		out.Add(cut)
	}
	return out
}
