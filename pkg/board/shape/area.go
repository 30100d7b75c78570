package shape

import (
	"math"
	"slices"
	"sync"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// area is a polygon whose edges can be found by place. Its edges are listed on
// first use: most areas of a board are never measured against.
type area struct {
	poly  geom.Polygon
	box   geom.Box
	meter pcb.Meter // of what is measured against it

	once  sync.Once
	edges []geom.Edge // outer path first; the area lies to the left of each
	boxes []geom.Box  // of edges
	tree  *Index      // of edges; nil when they are few
	outer chain
	holes []chain
	holed *Index // of the holes' boxes; nil when they are few
}

// few is how many edges or holes are sooner looked at one by one than by a tree.
const few = 12

func (a *area) list() []geom.Edge {
	a.once.Do(func() {
		count := 1 + a.poly.Outer.Len()
		for _, h := range a.poly.Holes {
			count += 1 + h.Len()
		}
		a.edges = appendEdges(make([]geom.Edge, 0, count), a.poly.Outer, false)
		ends := make([]int, 0, 1+len(a.poly.Holes))
		ends = append(ends, len(a.edges))
		for _, h := range a.poly.Holes {
			a.edges = appendEdges(a.edges, h, true)
			ends = append(ends, len(a.edges))
		}
		a.boxes = make([]geom.Box, len(a.edges))
		for i := range a.edges {
			a.boxes[i] = a.edges[i].Bounds()
		}
		a.outer = newChain(a.edges[:ends[0]], a.boxes[:ends[0]])
		if len(ends) > 1 {
			a.pierce(ends)
		}
		if len(a.edges) > few {
			a.tree = NewIndex(a.boxes).SetMeter(a.meter)
		}
	})
	return a.edges
}

// pierce lists the holes, whose edges end where ends tells after those of the outer path.
func (a *area) pierce(ends []int) {
	whole := make([]geom.Box, len(ends)-1)
	a.holes = make([]chain, len(ends)-1)
	for i := range a.holes {
		a.holes[i] = newChain(a.edges[ends[i]:ends[i+1]], a.boxes[ends[i]:ends[i+1]])
		whole[i] = a.holes[i].box()
	}
	if len(whole) > few {
		a.holed = NewIndex(whole).SetMeter(a.meter)
	}
}

// appendEdges lists the edges of a closed path so that it runs counter-clockwise,
// or clockwise for a hole.
func appendEdges(out []geom.Edge, p geom.Path, hole bool) []geom.Edge {
	from := len(out)
	p.Closed = true
	if len(p.Bends) == 0 {
		out = appendLines(out, p)
	} else {
		for e := range p.Edges() {
			out = append(out, e)
		}
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

// appendLines lists the edges of a path without arcs.
func appendLines(out []geom.Edge, p geom.Path) []geom.Edge {
	for i := range p.Len() {
		e := geom.Edge{A: p.Points[i], B: p.Points[0]}
		if i+1 < len(p.Points) {
			e.B = p.Points[i+1]
		}
		out = append(out, e)
	}
	return out
}

// contains tells whether p lies inside: within the outer path and in no hole.
func (a *area) contains(p geom.Point) bool {
	if !a.box.Contains(p) {
		return false
	}
	a.list()
	turns, looked := a.outer.winding(p)
	in := turns != 0 && a.spendLookups(looked)
	if !in {
		return false
	}
	if a.holed == nil {
		for i := range a.holes {
			turns, _ := a.holes[i].winding(p)
			in = in && turns == 0
		}
		return in
	}
	a.holed.Search(geom.BoxOf(p), func(i int) bool {
		turns, looked := a.holes[i].winding(p)
		in = turns == 0 && a.spendLookups(looked)
		return in
	})
	return in
}

// holdsHole tells whether a hole of o lies inside, if their borders come nowhere near
// each other.
func (a *area) holdsHole(o *area) bool {
	o.list()
	found := false
	look := func(i int) bool {
		h := o.poly.Holes[i].Points
		found = len(h) > 0 && a.contains(h[0])
		return !found
	}
	if o.holed != nil {
		o.holed.Search(a.box, look)
		return found
	}
	for i := range o.holes {
		if !look(i) {
			break
		}
	}
	return found
}

// spendLookups counts edges that were looked at, when they are more than a few.
func (a *area) spendLookups(looked int) bool {
	return looked <= 8*few || a.meter.Spend(pcb.Lookups, looked)
}

// distEdge is the distance to an edge, 0 when it touches or lies inside, and the
// nearest points on the edge and on the area. Nothing farther than reach is found.
// Of a hollow area only the border counts.
func (a *area) distEdge(e geom.Edge, reach float64, hollow bool) (d float64, onE, onA geom.Point) {
	if !hollow && a.contains(e.A) {
		return 0, e.A, e.A
	}
	c := newClosing(reach, a.meter)
	c.nearestTo(a, &e)
	return c.d, c.onB, c.onA
}

// dist is the distance to another area, with the nearest point on each. Of hollow
// areas only the borders count.
func (a *area) dist(b *area, reach float64, hollowA, hollowB bool) (d float64, onA, onB geom.Point) {
	if gap(&a.box, &b.box) > square(reach) {
		return math.Inf(1), onA, onB
	}
	ea, eb := a.list(), b.list()
	if len(ea) == 0 || len(eb) == 0 {
		return math.Inf(1), onA, onB
	}
	if p := ea[0].A; !hollowB && b.contains(p) {
		return 0, p, p
	}
	if p := eb[0].A; !hollowA && a.contains(p) {
		return 0, p, p
	}
	c := newClosing(reach, a.meter)
	c.nearestPair(a, b)
	return c.d, c.onA, c.onB
}
