package copper

import (
	"context"

	"boardorder/pkg/board/clip"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
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
	if err := c.sort(); err != nil {
		return nil, err
	}
	poly := c.item.Polygon()
	if len(c.rest) == 0 {
		poly.Holes = append(poly.Holes[:len(poly.Holes):len(poly.Holes)], c.exact...)
		return []shape.Shape{c.area(poly)}, nil
	}
	pieces, err := c.clip()
	if err != nil {
		return nil, err
	}
	return c.pierce(pieces), nil
}

func (c *carving) area(p geom.Polygon) shape.Shape {
	s := shape.Area(p, 0)
	s.Meter(pcb.MeterOf(c.ctx))
	return s
}

// sort tells exact holes from the rest.
func (c *carving) sort() error {
	if !c.item.IsArea() || c.item.Width() > 0 {
		c.rest = c.by
		return nil
	}
	meter := pcb.MeterOf(c.ctx)
	border := shape.Border(c.item.Polygon(), 0)
	border.Meter(meter)
	looked := meter.Tally(pcb.Pairs)
	boxes := make([]geom.Box, len(c.by))
	for i, k := range c.by {
		boxes[i] = c.erasers[k].shape.Bounds()
	}
	index := shape.NewIndex(boxes).SetMeter(meter)
	for i, k := range c.by {
		s := &c.erasers[k].shape
		p, ok := path(s)
		if ok {
			_, _, _, near := border.DistWithin(s, thinnest)
			ok = !near
		}
		if ok {
			index.Search(boxes[i].Grow(thinnest), func(j int) bool {
				if !looked.Add(1) {
					return false
				}
				if j != i {
					_, _, _, near := s.DistWithin(&c.erasers[c.by[j]].shape, thinnest)
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
		if !looked.Add(1) {
			return meter.Err()
		}
	}
	return nil
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
			if !pcb.MeterOf(c.ctx).Spend(pcb.Corners, e.rings.Len()) {
				return nil, pcb.MeterOf(c.ctx).Err()
			}
			e.made = true
		}
		if !pcb.MeterOf(c.ctx).Spend(pcb.Lookups, e.rings.Len()) {
			return nil, pcb.MeterOf(c.ctx).Err()
		}
		clear = append(clear, e.rings.Window(box)...)
	}
	left, err := clip.Combine(c.ctx, clip.Difference, item, clear)
	if err != nil {
		return nil, err
	}
	left = real(left)
	for _, p := range left {
		if !pcb.MeterOf(c.ctx).Spend(pcb.Corners, corners(p)) {
			return nil, pcb.MeterOf(c.ctx).Err()
		}
	}
	return left, nil
}

// pierce puts the exact holes into the pieces that they lie in.
func (c *carving) pierce(pieces []geom.Polygon) []shape.Shape {
	out := make([]shape.Shape, len(pieces))
	boxes := make([]geom.Box, len(pieces))
	for i, p := range pieces {
		out[i], boxes[i] = c.area(p), p.Bounds()
	}
	if len(c.exact) == 0 {
		return out
	}
	index := shape.NewIndex(boxes)
	for _, h := range c.exact {
		at := h.Points[0]
		index.Search(geom.BoxOf(at), func(i int) bool {
			if !out[i].Contains(at) {
				return true
			}
			pieces[i].Holes = append(pieces[i].Holes, h)
			return false
		})
	}
	for i, p := range pieces {
		out[i] = c.area(p)
	}
	return out
}
