package draw

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// placed gives where an aperture's points lie relative to its flash, in pixels.
func (v *view) placed(t geom.Transform) func(geom.Point) (float32, float32) {
	a, b, c, d := t.Matrix()
	s := v.scale
	flip := 1.0
	if v.mirror {
		flip = -1
	}
	return func(p geom.Point) (float32, float32) {
		x, y := float64(p.X), float64(p.Y)
		return float32((a*x + b*y) * s * flip), float32(-(c*x + d*y) * s)
	}
}

// stamp is an aperture as a flash puts it down, ready for the raster.
type stamp struct {
	dark, clear []polygon
	ordered     []orderedPolygon // when clear pieces erase only part of the dark ones
	reach       float32          // how far it extends from its centre, in pixels
}

type orderedPolygon struct {
	polygon
	clear bool
}

// newStamp flattens an aperture under a transform.
func newStamp(v *view, a *board.Aperture, t geom.Transform) *stamp {
	s := &stamp{}
	place := v.placed(t)
	macro := a.Kind == board.MacroShape && !a.Simple()
	for i := range a.Primitives {
		p := &a.Primitives[i]
		poly := v.flatten(p.Path(), place)
		for j := 0; j < len(poly.pts); j++ {
			s.reach = max(s.reach, poly.pts[j], -poly.pts[j])
		}
		switch {
		case macro:
			s.ordered = append(s.ordered, orderedPolygon{poly, p.Clear})
		case p.Clear:
			s.clear = append(s.clear, poly)
		default:
			s.dark = append(s.dark, poly)
		}
	}
	return s
}
