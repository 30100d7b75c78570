package render

import (
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"runtime"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/paint"
	"boardorder/pkg/board/pcb"
)

// Side draws the finished top or bottom of a board, the bottom as one looks at
// it. What no board covers is transparent. The error is ErrNothing, or why ctx ended:
// a [pcb.TooComplex] where the picture costs more than its budget.
func Side(ctx context.Context, b *pcb.Board, side pcb.Side, o Options) (img *image.NRGBA, err error) {
	err = drawSide(ctx, b, side, o, func(p *sidePainters, size image.Rectangle) func(*band) {
		img = image.NewNRGBA(size)
		c := colours(b, o)
		return func(b *band) { p.compose(b, img.Pix[b.y0*img.Stride:b.y1*img.Stride], c) }
	})
	return img, err
}

// SideMap draws what [Side] does as a map of package paint, so that its colours
// are those of whatever is ordered; until then they are what the options ask for.
func SideMap(ctx context.Context, b *pcb.Board, side pcb.Side, o Options) (img *image.Paletted, err error) {
	err = drawSide(ctx, b, side, o, func(p *sidePainters, size image.Rectangle) func(*band) {
		img = image.NewPaletted(size, colours(b, o).Palette())
		return func(b *band) { p.index(b, img.Pix[b.y0*img.Stride:b.y1*img.Stride]) }
	})
	return img, err
}

// drawSide paints a side band by band, as painting says for a picture of that size.
func drawSide(ctx context.Context, b *pcb.Board, side pcb.Side, o Options, painting func(*sidePainters, image.Rectangle) func(*band)) error {
	ctx, end := pcb.WithBudget(ctx, pcb.Limits{})
	defer end()
	v, err := newView(pcb.MeterOf(ctx), Extent(b), o, side == pcb.Bottom)
	if err != nil {
		return err
	}
	v.bands(workers(o), painting(newSidePainters(&v, b, side, workers(o)), image.Rect(0, 0, v.w, v.h)))
	return v.meter.Err()
}

// masks paints what covers a band of the side, each in a mask of its own.
func (p *sidePainters) masks(b *band) (body, copper, opening, silkscreen []byte) {
	body, copper, opening, silkscreen = b.mask(0), b.mask(1), b.mask(2), b.mask(3)
	p.body.paint(b, body)
	p.copper.paint(b, copper)
	p.opening.paint(b, opening)
	p.silkscreen.paint(b, silkscreen)
	return body, copper, opening, silkscreen
}

// index paints a band of the side into clean pixels of a map.
func (p *sidePainters) index(b *band, out []byte) {
	body, copper, opening, silkscreen := p.masks(b)
	last, n := uint64(1<<32), uint8(0)
	for i := range out {
		key := uint64(copper[i]) | uint64(opening[i])<<8 | uint64(silkscreen[i])<<16 | uint64(body[i])<<24
		if key != last { // most pixels are as the one before
			last, n = key, paint.Pixel(copper[i], opening[i], silkscreen[i], body[i])
		}
		out[i] = n
	}
}

func workers(o Options) int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// sidePainters is what a finished side is made of.
type sidePainters struct{ body, copper, opening, silkscreen painter }

// newSidePainters prepares them, several at once.
func newSidePainters(v *view, b *pcb.Board, side pcb.Side, n int) *sidePainters {
	p := &sidePainters{}
	jobs := [...]func(){
		func() { p.copper = newUnion(v, outer(b, side)) },
		func() { p.opening = newUnion(v, maskLayers(b, side)) },
		func() { p.silkscreen = newUnion(v, b.Find(pcb.RoleSilk, side)) },
		func() { p.body = newBody(v, b) },
	}
	runEach(len(jobs), n, func(i int) { jobs[i]() })
	return p
}

// boardAreas is the board's shape. An outline that does not close is drawn with a
// straight line over its gap when its longest chain spans the board; without any
// outline the board is a rectangle round all.
func boardAreas(b *pcb.Board) []geom.Polygon {
	whole := Extent(b)
	if len(b.Outline.Areas) > 0 && (b.Outline.Closed || spans(b.Outline.Areas[0].Bounds(), whole)) {
		return b.Outline.Areas
	}
	longest, length := geom.Path{}, 0.0
	for _, p := range b.Outline.Open {
		if l := p.Length(); l > length {
			longest, length = p, l
		}
	}
	if spans(longest.Bounds(), whole) {
		longest.Closed = true
		return append([]geom.Polygon{{Outer: longest}}, b.Outline.Areas...)
	}
	return []geom.Polygon{{Outer: geom.Rect(whole)}}
}

// spans tells whether a box is nearly as large as the whole.
func spans(box, whole geom.Box) bool {
	return box.Width() > whole.Width()/10*9 && box.Height() > whole.Height()/10*9
}

// outer gives the copper layers that one sees on a side. Where none is said to be of
// that side, the first or the last that is of no stated side stands for it; a single
// one is on top.
func outer(b *pcb.Board, side pcb.Side) []*pcb.Layer {
	if found := b.Find(pcb.RoleCopper, side); len(found) > 0 {
		return found
	}
	copper := b.Copper()
	if len(copper) == 0 || len(copper) == 1 && side != pcb.Top {
		return nil
	}
	l := copper[0]
	if side != pcb.Top {
		l = copper[len(copper)-1]
	}
	if l.Side != pcb.NoSide {
		return nil
	}
	return []*pcb.Layer{l}
}

// maskLayers gives a side's solder mask layers; where no file has any, what they
// would be. Tools that write them as negative images still draw the openings, so
// that is what their features mean.
func maskLayers(b *pcb.Board, side pcb.Side) []*pcb.Layer {
	if len(b.Find(pcb.RoleMask, pcb.NoSide)) == 0 {
		return padOpenings(b, side)
	}
	found := b.Find(pcb.RoleMask, side)
	for i, l := range found {
		if l.Negative {
			plain := *l
			plain.Negative = false
			found[i] = &plain
		}
	}
	return found
}

// compose paints a band of the side into clean pixels.
func (p *sidePainters) compose(b *band, out []byte, s paint.Scheme) {
	body, copper, opening, silkscreen := p.masks(b)
	last, c := uint32(1<<24), uint32(0)
	for i := 0; i < len(body); i++ {
		for i+8 <= len(body) && flat(body[i:]) && flat(copper[i:]) && flat(opening[i:]) && flat(silkscreen[i:]) {
			if body[i] > 0 {
				c = pixel(&s, copper[i], opening[i], silkscreen[i], body[i])
				last = 1 << 24
				eight(out[4*i:], c)
			}
			i += 8
		}
		if i == len(body) {
			return
		}
		alpha := body[i]
		if alpha == 0 {
			continue
		}
		if key := uint32(copper[i]) | uint32(opening[i])<<8 | uint32(silkscreen[i])<<16; key != last {
			last, c = key, pixel(&s, copper[i], opening[i], silkscreen[i], 0)
		}
		binary.LittleEndian.PutUint32(out[4*i:], c&0xffffff|uint32(alpha)<<24)
	}
}

// flat tells whether eight pixels of a mask are alike.
func flat(mask []uint8) bool {
	x := binary.LittleEndian.Uint64(mask)
	return x == x&0xff*0x0101010101010101
}

// eight sets eight pixels.
func eight(out []byte, px uint32) {
	two := uint64(px) * (1<<32 + 1)
	out = out[:32]
	binary.LittleEndian.PutUint64(out, two)
	binary.LittleEndian.PutUint64(out[8:], two)
	binary.LittleEndian.PutUint64(out[16:], two)
	binary.LittleEndian.PutUint64(out[24:], two)
}

// pixel is the colour where copper, mask opening and silkscreen cover so much, with
// what the board covers as alpha.
func pixel(s *paint.Scheme, copper, opening, silkscreen, body uint8) uint32 {
	c := surfaceColour(s, copper, opening, silkscreen)
	return uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(body)<<24
}

// surfaceColour is the colour where copper, mask opening and silkscreen cover so much. The
// silkscreen is not printed on openings.
func surfaceColour(s *paint.Scheme, copper, opening, silkscreen uint8) color.NRGBA {
	c := mix(s.Masked, s.OverCopper, uint32(copper))
	if opening > 0 {
		c = mix(c, mix(s.Substrate, s.Finish, uint32(copper)), uint32(opening))
	}
	if silkscreen > 0 {
		c = mix(c, s.Silkscreen, uint32(silkscreen)*(255-uint32(opening))/255)
	}
	return c
}

func mix(a, b color.NRGBA, t uint32) color.NRGBA {
	f := func(x, y uint8) uint8 { return uint8((uint32(x)*(255-t) + uint32(y)*t + 127) / 255) }
	return color.NRGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), 255}
}
