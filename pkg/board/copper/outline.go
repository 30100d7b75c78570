package copper

import (
	"context"

	"boardorder/pkg/board/clip"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// rings gives what a shape covers as rings for package clip. Each runs
// counter-clockwise but those of holes.
func rings(ctx context.Context, s *shape.Shape) (clip.Rings, error) {
	r := int64(s.Width() / 2)
	if !s.IsArea() {
		return curveRings(s.Edge(), r), nil
	}
	p := s.Polygon()
	out, err := clip.FlatPolygon(ctx, p)
	if err != nil || r == 0 {
		return out, err
	}
	for e := range p.Outer.Edges() {
		out = append(out, curveRings(e, r)...)
	}
	for _, h := range p.Holes {
		for e := range h.Edges() {
			out = append(out, curveRings(e, r)...)
		}
	}
	return out, nil
}

// curveRings is an edge drawn with a round pen of radius r.
func curveRings(e geom.Edge, r int64) clip.Rings {
	switch {
	case r <= 0:
		return nil
	case !e.IsArc():
		return clip.Rings{clip.Flat(geom.Capsule(e.A, e.B, r), false)}
	case e.Radius() > float64(r)*1.05 && e.A == e.B:
		return clip.Rings{
			clip.Flat(geom.Circle(e.Centre, int64(e.Radius())+r), false),
			clip.Flat(geom.Circle(e.Centre, int64(e.Radius())-r), true),
		}
	}
	var out clip.Rings // a chain of short strokes
	from := e.A
	for _, to := range e.AppendFlat(nil, clip.Tolerance) {
		out = append(out, clip.Flat(geom.Capsule(from, to, r), false))
		from = to
	}
	return out
}

// path is the exact border of a shape that has one: all but bent strokes, grown
// areas and areas with holes.
func path(s *shape.Shape) (geom.Path, bool) {
	r := int64(s.Width() / 2)
	if s.IsArea() {
		p := s.Polygon()
		return p.Outer, r == 0 && len(p.Holes) == 0
	}
	if s.Edge().IsArc() || r == 0 {
		return geom.Path{}, false
	}
	return geom.Capsule(s.Edge().A, s.Edge().B, r), true
}
