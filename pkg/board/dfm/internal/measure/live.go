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
	removed, waste := in.Away(), in.Waste()
	for k := range out {
		n := c.Islands[k].Node
		out[k] = nodes[n] && !removed[n] && !waste[n]
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
	return !slices.ContainsFunc(island.Items, func(i int32) bool { return !in.IsItemMasked(l, int(i)) })
}

// IsItemMasked reports whether there is a mask over a layer and it shows nothing of an item.
func (in *Input) IsItemMasked(l *copper.Layer, i int) bool {
	k := slices.IndexFunc(in.Sides(), func(f *Side) bool { return f.Face == l.Layer.Side })
	if !l.Outer || k < 0 || in.Sides()[k].Doubtful || len(in.Sides()[k].Openings.Shapes) == 0 {
		return false
	}
	mask, s, bare := in.Sides()[k].Openings, &l.Items[i].Shape, false
	mask.VisitNear(s, 0, func(k int) { bare = bare || overlaps(s, &mask.Shapes[k]) })
	return !bare
}

// Picture reports whether an island of a layer is the rows of a picture, of no net and no pin,
// without a track, a hole and paste.
func (in *Input) Picture(l *copper.Layer, island int32) bool {
	c, err := in.Copper()
	return err == nil && l.Outer && rows(l, &c.Islands[island]) && in.isIdle(c, l, island)
}

// lowSide is the shorter side of an item's box.
func lowSide(l *copper.Layer, i int32) int64 {
	box := l.Items[i].Shape.Bounds()
	return min(box.Width(), box.Height())
}

// Remnant reports whether an island is of a picture beside it: one or several rows, which are
// lower than any pad, or such as the picture joins, where the stencil prints none of them.
func (in *Input) Remnant(l *copper.Layer, island, picture int32) bool {
	c, err := in.Copper()
	if err != nil || !l.Outer || !in.isIdle(c, l, island) {
		return false
	}
	stencil := len(in.Board.Find(pcb.RolePaste, l.Layer.Side)) > 0
	return !slices.ContainsFunc(c.Islands[island].Items, func(i int32) bool {
		low := lowSide(l, i)
		return low > lowestRow && !(stencil && in.joinsRows(l, &c.Islands[picture], low))
	})
}

// joinsRows reports whether a picture holds a shape that is as high or as wide.
func (in *Input) joinsRows(l *copper.Layer, picture *copper.Island, size int64) bool {
	slack := 2 * l.Layer.Step
	return in.Meter.Spend(pcb.Lookups, len(picture.Items)) && slices.ContainsFunc(picture.Items, func(i int32) bool {
		box := l.Items[i].Shape.Bounds()
		return max(box.Height()-size, size-box.Height()) <= slack || max(box.Width()-size, size-box.Width()) <= slack
	})
}

// isIdle reports whether nothing electrical is known of an island.
func (in *Input) isIdle(c *copper.Copper, l *copper.Layer, island int32) bool {
	at := &c.Islands[island]
	return len(c.Nodes[at.Node].Holes) == 0 && !in.hasPaste(l, at) && !slices.ContainsFunc(at.Items, func(i int32) bool { return in.connects(l, int(i)) })
}

// lowestRow is how low the rows of a picture are at most.
const lowestRow = 100 * geom.Micrometre

// rows reports whether an island is drawn as the rows of a picture are: many shapes, nearly all
// equally low, or, of a picture that was turned, equally narrow. Some tools join rows of equal
// ends to larger shapes.
func rows(l *copper.Layer, island *copper.Island) bool {
	const (
		fewest = 8
		share  = 0.8
		exact  = lowestRow / 50 // for how sizes are rounded
		coarse = lowestRow / 10 // where the file rounds both sides to steps
	)
	if len(island.Items) < fewest {
		return false
	}
	low, narrow := int64(lowestRow), int64(lowestRow)
	for _, i := range island.Items {
		box := l.Items[i].Shape.Bounds()
		low, narrow = min(low, box.Height()), min(narrow, box.Width())
	}
	slack := min(max(exact, 2*l.Layer.Step), coarse)
	high, wide := 0, 0
	for _, i := range island.Items {
		box := l.Items[i].Shape.Bounds()
		if box.Height() <= lowestRow && box.Height()-low <= slack {
			high++
		}
		if box.Width() <= lowestRow && box.Width()-narrow <= slack {
			wide++
		}
	}
	most := max(high, wide)
	return most >= fewest && float64(most) >= share*float64(len(island.Items))
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
