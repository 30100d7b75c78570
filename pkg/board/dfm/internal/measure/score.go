package measure

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// LooseScore reports whether a line of the V-scores ends within the board, where no other
// crosses it or goes on: a blade runs from edge to edge, so such lines may be notes on a
// layer that is called so.
func (in *Input) LooseScore() bool {
	const near, joined = 2 * geom.Millimetre, 200 * geom.Micrometre
	lines := in.Scored().edges
	if !in.Meter.SpendTimes(pcb.Lookups, len(lines), 2*len(lines)) {
		return false
	}
	for i, e := range lines {
		for _, end := range [2]geom.Point{e.A, e.B} {
			if in.Border().IsNear(geom.BoxOf(end), near) || !in.Border().Contains(end) {
				continue
			}
			met := false
			for k, other := range lines {
				if _, d := other.Nearest(end); k == i || d > float64(joined) {
					continue
				}
				corner := min(end.Dist(other.A), end.Dist(other.B)) <= float64(joined)
				met = met || !corner || level(e) == level(other)
			}
			if !met {
				return true
			}
		}
	}
	return false
}

// level tells lines along x from those along y.
func level(e geom.Edge) bool { return max(e.A.X-e.B.X, e.B.X-e.A.X) >= max(e.A.Y-e.B.Y, e.B.Y-e.A.Y) }
