package draw

import (
	"io"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// StackPNG writes the picture that [Stack] gives without ever having it in
// memory as a whole.
func StackPNG(w io.Writer, b *board.Board, o Options) error {
	v, err := newView(stackExtent(b, o), o, false)
	if err != nil {
		return err
	}
	s := newStackPainters(&v, b, workers(o))
	return v.stream(w, workers(o), s.compose)
}

// SidePNG writes the picture that [Side] gives without ever having it in memory
// as a whole.
func SidePNG(w io.Writer, b *board.Board, side board.Side, o Options) error {
	v, err := newView(Extent(b), o, side == board.Bottom)
	if err != nil {
		return err
	}
	p := newSidePainters(&v, b, side, workers(o))
	c := colours(b, o)
	return v.stream(w, workers(o), func(b *band, out []byte) { p.compose(out, c, b) })
}

// stream writes the picture band by band; compose paints a band into clean
// pixels.
func (v *view) stream(w io.Writer, workers int, compose func(b *band, out []byte)) error {
	s := pngStream{w: v.w, h: v.h, kind: truecolour, bpp: 4, rows: v.bandRows()}
	return s.write(w, workers, func(y0, y1 int, put func(row []byte)) {
		b := takeBand(v, y0, y1)
		out := b.pixels()
		compose(b, out)
		for y := range y1 - y0 {
			put(out[4*v.w*y : 4*v.w*(y+1)])
		}
		bandPool.Put(b)
	})
}

// stackExtent is the board, or all that its layers draw.
func stackExtent(b *board.Board, o Options) geom.Box {
	if !o.Whole {
		return Extent(b)
	}
	boxes := make([]geom.Box, len(b.Layers))
	each(len(boxes), workers(o), func(i int) { boxes[i] = b.Layers[i].Bounds() })
	box := geom.EmptyBox()
	for _, x := range boxes {
		box = box.Union(x)
	}
	return box
}
