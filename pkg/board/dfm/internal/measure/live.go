package measure

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/shape"
)

// liveIslands tells which copper something is connected to: islands with a pad, or
// whose node has a plated hole or a pad anywhere. The rest is lettering, marks,
// leftovers of pours and pads that their drills take away.
func liveIslands(in *Input) []bool {
	c, err := in.Copper()
	if err != nil {
		return nil
	}
	nodes := make([]bool, len(c.Nodes))
	for n := range c.Nodes {
		nodes[n] = len(c.Nodes[n].Holes) > 0
	}
	out := make([]bool, len(c.Islands))
	for k := range c.Islands {
		island := &c.Islands[k]
		l := c.Layers[island.Layer]
		for _, i := range island.Items {
			if nodes[island.Node] {
				break
			}
			nodes[island.Node] = in.holdsPart(l, island, int(i))
		}
	}
	away := in.Away()
	for k := range out {
		out[k] = nodes[c.Islands[k].Node] && !away[c.Islands[k].Node]
	}
	return out
}

// holdsPart reports whether an item is a track of a net, or a pad that something may
// be soldered to. One
// that lies alone and has neither net nor pin has to be bare of mask for it: tools
// leave dots of copper where vias have no pad.
func (in *Input) holdsPart(l *copper.Layer, island *copper.Island, i int) bool {
	it := &l.Items[i]
	f := l.DrawnAs(i)
	switch {
	case f == nil, f.Function == board.FuncNonConductor, f.Function == board.FuncProfile:
		return false
	case f.Kind != board.FlashFeature && f.Kind != board.RegionFeature && it.Net > 0:
		return true // a track, were it ever so lost
	case !IsPadItem(l, i):
		return false
	case it.Net > 0, it.Pin > 0, it.Function.Pad(), !alone(l, island):
		return true
	case !l.Outer:
		return false
	}
	mask := in.openings(l.Layer.Side)
	if mask == nil {
		return true
	}
	at := it.Shape.At()
	point, bare := shape.Circle(at, 0), false
	mask.Near(&point, 0, func(k int) {
		bare = bare || mask.Shapes[k].Contains(at)
	})
	return bare
}

// alone reports whether an island is one dot, however often it was put down.
func alone(l *copper.Layer, island *copper.Island) bool {
	at := l.Items[island.Items[0]].Shape.At()
	for _, i := range island.Items {
		if f := l.DrawnAs(int(i)); f == nil || f.Kind != board.FlashFeature || l.Items[i].Shape.At() != at {
			return false
		}
	}
	return true
}

// openings are those of the mask of a side; nil when there is no mask.
func (in *Input) openings(s board.Side) *DrawnLayer {
	for _, f := range in.Sides() {
		if f.Face == s {
			return f.Openings
		}
	}
	return nil
}
