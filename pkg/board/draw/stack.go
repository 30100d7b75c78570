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
	v, err := newView(Extent(b), o, false)
	if err != nil {
		return nil, err
	}
	drawers := make([]*layerDrawer, len(b.Layers))
	each(len(drawers), workers(o), func(i int) { drawers[i] = newLayerDrawer(&v, b.Layers[i]) })
	img := image.NewNRGBA(image.Rect(0, 0, v.w, v.h))
	v.bands(workers(o), func(band *band) {
		out := img.Pix[band.y0*img.Stride : band.y1*img.Stride]
		for x := 0; x < len(out); x += 4 {
			out[x], out[x+1], out[x+2], out[x+3] = ground.R, ground.G, ground.B, ground.A
		}
		for i := len(drawers) - 1; i >= 0; i-- {
			if len(drawers[i].bands[band.index]) == 0 && !b.Layers[i].Negative {
				continue
			}
			mask := band.mask(0)
			drawers[i].paint(band, mask)
			tint(out, mask, layerColour(b.Layers[i]))
		}
	})
	return img, nil
}

// tint blends colour c over opaque pixels where cover says. Red and blue are
// blended in one multiplication.
func tint(out, cover []uint8, c color.NRGBA) {
	const (
		opacity = 180 // of 256
		outer   = 0x00ff00ff
	)
	rb, g := uint32(c.R)|uint32(c.B)<<16, uint32(c.G)
	for x, m := range cover {
		if m == 0 {
			continue
		}
		a := (uint32(m) + uint32(m>>7)) * opacity >> 8
		px := out[4*x : 4*x+4 : 4*x+4]
		p := binary.LittleEndian.Uint32(px)
		p1 := ((p&outer)*(256-a) + rb*a) >> 8 & outer
		p2 := ((p>>8&0xff)*(256-a) + g*a) & 0xff00
		binary.LittleEndian.PutUint32(px, p1|p2|0xff000000)
	}
}
