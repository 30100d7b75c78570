package gerberout

import (
	"cmp"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
)

// A cutter joins holes to the line round them by cut-ins: pairs of horizontal
// edges, one back over the other, from a hole's leftmost point to what lies to
// the left of it. Edges form a ring; rows find those at a height.
type cutter struct {
	edges []geom.Edge
	next  []int32
	rows  [][]int32
	low   int64
	step  int64
}

// makeCutIn is an outer path and its holes as one chain. Holes that do not lie inside
// take nothing off and are left out.
func makeCutIn(outer geom.Path, holes []geom.Path) []geom.Edge {
	ring := monotone(orient(outer, true))
	if len(ring) == 0 {
		return nil
	}
	var cuts [][]geom.Edge
	for _, h := range holes {
		if edges := monotone(orient(h, false)); len(edges) > 1 {
			cuts = append(cuts, startLeftmost(edges))
		}
	}
	slices.SortStableFunc(cuts, func(a, b []geom.Edge) int {
		return cmp.Or(cmp.Compare(a[0].A.X, b[0].A.X), cmp.Compare(a[0].A.Y, b[0].A.Y))
	})
	c := newCutter(ring, outer.Bounds(), cuts)
	for _, cut := range cuts {
		c.join(cut)
	}
	return c.chain()
}

func orient(p geom.Path, counterClockwise bool) geom.Path {
	p.Closed = true
	if p.Area() > 0 != counterClockwise {
		p = p.Reverse()
		p.Closed = true
	}
	return p
}

// monotone gives the edges of a path with its arcs cut where they turn from
// rising to falling or from left to right, edges without length left out.
func monotone(p geom.Path) []geom.Edge {
	var out []geom.Edge
	for e := range p.Edges() {
		if e.IsArc() {
			out = appendQuarters(out, e)
		} else if e.A != e.B {
			out = append(out, e)
		}
	}
	return out
}

// appendQuarters cuts an arc at the directions of the axes.
func appendQuarters(out []geom.Edge, e geom.Edge) []geom.Edge {
	const quarter = math.Pi / 2
	r, start, sweep := e.Radius(), e.A.Sub(e.Centre).Angle(), e.Sweep()
	if r == 0 {
		return out
	}
	side := 1.0
	if sweep < 0 {
		side = -1
	}
	at := e.A
	first := math.Floor(start*side/quarter) + 1
	for k := first; k*quarter < start*side+math.Abs(sweep); k++ {
		to := e.Centre.Polar(r, k*quarter*side)
		if to != at && to != e.B {
			out = append(out, geom.Edge{A: at, B: to, Centre: e.Centre, Turn: e.Turn})
			at = to
		}
	}
	if at != e.B {
		out = append(out, geom.Edge{A: at, B: e.B, Centre: e.Centre, Turn: e.Turn})
	}
	return out
}

func startLeftmost(edges []geom.Edge) []geom.Edge {
	left := 0
	for i, e := range edges {
		if e.A.X < edges[left].A.X {
			left = i
		}
	}
	return append(slices.Clone(edges[left:]), edges[:left]...)
}

func newCutter(ring []geom.Edge, box geom.Box, cuts [][]geom.Edge) *cutter {
	n := len(ring)
	for _, cut := range cuts {
		n += len(cut)
	}
	rows := max(1, min(n/4, 4096))
	c := &cutter{rows: make([][]int32, rows), low: box.Min.Y, step: box.Height()/int64(rows) + 1}
	for i, e := range ring {
		c.add(e, int32(i+1))
	}
	c.next[len(ring)-1] = 0
	return c
}

// add keeps an edge that next follows, and gives its index.
func (c *cutter) add(e geom.Edge, next int32) int32 {
	i := int32(len(c.edges))
	c.edges, c.next = append(c.edges, e), append(c.next, next)
	if e.A.Y != e.B.Y {
		for row := c.row(min(e.A.Y, e.B.Y)); row <= c.row(max(e.A.Y, e.B.Y)); row++ {
			c.rows[row] = append(c.rows[row], i)
		}
	}
	return i
}

func (c *cutter) row(y int64) int {
	return int(max(0, min((y-c.low)/c.step, int64(len(c.rows)-1))))
}

// join puts a hole into the chain, whose edges begin at its leftmost point.
func (c *cutter) join(cut []geom.Edge) {
	at := cut[0].A
	best, bestX, winding := int32(-1), int64(math.MinInt64), 0
	for _, i := range c.rows[c.row(at.Y)] {
		e := &c.edges[i]
		if (e.A.Y <= at.Y) == (e.B.Y <= at.Y) {
			continue
		}
		x := crossing(e, at.Y)
		if x > at.X {
			continue
		}
		if e.A.Y > e.B.Y { // falling, with the inside to its right
			winding++
		} else {
			winding--
		}
		if x > bestX {
			best, bestX = i, x
		}
	}
	if winding <= 0 {
		return
	}
	c.splice(best, geom.Pt(bestX, at.Y), cut)
}

// splice cuts edge i at p and leads from there round the hole and back.
func (c *cutter) splice(i int32, p geom.Point, cut []geom.Edge) {
	rest := c.edges[i]
	rest.A = p
	c.edges[i].B = p
	last := c.add(rest, c.next[i])
	back := c.add(geom.Line(cut[0].A, p), last)
	at := c.add(geom.Line(p, cut[0].A), 0)
	c.next[i] = at
	for _, e := range cut {
		n := c.add(e, 0)
		c.next[at] = n
		at = n
	}
	c.next[at] = back
}

// crossing is where an edge that rises or falls throughout passes a height.
func crossing(e *geom.Edge, y int64) int64 {
	if !e.IsArc() {
		t := float64(y-e.A.Y) / float64(e.B.Y-e.A.Y)
		return e.A.X + int64(math.Round(t*float64(e.B.X-e.A.X)))
	}
	r, d := e.Radius(), float64(y-e.Centre.Y)
	x := math.Sqrt(math.Max(0, r*r-d*d))
	if e.A.X+e.B.X < 2*e.Centre.X {
		x = -x
	}
	at := e.Centre.X + int64(math.Round(x))
	return max(min(e.A.X, e.B.X), min(at, max(e.A.X, e.B.X)))
}

// chain lists the ring from its start, without edges that have no length.
func (c *cutter) chain() []geom.Edge {
	var out []geom.Edge
	for i := int32(0); ; {
		if e := c.edges[i]; e.A != e.B {
			out = append(out, e)
		}
		if i = c.next[i]; i == 0 {
			return out
		}
	}
}
