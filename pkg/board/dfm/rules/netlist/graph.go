package netlist

import (
	"context"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// A spotOn is an item of a layer.
type spotOn struct{ layer, item int32 }

// A joint is where two items of a node touch, or a hole joins them.
type joint struct {
	to int32
	at geom.Point
}

// A nodeGraph is the copper of one node: its items and how they touch, but for those
// that are said to be of one net. Parts that join nets on purpose are left out.
type nodeGraph struct {
	spots  []spotOn
	number map[spotOn]int32
	joints [][]joint
}

// Layers that are marked in without are left out as well.
func (n *netting) graph(ctx context.Context, node int32, without []bool) *nodeGraph {
	g := &nodeGraph{number: map[spotOn]int32{}}
	skip := n.tieCopper(node)
	for _, island := range n.c.Nodes[node].Islands {
		d := &n.c.Islands[island]
		if without != nil && without[d.Layer] {
			continue
		}
		for _, i := range d.Items {
			if at := (spotOn{d.Layer, i}); !skip[at] {
				g.number[at] = int32(len(g.spots))
				g.spots = append(g.spots, at)
			}
		}
	}
	g.joints = make([][]joint, len(g.spots))
	m := pcb.MeterOf(ctx)
	looked, joined := m.Tally(pcb.Lookups), m.Tally(pcb.Shapes)
	for k, at := range g.spots {
		if !looked.Add(1) {
			return g
		}
		l, labels := n.c.Layers[at.layer], n.labels[at.layer]
		s := &l.Items[at.item].Shape
		l.Index.Search(s.Bounds().Grow(copper.Touch+1), func(i int) bool {
			if net := labels[i]; net != 0 && net == labels[at.item] {
				return true
			}
			if to, ok := g.number[spotOn{at.layer, int32(i)}]; ok && int(to) != k {
				if _, p, _, ok := s.DistWithin(&l.Items[i].Shape, copper.Touch); ok && joined.Add(1) {
					g.joints[k] = append(g.joints[k], joint{to, p})
				}
			}
			return true
		})
	}
	for _, h := range n.c.Nodes[node].Holes {
		g.joinHole(n, h)
	}
	return g
}

// joinHole joins what a hole meets to the first of it.
func (g *nodeGraph) joinHole(n *netting, h int32) {
	hole := &n.in.Board.Holes[h]
	at := hole.A.Mid(hole.B)
	first := int32(-1)
	n.visitHoleCopper(h, func(s spotOn) {
		k, ok := g.number[s]
		switch {
		case !ok || k == first:
		case first < 0:
			first = k
		default:
			g.joints[first] = append(g.joints[first], joint{k, at})
			g.joints[k] = append(g.joints[k], joint{first, at})
		}
	})
}

// visitHoleCopper calls yield with the copper that a hole's barrel joins.
func (n *netting) visitHoleCopper(h int32, yield func(spotOn)) {
	hole := &n.in.Board.Holes[h]
	for _, barrel := range shape.AppendHole(nil, n.in.Board, hole) {
		for k, l := range n.c.Layers {
			if !copper.Spans(hole, l.Layer) {
				continue
			}
			l.VisitNear(&barrel, copper.HoleTouch, func(i int, _ float64, _, _ geom.Point) bool {
				yield(spotOn{int32(k), int32(i)})
				return true
			})
		}
	}
}
