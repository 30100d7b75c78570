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
		return clip.Stroke(s.Edge(), r), nil
	}
	return clip.Grow(ctx, s.Polygon(), r)
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
