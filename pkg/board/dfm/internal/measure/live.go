package measure

import (
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// liveIslands tells which copper something is connected to: islands with a pad, or
// whose node has a plated hole or a pad anywhere. The rest is lettering, marks,
// leftovers of pours, pads that their drills take away, and what lies in the waste
// beside the board.
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
	away, waste := in.Away(), in.Waste()
	for k := range out {
		n := c.Islands[k].Node
		out[k] = nodes[n] && !away[n] && !waste[n]
	}
	return out
}

// holdsPart reports whether an item is a track of a net, or a pad that something may
// be soldered to. One
// that lies alone and has neither net nor pin has to be bare of mask for it: tools
// leave dots of copper where vias have no pad. Bars of a mark are bare and no pads.
func (in *Input) holdsPart(l *copper.Layer, island *copper.Island, i int) bool {
	it := &l.Items[i]
	f := l.FeatureOf(i)
	switch {
	case f == nil, f.Function == pcb.FuncNonConductor, f.Function == pcb.FuncProfile:
		return false
	case f.Kind != pcb.FlashFeature && f.Kind != pcb.RegionFeature && it.Net > 0:
		return true // a track, were it ever so lost
	case !IsPadItem(l, i):
		return false
	case it.Net > 0, it.Pin > 0, it.Function.Pad(), !isSingleDot(l, island):
		return true
	case !l.Outer:
		return false
	}
	mask := in.openings(l.Layer.Side)
	if mask == nil {
		return true
	}
	at := it.Shape.CorePoint()
	point, bare := shape.Circle(at, 0), false
	mask.VisitNear(&point, 0, func(k int) {
		bare = bare || mask.Shapes[k].Contains(at) && !in.mark(l, i, &mask.Shapes[k])
	})
	return bare
}

// Artwork reports whether an island of a layer is a drawing, as of a logo: nothing but
// shapes of no net and no pin, without a track and without a hole, that are all under the
// mask or are the rows of a picture without paste. It is false where holes do not tell.
func (in *Input) Artwork(l *copper.Layer, island int32) bool {
	c, err := in.Copper()
	if err != nil || !l.Outer || len(in.Board.Holes) == 0 && len(c.Layers) > 1 {
		return false
	}
	at := &c.Islands[island]
	if len(c.Nodes[at.Node].Holes) > 0 || slices.ContainsFunc(at.Items, func(i int32) bool { return in.connects(l, int(i)) }) {
		return false
	}
	return in.isUnderMask(l, at) || rows(l, at) && !in.hasPaste(l, at)
}

// connects reports whether an item may lead current, or is stated to hold a part.
func (in *Input) connects(l *copper.Layer, i int) bool {
	it, f := &l.Items[i], l.FeatureOf(i)
	return f == nil || f.Kind != pcb.FlashFeature && f.Kind != pcb.RegionFeature || in.NetOf(it) > 0 || it.Pin > 0 ||
		f.Function != pcb.FuncUnknown && f.Function != pcb.FuncNonConductor
}

// isUnderMask reports whether the mask shows nothing of an island.
func (in *Input) isUnderMask(l *copper.Layer, island *copper.Island) bool {
	k := slices.IndexFunc(in.Sides(), func(f *Side) bool { return f.Face == l.Layer.Side })
	if k < 0 || in.Sides()[k].Doubtful || len(in.Sides()[k].Openings.Shapes) == 0 {
		return false
	}
	mask, bare := in.Sides()[k].Openings, false
	for _, i := range island.Items {
		s := &l.Items[i].Shape
		mask.VisitNear(s, 0, func(k int) { bare = bare || overlaps(s, &mask.Shapes[k]) })
		if bare {
			return false
		}
	}
	return true
}

// rows reports whether an island is drawn as the rows of a picture are: many shapes, all
// equally low, or, of a picture that was turned, equally narrow.
func rows(l *copper.Layer, island *copper.Island) bool {
	const (
		fewest = 8
		lowest = 100 * geom.Micrometre
		slack  = lowest / 50 // for how sizes are rounded
	)
	first := l.Items[island.Items[0]].Shape.Bounds()
	low, narrow := first.Height() <= lowest, first.Width() <= lowest
	for _, i := range island.Items {
		box := l.Items[i].Shape.Bounds()
		low = low && max(box.Height()-first.Height(), first.Height()-box.Height()) <= slack
		narrow = narrow && max(box.Width()-first.Width(), first.Width()-box.Width()) <= slack
	}
	return len(island.Items) >= fewest && (low || narrow)
}

// hasPaste reports whether paste is printed where an island is.
func (in *Input) hasPaste(l *copper.Layer, island *copper.Island) bool {
	box := geom.Box{}
	for k, i := range island.Items {
		if b := l.Items[i].Shape.Bounds(); k == 0 {
			box = b
		} else {
			box = box.Union(b)
		}
	}
	for _, paste := range in.Board.Find(pcb.RolePaste, l.Layer.Side) {
		if !in.Meter.Spend(pcb.Lookups, len(paste.Features)) || slices.ContainsFunc(paste.Features, func(f pcb.Feature) bool { return box.Contains(f.A) }) {
			return true
		}
	}
	return false
}

// isSingleDot reports whether an island is one dot, however often it was put down.
func isSingleDot(l *copper.Layer, island *copper.Island) bool {
	at := l.Items[island.Items[0]].Shape.CorePoint()
	for _, i := range island.Items {
		if f := l.FeatureOf(int(i)); f == nil || f.Kind != pcb.FlashFeature || l.Items[i].Shape.CorePoint() != at {
			return false
		}
	}
	return true
}

// openings are those of the mask of a side; nil when there is no mask.
func (in *Input) openings(s pcb.Side) *DrawnLayer {
	for _, f := range in.Sides() {
		if f.Face == s {
			return f.Openings
		}
	}
	return nil
}
