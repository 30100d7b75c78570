package copper

import (
	"context"

	"boardorder/pkg/board/clip"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// A carving takes erasers off one item.
type carving struct {
	ctx     context.Context
	item    *shape.Shape
	erasers []eraser
	by      []int32 // those that touch the item
	exact   []geom.Path
	rest    []int32
}

// carve gives what is left. Erasers that lie inside the item and touch neither its
// border nor each other become exact holes; the rest is left to package clip.
func (c *carving) carve() ([]shape.Shape, error) {
	c.sort()
	poly := c.item.Polygon()
	if len(c.rest) == 0 {
		poly.Holes = append(poly.Holes[:len(poly.Holes):len(poly.Holes)], c.exact...)
		return []shape.Shape{shape.Area(poly, 0)}, nil
	}
	pieces, err := c.clip()
	if err != nil {
		return nil, err
	}
	return c.pierce(pieces), nil
}

// sort tells exact holes from the rest.
func (c *carving) sort() {
	if !c.item.IsArea() || c.item.Width() > 0 {
		c.rest = c.by
		return
	}
	border := shape.Border(c.item.Polygon(), 0)
	boxes := make([]geom.Box, len(c.by))
	for i, k := range c.by {
		boxes[i] = c.erasers[k].shape.Bounds()
	}
	index := shape.NewIndex(boxes)
	for i, k := range c.by {
		s := &c.erasers[k].shape
		p, ok := path(s)
		if ok {
			_, _, _, near := border.Within(s, thinnest)
			ok = !near
		}
		if ok {
			index.Search(boxes[i].Grow(thinnest), func(j int) bool {
				if j != i {
					_, _, _, near := s.Within(&c.erasers[c.by[j]].shape, thinnest)
					ok = !near
				}
				return ok
			})
		}
		if ok {
			c.exact = append(c.exact, p)
		} else {
			c.rest = append(c.rest, k)
		}
	}
}

func (c *carving) clip() ([]geom.Polygon, error) {
	item, err := rings(c.ctx, c.item)
	if err != nil {
		return nil, err
	}
	box := c.item.Bounds().Grow(geom.Micrometre) // a large eraser may touch thousands of small items
	var clear clip.Rings
	for _, k := range c.rest {
		e := &c.erasers[k]
		if !e.made {
			if e.rings, err = rings(c.ctx, &e.shape); err != nil {
				return nil, err
			}
			e.made = true
		}
		clear = append(clear, e.rings.Window(box)...)
	}
	left, err := clip.Of(c.ctx, clip.Difference, item, clear)
	return real(left), err
}

// pierce puts the exact holes into the pieces that they lie in.
func (c *carving) pierce(pieces []geom.Polygon) []shape.Shape {
	out := make([]shape.Shape, len(pieces))
	boxes := make([]geom.Box, len(pieces))
	for i, p := range pieces {
		out[i], boxes[i] = shape.Area(p, 0), p.Bounds()
	}
	if len(c.exact) == 0 {
		return out
	}
	index := shape.NewIndex(boxes)
	for _, h := range c.exact {
		at := h.Points[0]
		index.Search(geom.Bound(at), func(i int) bool {
			if !out[i].Contains(at) {
				return true
			}
			pieces[i].Holes = append(pieces[i].Holes, h)
			return false
		})
	}
	for i, p := range pieces {
		out[i] = shape.Area(p, 0)
	}
	return out
}
