package measure

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// PointBeyond is a point two micrometres farther from c than at: where a pad ends at
// at, there is no copper. Areas may have seams, edges that run through copper.
func PointBeyond(c, at geom.Point) geom.Point {
	return at.Polar(2*float64(geom.Micrometre), at.Sub(c).Angle())
}

// A Solid is copper, which is asked how much of it there is round a point.
type Solid struct {
	shape.Shape
	Box geom.Box // of the shape, and a little more
}

// Rimless is how far outside of its box, at least, a point is not covered by a shape.
const Rimless = 2

// NewSolid makes the solid of a shape.
func NewSolid(s shape.Shape) Solid { return Solid{s, s.Bounds().Grow(Rimless)} }

// RoomIn is how far every point round one still lies in one of some areas, or of the
// other shapes among them, at most enough; negative when the point does not.
func RoomIn(list []Solid, at geom.Point, enough float64, areas bool) float64 {
	best := math.Inf(-1)
	for k := range list {
		if s := &list[k]; s.IsArea() == areas && s.Box.Contains(at) {
			best = max(best, s.Room(at, enough))
		}
	}
	return best
}

// ReachOf is how far a covered stretch that begins at 0 goes, to a micrometre and at
// most to far; one that goes on beyond enough is not followed. Room tells how far
// round a point all is covered; it is negative where the point is not.
func ReachOf(room func(float64) float64, far, enough float64) float64 {
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
