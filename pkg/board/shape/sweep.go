package shape

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// appendSwept appends what an aperture that is not round covers on its way along
// an edge; an arc is walked in chords. What the aperture leaves clear is swept over.
func (m *Maker) appendSwept(out []Shape, aperture int32, t geom.Transform, e geom.Edge) []Shape {
	a, cost := &m.layer.Apertures[aperture], 2*m.aperture(aperture).cost
	from := e.A
	for _, to := range e.AppendFlat(nil, Flatness) {
		if !m.made.Add(cost) {
			break
		}
		out = appendMove(out, a, t, from, to)
		from = to
	}
	return out
}

func appendMove(out []Shape, a *pcb.Aperture, t geom.Transform, from, to geom.Point) []Shape {
	for i := range a.Primitives {
		p := &a.Primitives[i]
		if p.Clear {
			continue
		}
		switch w := t.Length(2 * p.Radius); p.Kind {
		case pcb.CirclePrimitive:
			if w > 0 {
				c := t.Vector(p.A)
				out = append(out, Stroke(from.Add(c), to.Add(c), w))
			}
		case pcb.StrokePrimitive:
			if w > 0 {
				out = append(out, hull(w, from, to, t.Vector(p.A), t.Vector(p.B)))
			}
		default:
			flat := t.Path(p.Area).Flatten(Flatness)
			for j := range flat {
				flat[j] = flat[j].Sub(t.Offset)
			}
			if len(flat) > 1 {
				out = append(out, hull(0, from, to, flat...))
			}
		}
	}
	return out
}

// hull is the convex area that points cover on a straight move, drawn with a pen of
// the width given.
func hull(width int64, from, to geom.Point, points ...geom.Point) Shape {
	moved := make([]geom.Point, 0, 2*len(points))
	for _, p := range points {
		moved = append(moved, from.Add(p), to.Add(p))
	}
	h := geom.Hull(moved)
	switch {
	case len(h) == 1 || len(h) == 2 && h[0] == h[1]:
		return Circle(h[0], width)
	case len(h) == 2:
		return Stroke(h[0], h[1], width)
	}
	return Area(geom.Polygon{Outer: geom.Path{Points: h, Closed: true}}, width)
}
