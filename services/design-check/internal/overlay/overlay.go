// Package overlay draws what a check found: a part of the board, pale, with
// the places marked. Pictures are seen from the top, whichever layer they show.
package overlay

import (
	"context"
	"errors"
	"image"
	"image/color"
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
)

// Size of the drawing, in pixels; a caption stands below it.
const (
	Width, Height = 880, 620
	caption       = 64
)

// ErrNoPlace is returned for findings that are nowhere in particular.
var ErrNoPlace = errors.New("overlay: the finding has no place")

// Artist draws findings of one board.
type Artist struct {
	board *pcb.Board
	body  *pcb.Layer
	holes *pcb.Layer
}

// New prepares what every picture of the board needs.
func New(b *pcb.Board) *Artist {
	return &Artist{board: b, body: Body(b), holes: Holes(b)}
}

var (
	paper = color.NRGBA{0xf6, 0xf7, 0xf4, 0xff}
	ink   = color.NRGBA{0x1d, 0x23, 0x26, 0xff}
	soft  = color.NRGBA{0x5d, 0x67, 0x6b, 0xff}
	halo  = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// BodyColour and HoleColour are those of bare board and of what is drilled.
var (
	BodyColour = color.NRGBA{0xdf, 0xe6, 0xdc, 0xff}
	HoleColour = color.NRGBA{0x8d, 0x97, 0x99, 0xff}
)

// Colour is what a layer is drawn in, on pale ground.
func Colour(l *pcb.Layer) color.NRGBA {
	switch l.Role {
	case pcb.RoleCopper:
		return copperColour(l)
	case pcb.RoleMask:
		return color.NRGBA{0x7a, 0x4f, 0xa3, 0xff}
	case pcb.RolePaste:
		return color.NRGBA{0x8a, 0x8f, 0x94, 0xff}
	case pcb.RoleSilk:
		return color.NRGBA{0x8c, 0x7a, 0x1e, 0xff}
	case pcb.RoleOutline:
		return ink
	case pcb.RoleDrill, pcb.RoleDrillDrawing:
		return color.NRGBA{0x3f, 0x8f, 0x87, 0xff}
	}
	return color.NRGBA{0x7d, 0x86, 0x8b, 0xff}
}

func copperColour(l *pcb.Layer) color.NRGBA {
	switch l.Side {
	case pcb.Top:
		return color.NRGBA{0xc4, 0x6a, 0x4a, 0xff}
	case pcb.Bottom:
		return color.NRGBA{0x4a, 0x7f, 0xb5, 0xff}
	}
	inner := [...]color.NRGBA{
		{0x5c, 0x9a, 0x5c, 0xff}, {0xb0, 0x8a, 0x3c, 0xff}, {0x3f, 0x9c, 0x9c, 0xff}, {0xb0, 0x5f, 0x86, 0xff}, {0x7c, 0x78, 0xc4, 0xff},
		{0x8f, 0x9b, 0x2f, 0xff}, {0x9a, 0x6b, 0x4f, 0xff}, {0x5a, 0x8a, 0x8f, 0xff}, {0xa8, 0x5c, 0xb8, 0xff}, {0x6b, 0x7d, 0x55, 0xff},
	}
	return inner[max(0, l.Order-2)%len(inner)]
}

// MarkColour is what places are marked in, by level.
func MarkColour(l dfm.Level) color.NRGBA {
	switch l {
	case dfm.MustFix:
		return color.NRGBA{0xc8, 0x10, 0x2e, 0xff}
	case dfm.Warning:
		return color.NRGBA{0xb0, 0x5c, 0x00, 0xff}
	}
	return color.NRGBA{0x1f, 0x5f, 0xa8, 0xff}
}

// Draw gives the picture of a finding; it fails when ctx ends.
func (a *Artist) Draw(ctx context.Context, f dfm.Finding) (*image.NRGBA, error) {
	if len(f.Places) == 0 {
		return nil, ErrNoPlace
	}
	extent := render.Extent(a.board)
	window, all := frame(f, extent)
	c := newCanvas(ctx, window, Width, Height)
	layers := a.findingLayers(f)
	a.paint(c, layers)
	c.marks(f, 15)
	if all {
		worst := f
		worst.Places = f.Places[:1]
		near, _ := frame(worst, geom.Box{Min: extent.Min, Max: extent.Min})
		in := newCanvas(ctx, near, insetWidth, insetHeight)
		a.paint(in, layers)
		in.marks(worst, 26)
		c.inset(in, worst)
	}
	c.caption(f)
	return c.finish()
}

// paint draws the board itself.
func (a *Artist) paint(c *canvas, layers []shown) {
	c.layer(a.body, BodyColour, 1)
	for _, s := range layers {
		c.layer(s.layer, Colour(s.layer), s.strength)
	}
	c.layer(a.holes, HoleColour, 1)
}

// shown is one layer and how strongly it is drawn.
type shown struct {
	layer    *pcb.Layer
	strength float64
}

// findingLayers are the layers that a finding is about, over the copper of the same
// side where they are no copper themselves.
func (a *Artist) findingLayers(f dfm.Finding) []shown {
	var about []*pcb.Layer
	for _, p := range f.Places {
		for _, l := range a.board.Layers {
			if l.Name == p.Layer && len(about) < 2 && !slices.Contains(about, l) {
				about = append(about, l)
			}
		}
	}
	var out []shown
	if !slices.ContainsFunc(about, func(l *pcb.Layer) bool { return l.Role == pcb.RoleCopper }) {
		out = a.context(about)
	}
	for _, l := range about {
		out = append(out, shown{l, 0.8})
	}
	return out
}

// context is the copper that lies beside the layers: of their side, or else
// the outer layers.
func (a *Artist) context(about []*pcb.Layer) []shown {
	side := pcb.NoSide
	if len(about) > 0 {
		side = about[0].Side
	}
	var out []shown
	copper := a.board.Copper()
	for i := len(copper) - 1; i >= 0; i-- {
		l := copper[i]
		if l.Side == side || side == pcb.NoSide && (i == 0 || i == len(copper)-1) {
			out = append(out, shown{l, 0.3})
		}
	}
	return out
}

// Body is the board's own shape as a layer; empty where there is no outline.
func Body(b *pcb.Board) *pcb.Layer {
	l := pcb.NewLayer("board", "")
	for i := range b.Outline.Areas {
		l.Regions = append(l.Regions, b.Outline.Areas[i])
		l.Features = append(l.Features, pcb.Feature{Kind: pcb.RegionFeature, Shape: int32(len(l.Regions) - 1)})
	}
	return l
}

// Holes is what is drilled and routed, as a layer.
func Holes(b *pcb.Board) *pcb.Layer {
	l := pcb.NewLayer("holes", "")
	apertures := map[int64]int32{}
	for i := range b.Holes {
		h := &b.Holes[i]
		shape, ok := apertures[h.Diameter]
		if !ok {
			l.Apertures = append(l.Apertures, pcb.Circle(h.Diameter))
			shape = int32(len(l.Apertures) - 1)
			apertures[h.Diameter] = shape
		}
		b.HoleEdges(h, func(e geom.Edge) { line(l, shape, e) })
	}
	return l
}

// line draws an edge with an aperture; one without length is a flash.
func line(l *pcb.Layer, shape int32, e geom.Edge) {
	f := pcb.Feature{Kind: pcb.LineFeature, A: e.A, B: e.B, Shape: shape}
	switch {
	case e.IsArc():
		f.Kind, f.Arc = pcb.ArcFeature, int32(len(l.Arcs))
		l.Arcs = append(l.Arcs, pcb.ArcGeometry{Centre: e.Centre, Clockwise: e.Turn == geom.Clockwise})
	case e.A == e.B:
		f.Kind = pcb.FlashFeature
	}
	l.Features = append(l.Features, f)
}
