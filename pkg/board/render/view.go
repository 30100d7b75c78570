package render

import (
	"cmp"
	"fmt"
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// view maps nanometres to pixels.
type view struct {
	w, h   int
	scale  float64 // pixels per nanometre
	origin geom.Point
	mirror bool // seen from below
	meter  pcb.Meter
}

// newView fits box into the picture that the options ask for.
func newView(m pcb.Meter, box geom.Box, o Options, mirror bool) (view, error) {
	if o.Window != (geom.Box{}) {
		box, o.Margin = o.Window, 0
	}
	if box.Empty() {
		return view{}, ErrNothing
	}
	box = box.Grow(o.Margin)
	bw, bh := float64(max(box.Width(), 1)), float64(max(box.Height(), 1))
	scale := 0.0
	switch {
	case o.DPI > 0:
		scale = o.DPI / float64(geom.Inch)
	case o.Width > 0 && o.Height > 0:
		scale = min(float64(o.Width)/bw, float64(o.Height)/bh)
	case o.Height > 0:
		scale = float64(o.Height) / bh
	default:
		w := o.Width
		if w <= 0 {
			w = 1200
		}
		scale = float64(w) / bw
	}
	// Fit the pixel limit; a strip a kilometre long and a hair wide has limits too.
	most := cmp.Or(o.MaxPixels, MaxPixels)
	longest := float64(min(max(longestSide, o.MaxPixels/longestSide), 1<<24-1)) // a place in a row fits in 24 bits
	scale = min(scale, math.Sqrt(float64(most)/(bw*bh)), longest/bw, longest/bh)
	v := view{scale: scale, mirror: mirror, meter: m, w: pixels(bw * scale), h: pixels(bh * scale)}
	v.origin = geom.Pt(box.Min.X, box.Max.Y)
	if mirror {
		v.origin.X = box.Max.X
	}
	if v.w*v.h > most+v.w+v.h {
		return view{}, fmt.Errorf("draw: a picture of %d by %d pixels is too large", v.w, v.h)
	}
	return v, nil
}

// longestSide is the most pixels a side of a picture has.
const longestSide = 30_000

func pixels(v float64) int { return max(1, int(math.Ceil(v-1e-6))) }

// pixelOf gives the pixel place of p.
func (v *view) pixelOf(p geom.Point) (x, y float32) {
	dx := float64(p.X-v.origin.X) * v.scale
	if v.mirror {
		dx = -dx
	}
	return float32(dx), float32(float64(v.origin.Y-p.Y) * v.scale)
}

// length gives the pixels of a length.
func (v *view) length(d int64) float32 { return float32(float64(d) * v.scale) }
