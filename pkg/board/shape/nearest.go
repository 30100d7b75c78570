package shape

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// child is one on the way to the nearest, by the square of its distance.
type child struct {
	at int32
	d  float64
}

// insert keeps the first k of order sorted by distance.
func insert(order *[fan]child, k int, c child) int {
	i := k
	for ; i > 0 && order[i-1].d > c.d; i-- {
		order[i] = order[i-1]
	}
	order[i] = c
	return k + 1
}

// A closing is the closest that was found of two sets of edges.
type closing struct {
	best     float64 // no farther is looked
	enough   float64 // its square
	d        float64 // infinite while nothing was found
	onA, onB geom.Point

	meter pcb.Meter
	tried int
	ended bool
}

func newClosing(reach float64, m pcb.Meter) closing {
	return closing{best: reach, enough: square(reach), d: math.Inf(1), meter: m}
}

// count counts a pair of edges; the search goes on until its meter ends it.
func (c *closing) count() {
	const many = 1024
	if c.tried++; c.tried%many == 0 && !c.meter.Spend(pcb.Pairs, many) {
		c.ended = true
	}
}

// searchBox is all that may be as close to a box as the closest so far.
func (c *closing) searchBox(b *geom.Box) geom.Box {
	const whole = 4 * float64(geom.MaxCoord)
	return b.Grow(int64(min(c.best, whole)) + 1)
}

// try measures two edges unless they are farther apart than the closest so far.
func (c *closing) try(e, f *geom.Edge) {
	c.count()
	if d, p, q := edgeDistance(e, f, c.best); d < c.d {
		c.d, c.onA, c.onB = d, p, q
		if d < c.best {
			c.best, c.enough = d, square(d)
		}
	}
}

// An edgeSearch looks for the edge of an area that is nearest to another edge.
type edgeSearch struct {
	area  *area
	edge  *geom.Edge
	probe probe
	first bool // the edge is of A, the area B
	*closing
}

// nearest looks for the edge of b that is nearest to e, which is of A.
func (c *closing) nearest(e *geom.Edge, b *area) {
	b.list()
	s := edgeSearch{area: b, edge: e, probe: newProbe(e), first: true, closing: c}
	s.run()
}

// nearestTo looks for the edge of a that is nearest to e, which is of B.
func (c *closing) nearestTo(a *area, e *geom.Edge) {
	a.list()
	s := edgeSearch{area: a, edge: e, probe: newProbe(e), closing: c}
	s.run()
}

func (s *edgeSearch) run() {
	if s.area.tree != nil {
		s.descend(node{int32(len(s.area.tree.levels) - 1), 0})
		return
	}
	for i := range s.area.boxes {
		if s.probe.gap(&s.area.boxes[i], s.enough) <= s.enough {
			s.measure(&s.area.edges[i])
		}
	}
}

func (s *edgeSearch) measure(e *geom.Edge) {
	if s.first {
		s.try(s.edge, e)
	} else {
		s.try(e, s.edge)
	}
}

func (s *edgeSearch) descend(n node) {
	x := s.area.tree
	var order [fan]child
	k := 0
	from, to := x.children(int(n.level), int(n.at))
	below, near := x.levels[n.level-1][:to], s.searchBox(&s.probe.box)
	for c := from; c < to; c++ {
		if !meet(&near, &below[c]) {
			continue
		}
		if d := s.probe.gap(&below[c], s.enough); d <= s.enough {
			k = insert(&order, k, child{int32(c), d})
		}
	}
	for _, c := range order[:k] {
		switch {
		case c.d > s.enough || s.ended:
			return
		case n.level == 1:
			s.measure(&s.area.edges[x.items[c.at]])
		default:
			s.descend(node{n.level - 1, c.at})
		}
	}
}

// nearestPair looks for the edges of two areas that are nearest to each other.
func (c *closing) nearestPair(a, b *area) {
	ea, eb := a.list(), b.list()
	switch {
	case a.tree != nil && b.tree != nil:
		s := pairSearch{a: a, b: b, closing: c}
		s.descend(node{int32(len(a.tree.levels) - 1), 0}, node{int32(len(b.tree.levels) - 1), 0})
	case a.tree != nil:
		for i := range eb {
			if gap(&b.boxes[i], &a.box) <= c.enough && !c.ended {
				c.nearestTo(a, &eb[i])
			}
		}
	default:
		for i := range ea {
			if gap(&a.boxes[i], &b.box) <= c.enough && !c.ended {
				c.nearest(&ea[i], b)
			}
		}
	}
}

// A pairSearch looks for the edges of two areas that are nearest to each other.
type pairSearch struct {
	a, b *area
	*closing
}

func (s *pairSearch) descend(a, b node) {
	x, y := s.a.tree, s.b.tree
	if a.level == 0 && b.level == 0 {
		s.try(&s.a.edges[x.items[a.at]], &s.b.edges[y.items[b.at]])
		return
	}
	inA := a.level >= b.level // open the larger of the two
	tree, n, other := x, a, y.box(b)
	if !inA {
		tree, n, other = y, b, x.box(a)
	}
	var order [fan]child
	k := 0
	from, to := tree.children(int(n.level), int(n.at))
	below, near := tree.levels[n.level-1][:to], s.searchBox(other)
	for c := from; c < to; c++ {
		if !meet(&near, &below[c]) {
			continue
		}
		if d := gap(&below[c], other); d <= s.enough {
			k = insert(&order, k, child{int32(c), d})
		}
	}
	for _, c := range order[:k] {
		if c.d > s.enough || s.ended {
			return
		}
		if next := (node{n.level - 1, c.at}); inA {
			s.descend(next, b)
		} else {
			s.descend(a, next)
		}
	}
}

func (x *Index) box(n node) *geom.Box { return &x.levels[n.level][n.at] }
