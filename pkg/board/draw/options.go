package draw

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// MaxPixels is the most pixels a picture may have; larger ones are scaled down.
const MaxPixels = 40_000_000

// ErrNothing is returned when a board or layer has no extent to draw.
var ErrNothing = errors.New("draw: there is nothing to draw")

// Options steer a picture. The zero Options give one 1200 pixels wide in the
// colours that the board states, green where it states none.
type Options struct {
	Width  int     // pixels; the height follows. 0 means 1200 unless DPI is given
	Height int     // pixels; with Width, the picture fits in both
	DPI    float64 // pixels per inch instead of Width
	Margin int64   // nanometres round the board; default none

	Mask    string      // colour of the solder mask, over what the board states
	Legend  string      // colour of the legend
	Finish  string      // "ENIG", "HASL", …
	Colour  color.NRGBA // of a single layer; default depends on its role
	Workers int         // goroutines; 0 means as many as processors
}

// view maps nanometres to pixels.
type view struct {
	w, h   int
	scale  float64 // pixels per nanometre
	origin geom.Point
	mirror bool // seen from below
}

// newView fits box into the picture that the options ask for.
func newView(box geom.Box, o Options, mirror bool) (view, error) {
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
	const longest = 30_000
	scale = min(scale, math.Sqrt(MaxPixels/(bw*bh)), longest/bw, longest/bh)
	v := view{scale: scale, mirror: mirror, w: pixels(bw * scale), h: pixels(bh * scale)}
	v.origin = geom.Pt(box.Min.X, box.Max.Y)
	if mirror {
		v.origin.X = box.Max.X
	}
	if v.w*v.h > MaxPixels+v.w+v.h {
		return view{}, fmt.Errorf("draw: a picture of %d by %d pixels is too large", v.w, v.h)
	}
	return v, nil
}

func pixels(v float64) int { return max(1, int(math.Ceil(v-1e-6))) }

// at gives the pixel place of p.
func (v *view) at(p geom.Point) (x, y float32) {
	dx := float64(p.X-v.origin.X) * v.scale
	if v.mirror {
		dx = -dx
	}
	return float32(dx), float32(float64(v.origin.Y-p.Y) * v.scale)
}

// length gives the pixels of a length.
func (v *view) length(d int64) float32 { return float32(float64(d) * v.scale) }

// Extent is the part of the plane that pictures of the board show: its outline,
// or what its copper, legend and holes cover where it has none.
func Extent(b *board.Board) geom.Box {
	if box := b.Outline.Bounds(); !box.Empty() {
		return box
	}
	box := geom.EmptyBox()
	for _, r := range []board.Role{board.RoleCopper, board.RoleMask, board.RoleSilk, board.RoleOutline} {
		if !box.Empty() {
			break
		}
		for _, l := range b.Find(r, board.NoSide) {
			box = box.Union(l.Bounds())
		}
	}
	for i := range b.Holes {
		box = box.Union(b.HoleBounds(&b.Holes[i]))
	}
	return box
}
