package clip

import (
	"context"

	"boardorder/pkg/board/geom"
)

// Stroke is an edge drawn with a round pen of radius r, as rings that run
// counter-clockwise but for those of holes.
func Stroke(e geom.Edge, r int64) Rings {
	switch {
	case r <= 0:
		return nil
	case !e.IsArc():
		return Rings{Flat(geom.Capsule(e.A, e.B, r), false)}
	case e.Radius() > float64(r)*1.05 && e.A == e.B:
		return Rings{
			Flat(geom.Circle(e.Centre, int64(e.Radius())+r), false),
			Flat(geom.Circle(e.Centre, int64(e.Radius())-r), true),
		}
	}
	var out Rings // a chain of short strokes
	from := e.A
	for _, to := range e.AppendFlat(nil, Tolerance) {
		out = append(out, Flat(geom.Capsule(from, to, r), false))
		from = to
	}
	return out
}

// Grow is a polygon whose border was drawn with a round pen of radius r.
func Grow(ctx context.Context, p geom.Polygon, r int64) (Rings, error) {
	out, err := FlatPolygon(ctx, p)
	if err != nil || r <= 0 {
		return out, err
	}
	return append(out, border(p, r)...), nil
}

func border(p geom.Polygon, r int64) Rings {
	var out Rings
	for e := range p.Outer.Edges() {
		out = append(out, Stroke(e, r)...)
	}
	for _, h := range p.Holes {
		for e := range h.Edges() {
			out = append(out, Stroke(e, r)...)
		}
	}
	return out
}
