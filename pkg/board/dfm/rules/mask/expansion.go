package mask

import (
	"math"

	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// unlike is the expansion of an opening that is not meant to follow its pad.
const unlike = math.MinInt64

// expansion is how far an opening reaches beyond a pad on the side where that is
// least, both put down at the same place. It compares how far the two reach in
// every direction that matters, which is exact for shapes without dents; shapes
// with dents count as if they were wrapped in a band.
func expansion(pad, opening *pcb.Aperture) int64 {
	p, o := pad.Box, opening.Box
	if p.Empty() || o.Empty() || 2*o.Width() < p.Width() || 2*o.Height() < p.Height() {
		return unlike
	}
	inner, outer := newHull(pad), newHull(opening)
	least := math.Inf(1)
	for _, u := range directions(pad, opening) {
		least = min(least, outer.support(u)-inner.support(u))
	}
	return int64(math.Round(least))
}

// directions are those square to any straight side of the apertures, and enough
// others to cover their round ones.
func directions(apertures ...*pcb.Aperture) []measure.Vector {
	const round = 32
	out := make([]measure.Vector, 0, 2*round)
	for i := range round {
		s, c := math.Sincos(2 * math.Pi * float64(i) / round)
		out = append(out, measure.Vector{X: c, Y: s})
	}
	side := func(a, b geom.Point) {
		if a != b {
			n := measure.Direction(b.Sub(a)).TurnLeft()
			out = append(out, n, n.Times(-1))
		}
	}
	const most = 1000 // sides; curves made of more are round enough
	for _, a := range apertures {
		for i := range a.Primitives {
			p := &a.Primitives[i]
			if p.Clear || len(out) > most {
				continue
			}
			switch p.Kind {
			case pcb.StrokePrimitive:
				side(p.A, p.B)
			case pcb.AreaPrimitive:
				for e := range p.Area.Edges() {
					if len(out) <= most {
						side(e.A, e.B)
					}
				}
			}
		}
	}
	return out
}

// A hull is all of an aperture that may reach farthest in some direction.
type hull struct {
	corners []geom.Point
	discs   []pcb.Primitive // circles and strokes
	arcs    []geom.Edge
}

func newHull(a *pcb.Aperture) hull {
	var h hull
	for i := range a.Primitives {
		p := &a.Primitives[i]
		switch {
		case p.Clear:
		case p.Kind != pcb.AreaPrimitive:
			h.discs = append(h.discs, *p)
		default:
			for e := range p.Area.Edges() {
				h.corners = append(h.corners, e.A)
				if e.IsArc() {
					h.arcs = append(h.arcs, e)
				}
			}
		}
	}
	h.corners = geom.Hull(h.corners)
	return h
}

// support is how far the hull reaches in a direction.
func (h *hull) support(u measure.Vector) float64 {
	most := math.Inf(-1)
	for _, p := range h.corners {
		most = max(most, project(u, p))
	}
	for i := range h.discs {
		d := &h.discs[i]
		most = max(most, max(project(u, d.A), project(u, d.B))+float64(d.Radius))
	}
	for _, e := range h.arcs {
		if top := project(u, e.Centre) + e.Radius(); top > most && bulges(e, u) {
			most = top
		}
	}
	return most
}

// project is how far a point lies in a direction.
func project(v measure.Vector, p geom.Point) float64 { return float64(p.X)*v.X + float64(p.Y)*v.Y }

// bulges reports whether an arc passes the point at which its circle reaches
// farthest in a direction.
func bulges(e geom.Edge, u measure.Vector) bool {
	top := e.Centre.Polar(e.Radius(), math.Atan2(u.Y, u.X))
	_, d := e.Nearest(top)
	return d < 10
}
