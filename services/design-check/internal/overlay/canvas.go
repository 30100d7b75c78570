package overlay

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
)

// A canvas is one picture in the making.
type canvas struct {
	ctx    context.Context
	img    *image.NRGBA // with space for a caption
	w, h   int          // of the drawing
	window geom.Box
	scale  float64 // nanometres a pixel
	err    error
}

func newCanvas(ctx context.Context, window geom.Box, w, h int) *canvas {
	img := image.NewNRGBA(image.Rect(0, 0, w, h+caption))
	fill(img, img.Rect, paper)
	return &canvas{ctx: ctx, img: img, w: w, h: h, window: window, scale: float64(window.Width()) / float64(w)}
}

func (c *canvas) finish() (*image.NRGBA, error) { return c.img, c.err }

// layer draws a layer over what there is.
func (c *canvas) layer(l *pcb.Layer, colour color.NRGBA, strength float64) {
	if c.err != nil || len(l.Features) == 0 && !l.Negative {
		return
	}
	cover, err := render.Layer(c.ctx, nil, l, render.Options{Window: c.window, Width: c.w, Height: c.h, Colour: colour})
	if err != nil {
		if !errors.Is(err, render.ErrNothing) {
			c.err = err
		}
		return
	}
	c.blend(cover, colour, strength)
}

// blend lays a colour over the picture where the cover says.
func (c *canvas) blend(cover *image.Paletted, colour color.NRGBA, strength float64) {
	over := uint32(strength * 256)
	bounds := cover.Rect.Intersect(image.Rect(0, 0, c.w, c.h))
	for y := range bounds.Dy() {
		row, out := cover.Pix[y*cover.Stride:], c.img.Pix[y*c.img.Stride:]
		for x := range bounds.Dx() {
			a := uint32(row[x]) * over >> 8
			if a == 0 {
				continue
			}
			px := out[4*x : 4*x+3 : 4*x+3]
			px[0] = mix(px[0], colour.R, a)
			px[1] = mix(px[1], colour.G, a)
			px[2] = mix(px[2], colour.B, a)
		}
	}
}

func mix(under, over uint8, a uint32) uint8 {
	return uint8((uint32(under)*(255-a) + uint32(over)*a + 127) / 255)
}

// fill paints a part of a picture, many times faster than image/draw would.
func fill(img *image.NRGBA, r image.Rectangle, c color.NRGBA) {
	r = r.Intersect(img.Rect)
	if r.Empty() {
		return
	}
	first := img.Pix[img.PixOffset(r.Min.X, r.Min.Y):][:4*r.Dx()]
	for i := 0; i < len(first); i += 4 {
		first[i], first[i+1], first[i+2], first[i+3] = c.R, c.G, c.B, c.A
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(img.Pix[img.PixOffset(r.Min.X, y):], first)
	}
}

// px is a length of the board that appears as so many pixels.
func (c *canvas) px(n float64) int64 { return int64(n * c.scale) }

// position is where a place appears.
func (c *canvas) position(p geom.Point) (x, y float64) {
	return float64(p.X-c.window.Min.X) / c.scale, float64(c.window.Max.Y-p.Y) / c.scale
}

// marks puts rings round the places and a line along what was measured, each
// on a pale ground that keeps it apart from the board. What is long has a ring
// at either end.
func (c *canvas) marks(f dfm.Finding, pixels float64) {
	radius := c.px(pixels)
	if len(f.Places) == 1 {
		radius = c.px(34)
	}
	for _, w := range []struct {
		width  float64
		colour color.NRGBA
	}{{7, halo}, {3, MarkColour(f.Level)}} {
		l := pcb.NewLayer("marks", "")
		l.Apertures = append(l.Apertures, pcb.Circle(c.px(w.width)), pcb.Circle(c.px(w.width*0.7)))
		ring, thin := int32(len(l.Apertures)-2), int32(len(l.Apertures)-1)
		for i := len(f.Places) - 1; i >= 0; i-- {
			p := f.Places[i]
			if HasEnd(p) {
				line(l, thin, geom.Edge{A: p.At, B: p.To})
			}
			long := int64(math.Hypot(float64(p.To.X-p.At.X), float64(p.To.Y-p.At.Y)))
			switch {
			case !HasEnd(p):
				circle(l, ring, p.At, radius)
			case long > c.px(110):
				circle(l, ring, p.At, radius/2)
				circle(l, ring, p.To, radius/2)
			default:
				circle(l, ring, p.At.Mid(p.To), max(radius, long*3/4))
			}
		}
		c.layer(l, w.colour, 0.95)
	}
}

func circle(l *pcb.Layer, shape int32, centre geom.Point, r int64) {
	a, b := geom.Pt(centre.X-r, centre.Y), geom.Pt(centre.X+r, centre.Y)
	line(l, shape, geom.Edge{A: a, B: b, Centre: centre, Turn: geom.Clockwise})
	line(l, shape, geom.Edge{A: b, B: a, Centre: centre, Turn: geom.Clockwise})
}
