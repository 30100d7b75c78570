package copper

import (
	"context"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// nodes joins islands through plated holes.
func (c *Copper) nodes(ctx context.Context) error {
	const chunk = 256
	holes := c.Board.Holes
	met := make([][]int32, len(holes))
	err := parallel.Run(ctx, (len(holes)+chunk-1)/chunk, func(k int) {
		for i := k * chunk; i < min(len(holes), (k+1)*chunk); i++ {
			met[i] = c.holeIslands(&holes[i])
		}
	})
	if err != nil {
		return err
	}
	s := shape.NewSets(len(c.Islands))
	c.Holes = make([]int32, len(holes))
	for i, islands := range met {
		c.Holes[i] = -1
		for _, m := range islands {
			c.Holes[i] = islands[0]
			s.Join(islands[0], m)
		}
	}
	c.number(s)
	return nil
}

// holeIslands gives the islands that a hole joins.
func (c *Copper) holeIslands(h *pcb.Hole) []int32 {
	if !mayJoin(h) || h.Plating != pcb.Plated && !c.padsAtEnds(h) {
		return nil
	}
	return c.appendIslands(nil, h, shape.AppendHole(nil, c.Board, h))
}

// mayJoin tells whether a hole's barrel may be copper.
func mayJoin(h *pcb.Hole) bool {
	switch {
	case h.Plating == pcb.NonPlated, h.Function == pcb.FuncBackDrill, h.Function == pcb.FuncMechanicalDrill && h.Plating != pcb.Plated:
		return false
	}
	return h.Diameter > 0
}

// Spans tells whether a hole passes copper layer l.
func Spans(h *pcb.Hole, l *pcb.Layer) bool {
	if h.From == 0 && h.To == 0 {
		return true
	}
	return l.Order >= int(min(h.From, h.To)) && l.Order <= int(max(h.From, h.To))
}

// appendIslands appends the islands that a hole's barrel meets.
func (c *Copper) appendIslands(out []int32, h *pcb.Hole, barrels []shape.Shape) []int32 {
	for _, l := range c.Layers {
		if !Spans(h, l.Layer) {
			continue
		}
		for k := range barrels {
			l.VisitNear(&barrels[k], HoleTouch, func(i int, _ float64, _, _ geom.Point) bool {
				if n := len(out); n == 0 || out[n-1] != l.Items[i].Island {
					out = append(out, l.Items[i].Island)
				}
				return true
			})
		}
	}
	return out
}

// padsAtEnds tells whether a hole whose plating nobody states has copper put down
// right on it on the outermost two layers that it passes.
func (c *Copper) padsAtEnds(h *pcb.Hole) bool {
	first, last := -1, -1
	for k, l := range c.Layers {
		if Spans(h, l.Layer) {
			if first < 0 {
				first = k
			}
			last = k
		}
	}
	return first >= 0 && last > first && c.padOn(first, h) && c.padOn(last, h)
}

func (c *Copper) padOn(layer int, h *pcb.Hole) bool {
	l, found := c.Layers[layer], false
	at := h.A.Mid(h.B)
	l.Index.Search(geom.BoxOf(at).Grow(h.Diameter/2), func(i int) bool {
		f := l.FeatureOf(i)
		found = f != nil && (f.Kind == pcb.FlashFeature && f.A.Dist(at) <= float64(h.Diameter)/2 || l.PadStroke(i, h))
		return !found
	})
	return found
}

// PadStroke reports whether item i is the pad of a hole, drawn as a stroke as some
// tools draw oblong pads: short for its width, and with copper all round the barrel.
func (l *Layer) PadStroke(i int, h *pcb.Hole) bool {
	const ring = 50 * geom.Micrometre
	f := l.FeatureOf(i)
	if f == nil || f.Kind != pcb.LineFeature || h.Kind == pcb.RoutedHole {
		return false
	}
	e, width := l.Layer.Edge(f), l.Layer.Width(f)
	if e.A.Dist(e.B) > float64(2*width) {
		return false
	}
	room := float64(width-h.Diameter)/2 - float64(ring)
	_, a := e.Nearest(h.A)
	_, b := e.Nearest(h.B)
	return max(a, b) <= room
}

// number makes nodes of joined islands.
func (c *Copper) number(s shape.Sets) {
	of := make([]int32, len(c.Islands))
	for i := range c.Islands {
		root := s.Find(int32(i))
		if int(root) == i {
			of[i] = int32(len(c.Nodes))
			c.Nodes = append(c.Nodes, Node{})
		}
		c.Islands[i].Node = of[root]
		n := &c.Nodes[of[root]]
		n.Islands = append(n.Islands, int32(i))
		for _, k := range c.Islands[i].Items {
			c.Layers[c.Islands[i].Layer].Items[k].Node = of[root]
		}
	}
	for i, island := range c.Holes {
		if island >= 0 {
			c.Holes[i] = c.Islands[island].Node
			n := &c.Nodes[c.Holes[i]]
			n.Holes = append(n.Holes, int32(i))
		}
	}
}
