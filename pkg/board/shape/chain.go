package shape

import "boardorder/pkg/board/geom"

// chain is one closed path of an area, boxed in the order in which it runs: what
// lies wholly to one side of a point need not be looked at edge by edge, for only
// its ends tell how often it passes the point's height.
type chain struct {
	edges  []geom.Edge
	levels [][]geom.Box // of fan edges, of fan times fan, …; the last is the whole path's
}

// newChain takes edges and their boxes.
func newChain(edges []geom.Edge, boxes []geom.Box) chain {
	c := chain{edges: edges}
	for {
		boxes = parentBoxes(boxes)
		c.levels = append(c.levels, boxes)
		if len(boxes) < 2 {
			return c
		}
	}
}

// box is that of the whole path.
func (c *chain) box() geom.Box {
	if top := c.levels[len(c.levels)-1]; len(top) > 0 {
		return top[0]
	}
	return geom.EmptyBox()
}

// winding counts how often the path runs round p, and how many edges were looked at.
func (c *chain) winding(p geom.Point) (turns, looked int) {
	if !c.box().Contains(p) {
		return 0, 0
	}
	span := 1
	for range c.levels {
		span *= fan
	}
	turns = c.part(len(c.levels)-1, 0, span, p, &looked)
	return turns, looked
}

// part counts what node i of a level adds, whose box holds p; span is how many edges
// a node of the level has.
func (c *chain) part(level, i, span int, p geom.Point, looked *int) int {
	n := 0
	if level == 0 {
		*looked += fan
		for k := i * fan; k < min(len(c.edges), (i+1)*fan); k++ {
			if e := &c.edges[k]; (e.A.Y <= p.Y) != (e.B.Y <= p.Y) || e.IsArc() {
				n += e.Winding(p)
			}
		}
		return n
	}
	level, span = level-1, span/fan
	below := c.levels[level]
	for k := i * fan; k < min(len(below), (i+1)*fan); k++ {
		switch b := &below[k]; {
		case p.Y < b.Min.Y || p.Y > b.Max.Y || p.X > b.Max.X:
		case p.X < b.Min.X:
			n += passes(c.edges[k*span].A, c.edges[min(len(c.edges), (k+1)*span)-1].B, p)
		default:
			n += c.part(level, k, span, p, looked)
		}
	}
	return n
}

// passes tells whether what leads from a to b, to the right of p, ends above p's
// height when it began below (1), or the other way round (-1).
func passes(a, b, p geom.Point) int {
	switch below := a.Y <= p.Y; {
	case below == (b.Y <= p.Y):
		return 0
	case below:
		return 1
	}
	return -1
}
