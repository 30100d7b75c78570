package geom

import "math"

// Lengths, in nanometres.
const (
	Nanometre  int64 = 1
	Micrometre int64 = 1_000
	Millimetre int64 = 1_000_000
	Inch       int64 = 25_400_000
	Mil        int64 = 25_400

	// MaxCoord is the largest coordinate a reader lets through: four metres.
	MaxCoord int64 = 4_000_000_000
)

// MM gives nanometres from millimetres, rounded.
func MM(v float64) int64 { return round(v * float64(Millimetre)) }

// Inches gives nanometres from inches, rounded.
func Inches(v float64) int64 { return round(v * float64(Inch)) }

// Millimetres gives millimetres from nanometres.
func Millimetres(v int64) float64 { return float64(v) / float64(Millimetre) }

// round rounds to the nearest integer and keeps what is not a number, or is far
// too large, inside ±2⁶⁰ so that no conversion is undefined.
func round(v float64) int64 {
	const limit = 1 << 60
	switch {
	case math.IsNaN(v):
		return 0
	case v > limit:
		return limit
	case v < -limit:
		return -limit
	}
	return int64(math.Round(v))
}

// Clamp keeps v within ±MaxCoord and tells whether it already was.
func Clamp(v int64) (int64, bool) {
	if v > MaxCoord {
		return MaxCoord, false
	}
	if v < -MaxCoord {
		return -MaxCoord, false
	}
	return v, true
}
