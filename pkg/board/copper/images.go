package copper

import (
	"context"

	"boardorder/pkg/board/clip"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// images are what apertures put down whose clear primitives do not simply lie
// inside a dark one: worked out once for each.
type images struct {
	ctx   context.Context
	meter pcb.Meter
	layer *pcb.Layer
	maker *shape.Maker
	of    map[int32][]geom.Polygon
}

func newImages(ctx context.Context, l *pcb.Layer) *images {
	m := pcb.MeterOf(ctx)
	return &images{ctx: ctx, meter: m, layer: l, maker: shape.NewMaker(l, m), of: map[int32][]geom.Polygon{}}
}

// appendFeature is [shape.Maker.Append], right for every aperture.
func (m *images) appendFeature(out []shape.Shape, f *pcb.Feature) ([]shape.Shape, error) {
	if m.maker.Whole(f) {
		return m.maker.Append(out, f), nil
	}
	image, ok := m.of[f.Shape]
	if !ok {
		var err error
		if image, err = m.image(&m.layer.Apertures[f.Shape]); err != nil {
			return nil, err
		}
		m.of[f.Shape] = image
	}
	t := m.layer.Place(f)
	for _, p := range image {
		if !m.meter.Spend(pcb.Corners, corners(p)) || !m.meter.Spend(pcb.Shapes, 1) {
			return nil, m.meter.Err()
		}
		s := shape.Area(t.Polygon(p), 0)
		s.Meter(m.meter)
		out = append(out, s)
	}
	return out, nil
}

// corners is how many corners a polygon has.
func corners(p geom.Polygon) int {
	n := len(p.Outer.Points)
	for _, h := range p.Holes {
		n += len(h.Points)
	}
	return n
}

// image is what every dark primitive leaves once those after it have erased.
func (m *images) image(a *pcb.Aperture) ([]geom.Polygon, error) {
	var dark, clear clip.Rings
	var out []geom.Polygon
	for i := len(a.Primitives) - 1; i >= 0; i-- { // from the last on, so that clear ones only grow
		p := &a.Primitives[i]
		ring := clip.Flat(p.Path(), false)
		if p.Clear {
			clear = append(clear, ring)
			continue
		}
		if !m.meter.Spend(pcb.Lookups, len(clear)) {
			return nil, m.meter.Err()
		}
		dark = append(dark[:0], ring)
		left, err := clip.Combine(m.ctx, clip.Difference, dark, clear.Window(p.Bounds().Grow(geom.Micrometre)))
		if err != nil {
			return nil, err
		}
		out = append(out, real(left)...)
	}
	return out, nil
}

// thinnest is how wide a piece must be on average to be copper at all; thinner ones
// come from curves flattened in different ways.
const thinnest = 1000

// real leaves out pieces and holes that are only rounding.
func real(pieces []geom.Polygon) []geom.Polygon {
	out := pieces[:0]
	for _, p := range pieces {
		if negligible(p.Outer) {
			continue
		}
		holes := p.Holes[:0]
		for _, h := range p.Holes {
			if !negligible(h) {
				holes = append(holes, h)
			}
		}
		p.Holes = holes
		out = append(out, p)
	}
	return out
}

func negligible(p geom.Path) bool {
	a := p.Area()
	if a < 0 {
		a = -a
	}
	return a < thinnest*p.Length()/2
}
