package kicad

import (
	"context"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// What is joined is bounded, so that no file can make it endless.
const (
	widestBridge = 1_000_000
	maxOpenings  = 20_000
	maxBridges   = 50_000
)

// joinOpenings opens the mask between openings where it would be narrower than the
// board's least width, as KiCad does when it plots: between upright pads side by
// side, that is, the ones that matter. What lies askew is left as it is.
func (r *pcbReader) joinOpenings(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	width := r.b.Rules.MaskMinWidth
	if width <= 0 || width > widestBridge {
		return
	}
	joined := 0
	for _, l := range r.layers.all {
		if l.role != pcb.RoleMask || len(l.sheet.Layer.Features) > maxOpenings {
			continue
		}
		for _, b := range bridges(ctx, uprights(l.sheet.Layer, r.meter), width) {
			l.sheet.Region(geom.Polygon{Outer: geom.Rect(b)}, artwork.Meta{})
			joined++
		}
	}
	if joined > 0 {
		r.finding(pcb.Note, "mask_joined", r.setup.line,
			"openings less than %g mm apart are joined, as the board's least width of the mask says", geom.Millimetres(width))
		r.b.Findings[len(r.b.Findings)-1].Count = joined
	}
}

// uprights are the boxes of a layer's openings that (nearly) fill them.
func uprights(l *pcb.Layer, m pcb.Meter) []geom.Box {
	var out []geom.Box
	var shapes []shape.Shape
	maker := shape.NewMaker(l, m)
	for i := range l.Features {
		shapes = maker.Append(shapes[:0], &l.Features[i])
		for j := range shapes {
			b := shapes[j].Bounds()
			if s := &shapes[j]; s.IsArea() && s.Polygon().Area() > .9*float64(b.Width())*float64(b.Height()) {
				out = append(out, b)
			}
		}
	}
	return out
}

// bridges are the gaps between boxes that face each other less than width apart.
func bridges(ctx context.Context, boxes []geom.Box, width int64) []geom.Box {
	var out []geom.Box
	shape.NewIndex(boxes).SetMeter(pcb.MeterOf(ctx)).Pairs(width, func(i, j int) {
		if len(out) >= maxBridges || ctx.Err() != nil {
			return
		}
		a, b := boxes[i], boxes[j]
		gap := geom.Box{
			Min: geom.Pt(max(a.Min.X, b.Min.X), max(a.Min.Y, b.Min.Y)),
			Max: geom.Pt(min(a.Max.X, b.Max.X), min(a.Max.Y, b.Max.Y)),
		}
		dx, dy := gap.Min.X-gap.Max.X, gap.Min.Y-gap.Max.Y // negative where they overlap
		switch {
		case dx > 0 && dx < width && dy < 0:
			gap.Min.X, gap.Max.X = gap.Max.X, gap.Min.X
		case dy > 0 && dy < width && dx < 0:
			gap.Min.Y, gap.Max.Y = gap.Max.Y, gap.Min.Y
		default:
			return
		}
		out = append(out, gap)
	})
	return out
}
