package draw

import (
	"encoding/binary"
	"image/color"
	"io"

	"boardorder/pkg/board"
)

// SidePNG writes the picture that [Side] gives without ever having it in memory
// as a whole.
func SidePNG(w io.Writer, b *board.Board, side board.Side, o Options) error {
	v, err := newView(Extent(b), o, side == board.Bottom)
	if err != nil {
		return err
	}
	p := newSidePainters(&v, b, side, workers(o))
	c := colours(b, o)
	return v.stream(w, pngStream{kind: translucent}, workers(o), func(b *band) []byte {
		out := b.pixels()
		clear(out)
		p.compose(b, out, c)
		return out
	})
}

// StackPNG writes the picture that [Stack] gives without ever having it in memory
// as a whole, in the nearest of 252 colours: a byte a pixel is packed four times
// as fast as four.
func StackPNG(w io.Writer, b *board.Board, o Options) error {
	v, err := newView(stackExtent(b, o), o, false)
	if err != nil {
		return err
	}
	p, c := newStackPainters(&v, b, workers(o)), newCube()
	return v.stream(w, pngStream{kind: indexed, palette: c.palette}, workers(o), func(b *band) []byte {
		out := b.pixels()
		p.compose(b, out)
		return c.index(out)
	})
}

// stream writes the picture band by band; compose gives the pixels of one.
func (v *view) stream(w io.Writer, s pngStream, workers int, compose func(b *band) []byte) error {
	s.w, s.h, s.rows = v.w, v.h, v.bandRows()
	return s.write(w, workers, func(y0, y1 int, put func(row []byte)) func() {
		b := takeBand(v, y0, y1)
		out := compose(b)
		line := len(out) / (y1 - y0)
		for y := range y1 - y0 {
			put(out[line*y : line*(y+1)])
		}
		return func() { bandPool.Put(b) }
	})
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

// index puts the nearest colour of every pixel, a byte each, in their place. Pixels
// side by side often are alike: runs are looked for two pixels at a time.
func (c *cube) index(px []byte) []byte {
	for i := 0; i < len(px); {
		p := binary.LittleEndian.Uint32(px[i:])
		nearest := (c.third[p&0xff]*7+c.green[p>>8&0xff])*6 + c.third[p>>16&0xff]
		from := i / 4
		i += 4
		for i+8 <= len(px) && binary.LittleEndian.Uint64(px[i:]) == uint64(p)*twice {
			i += 8
		}
		for k := range px[from : i/4] {
			px[from+k] = nearest
		}
	}
	return px[:len(px)/4]
}
