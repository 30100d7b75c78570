package shape

import (
	"math"

	"boardorder/pkg/board/geom"
)

// probe is an edge that looks for its nearest; it knows how close a box can be.
type probe struct {
	box    geom.Box
	a      geom.Point
	nx, ny float64 // normal of a slanted line, else 0
}

func newProbe(e *geom.Edge) probe {
	p := probe{box: e.Bounds(), a: e.A}
	if d := e.B.Sub(e.A); !e.IsArc() && d.X != 0 && d.Y != 0 {
		l := d.Len()
		p.nx, p.ny = -float64(d.Y)/l, float64(d.X)/l
	}
	return p
}

// gap is a lower limit for the square of the distance of what lies in b, exact
// enough to tell whether it is more than enough. A slanted line's own box says
// little, so the distance of b from the endless line counts as well.
func (p *probe) gap(b *geom.Box, enough float64) float64 {
	d := gap(&p.box, b)
	if d > enough || p.nx == 0 && p.ny == 0 {
		return d
	}
	hx, hy := float64(b.Max.X-b.Min.X)/2, float64(b.Max.Y-b.Min.Y)/2
	cx, cy := float64(b.Min.X-p.a.X)+hx, float64(b.Min.Y-p.a.Y)+hy
	return max(d, square(math.Abs(cx*p.nx+cy*p.ny)-math.Abs(p.nx)*hx-math.Abs(p.ny)*hy-1))
}

// gap is the square of the distance of two boxes, no more than it is.
func gap(a, b *geom.Box) float64 {
	const rounding = 1 - 1e-14
	dx := float64(max(b.Min.X-a.Max.X, a.Min.X-b.Max.X, 0))
	dy := float64(max(b.Min.Y-a.Max.Y, a.Min.Y-b.Max.Y, 0))
	return (dx*dx + dy*dy) * rounding
}

// square is v times v; 0 for what is negative, as lower limits of a distance may be.
func square(v float64) float64 {
	v = max(v, 0)
	return v * v
}
