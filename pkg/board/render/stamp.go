package render

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// placer gives where an aperture's points lie relative to its flash, in pixels.
func (v *view) placer(t geom.Transform) func(geom.Point) (float32, float32) {
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
	radius      float32          // of a round one
	corners     int
	around      float32 // lengths of the outlines, in pixels
}

type orderedPolygon struct {
	polygon
	clear bool
}

// newStamp flattens an aperture under a transform.
func newStamp(v *view, a *pcb.Aperture, t geom.Transform) *stamp {
	s := &stamp{}
	if a.Kind == pcb.CircleShape {
		s.radius = v.length(t.Length(a.X)) / 2
	}
	place := v.placer(t)
	macro := a.Kind == pcb.MacroShape && !a.Simple()
	for i := range a.Primitives {
		p := &a.Primitives[i]
		poly := v.flatten(p.Path(), place)
		if !v.meter.Spend(pcb.Corners, 1+len(poly.pts)/8) {
			break
		}
		s.corners += len(poly.pts) / 2
		s.around += poly.perimeter()
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

// composite draws an aperture whose clear pieces erase dark ones at x, y into a
// small plane of its own, and that into mask.
func (s *stamp) composite(r *raster, x, y float32, mask []uint8, clear bool) {
	left, top := int(x-s.reach)-1, int(y-s.reach-r.y0)-1
	size := int(2*s.reach) + 4
	left0, top0 := max(left, 0), max(top, 0)
	w, h := min(left+size, r.w)-left0, min(top+size, r.h)-top0
	if w <= 0 || h <= 0 {
		return
	}
	small := bandPool.Get().(*band)
	defer bandPool.Put(small)
	small.y0, small.y1, small.w = 0, h, w
	small.r.reset(w, h, 0)
	pix := small.mask(0)
	dx, dy := x-float32(left0), y-r.y0-float32(top0)
	for _, p := range s.ordered {
		small.r.fill(p.polygon, dx, dy, 1)
		small.r.settle(pix, p.clear)
	}
	for row := range h {
		dst := mask[(top0+row)*r.w+left0:]
		for col, c := range pix[row*w : (row+1)*w] {
			if c > 0 {
				blend(&dst[col], uint32(c), clear)
			}
		}
	}
}
