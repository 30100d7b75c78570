package dfm

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// A solid is copper, which is asked how much of it there is round a point.
type solid struct {
	shape.Shape
	box geom.Box // of the shape, and a little more
}

// rimless is how far outside of its box, at least, a point is not covered by a shape.
const rimless = 2

func newSolid(s shape.Shape) solid { return solid{s, s.Bounds().Grow(rimless)} }

// roomIn is how far every point round one still lies in one of some areas, or of the
// other shapes among them, at most enough; negative when the point does not.
func roomIn(list []solid, at geom.Point, enough float64, areas bool) float64 {
	best := math.Inf(-1)
	for k := range list {
		if s := &list[k]; s.IsArea() == areas && s.box.Contains(at) {
			best = max(best, s.Room(at, enough))
		}
	}
	return best
}

// reachOf is how far a covered stretch that begins at 0 goes, to a micrometre and at
// most to far; one that goes on beyond enough is not followed. Room tells how far
// round a point all is covered; it is negative where the point is not.
func reachOf(room func(float64) float64, far, enough float64) float64 {
	const step, fine = 10_000, 500
	in := 0.0
	for w := 1000.0; ; {
		w = min(w, far)
		free := room(w)
		if free < -1 {
			for out := w; out-in > fine; {
				if m := (in + out) / 2; room(m) >= -1 {
					in = m
				} else {
					out = m
				}
			}
			return in
		}
		if in = w; w >= min(far, enough) {
			return in
		}
		w += max(step, free)
	}
}
