package copper

import (
	"context"

	"boardorder/pkg/board/clip"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// Resolve works out what any layer draws, as [Extract] does for copper: later clear
// features have erased what they cover.
func Resolve(ctx context.Context, b *pcb.Board, l *pcb.Layer) (*Layer, error) {
	return layerOf(ctx, l, func() base { return boardArea(b) })
}

// fine is how far chords stray from the curves of a crop, in nanometres: it is looked at
// from so near that coarser ones show.
const fine = 40

// Crop gives what a shape covers within a box, as rings for package clip. It costs no more
// than a look at the shape's corners, however many those are.
func Crop(ctx context.Context, s *shape.Shape, box geom.Box) (clip.Rings, error) {
	r := int64(s.Width() / 2)
	if !s.IsArea() {
		return clip.StrokeWithin(s.Edge(), r, fine).Window(box), nil
	}
	p := s.Polygon()
	out := clip.Rings{clip.FlatWithin(p.Outer, false, fine)}.Window(box)
	var holes clip.Rings
	for _, h := range p.Holes {
		if h.Bounds().Overlaps(box) {
			holes = append(holes, clip.Rings{clip.FlatWithin(h, false, fine)}.Window(box)...)
		}
	}
	if len(holes) > 0 {
		left, err := clip.Combine(ctx, clip.Difference, out, holes)
		if err != nil {
			return nil, err
		}
		out = clip.Outlines(left)
	}
	for _, path := range append([]geom.Path{p.Outer}, p.Holes...) {
		for e := range path.Edges() {
			if r > 0 && e.Bounds().Grow(r).Overlaps(box) {
				out = append(out, clip.StrokeWithin(e, r, fine).Window(box)...)
			}
		}
	}
	return out, nil
}
