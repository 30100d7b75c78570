package dfm

import (
	"math"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// length is a computed length as an integer.
func length(d float64) int64 { return int64(math.Round(d)) }

// netName is the name of a net; "" when there is none.
func (in *input) netName(n int32) string {
	if n <= 0 || int(n) >= len(in.board.Nets) {
		return ""
	}
	return in.board.Nets[n].Name
}

// netOf is the net of an item, of its pin where the item states none.
func (in *input) netOf(it *copper.Item) int32 {
	if it.Net == 0 && it.Pin > 0 && int(it.Pin) < len(in.board.Pins) {
		return in.board.Pins[it.Pin].Net
	}
	return it.Net
}

// object says what an item is: "pad U1-3", "track of GND", "via".
func (in *input) object(l *copper.Layer, i int) string {
	it := &l.Items[i]
	what := itemWords(l, i)
	if it.Pin > 0 && int(it.Pin) < len(in.board.Pins) {
		p := &in.board.Pins[it.Pin]
		if c := int(p.Component); c >= 0 && c < len(in.board.Components) && in.board.Components[c].Ref != "" {
			return what + " " + in.board.Components[c].Ref + "-" + p.Number
		}
	}
	if n := in.netName(in.netOf(it)); n != "" {
		return what + " of " + n
	}
	return what
}

func itemWords(l *copper.Layer, i int) string {
	f := l.DrawnAs(i)
	switch {
	case f == nil:
		return "plane"
	case f.Function == board.FuncViaPad:
		return "via"
	case f.Function.Pad(), f.Kind == board.FlashFeature:
		return "pad"
	case f.Function == board.FuncNonConductor:
		return "copper text"
	case f.Kind == board.RegionFeature, f.Function == board.FuncPour:
		return "area"
	}
	return "track"
}

// isPadItem tells whether an item is a pad, or part of one; vias' too.
func isPadItem(l *copper.Layer, i int) bool {
	f := l.DrawnAs(i)
	return f != nil && (f.Kind == board.FlashFeature || f.Function.Pad() || f.Function == board.FuncViaPad)
}

// between is a place that lies between two items of a layer.
func (in *input) between(l *copper.Layer, i, j int, p, q geom.Point, d float64) Place {
	return Place{
		Layer: l.Layer.Name, At: p, To: q, Value: length(d), Distance: true,
		Objects: [2]string{in.object(l, i), in.object(l, j)},
		Nets:    [2]string{in.netName(in.netOf(&l.Items[i])), in.netName(in.netOf(&l.Items[j]))},
	}
}

// beside is a place between an item and something that is no copper.
func (in *input) beside(l *copper.Layer, i int, what string, p, q geom.Point, d float64) Place {
	return Place{
		Layer: l.Layer.Name, At: p, To: q, Value: length(d), Distance: true,
		Objects: [2]string{in.object(l, i), what}, Nets: [2]string{in.netName(in.netOf(&l.Items[i]))},
	}
}

// liveIslands tells which copper something is connected to: islands with a pad, or
// whose node has a plated hole or a pad anywhere. The rest is lettering, marks
// and leftovers of pours.
func liveIslands(in *input) []bool {
	c, err := in.copper()
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
	for k := range out {
		out[k] = nodes[c.Islands[k].Node]
	}
	return out
}

// holdsPart tells whether an item is a track of a net, or a pad that something may
// be soldered to. One
// that lies alone and has neither net nor pin has to be bare of mask for it: tools
// leave dots of copper where vias have no pad.
func (in *input) holdsPart(l *copper.Layer, island *copper.Island, i int) bool {
	it := &l.Items[i]
	f := l.DrawnAs(i)
	switch {
	case f == nil, f.Function == board.FuncNonConductor:
		return false
	case f.Kind != board.FlashFeature && f.Kind != board.RegionFeature && it.Net > 0:
		return true // a track, were it ever so lost
	case !isPadItem(l, i):
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
	mask.near(&point, 0, func(k int) {
		bare = bare || mask.shapes[k].Contains(at)
	})
	return bare
}

// alone tells whether an island is one dot, however often it was put down.
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
func (in *input) openings(s board.Side) *sheet {
	for _, f := range in.faces() {
		if f.side == s {
			return f.openings
		}
	}
	return nil
}
