package draw

import (
	"image"
	"image/color"
	"sync"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// Layer draws one layer in one colour on transparent ground, seen from the top.
// The frame is the board's extent when b is given, else the layer's own.
func Layer(b *board.Board, l *board.Layer, o Options) (*image.Paletted, error) {
	box := geom.EmptyBox()
	if b != nil {
		box = Extent(b)
	}
	if box.Empty() {
		box = l.Bounds()
	}
	v, err := newView(box, o, false)
	if err != nil {
		return nil, err
	}
	c := o.Colour
	if c == (color.NRGBA{}) {
		c = layerColour(l)
	}
	p := layerPlane(v, l, workers(o))
	return &image.Paletted{Pix: p.pix, Stride: v.w, Rect: image.Rect(0, 0, v.w, v.h), Palette: shades(c)}, nil
}

// Layers draws every layer of a board on its own, several at once, all in the
// board's frame. A layer that cannot be drawn is nil.
func Layers(b *board.Board, o Options) []*image.Paletted {
	out := make([]*image.Paletted, len(b.Layers))
	slots := make(chan struct{}, workers(o))
	var wg sync.WaitGroup
	for i, l := range b.Layers {
		slots <- struct{}{}
		wg.Go(func() {
			if img, err := Layer(b, l, o); err == nil {
				out[i] = img
			}
			<-slots
		})
	}
	wg.Wait()
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
