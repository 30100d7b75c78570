package draw

import (
	"encoding/binary"
	"image"
	"image/color"

	"boardorder/pkg/board"
)

// ground is what a stack is drawn on.
var ground = color.NRGBA{0x16, 0x19, 0x1d, 0xff}

// Stack draws all layers of a board over each other, translucent, seen from the
// top: bottom layers first, on a dark ground.
func Stack(b *board.Board, o Options) (*image.NRGBA, error) {
	v, err := newView(stackExtent(b, o), o, false)
	if err != nil {
		return nil, err
	}
	s := newStackPainters(&v, b, workers(o))
	img := image.NewNRGBA(image.Rect(0, 0, v.w, v.h))
	v.bands(workers(o), func(b *band) { s.compose(b, img.Pix[b.y0*img.Stride:b.y1*img.Stride]) })
	return img, nil
}

// stackPainters are the drawers of a board's layers.
type stackPainters struct {
	layers  []*board.Layer
	drawers []*layerDrawer
}

func newStackPainters(v *view, b *board.Board, n int) *stackPainters {
	s := &stackPainters{b.Layers, make([]*layerDrawer, len(b.Layers))}
	each(len(s.drawers), n, func(i int) { s.drawers[i] = newLayerDrawer(v, b.Layers[i]) })
	return s
}

// compose paints a band of all layers.
func (s *stackPainters) compose(b *band, out []byte) {
	px := uint32(ground.R) | uint32(ground.G)<<8 | uint32(ground.B)<<16 | 0xff000000
	for i := 0; i < len(out); i += 4 {
		binary.LittleEndian.PutUint32(out[i:], px)
	}
	for i := len(s.drawers) - 1; i >= 0; i-- {
		d := s.drawers[i]
		if len(d.bands[b.index]) == 0 && !d.l.Negative {
			continue
		}
		t := newTint(layerColour(d.l))
		if d.plain(b) {
			for _, f := range d.bands[b.index] {
				d.feature(&b.r, &d.l.Features[f], nil)
			}
			b.r.settleTint(out, &t)
			continue
		}
		mask := b.mask(0)
		d.paint(b, mask)
		t.mask(out, mask)
	}
}

// tint blends a colour, translucent, over opaque pixels.
type tint struct {
	rb, g    uint32
	from, to uint32 // the last pixel that was covered wholly, and what became of it
}

func newTint(c color.NRGBA) tint {
	t := tint{rb: uint32(c.R) | uint32(c.B)<<16, g: uint32(c.G)}
	t.to = t.blend(0, opacity)
	return t
}

// opacity of a tint, of 256.
const opacity = 180

// blend covers pixel p by a of 256. Red and blue are blended in one multiplication.
func (t *tint) blend(p, a uint32) uint32 {
	const outer = 0x00ff00ff
	p1 := ((p&outer)*(256-a) + t.rb*a) >> 8 & outer
	p2 := ((p>>8&0xff)*(256-a) + t.g*a) & 0xff00
	return p1 | p2 | 0xff000000
}

// all covers every pixel of out. Pixels side by side often are alike.
func (t *tint) all(out []byte) {
	from, to := t.from, t.to
	for ; len(out) >= 4; out = out[4:] {
		p := binary.LittleEndian.Uint32(out)
		if p != from {
			from, to = p, t.blend(p, opacity)
		}
		binary.LittleEndian.PutUint32(out, to)
	}
	t.from, t.to = from, to
}

// part covers the first pixel of out by m of 255.
func (t *tint) part(out []byte, m uint32) {
	a := (m + m>>7) * opacity >> 8
	binary.LittleEndian.PutUint32(out, t.blend(binary.LittleEndian.Uint32(out), a))
}

// mask covers the pixels of out as far as cover says.
func (t *tint) mask(out, cover []uint8) {
	for x := 0; x < len(cover); x++ {
		for x+8 <= len(cover) && binary.LittleEndian.Uint64(cover[x:]) == 0 {
			x += 8
		}
		if x == len(cover) {
			return
		}
		switch m := cover[x]; m {
		case 0:
		case 255:
			t.all(out[4*x : 4*x+4])
		default:
			t.part(out[4*x:4*x+4], uint32(m))
		}
	}
}
