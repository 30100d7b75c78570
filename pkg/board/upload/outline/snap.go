package outline

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// reach is how far an end may lie from another line and still be meant to end on
// it: tools that draw a side of a panel's rail stop that much short of it.
const reach = 50 * geom.Micrometre

// snap gives the short lines from the ends of open chains to the lines that they
// all but touch. Edges must be cut where others end on them.
func snap(edges []geom.Edge, open []geom.Path, m pcb.Meter) []geom.Edge {
	const most = 500 // more chains are a drawing
	if len(open) > most {
		return nil
	}
	var links []geom.Edge
	boxes := bounds(edges, reach)
	for _, p := range open {
		if !isWorthClosing(p.Length(), float64(reach)) {
			continue
		}
		for _, end := range [2]geom.Point{startOf(p), endOf(p)} {
			if to, ok := snapTarget(edges, boxes, end, m); ok {
				links = append(links, geom.Line(end, to))
			}
		}
	}
	return links
}

// bounds are those of edges, grown by so much: of arcs they take long.
func bounds(edges []geom.Edge, by int64) []geom.Box {
	boxes := make([]geom.Box, len(edges))
	for i, e := range edges {
		boxes[i] = e.Bounds().Grow(by)
	}
	return boxes
}

// snapTarget is the nearest place within reach of a loose end on an edge that does not
// end there; false when the end is joined to something already. Boxes are those of the
// edges, grown by reach.
func snapTarget(edges []geom.Edge, boxes []geom.Box, end geom.Point, m pcb.Meter) (at geom.Point, ok bool) {
	if !m.Spend(pcb.Lookups, len(edges)) {
		return at, false
	}
	joined, nearest := 0, float64(reach)
	for i, e := range edges {
		if !boxes[i].Contains(end) {
			continue
		}
		if e.A.Dist(end) <= float64(Touch) || e.B.Dist(end) <= float64(Touch) {
			joined++
			continue
		}
		if q, d := e.Nearest(end); d <= nearest {
			at, nearest, ok = q, d, true
		}
	}
	return at, ok && joined < 2
}
