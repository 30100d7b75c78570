package outline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// edgeOfHairlines looks for an edge that is plotted along with copper or silkscreen: a closed
// line of no width round all pads and holes. No fabricator makes copper or ink of such a
// line, so it is the edge, and surer than the rim of a pour. It is taken out of the
// copper.
func edgeOfHairlines(ctx context.Context, b *pcb.Board) bool {
	m := pcb.MeterOf(ctx)
	copper := copperContent(b, thinLayers(b))
	fit := holesFit(b, copper)
	points := pads(b, copper, fit)
	if len(points) == 0 {
		return false
	}
	const frame = 6 // times the extent of the pads: that of a sheet
	var best geom.Path
	from, least := (*pcb.Layer)(nil), frame*extent(points)
	for _, l := range b.Layers {
		if l.Role != pcb.RoleCopper && l.Role != pcb.RoleSilk || l.Negative || lacksApertures(b, l) {
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
func isHairline(l *pcb.Layer, f *pcb.Feature) bool {
	return !f.Clear && f.Net == 0 && f.Function != pcb.FuncConductor && f.Function != pcb.FuncPour && l.Hairline(f)
}

// thinLayers gives what is drawn without width on each layer of copper.
func thinLayers(b *pcb.Board) (out []*pcb.Layer) {
	for _, l := range b.Copper() {
		thin := &pcb.Layer{}
		for i := range l.Features {
			if f := &l.Features[i]; isHairline(l, f) {
				thin.Features = append(thin.Features, *f)
			}
		}
		out = append(out, thin)
	}
	return out
}

func hairlines(l *pcb.Layer) []geom.Edge {
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
func lacksApertures(b *pcb.Board, l *pcb.Layer) bool {
	return slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool {
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
func bordersArea(b *pcb.Board, p geom.Path, m pcb.Meter) bool {
	for _, l := range b.Copper() {
		if !m.Spend(pcb.Lookups, len(l.Features)) {
			return true
		}
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == pcb.RegionFeature && areAlike(l.Regions[f.Shape].Outer, p) {
				return true
			}
		}
	}
	return false
}

// isDrawn tells whether a feature is a stroke that belongs to no net.
func isDrawn(_ *pcb.Layer, f *pcb.Feature) bool {
	return (f.Kind == pcb.LineFeature || f.Kind == pcb.ArcFeature) && !f.Clear && f.Net == 0 && f.Function != pcb.FuncConductor && f.Function != pcb.FuncPour
}

// dropAlong takes the strokes of a kind that lie on a shape out of a layer.
func dropAlong(l *pcb.Layer, p geom.Path, kind func(*pcb.Layer, *pcb.Feature) bool, m pcb.Meter) {
	const play = 5 * geom.Micrometre
	on := func(q geom.Point) bool {
		if !m.Spend(pcb.Lookups, len(p.Points)) {
			return false
		}
		d, _ := p.Distance(q)
		return d <= float64(play)
	}
	l.Features = slices.DeleteFunc(l.Features, func(f pcb.Feature) bool {
		return kind(l, &f) && on(f.A) && on(f.B) && on(l.Edge(&f).Mid())
	})
}
