package outline

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// overrun is how far an end may run past another line, or stop short of it, and still
// be meant to end on it, where the outline does not close otherwise: its sides were
// drawn one by one, to where they looked joined.
const overrun = 300 * geom.Micrometre

// weld lets lines end where they meet others: what runs on past a crossing or a corner
// by little is cut off. None of it is done where the lines are a drawing.
func weld(edges []geom.Edge, m pcb.Meter) []geom.Edge {
	const most = 500 // more loose ends are a drawing
	loose, _ := looseEnds(edges)
	if len(loose) == 0 || len(loose) > most {
		return edges
	}
	trimmed, boxes := append([]geom.Edge{}, edges...), bounds(edges, Touch)
	for _, l := range loose {
		if p, ok := l.meets(edges, boxes, m); ok {
			trimmed[l.edge] = l.ending(trimmed[l.edge], p)
		}
	}
	return dropStubs(split(trimmed, m))
}

// dropStubs takes away short lines from a corner of others to nowhere.
func dropStubs(edges []geom.Edge) []geom.Edge {
	loose, endsAt := looseEnds(edges)
	stub := map[int]bool{}
	for _, l := range loose {
		e := edges[l.edge]
		other := looseEnd{atEnd: !l.atEnd}.pointOn(e)
		stub[l.edge] = stub[l.edge] || e.Len() <= float64(overrun) && endsAt(other) > 2
	}
	var out []geom.Edge
	for i, e := range edges {
		if !stub[i] {
			out = append(out, e)
		}
	}
	return out
}

// A looseEnd is an end of an edge where no other one ends.
type looseEnd struct {
	edge  int
	atEnd bool // B, not A
}

// looseEnds gives those of edges, and what counts the ends at a place.
func looseEnds(edges []geom.Edge) (out []looseEnd, endsAt func(geom.Point) int) {
	at := newCorners(2 * len(edges))
	var ends []int
	corner := func(p geom.Point) int32 {
		i, found := at.find(p)
		if !found {
			ends = append(ends, 0)
		}
		return i
	}
	for _, e := range edges {
		ends[corner(e.A)]++
		ends[corner(e.B)]++
	}
	endsAt = func(p geom.Point) int { return ends[corner(p)] }
	for i, e := range edges {
		if endsAt(e.A) == 1 {
			out = append(out, looseEnd{i, false})
		}
		if endsAt(e.B) == 1 {
			out = append(out, looseEnd{i, true})
		}
	}
	return out, endsAt
}

// pointOn is where the end lies, on its edge.
func (l looseEnd) pointOn(e geom.Edge) geom.Point {
	if l.atEnd {
		return e.B
	}
	return e.A
}

// ending is the edge with that end elsewhere.
func (l looseEnd) ending(e geom.Edge, p geom.Point) geom.Edge {
	if l.atEnd {
		e.B = p
	} else {
		e.A = p
	}
	return e
}

// meets is the place nearest to a loose end, within overrun of it, where its edge
// crosses another. Boxes are those of the edges, grown by Touch.
func (l looseEnd) meets(edges []geom.Edge, boxes []geom.Box, m pcb.Meter) (at geom.Point, ok bool) {
	if !m.Spend(pcb.Lookups, len(edges)) {
		return at, false
	}
	e := edges[l.edge]
	end, nearest := l.pointOn(e), float64(overrun)
	if e.A.Dist(e.B) <= 2*nearest {
		return at, false // which part of it runs on is not known
	}
	around := geom.BoxOf(end).Grow(overrun)
	for i, f := range edges {
		if i == l.edge || !boxes[i].Overlaps(around) || !m.Spend(pcb.Pairs, 1) {
			continue
		}
		if d, p, _ := e.Dist(f); d == 0 && p.Dist(end) <= nearest {
			at, nearest, ok = p, p.Dist(end), true
		}
	}
	return at, ok
}
