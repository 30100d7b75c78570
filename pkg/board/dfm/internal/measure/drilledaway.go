package measure

import (
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
)

// NoRing is the width up to which a ring of copper is none at all: drills and pads of
// one size come from files that round differently, drills to thousandths of an inch.
const NoRing = 10 * geom.Micrometre

// findDrilledAway tells of each node of copper whether drills take all of it: pads of
// no net, no larger than their hole, that nothing runs to. Tools draw holes without
// plating so.
func findDrilledAway(in *Input) []bool {
	c, err := in.Copper()
	if err != nil {
		return nil
	}
	out := make([]bool, len(c.Nodes))
	for n := range c.Nodes {
		out[n] = len(c.Nodes[n].Holes) > 0 && in.isDrilledAway(c, &c.Nodes[n])
	}
	return out
}

func (in *Input) isDrilledAway(c *copper.Copper, n *copper.Node) bool {
	for _, k := range n.Islands {
		l := c.Layers[c.Islands[k].Layer]
		for _, i := range c.Islands[k].Items {
			if !IsPadItem(l, int(i)) || in.NetOf(&l.Items[i]) > 0 || !in.fitsHole(n, &l.Items[i]) {
				return false
			}
		}
	}
	return true
}

// fitsHole reports whether a round or oblong item reaches no farther than one of the
// node's holes.
func (in *Input) fitsHole(n *copper.Node, it *copper.Item) bool {
	s := &it.Shape
	if s.IsArea() {
		return false
	}
	for _, k := range n.Holes {
		h := &in.Board.Holes[k]
		axis := geom.Line(h.A, h.B)
		_, a := axis.Nearest(s.Edge().A)
		_, b := axis.Nearest(s.Edge().B)
		if max(a, b)+s.Width()/2 <= float64(h.Diameter/2+NoRing) {
			return true
		}
	}
	return false
}
