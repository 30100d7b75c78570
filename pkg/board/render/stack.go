package render

import (
	"context"
	"image"
	"image/color"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// ground is what a stack is drawn on.
var ground = color.NRGBA{0x16, 0x19, 0x1d, 0xff}

// Stack draws all layers of a board over each other, translucent, seen from the
// top: what lies lowest first, on a dark ground.
func Stack(ctx context.Context, b *pcb.Board, o Options) (*image.NRGBA, error) {
	ctx, end := pcb.WithBudget(ctx, pcb.Limits{})
	defer end()
	v, err := newView(pcb.MeterOf(ctx), stackExtent(b, o), o, false)
	if err != nil {
		return nil, err
	}
	s := newStackPainters(&v, b, workers(o))
	img := image.NewNRGBA(image.Rect(0, 0, v.w, v.h))
	v.bands(workers(o), func(b *band) {
		out := img.Pix[b.y0*img.Stride : b.y1*img.Stride]
		s.compose(b, func(y int, row []stretch) { paintRow(out[y*img.Stride:(y+1)*img.Stride], row) })
	})
	return img, v.meter.Err()
}

// paintRow paints the pixels of a row.
func paintRow(out []byte, row []stretch) {
	for i, s := range row {
		end := len(out)
		if i+1 < len(row) {
			end = 4 * int(row[i+1].x)
		}
		r, g, b := s.colour.rgb()
		for at := 4 * int(s.x); at < end; at += 4 {
			out[at], out[at+1], out[at+2], out[at+3] = r, g, b, 0xff
		}
	}
}

// stackExtent is the board, or all that its layers draw.
func stackExtent(b *pcb.Board, o Options) geom.Box {
	if !o.Whole {
		return Extent(b)
	}
	boxes := make([]geom.Box, len(b.Layers))
	runEach(len(boxes), workers(o), func(i int) { boxes[i] = b.Layers[i].Bounds() })
	box := geom.EmptyBox()
	for _, x := range boxes {
		box = box.Union(x)
	}
	return box
}

// height orders layers from the bottom up: what is printed on a side lies over
// its mask, and that over its copper. Drawings for people go below all.
func height(l *pcb.Layer) int {
	up := 0
	switch l.Role {
	case pcb.RoleCopper:
		switch l.Side {
		case pcb.Top:
			return 1000
		case pcb.Bottom:
			return -1000
		}
		return 500 - l.Order
	case pcb.RoleMask:
		up = 1
	case pcb.RolePaste:
		up = 2
	case pcb.RoleSilk:
		up = 3
	case pcb.RoleOutline, pcb.RoleDrill:
		return 2000
	default:
		return -2000
	}
	if l.Side == pcb.Bottom {
		return -1000 - up
	}
	return 1000 + up
}

// stackPainters are the drawers of a board's layers, lowest first.
type stackPainters []*layerDrawer

func newStackPainters(v *view, b *pcb.Board, n int) stackPainters {
	layers := slices.Clone(b.Layers)
	slices.SortStableFunc(layers, func(x, y *pcb.Layer) int { return height(x) - height(y) })
	s := make(stackPainters, len(layers))
	const room = 1000 // of what a layer covers of a band
	if !v.meter.Spend(pcb.Shapes, room*len(layers)) {
		return nil
	}
	runEach(len(s), n, func(i int) { s[i] = newLayerDrawer(v, layers[i]) })
	return s
}

// compose blends all layers of a band and puts its rows, from the top down.
func (s stackPainters) compose(b *band, put func(y int, row []stretch)) {
	b.pile.reset(b.w, b.y1-b.y0)
	for _, d := range s {
		if d.v.meter.HasEnded() || len(d.bands[b.index]) == 0 && !d.l.Negative {
			continue
		}
		c := newLanes(layerColour(d.l))
		if !d.cuts[b.index] && !d.l.Negative { // only ever adds: no mask is needed
			d.add(b)
			b.pile.add(&b.r, c)
			continue
		}
		mask := b.mask(0)
		d.paint(b, mask)
		b.pile.addMask(mask, c)
	}
	for y := range b.y1 - b.y0 {
		put(y, b.pile.blend(y, newLanes(ground)))
	}
}
