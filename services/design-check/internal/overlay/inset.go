package overlay

import (
	"image"
	imagedraw "image/draw"
	"math"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Size of the closer look at the worst place, in pixels; it has the proportions
// of the whole picture.
const (
	insetWidth  = 264
	insetHeight = insetWidth * Height / Width
	insetRim    = 12
)

// inset puts a closer look at one place into the corner farthest from it, with
// a line that leads there.
func (c *canvas) inset(in *canvas, f dfm.Finding) {
	if in.err != nil {
		c.err = in.err
		return
	}
	x, y := c.position(ends(f.Places[0]).Centre())
	at := image.Pt(insetRim, insetRim)
	if x < float64(c.w)/2 {
		at.X = c.w - insetWidth - insetRim
	}
	if y < float64(c.h)/2 {
		at.Y = c.h - insetHeight - insetRim
	}
	c.leader(x, y, float64(at.X)+insetWidth/2, float64(at.Y)+insetHeight/2, f.Level)
	frame := image.Rect(at.X-2, at.Y-2, at.X+insetWidth+2, at.Y+insetHeight+2)
	fill(c.img, frame.Inset(-3), halo)
	fill(c.img, frame, MarkColour(f.Level))
	imagedraw.Draw(c.img, frame.Inset(2), in.img, image.Point{}, imagedraw.Src)
}

// leader draws from the ring at one place of the picture towards another.
func (c *canvas) leader(x, y, toX, toY float64, level dfm.Level) {
	const ring = 17
	dx, dy := toX-x, toY-y
	d := math.Hypot(dx, dy)
	if d <= ring {
		return
	}
	l := pcb.NewLayer("leader", "")
	l.Apertures = append(l.Apertures, pcb.Circle(c.px(2)))
	from, to := c.point(x+dx*ring/d, y+dy*ring/d), c.point(toX, toY)
	line(l, 0, geom.Edge{A: from, B: to})
	c.layer(l, MarkColour(level), 0.8)
}

// point is the place on the board at a place of the picture.
func (c *canvas) point(x, y float64) geom.Point {
	return geom.Pt(c.window.Min.X+int64(x*c.scale), c.window.Max.Y-int64(y*c.scale))
}
