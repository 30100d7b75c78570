package dfm

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
)

// judgedLayers tells which copper layers are what they seem: not one of those that
// are likely planes given as negatives without saying so. Gaps between what is
// really taken away would tell nothing.
func judgedLayers(in *input) []bool {
	layers := in.board.Copper()
	out := make([]bool, len(layers))
	for k, l := range layers {
		out[k] = l.Negative || !in.seemsNegative(l) && !reliefs(l)
	}
	return out
}

// unjudged says which layers were left out.
func (in *input) unjudged() result {
	var r result
	for k, l := range in.board.Copper() {
		if !in.judged()[k] {
			r.unchecked = append(r.unchecked, fmt.Sprintf("copper of %s: it looks like a plane that is given as a negative", layerWords(l)))
		}
	}
	return r
}

// reliefs tells whether a layer holds nothing but flashes, and among them some that
// make sense in negatives only: rings in pieces round an open middle, which
// leave the spokes of a thermal relief.
func reliefs(l *board.Layer) bool {
	shapes := make([]bool, len(l.Apertures))
	for i := range l.Apertures {
		shapes[i] = relief(&l.Apertures[i])
	}
	spokes, flashes, lines := 0, 0, 0
	for i := range l.Features {
		f := &l.Features[i]
		switch {
		case f.Kind == board.RegionFeature, f.Net > 0:
			return false
		case f.Kind != board.FlashFeature:
			lines++
		default:
			flashes++
			if !f.Clear && shapes[f.Shape] {
				spokes++
			}
		}
	}
	return spokes > 0 && lines <= flashes
}

// relief tells whether an aperture is a ring in three pieces or more with nothing in
// the middle.
func relief(a *board.Aperture) bool {
	if a.Kind != board.MacroShape {
		return false
	}
	l := board.NewLayer("", "")
	l.Role, l.Side = board.RoleCopper, board.Top
	l.Apertures = []board.Aperture{*a}
	l.Features = []board.Feature{{Kind: board.FlashFeature}}
	b := board.NewBoard("")
	b.Layers = []*board.Layer{l}
	c, err := copper.Of(context.Background(), b)
	if err != nil || len(c.Islands) < 3 {
		return false
	}
	middle := false
	c.Layers[0].At(geom.Point{}, func(int) bool {
		middle = true
		return false
	})
	return !middle
}

// painted tells whether a line is part of a fill, where it comes closest to p or
// in its middle: it runs on the rim of an area, or there is more copper right
// across it.
func (in *input) painted(l *copper.Layer, i int, p geom.Point) bool {
	f := l.DrawnAs(i)
	if f == nil || f.Kind != board.LineFeature && f.Kind != board.ArcFeature {
		return false
	}
	e, width := l.Layer.Edge(f), l.Layer.Width(f)
	w := widthLayer{in: in, l: l, reach: 2 * width}
	near := w.around(i)
	closest, _ := e.Nearest(p)
	for _, m := range [2]geom.Point{closest, e.Mid()} {
		if onRim(l, near, m, width) {
			return true
		}
		dir := e.B.Sub(e.A).Angle() + math.Pi/2
		if e.IsArc() {
			dir = m.Sub(e.Centre).Angle()
		}
		if w.across(i, near, m, dir, width)*4 >= width*5 {
			return true
		}
	}
	return false
}

// onRim tells whether one of some items is an area that a line of the width given
// would be the rim of at m.
func onRim(l *copper.Layer, items []int32, m geom.Point, width int64) bool {
	for _, j := range items {
		if f := l.DrawnAs(int(j)); f != nil && f.Kind == board.RegionFeature && l.Items[j].Shape.To(m) <= float64(width)/4 {
			return true
		}
	}
	return false
}
