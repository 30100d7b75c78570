package dfm

import (
	"math"

	"boardorder/pkg/board/geom"
)

// A rim is one edge of the board's boundary: of its outline or of a cutout.
type rim struct {
	geom.Edge
	path   int
	inward float64 // 1: the board lies to the left of the edge, -1: to the right
	prev   int     // index of the edge before it in its path
	next   int
}

// rims gives every edge of one piece of board.
func rims(a geom.Polygon) []rim {
	var out []rim
	out = appendRims(out, a.Outer, 0, false)
	for i, h := range a.Holes {
		out = appendRims(out, h, i+1, true)
	}
	return out
}

func appendRims(out []rim, p geom.Path, path int, cutout bool) []rim {
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
		out = append(out, rim{Edge: e, path: path, inward: inward, prev: i - 1, next: i + 1})
	}
	if len(out) > first {
		out[first].prev, out[len(out)-1].next = len(out)-1, first
	}
	return out
}

// A vector is a direction of length 1.
type vector struct{ x, y float64 }

func direction(p geom.Point) vector {
	l := p.Len()
	if l == 0 {
		return vector{}
	}
	return vector{float64(p.X) / l, float64(p.Y) / l}
}

func (v vector) dot(w vector) float64   { return v.x*w.x + v.y*w.y }
func (v vector) cross(w vector) float64 { return v.x*w.y - v.y*w.x }
func (v vector) times(k float64) vector { return vector{v.x * k, v.y * k} }
func (v vector) left() vector           { return vector{-v.y, v.x} }
func (v vector) point(l float64) geom.Point {
	return geom.Pt(int64(v.x*l), int64(v.y*l))
}
func (v vector) turnTo(w vector) float64 { return math.Atan2(v.cross(w), v.dot(w)) }

// tangent is the direction in which the edge runs at a point of it.
func (r *rim) tangent(p geom.Point) vector {
	if !r.IsArc() {
		return direction(r.B.Sub(r.A))
	}
	t := direction(p.Sub(r.Centre)).left()
	if r.Turn == geom.Clockwise {
		return t.times(-1)
	}
	return t
}

// at is the point a part t of the way along the edge.
func (r *rim) at(t float64) geom.Point {
	if !r.IsArc() {
		d := r.B.Sub(r.A)
		return geom.Pt(r.A.X+int64(t*float64(d.X)), r.A.Y+int64(t*float64(d.Y)))
	}
	return r.Centre.Polar(r.Radius(), r.A.Sub(r.Centre).Angle()+t*r.Sweep())
}

// into is the direction from a point of the edge straight into the board.
func (r *rim) into(p geom.Point) vector { return r.tangent(p).left().times(r.inward) }

// dent is by how much the boundary turns outwards (radians) where edge r ends and
// s begins: positive at inner corners, which the board encloses on three
// quarters.
func dent(r, s *rim) float64 { return -r.inward * r.tangent(r.B).turnTo(s.tangent(s.A)) }

// bend is the same within a curved edge.
func (r *rim) bend() float64 { return -r.inward * r.Sweep() }
