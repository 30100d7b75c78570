package places

import (
	"cmp"
	"maps"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Bounds on the search for a shift.
const (
	maxSample  = 300 // places looked at
	maxAnchors = 12  // that shifts are tried with
	maxShifts  = 300 // tried in full
)

// Sample leaves every so many of places, as few as are looked at. It reuses their memory.
func Sample(all []geom.Point) []geom.Point {
	step, out := len(all)/maxSample+1, all[:0]
	for i := 0; i < len(all); i += step {
		out = append(out, all[i])
	}
	return out
}

// FindShift looks for the shift that brings most holes onto pads, and tells how many it and
// the next best bring there. on are the pads once more, to be looked up.
func FindShift(m pcb.Meter, on Spots, holes, pads []geom.Point) (best geom.Point, most, rival int) {
	step := max(1, len(holes)/maxAnchors)
	var anchors []geom.Point
	for i := 0; i < len(holes) && len(anchors) < maxAnchors; i += step {
		anchors = append(anchors, holes[i])
	}
	if !m.SpendTimes(pcb.Lookups, len(anchors), len(pads)) || !m.SpendTimes(pcb.Lookups, maxShifts, 9*len(holes)) {
		return best, 0, 0
	}
	votes := map[geom.Point]int{}
	sample := map[geom.Point]geom.Point{}
	for _, h := range anchors {
		for _, p := range pads {
			w := p.Sub(h)
			c := Cell(w)
			votes[c]++
			sample[c] = w
		}
	}
	shifts := slices.SortedFunc(maps.Keys(votes), func(x, y geom.Point) int {
		return cmp.Or(votes[y]-votes[x], cmp.Compare(x.X, y.X), cmp.Compare(x.Y, y.Y))
	})
	shifts = shifts[:min(len(shifts), maxShifts)]
	type attempt struct {
		shift geom.Point
		n     int
	}
	var all []attempt
	for _, c := range shifts {
		shift := on.centre(holes, sample[c])
		n := on.CountHits(holes, shift)
		all = append(all, attempt{shift, n})
		if n > most {
			best, most = shift, n
		}
	}
	for _, t := range all {
		if t.shift.Dist(best) > 2*float64(coarse) {
			rival = max(rival, t.n)
		}
	}
	return best, most, rival
}
