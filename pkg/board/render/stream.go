package render

import (
	"context"
	"image/color"
	"io"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render/pngstream"
)

// SidePNG writes the picture that [Side] gives without ever having it in memory
// as a whole. What was written is no whole picture when ctx, or the budget in it, ended.
func SidePNG(ctx context.Context, w io.Writer, b *pcb.Board, side pcb.Side, o Options) error {
	ctx, end := pcb.WithBudget(ctx, pcb.Limits{})
	defer end()
	v, err := newView(pcb.MeterOf(ctx), Extent(b), o, side == pcb.Bottom)
	if err != nil {
		return err
	}
	p := newSidePainters(&v, b, side, workers(o))
	c := colours(b, o)
	return v.stream(w, pngstream.Stream{Kind: pngstream.Translucent}, workers(o), func(b *band) pngstream.Piece {
		out := b.pixels()
		clear(out)
		p.compose(b, out, c)
		return pngstream.Pack(out, b.y1-b.y0, 4*b.w, 4*b.w)
	})
}

// StackPNG writes the picture that [Stack] gives without ever having it in memory
// as a whole, in the nearest of 252 colours: the rows are packed as runs of bytes.
func StackPNG(ctx context.Context, w io.Writer, b *pcb.Board, o Options) error {
	ctx, end := pcb.WithBudget(ctx, pcb.Limits{})
	defer end()
	v, err := newView(pcb.MeterOf(ctx), stackExtent(b, o), o, false)
	if err != nil {
		return err
	}
	p, c := newStackPainters(&v, b, workers(o)), newCube()
	return v.stream(w, pngstream.Stream{Kind: pngstream.Indexed, Palette: c.palette}, workers(o), func(b *band) pngstream.Piece {
		runs := &b.runs
		runs.Begin(b.w)
		p.compose(b, func(_ int, row []stretch) {
			for _, s := range row {
				runs.Row = append(runs.Row, pngstream.Run{X: s.x, Value: c.nearest(s.colour)})
			}
			runs.AddRow()
		})
		return runs.End()
	})
}

// stream writes the picture band by band.
func (v *view) stream(w io.Writer, s pngstream.Stream, workers int, compose func(b *band) pngstream.Piece) error {
	s.W, s.H, s.Rows = v.w, v.h, v.bandRows()
	err := s.Write(w, workers, func(y0, y1 int) pngstream.Piece {
		b := takeBand(v, y0, y1)
		p := compose(b)
		bandPool.Put(b)
		return p
	})
	if why := v.meter.Err(); why != nil {
		return why
	}
	return err
}

// A cube is a palette of evenly spaced colours: six shades of red and of blue,
// seven of green, which the eye tells apart best.
type cube struct {
	palette      color.Palette
	third, green [256]uint8 // the nearest shade
}

func newCube() *cube {
	c := &cube{}
	for i := range 256 {
		c.third[i], c.green[i] = uint8((i*5+127)/255), uint8((i*6+127)/255)
	}
	for r := range 6 {
		for g := range 7 {
			for b := range 6 {
				c.palette = append(c.palette, color.NRGBA{uint8(r * 51), uint8(g * 255 / 6), uint8(b * 51), 0xff})
			}
		}
	}
	return c
}

// nearest is the index of the nearest colour.
func (c *cube) nearest(to lanes) uint8 {
	r, g, b := to.rgb()
	return (c.third[r]*7+c.green[g])*6 + c.third[b]
}
