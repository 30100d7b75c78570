package outline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// edgeOfHairlines looks for an edge that is plotted along with copper or legend: a closed
// line of no width round all pads and holes. No fabricator makes copper or ink of such a
// line, so it is the edge, and surer than the rim of a pour. It is taken out of the
// copper.
func edgeOfHairlines(ctx context.Context, b *board.Board) bool {
	m := board.MeterOf(ctx)
	copper := copperContent(b, thinLayers(b))
	fit := holesFit(b, copper)
	points := pads(b, copper, fit)
	if len(points) == 0 {
		return false
	}
	const frame = 6 // times the extent of the pads: that of a sheet
	var best geom.Path
	from, least := (*board.Layer)(nil), frame*extent(points)
	for _, l := range b.Layers {
		if l.Role != board.RoleCopper && l.Role != board.RoleSilk || l.Negative || lacksApertures(b, l) {
			continue
		}
		thin := hairlines(l)
		length := 0.0
		for i := range thin {
			length += thin[i].Len()
		}
		for _, p := range loops(thin, points, m) {
			if a := math.Abs(p.Area()); a < least && holds(p, points, m) && !isHatched(length, p) && !bordersArea(b, p, m) && !isCrossed(b, p, m) {
				best, least, from = p, a, l
			}
		}
	}
	if from == nil || m.HasEnded() {
		return false
	}
	takeElsewhere(ctx, b, best, from, make([][]geom.Path, len(b.Layers)), points,
		fmt.Sprintf("no file draws the outline; the board's shape was taken from the closed line of no width that the %s layer draws round all pads, as tools plot the board's edge along with other layers", from.Role))
	for _, l := range b.Copper() {
		dropAlong(l, best, isHairline, m)
	}
	return true
}

// isHairline tells whether a feature is a stroke of no width that belongs to no net.
func isHairline(l *board.Layer, f *board.Feature) bool {
	return !f.Clear && f.Net == 0 && f.Function != board.FuncConductor && f.Function != board.FuncPour && l.Hairline(f)
}

// thinLayers gives what is drawn without width on each layer of copper.
func thinLayers(b *board.Board) (out []*board.Layer) {
	for _, l := range b.Copper() {
		thin := &board.Layer{}
		for i := range l.Features {
			if f := &l.Features[i]; isHairline(l, f) {
				thin.Features = append(thin.Features, *f)
			}
		}
		out = append(out, thin)
	}
	return out
}

func hairlines(l *board.Layer) []geom.Edge {
	var out []geom.Edge
	for i := range l.Features {
		if f := &l.Features[i]; isHairline(l, f) {
			out = append(out, l.Edge(f))
		}
	}
	return out
}

// lacksApertures tells whether widths of a layer's strokes are not known, for which those
// of no width stand.
func lacksApertures(b *board.Board, l *board.Layer) bool {
	return slices.ContainsFunc(b.Findings, func(f board.Finding) bool {
		return f.File == l.File && (f.Code == "aperture_undefined" || f.Code == "apertures_missing" || f.Code == "no_aperture" || f.Code == "bad_aperture" || f.Code == "unknown_aperture")
	})
}

// isHatched tells whether lines of no width fill the shape that others of them go round: then
// they are an area of copper, drawn with a pen that the tool has no width of. length is
// that of all of them.
func isHatched(length float64, p geom.Path) bool {
	const most = 4 // times the length of the edge: cutouts, and outlines of parts
	return length > most*p.Length()
}

// bordersArea tells whether a filled area of copper ends along a shape.
func bordersArea(b *board.Board, p geom.Path, m board.Meter) bool {
	for _, l := range b.Copper() {
		if !m.Spend(board.Lookups, len(l.Features)) {
			return true
		}
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == board.RegionFeature && areAlike(l.Regions[f.Shape].Outer, p) {
				return true
			}
		}
	}
	return false
}

// isDrawn tells whether a feature is a stroke that belongs to no net.
func isDrawn(_ *board.Layer, f *board.Feature) bool {
	return (f.Kind == board.LineFeature || f.Kind == board.ArcFeature) && !f.Clear && f.Net == 0 && f.Function != board.FuncConductor && f.Function != board.FuncPour
}

// dropAlong takes the strokes of a kind that lie on a shape out of a layer.
func dropAlong(l *board.Layer, p geom.Path, kind func(*board.Layer, *board.Feature) bool, m board.Meter) {
	const play = 5 * geom.Micrometre
	on := func(q geom.Point) bool {
		if !m.Spend(board.Lookups, len(p.Points)) {
			return false
		}
		d, _ := p.Distance(q)
		return d <= float64(play)
	}
	l.Features = slices.DeleteFunc(l.Features, func(f board.Feature) bool {
		return kind(l, &f) && on(f.A) && on(f.B) && on(l.Edge(&f).Mid())
	})
}
