package dfm

import (
	"boardorder/pkg/board/geom"
)

// Tolerance is how far a computed length may miss its limit without breaking it:
// files round to a micrometre, and so do the circles and arcs made of them; and
// fabricators round what they publish in millimetres and in mils (0.09 mm is 3.5 mil).
const Tolerance = 1200 * geom.Nanometre

// RatioTolerance is the same for a ratio in thousandths: a hundredth.
const RatioTolerance = 10

func (n Name) tolerance() int64 {
	if n == AspectRatio {
		return RatioTolerance
	}
	return Tolerance
}

// Tight reports whether a value beyond a fabricator's limit leaves so much of the
// margin that the board mostly comes out all the same.
func (n Name) Tight(v, limit int64) bool { return checks[n].margin && v > 0 && v >= limit/2-Tolerance }
