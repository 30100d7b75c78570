package layers

import (
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// whole tells of copper layers that as wholes are not those of the board: one that lies beside
// it, one that is empty where its stencil puts paste, one that draws what another does.
func whole(in *measure.Input) rule.Result {
	var r rule.Result
	r.Add(findMisplaced(in))
	r.Add(emptyCopper(in))
	r.Add(copies(in))
	return r
}

// findMisplaced finds copper layers of which nothing lies on the board, where others do.
func findMisplaced(in *measure.Input) rule.Result {
	edge := in.Board.Outline.Bounds()
	if edge.Empty() {
		return rule.Result{}
	}
	var r rule.Result
	on := false
	for _, l := range in.Board.Copper() {
		box := geom.EmptyBox()
		for i := range l.Features {
			if !l.Features[i].Clear {
				box = box.Union(l.FeatureBounds(&l.Features[i]))
			}
		}
		switch {
		case box.Empty() || l.Negative:
		case box.Overlaps(edge):
			on = true
		default:
			r.Add(rule.LayerFinding(dfm.CopperOutside, dfm.MustFix, 1, []string{l.Name},
				"All copper of %s lies beside the board, while that of other layers lies on it: its file has another origin or unit, or is of another board. Send it again as the others were.", measure.LayerWords(l)))
		}
	}
	if !on {
		return rule.Result{}
	}
	return r
}

// emptyCopper finds outer copper that is empty where solder paste is put.
func emptyCopper(in *measure.Input) rule.Result {
	var r rule.Result
	for _, s := range []pcb.Side{pcb.Top, pcb.Bottom} {
		l := in.Outer(s)
		if l == nil || l.Negative || measure.IsDrawn(l) || !slices.ContainsFunc(in.Board.Find(pcb.RolePaste, s), measure.IsDrawn) || !slices.ContainsFunc(in.Board.Copper(), measure.IsDrawn) {
			continue
		}
		r.Add(rule.LayerFinding(dfm.LayerEmpty, dfm.MustFix, 1, []string{l.Name},
			"The copper layer %s is empty, and the stencil of the %s side puts solder paste there: nothing could be soldered. Send the layer with its copper, or leave the stencil out.", measure.LayerWords(l), s))
	}
	return r
}

// fewestTracks is from which on two layers that draw the same are no chance.
const fewestTracks = 10

// copies finds copper layers that draw the same tracks as another one. Of inner planes two may
// well be alike.
func copies(in *measure.Input) rule.Result {
	var r rule.Result
	layers := in.Board.Copper()
	for i, l := range layers {
		for _, m := range layers[:i] {
			if !in.Meter.Spend(pcb.Lookups, len(l.Features)) || !sameDrawing(l, m) || l.Side == pcb.Inner && hasLargeArea(l, in.Board.Outline.Bounds()) {
				continue
			}
			r.Add(rule.LayerFinding(dfm.LayerExtra, dfm.Warning, 1, []string{m.Name, l.Name},
				"%s and %s draw the same, tracks and all: one may have been written in the place of the other. Send the right file, or say that it is meant.", measure.LayerWords(m), measure.LayerWords(l)))
			break
		}
	}
	return r
}

// hasLargeArea tells whether an area of a layer goes over half of the board.
func hasLargeArea(l *pcb.Layer, edge geom.Box) bool {
	return slices.ContainsFunc(l.Features, func(f pcb.Feature) bool {
		if f.Kind != pcb.RegionFeature || f.Clear {
			return false
		}
		box := l.FeatureBounds(&f)
		return 2*float64(box.Width())*float64(box.Height()) > float64(edge.Width())*float64(edge.Height())
	})
}

// sameDrawing tells whether two layers draw the same in the same order, more than lands and
// pours.
func sameDrawing(l, m *pcb.Layer) bool {
	if len(l.Features) != len(m.Features) {
		return false
	}
	tracks := 0
	for i := range l.Features {
		f, g := &l.Features[i], &m.Features[i]
		if f.Kind != g.Kind || f.A != g.A || f.B != g.B || f.Clear != g.Clear || l.FeatureBounds(f) != m.FeatureBounds(g) {
			return false
		}
		if f.Kind == pcb.LineFeature && f.A != f.B && !f.Clear {
			tracks++
		}
	}
	return tracks >= fewestTracks
}
