package outline

import (
	"math"

	"boardorder/pkg/board/geom"
)

// A chainer walks edges from corner to corner.
type chainer struct {
	edges     []geom.Edge
	ends      [][2]int32 // corner at each end of an edge
	corners   []geom.Point
	at        [][]int32 // edges that meet at a corner
	used      []bool
	full      []geom.Edge // circles
	crossings int
}

func newChainer(edges []geom.Edge) *chainer {
	c := &chainer{}
	grid := map[geom.Point][]int32{}
	seen := map[geom.Edge]bool{}
	for _, e := range edges {
		if e.A == e.B {
			if e.IsArc() && e.Radius() > 0 && !seen[canonical(e)] {
				seen[canonical(e)] = true
				c.full = append(c.full, e)
			}
			continue
		}
		if k := canonical(e); !seen[k] {
			seen[k] = true
			a, b := c.corner(grid, e.A), c.corner(grid, e.B)
			if a == b && !e.IsArc() {
				continue
			}
			i := int32(len(c.edges))
			c.edges = append(c.edges, e)
			c.ends = append(c.ends, [2]int32{a, b})
			c.at[a] = append(c.at[a], i)
			c.at[b] = append(c.at[b], i)
		}
	}
	c.used = make([]bool, len(c.edges))
	for _, at := range c.at {
		if len(at) > 2 {
			c.crossings++
		}
	}
	return c
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

// corner finds the corner within Touch of p, or makes one. Cells are much larger
// than Touch, so that nearly always one of them is all there is to look at.
func (c *chainer) corner(grid map[geom.Point][]int32, p geom.Point) int32 {
	const cell = 32 * Touch
	x0, x1 := floorDiv(p.X-Touch, cell), floorDiv(p.X+Touch, cell)
	y0, y1 := floorDiv(p.Y-Touch, cell), floorDiv(p.Y+Touch, cell)
	for x := x0; x <= x1; x++ {
		for y := y0; y <= y1; y++ {
			for _, i := range grid[geom.Pt(x, y)] {
				if c.corners[i] == p || c.corners[i].Dist(p) <= float64(Touch) {
					return i
				}
			}
		}
	}
	i := int32(len(c.corners))
	c.corners, c.at = append(c.corners, p), append(c.at, nil)
	k := geom.Pt(floorDiv(p.X, cell), floorDiv(p.Y, cell))
	grid[k] = append(grid[k], i)
	return i
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// chains walks everything once: from loose ends first, so that what is left are
// loops.
func (c *chainer) chains() (closed, open []geom.Path) {
	for _, e := range c.full {
		closed = append(closed, geom.Path{Closed: true, Points: []geom.Point{e.A, e.A},
			Bends: []geom.Bend{{Clockwise: e.Turn == geom.Clockwise, Centre: e.Centre}}})
	}
	for corner := range c.at {
		if len(c.at[corner]) == 1 && !c.used[c.at[corner][0]] {
			p, _ := c.walk(c.at[corner][0], int32(corner))
			open = append(open, p)
		}
	}
	for i := range c.edges {
		if c.used[i] {
			continue
		}
		p, loop := c.walk(int32(i), c.ends[i][0])
		if loop {
			closed = append(closed, p)
		} else {
			open = append(open, p)
		}
	}
	return closed, open
}

// walk follows unused edges from corner along edge i; loop tells whether it came
// back to where it began. At a crossing it takes the sharpest turn to the left,
// which keeps it on one face.
func (c *chainer) walk(i, corner int32) (p geom.Path, loop bool) {
	start := corner
	for {
		c.used[i] = true
		e := c.edges[i]
		next := c.ends[i][1]
		if c.ends[i][0] != corner {
			e, next = e.Reverse(), c.ends[i][0]
		}
		if len(p.Points) > 0 {
			e.A = last(p)
		}
		p.Add(e)
		corner = next
		if corner == start {
			return closeLoop(p), true
		}
		j := c.leftmost(e, corner)
		if j < 0 {
			return p, false
		}
		i = j
	}
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

func (c *chainer) leftmost(e geom.Edge, corner int32) int32 {
	best, at := math.Inf(-1), int32(-1)
	in := arriving(e)
	for _, j := range c.at[corner] {
		if c.used[j] {
			continue
		}
		f := c.edges[j]
		if c.ends[j][0] != corner {
			f = f.Reverse()
		}
		turn := math.Remainder(arriving(f.Reverse())+math.Pi-in, 2*math.Pi)
		if turn > best {
			best, at = turn, j
		}
	}
	return at
}

// arriving is the direction, in radians, in which an edge runs into its end.
func arriving(e geom.Edge) float64 {
	switch e.Turn {
	case geom.CounterClockwise:
		return e.B.Sub(e.Centre).Angle() + math.Pi/2
	case geom.Clockwise:
		return e.B.Sub(e.Centre).Angle() - math.Pi/2
	}
	return e.B.Sub(e.A).Angle()
}
