package shape

import (
	"math"
	"slices"
	"sync"

	"boardorder/pkg/board/geom"
)

// area is a polygon whose edges can be found by place. Its edges are listed on
// first use: most areas of a board are never measured against.
type area struct {
	poly geom.Polygon
	box  geom.Box

	once  sync.Once
	edges []geom.Edge // outer path first; the area lies to the left of each
	tree  *Index      // of edges; nil when they are few
	outer chain
	holes []chain
	holed *Index // of the holes' boxes; nil when they are few
}

// fewEdges is how many are sooner looked at one by one than by a tree.
const fewEdges = 12

func (a *area) list() []geom.Edge {
	a.once.Do(func() {
		a.edges = appendEdges(a.edges, a.poly.Outer, false)
		ends := []int{len(a.edges)}
		for _, h := range a.poly.Holes {
			a.edges = appendEdges(a.edges, h, true)
			ends = append(ends, len(a.edges))
		}
		a.outer = newChain(a.edges[:ends[0]])
		var boxes []geom.Box
		for i := range a.poly.Holes {
			a.holes = append(a.holes, newChain(a.edges[ends[i]:ends[i+1]]))
			boxes = append(boxes, a.holes[i].box())
		}
		if len(boxes) > fewEdges {
			a.holed = NewIndex(boxes)
		}
		if len(a.edges) > fewEdges {
			a.tree = newEdgeIndex(a.edges)
		}
	})
	return a.edges
}

func newEdgeIndex(edges []geom.Edge) *Index {
	boxes := make([]geom.Box, len(edges))
	for i := range edges {
		boxes[i] = edges[i].Bounds()
	}
	return NewIndex(boxes)
}

// appendEdges lists the edges of a closed path so that it runs counter-clockwise,
// or clockwise for a hole.
func appendEdges(out []geom.Edge, p geom.Path, hole bool) []geom.Edge {
	from := len(out)
	p.Closed = true
	for e := range p.Edges() {
		out = append(out, e)
	}
	if (p.Area() < 0) != hole {
		slices.Reverse(out[from:])
		for i := range out[from:] {
			out[from+i] = out[from+i].Reverse()
		}
	}
	if len(p.Points) == 1 {
		out = append(out, geom.Line(p.Points[0], p.Points[0]))
	}
	return out
}

// contains tells whether p lies inside: within the outer path and in no hole.
func (a *area) contains(p geom.Point) bool {
	if !a.box.Contains(p) {
		return false
	}
	a.list()
	if a.outer.winding(p) == 0 {
		return false
	}
	in := true
	if a.holed == nil {
		for i := range a.holes {
			in = in && a.holes[i].winding(p) == 0
		}
		return in
	}
	a.holed.Search(geom.Bound(p), func(i int) bool {
		in = a.holes[i].winding(p) == 0
		return in
	})
	return in
}

// distEdge is the distance to an edge, 0 when it touches or lies inside, and the
// nearest points on the edge and on the area. Nothing farther than reach is found.
// Of a hollow area only the border counts.
func (a *area) distEdge(e geom.Edge, reach float64, hollow bool) (d float64, onE, onA geom.Point) {
	d = math.Inf(1)
	if !hollow && a.contains(e.A) {
		return 0, e.A, e.A
	}
	edges := a.list()
	try := func(i int) float64 {
		if dd, p, q := edges[i].Dist(e); dd < d {
			d, onA, onE = dd, p, q
		}
		return d
	}
	if a.tree == nil {
		for i := range edges {
			try(i)
		}
		return d, onE, onA
	}
	a.tree.nearest(newProbe(e), reach, try)
	return d, onE, onA
}

// dist is the distance to another area, with the nearest point on each. Of hollow
// areas only the borders count.
func (a *area) dist(b *area, reach float64, hollowA, hollowB bool) (d float64, onA, onB geom.Point) {
	d = math.Inf(1)
	if a.box.Dist(b.box) > reach {
		return d, onA, onB
	}
	ea, eb := a.list(), b.list()
	if len(ea) == 0 || len(eb) == 0 {
		return d, onA, onB
	}
	if p := ea[0].A; !hollowB && b.contains(p) {
		return 0, p, p
	}
	if p := eb[0].A; !hollowA && a.contains(p) {
		return 0, p, p
	}
	try := func(i, j int) float64 {
		if dd, p, q := ea[i].Dist(eb[j]); dd < d {
			d, onA, onB = dd, p, q
		}
		return d
	}
	switch {
	case a.tree != nil && b.tree != nil:
		a.tree.nearestPair(b.tree, reach, try)
	case a.tree != nil:
		for j := range eb {
			a.tree.nearest(newProbe(eb[j]), min(d, reach), func(i int) float64 { return try(i, j) })
		}
	case b.tree != nil:
		for i := range ea {
			b.tree.nearest(newProbe(ea[i]), min(d, reach), func(j int) float64 { return try(i, j) })
		}
	default:
		for i := range ea {
			for j := range eb {
				try(i, j)
			}
		}
	}
	return d, onA, onB
}
