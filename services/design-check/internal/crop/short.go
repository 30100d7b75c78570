package crop

import (
	"context"

	"boardorder/pkg/board/clip"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
)

// Owners of copper round a short.
const (
	neither = iota
	first
	second
)

// cutShort adds the layer of a short with the copper of either net apart, and where the
// two lie on each other.
func (c *Cutter) cutShort(ctx context.Context, out *Crop, p dfm.Place) error {
	l := c.layerOfShort(p)
	if l == nil {
		return nil
	}
	owner := c.spread(l, out.Box, p)
	var areas [3][]geom.Polygon
	for k := range areas {
		var err error
		if areas[k], err = cut(ctx, l, out.Box, func(i int) bool { return owner[i] == k }); err != nil {
			return err
		}
	}
	bridge, err := clip.Combine(ctx, clip.Intersection, clip.Outlines(areas[first]), clip.Outlines(areas[second]))
	out.append(Layer, l.Layer, areas[neither])
	out.append(NetA, l.Layer, areas[first])
	out.append(NetB, l.Layer, areas[second])
	out.append(Bridge, l.Layer, bridge)
	return err
}

// layerOfShort is the copper layer that a short's place names.
func (c *Cutter) layerOfShort(p dfm.Place) *copper.Layer {
	for _, l := range c.copper.Layers {
		if l.Layer.Name == p.Layer {
			return l
		}
	}
	return nil
}

// spread tells whose the items of a layer in a box are: what is stated to be of either net,
// and the pieces that meet, and what touches these.
func (c *Cutter) spread(l *copper.Layer, box geom.Box, p dfm.Place) map[int]int {
	owner := map[int]int{}
	var queue []int
	take := func(i, of int) {
		if owner[i] == neither {
			owner[i] = of
			queue = append(queue, i)
		}
	}
	for k, piece := range p.Pieces {
		if n := int(piece.Layer); n > 0 && n <= len(c.copper.Layers) && c.copper.Layers[n-1] == l && int(piece.Item) < len(l.Items) {
			take(int(piece.Item), first+k)
		}
	}
	l.Index.Search(box, func(i int) bool {
		if name := c.netName(l.Items[i].Net); name != "" {
			for k, net := range p.Nets {
				if name == net {
					take(i, first+k)
				}
			}
		}
		return true
	})
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		if !l.Items[i].Shape.Bounds().Overlaps(box) {
			continue
		}
		l.VisitNear(&l.Items[i].Shape, touch, func(j int, _ float64, _, _ geom.Point) bool {
			if l.Items[j].Net == 0 && l.Items[j].Shape.Bounds().Overlaps(box) {
				take(j, owner[i])
			}
			return true
		})
	}
	return owner
}

func (c *Cutter) netName(net int32) string {
	if net <= 0 || int(net) >= len(c.board.Nets) {
		return ""
	}
	return c.board.Nets[net].Name
}
