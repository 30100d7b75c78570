package geom

import "math"

// Point is a place on the board, or a vector, in nanometres.
type Point struct{ X, Y int64 }

// Pt is short for Point{x, y}.
func Pt(x, y int64) Point { return Point{x, y} }

// Add gives p + q.
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

// Sub gives p - q.
func (p Point) Sub(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// Neg gives -p.
func (p Point) Neg() Point { return Point{-p.X, -p.Y} }

// Dist is the distance between p and q in nanometres.
func (p Point) Dist(q Point) float64 {
	return p.Sub(q).Len()
}

// Len is the length of the vector p.
func (p Point) Len() float64 {
	x, y := float64(p.X), float64(p.Y)
	return math.Sqrt(x*x + y*y) // no coordinate is so large that this would overflow
}

// Angle is the direction of the vector p in radians, in (-π, π].
func (p Point) Angle() float64 { return math.Atan2(float64(p.Y), float64(p.X)) }

// Polar is the point at distance r and angle a (radians) from p.
func (p Point) Polar(r, a float64) Point {
	s, c := math.Sincos(a)
	return Point{p.X + round(r*c), p.Y + round(r*s)}
}

// Mid is the middle between p and q.
func (p Point) Mid(q Point) Point { return Point{p.X + (q.X-p.X)/2, p.Y + (q.Y-p.Y)/2} }

// Dot is the scalar product of the vectors p and q.
func (p Point) Dot(q Point) float64 {
	return float64(p.X)*float64(q.X) + float64(p.Y)*float64(q.Y)
}

// Cross is the vector product of p and q: positive when q lies counter-clockwise of p.
func (p Point) Cross(q Point) float64 {
	return float64(p.X)*float64(q.Y) - float64(p.Y)*float64(q.X)
}
