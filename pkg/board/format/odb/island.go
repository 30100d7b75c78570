package odb

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// regroup gives each hole of a surface to the island that it lies in. A hole
// should follow its island, but some tools write all islands first.
func regroup(areas []geom.Polygon, m pcb.Meter) {
	if len(areas) < 2 {
		return
	}
	for i := range areas {
		kept := areas[i].Holes[:0:0]
		for _, h := range areas[i].Holes {
			if to := islandOf(areas, i, h, m); to == i {
				kept = append(kept, h)
			} else {
				areas[to].Holes = append(areas[to].Holes, h)
			}
		}
		areas[i].Holes = kept
	}
}

// islandOf is the smallest island round a hole, unless the one that it was
// given to holds it or none does.
func islandOf(areas []geom.Polygon, given int, h geom.Path, m pcb.Meter) int {
	if !m.Spend(pcb.Lookups, len(areas[given].Outer.Points)) || holds(areas[given].Outer, h) {
		return given
	}
	best, least := given, math.Inf(1)
	for i := range areas {
		if !m.Spend(pcb.Lookups, len(areas[i].Outer.Points)) {
			break
		}
		if size := math.Abs(areas[i].Outer.Area()); size < least && holds(areas[i].Outer, h) {
			best, least = i, size
		}
	}
	return best
}

// holds tells whether most of a hole's edges lie inside a path; corners often
// touch.
func holds(outer, h geom.Path) bool {
	if !outer.Bounds().ContainsBox(h.Bounds()) {
		return false
	}
	in, n := 0, 0
	const most = 9
	for e := range h.Edges() {
		if outer.Winding(e.Mid()) != 0 {
			in++
		}
		if n++; n == most {
			break
		}
	}
	return 2*in > n
}
