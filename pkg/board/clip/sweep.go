package clip

import (
	"context"
	"slices"

	"boardorder/pkg/board/geom"
)

// sweep tells for every edge what lies on either side. The edges are in order of
// their left ends and meet at ends only.
func sweep(ctx context.Context, edges []edge, op Op) error {
	ends := make([]int32, len(edges))
	for i := range ends {
		ends[i] = int32(i)
	}
	slices.SortFunc(ends, func(a, b int32) int { return comparePoints(edges[a].r, edges[b].r) })
	s := &status{edges: edges}
	var starting []int32
	for i, j, steps := 0, 0, 0; i < len(edges) || j < len(ends); steps++ {
		if steps%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p := edges[ends[j]].r // every edge that starts still has to end
		if i < len(edges) && precedes(edges[i].l, p) {
			p = edges[i].l
		}
		at := s.find(p)
		if edges[ends[j]].r == p {
			at = s.removeAt(at, p)
			for j < len(ends) && edges[ends[j]].r == p {
				j++
			}
		}
		starting = starting[:0]
		for ; i < len(edges) && edges[i].l == p; i++ {
			starting = append(starting, int32(i))
		}
		sortByAngle(edges, p, starting)
		label(edges, s.edgeBelow(at), starting, op)
		s.insert(at, starting)
	}
	return nil
}

// sortByAngle orders edges that start at p from below to above.
func sortByAngle(edges []edge, p geom.Point, ids []int32) {
	if len(ids) > 1 {
		slices.SortFunc(ids, func(a, b int32) int { return -crossSign(edges[a].r.Sub(p), edges[b].r.Sub(p)) })
	}
}

// label sets what lies below and above of edges that start at one point over the
// edge below.
func label(edges []edge, below int32, starting []int32, op Op) {
	for _, i := range starting {
		e := &edges[i]
		var turns [2]int32
		e.below = -1
		if below >= 0 {
			turns = edges[below].above
			e.in[0] = edges[below].in[1]
			e.below = edges[below].below
			if edges[below].border() {
				e.below = below
			}
		}
		e.above = [2]int32{turns[0] + e.delta[0], turns[1] + e.delta[1]}
		e.in[1] = op.isInside(e.above[0] != 0, e.above[1] != 0)
		below = i
	}
}

func (o Op) isInside(a, b bool) bool {
	switch o {
	case Union:
		return a || b
	case Intersection:
		return a && b
	}
	return a && !b
}
