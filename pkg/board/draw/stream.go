package draw

import (
	"io"

	"boardorder/pkg/board"
)

// StackPNG writes the picture that [Stack] gives without ever having it in memory
// as a whole, fast rather than small.
func StackPNG(w io.Writer, b *board.Board, o Options) error {
	v, err := newView(stackExtent(b, o), o, false)
	if err != nil {
		return err
	}
	s := newStackPainters(&v, b, workers(o))
	return v.stream(w, opaque, workers(o), s.compose)
}

// SidePNG writes the picture that [Side] gives without ever having it in memory
// as a whole, fast rather than small.
func SidePNG(w io.Writer, b *board.Board, side board.Side, o Options) error {
	v, err := newView(Extent(b), o, side == board.Bottom)
	if err != nil {
		return err
	}
	p := newSidePainters(&v, b, side, workers(o))
	c := colours(b, o)
	return v.stream(w, translucent, workers(o), func(b *band, out []byte) {
		clear(out)
		p.compose(b, out, c)
	})
}

// stream writes the picture band by band; compose paints the pixels of one, which
// still have what was there before.
func (v *view) stream(w io.Writer, kind colourType, workers int, compose func(b *band, out []byte)) error {
	s := pngStream{w: v.w, h: v.h, kind: kind, rows: v.bandRows(), packer: newPiece}
	return s.write(w, workers, func(y0, y1 int, put func(row []byte)) func() {
		b := takeBand(v, y0, y1)
		out := b.pixels()
		compose(b, out)
		for y := range y1 - y0 {
			put(out[4*v.w*y : 4*v.w*(y+1)])
		}
		return func() { bandPool.Put(b) }
	})
}
