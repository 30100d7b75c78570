package copper

import (
	"context"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// base is what a negative plane is before anything is taken away.
type base struct {
	areas   []geom.Polygon
	assumed string
}

// boardArea is the board's outline; where that is not closed, the box of all there is.
func boardArea(b *pcb.Board) base {
	if len(b.Outline.Areas) > 0 {
		return base{areas: b.Outline.Areas}
	}
	box := b.Outline.Bounds()
	if box.Empty() {
		for _, l := range b.Layers {
			if l.Role == pcb.RoleCopper {
				box = box.Union(l.Bounds())
			}
		}
	}
	if box.Empty() {
		return base{}
	}
	return base{
		areas:   []geom.Polygon{{Outer: geom.Rect(box)}},
		assumed: "The outline does not close: negative planes are taken to fill the rectangle round it.",
	}
}

// invert gives the plane that is left when the items are taken away.
func invert(ctx context.Context, plane base, items []Item) ([]Item, error) {
	erasers := make([]eraser, len(items))
	for i := range items {
		erasers[i] = eraser{shape: items[i].Shape}
	}
	var out []Item
	for _, area := range plane.areas {
		whole := []Item{{Shape: shape.Area(area, 0), Feature: -2}} // drawn before all
		by, err := cuts(ctx, whole, erasers)
		if err != nil {
			return nil, err
		}
		c := carving{ctx: ctx, item: &whole[0].Shape, erasers: erasers, by: by[0]}
		left, err := c.carve()
		if err != nil {
			return nil, err
		}
		for _, s := range left {
			out = append(out, Item{Shape: s, Feature: -1, Function: pcb.FuncPour, Cut: true})
		}
	}
	return out, nil
}
