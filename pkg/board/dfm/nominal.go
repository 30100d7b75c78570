package dfm

import "math"

// Nominal is the value of a list that a file's figure stands for: a finished thickness
// in millimetres, a copper weight in ounces. Stackups add up to 1.51 or 1.67 for a board
// of 1.6 mm, within what a finished board varies by anyway, and foils are stated as they
// are after etching. A figure that is near none stands for itself. Quotes and checks both
// ask here, so that neither refuses what the other builds.
func Nominal(v float64, built []float64) float64 { return Nearest(v, built, max(0.06, 0.065*v)) }

// Nearest is the closest value of a list within the slack, else v.
func Nearest(v float64, built []float64, slack float64) float64 {
	best := v
	for _, b := range built {
		if distance := math.Abs(b - v); distance <= slack {
			best, slack = b, distance
		}
	}
	return best
}
