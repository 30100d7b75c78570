package measure

import (
	"math"

	"boardorder/pkg/board/geom"
)

// A Rim is one edge of the board's boundary: of its outline or of a cutout.
type Rim struct {
	geom.Edge
	path   int
	Inward float64 // 1: the board lies to the left of the edge, -1: to the right
	Prev   int     // index of the edge before it in its path
	Next   int
}

// Rims gives every edge of one piece of board.
func Rims(a geom.Polygon) []Rim {
	var out []Rim
	out = appendRims(out, a.Outer, 0, false)
	for i, h := range a.Holes {
		out = appendRims(out, h, i+1, true)
	}
	return out
}

func appendRims(out []Rim, p geom.Path, path int, cutout bool) []Rim {
	inward := 1.0
	if (p.Area() < 0) != cutout {
		inward = -1
	}
	first := len(out)
	for e := range p.Edges() {
		if e.A == e.B && !e.IsArc() {
			continue
		}
		i := len(out)
		out = append(out, Rim{Edge: e, path: path, Inward: inward, Prev: i - 1, Next: i + 1})
	}
	if len(out) > first {
		out[first].Prev, out[len(out)-1].Next = len(out)-1, first
	}
	return out
}

// A Vector is a direction of length 1.
type Vector struct{ X, Y float64 }

// Direction is the unit vector of a point seen from the origin; zero for the origin.
func Direction(p geom.Point) Vector {
	l := p.Len()
	if l == 0 {
		return Vector{}
	}
	return Vector{float64(p.X) / l, float64(p.Y) / l}
}

// Dot is the inner product.
func (v Vector) Dot(w Vector) float64 { return v.X*w.X + v.Y*w.Y }

// Cross is positive where w lies to the left of v.
func (v Vector) Cross(w Vector) float64 { return v.X*w.Y - v.Y*w.X }

// Times scales v.
func (v Vector) Times(k float64) Vector { return Vector{v.X * k, v.Y * k} }

// TurnLeft is v turned by a quarter to the left.
func (v Vector) TurnLeft() Vector { return Vector{-v.Y, v.X} }

// Point is v, l nanometres long.
func (v Vector) Point(l float64) geom.Point {
	return geom.Pt(int64(v.X*l), int64(v.Y*l))
}

func (v Vector) turnTo(w Vector) float64 { return math.Atan2(v.Cross(w), v.Dot(w)) }

// Tangent is the direction in which the edge runs at a point of it.
func (r *Rim) Tangent(p geom.Point) Vector {
	if !r.IsArc() {
		return Direction(r.B.Sub(r.A))
	}
	t := Direction(p.Sub(r.Centre)).TurnLeft()
	if r.Turn == geom.Clockwise {
		return t.Times(-1)
	}
	return t
}

// PointAt is the point a part t of the way along the edge.
func (r *Rim) PointAt(t float64) geom.Point {
	if !r.IsArc() {
		d := r.B.Sub(r.A)
		return geom.Pt(r.A.X+int64(t*float64(d.X)), r.A.Y+int64(t*float64(d.Y)))
	}
	return r.Centre.Polar(r.Radius(), r.A.Sub(r.Centre).Angle()+t*r.Sweep())
}

// InnerNormal is the direction from a point of the edge straight into the board.
func (r *Rim) InnerNormal(p geom.Point) Vector { return r.Tangent(p).TurnLeft().Times(r.Inward) }

// Dent is by how much the boundary turns outwards (radians) where edge r ends and
// s begins: positive at inner corners, which the board encloses on three
// quarters.
func Dent(r, s *Rim) float64 { return -r.Inward * r.Tangent(r.B).turnTo(s.Tangent(s.A)) }

// Bend is the same within a curved edge.
func (r *Rim) Bend() float64 { return -r.Inward * r.Sweep() }
