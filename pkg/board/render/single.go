package render

import (
	"context"
	"image"
	"image/color"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Layer draws one layer in one colour on transparent ground, seen from the top.
// The frame is the board's extent when b is given, else the layer's own.
func Layer(ctx context.Context, b *pcb.Board, l *pcb.Layer, o Options) (*image.Paletted, error) {
	ctx, end := pcb.WithBudget(ctx, pcb.Limits{})
	defer end()
	box := geom.EmptyBox()
	if b != nil {
		box = Extent(b)
	}
	if box.Empty() {
		box = l.Bounds()
	}
	v, err := newView(pcb.MeterOf(pcb.FileContext(ctx, l.File)), box, o, false)
	if err != nil {
		return nil, err
	}
	c := o.Colour
	if c == (color.NRGBA{}) {
		c = layerColour(l)
	}
	img := &image.Paletted{Pix: cover(&v, l, workers(o)), Stride: v.w, Rect: image.Rect(0, 0, v.w, v.h), Palette: shades(c)}
	return img, v.meter.Err()
}

// cover draws a layer's features: 0 to 255 a pixel.
func cover(v *view, l *pcb.Layer, workers int) []uint8 {
	pix := make([]uint8, v.w*v.h)
	d := newLayerDrawer(v, l)
	v.bands(workers, func(b *band) { d.paint(b, pix[b.y0*v.w:b.y1*v.w]) })
	return pix
}

// Layers draws every layer of a board on its own, several at once, all in the
// board's frame. A layer that cannot be drawn is nil.
func Layers(ctx context.Context, b *pcb.Board, o Options) []*image.Paletted {
	ctx, end := pcb.WithBudget(ctx, pcb.Limits{})
	defer end()
	out := make([]*image.Paletted, len(b.Layers))
	runEach(len(b.Layers), workers(o), func(i int) {
		if img, err := Layer(ctx, b, b.Layers[i], o); err == nil {
			out[i] = img
		}
	})
	return out
}

// shades is a palette of one colour at rising opacity.
func shades(c color.NRGBA) color.Palette {
	p := make(color.Palette, 256)
	for i := range p {
		p[i] = color.NRGBA{c.R, c.G, c.B, uint8(i)}
	}
	return p
}
