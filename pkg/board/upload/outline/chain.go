package outline

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A chainer walks edges from corner to corner.
type chainer struct {
	edges     []geom.Edge
	ends      [][2]int32 // corner at each end of an edge
	corners   corners
	at        [][]int32 // edges that meet at a corner
	room      []int32   // where the first two of each are kept
	used      []bool
	full      []geom.Edge // circles
	crossings int
	steps     pcb.Tally
	broken    int // walks that met another's way: edges lie on each other
}

func newChainer(edges []geom.Edge, m pcb.Meter) *chainer {
	c := &chainer{
		steps:   m.Tally(pcb.Lookups),
		corners: newCorners(2 * len(edges)),
		edges:   make([]geom.Edge, 0, len(edges)), ends: make([][2]int32, 0, len(edges)), at: make([][]int32, 0, len(edges)),
	}
	circles := map[geom.Edge]bool{}
	for _, e := range edges {
		if e.A == e.B {
			if e.IsArc() && e.Radius() > 0 && !circles[canonical(e)] {
				circles[canonical(e)] = true
				c.full = append(c.full, e)
			}
			continue
		}
		a, b := c.corner(e.A), c.corner(e.B)
		if a == b && e.Len() <= 2*float64(Touch) || c.copies(e, a, b) {
			continue
		}
		i := int32(len(c.edges))
		c.edges = append(c.edges, e)
		c.ends = append(c.ends, [2]int32{a, b})
		c.at[a] = append(c.at[a], i)
		c.at[b] = append(c.at[b], i)
	}
	c.used = make([]bool, len(c.edges))
	for _, at := range c.at {
		if len(at) > 2 {
			c.crossings++
		}
	}
	return c
}

// corner finds the corner at p, or makes one.
func (c *chainer) corner(p geom.Point) int32 {
	i, found := c.corners.find(p)
	if !found {
		if len(c.room) < 2 {
			c.room = make([]int32, max(64, 2*len(c.at)))
		}
		c.at, c.room = append(c.at, c.room[:0:2]), c.room[2:]
	}
	return i
}

// copies tells whether an edge runs like another between the same corners.
func (c *chainer) copies(e geom.Edge, a, b int32) bool {
	if len(c.at[a]) > len(c.at[b]) {
		a, b = b, a
	}
	if !c.steps.Add(1 + len(c.at[a])) {
		return true
	}
	for _, i := range c.at[a] {
		if ends := c.ends[i]; ends[0]+ends[1]-a == b && c.edges[i].Mid().Dist(e.Mid()) <= float64(Touch) {
			return true
		}
	}
	return false
}

// canonical makes an edge drawn in either direction one value.
func canonical(e geom.Edge) geom.Edge {
	if e.B.X < e.A.X || e.B.X == e.A.X && e.B.Y < e.A.Y {
		e = e.Reverse()
	}
	if e.A == e.B {
		r := geom.Pt(int64(e.Radius()), 0)
		e.A, e.B, e.Turn = e.Centre.Add(r), e.Centre.Add(r), geom.CounterClockwise
	}
	return e
}

// chains separates the edges into closed shapes and open chains. Chains that end
// somewhere are open, up to where they meet others. What is left bounds faces:
// where boards share an edge, as in a panel, it belongs to both.
func (c *chainer) chains() (closed, open []geom.Path) {
	for _, e := range c.full {
		closed = append(closed, geom.Path{Closed: true, Points: []geom.Point{e.A, e.A},
			Bends: []geom.Bend{{Clockwise: e.Turn == geom.Clockwise, Centre: e.Centre}}})
	}
	open = c.loose()
	done := make([]bool, 2*len(c.edges))
	for h := range int32(2 * len(c.edges)) {
		if c.used[h/2] || done[h] || !c.steps.Add(1) {
			continue
		}
		p, whole := c.face(h, done)
		if !whole {
			c.broken++
		}
		if p.Area() > 0 {
			closed = append(closed, p)
		}
	}
	return closed, open
}

// loose takes away the chains that end somewhere.
func (c *chainer) loose() (open []geom.Path) {
	degree := make([]int, len(c.at))
	for i, at := range c.at {
		degree[i] = len(at)
	}
	for start := range c.at {
		if degree[start] != 1 {
			continue
		}
		var p geom.Path
		for at := int32(start); degree[at] == 1; {
			e, i, next := c.freeEdge(at)
			c.used[i] = true
			degree[at]--
			degree[next]--
			if len(p.Points) > 0 {
				e.A = endOf(p)
			}
			p.Add(e)
			at = next
		}
		open = append(open, p)
	}
	return open
}

// freeEdge gives the edge that is left at a corner, leaving it, its index and
// where it leads.
func (c *chainer) freeEdge(corner int32) (e geom.Edge, i, next int32) {
	c.steps.Add(len(c.at[corner]))
	for _, i := range c.at[corner] {
		if c.used[i] {
			continue
		}
		if c.ends[i][0] == corner {
			return c.edges[i], i, c.ends[i][1]
		}
		return c.edges[i].Reverse(), i, c.ends[i][0]
	}
	return geom.Edge{}, 0, corner // not reached: the caller counts edges
}

// face walks round the face to the left of a directed edge: edge h/2, reversed
// when h is odd. It runs counter-clockwise unless it is the outside. A walk that
// ends on the way of an earlier one is not whole.
func (c *chainer) face(h int32, done []bool) (p geom.Path, whole bool) {
	for at := h; ; {
		done[at] = true
		e := c.halfEdge(at)
		if len(p.Points) > 0 {
			e.A = endOf(p)
		}
		p.Add(e)
		if at = c.leftmost(at); at == h || done[at] {
			return closeLoop(p), at == h
		}
	}
}

func (c *chainer) halfEdge(h int32) geom.Edge {
	if h%2 == 1 {
		return c.edges[h/2].Reverse()
	}
	return c.edges[h/2]
}

// leftmost gives the directed edge that turns most to the left where h ends; h
// itself, reversed, if there is no other.
func (c *chainer) leftmost(h int32) int32 {
	corner := c.ends[h/2][1-h%2]
	if at := c.at[corner]; len(at) == 2 && !c.used[at[0]] && !c.used[at[1]] && at[0] != at[1] {
		j := at[0] + at[1] - h/2
		return c.leaving(j, corner)
	}
	if !c.steps.Add(4 * len(c.at[corner])) {
		return h ^ 1
	}
	back := departure(c.halfEdge(h ^ 1))
	best, at := math.Inf(-1), h^1
	for _, j := range c.at[corner] {
		if c.used[j] || j == h/2 && c.ends[j][0] != c.ends[j][1] {
			continue
		}
		g := c.leaving(j, corner)
		// Counter-clockwise from the way back, the last one is leftmost.
		turn := math.Mod(departure(c.halfEdge(g))-back+4*math.Pi, 2*math.Pi)
		if turn > best {
			best, at = turn, g
		}
	}
	return at
}

// leaving gives edge j directed away from a corner.
func (c *chainer) leaving(j, corner int32) int32 {
	if c.ends[j][0] == corner {
		return 2 * j
	}
	return 2*j + 1
}

// departure is the direction, in radians, in which an edge leaves its start. An
// arc is judged a little further on, so that it differs from its tangent.
func departure(e geom.Edge) float64 {
	if !e.IsArc() {
		return e.B.Sub(e.A).Angle()
	}
	const ahead = 20 * float64(geom.Micrometre)
	r := e.Radius()
	step := math.Abs(e.Sweep()) / 4
	if r > 0 {
		step = min(step, ahead/r)
	}
	if e.Turn == geom.Clockwise {
		step = -step
	}
	return e.Centre.Polar(r, e.A.Sub(e.Centre).Angle()+step).Sub(e.A).Angle()
}

// closeLoop lets the last edge end exactly where the first began.
func closeLoop(p geom.Path) geom.Path {
	p.Closed = true
	n := len(p.Points) - 1
	lastBent := len(p.Bends) > 0 && int(p.Bends[len(p.Bends)-1].At) == n-1
	p.Points[n] = p.Points[0]
	if !lastBent && n > 2 {
		p.Points = p.Points[:n]
	}
	return p
}
