package outline

import (
	"cmp"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const (
	// crossRounds is how often edges are looked through: two arcs may cross twice.
	crossRounds = 3
	// maxCrossed bounds the edges that are held against each other.
	maxCrossed = 5_000
)

// divideAtCrossings cuts edges where others cross them, away from the ends of both. It is for
// lines among which no walk finds the board: what crosses a side there leads off it.
func divideAtCrossings(edges []geom.Edge, m pcb.Meter) []geom.Edge {
	for range crossRounds {
		if len(edges) > maxCrossed {
			break
		}
		cuts, some := crossings(edges, m)
		if !some {
			break
		}
		var out []geom.Edge
		for i, e := range edges {
			if m.Spend(pcb.Crossings, len(cuts[i])) && m.Spend(pcb.Corners, len(cuts[i])) {
				out = append(out, divide(e, cuts[i])...)
			}
		}
		edges = out
	}
	return edges
}

// crossings gives for each edge the points where others cross it.
func crossings(edges []geom.Edge, m pcb.Meter) (cuts [][]geom.Point, some bool) {
	boxes, order := make([]geom.Box, len(edges)), make([]int, len(edges))
	for i, e := range edges {
		boxes[i], order[i] = e.Bounds(), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(boxes[a].Min.X, boxes[b].Min.X) })
	cuts = make([][]geom.Point, len(edges))
	looked := m.Tally(pcb.Lookups)
	for k, i := range order {
		for _, j := range order[k+1:] {
			if boxes[j].Min.X > boxes[i].Max.X || !looked.Add(1) {
				break
			}
			if boxes[j].Min.Y > boxes[i].Max.Y || boxes[i].Min.Y > boxes[j].Max.Y {
				continue
			}
			d, p, _ := edges[i].Dist(edges[j])
			if d > 0 || !cutsEdge(edges[i], p) || !cutsEdge(edges[j], p) {
				continue
			}
			cuts[i], cuts[j], some = append(cuts[i], p), append(cuts[j], p), true
		}
	}
	return cuts, some
}
