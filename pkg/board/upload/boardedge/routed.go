package boardedge

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
)

// DrawRouted makes the outline of a closed cut round all copper, where no
// file draws one: some tools give the shape of the board to the router alone.
func DrawRouted(u group.Upload, b *pcb.Board) {
	if len(b.Find(pcb.RoleOutline, pcb.NoSide)) > 0 {
		return
	}
	content := geom.EmptyBox()
	for _, l := range b.Copper() {
		content = content.Union(places.Extent(l))
	}
	if content.Empty() {
		return
	}
	for i := range b.Holes {
		h := &b.Holes[i]
		if h.Kind != pcb.RoutedHole {
			continue
		}
		p := b.Routes[h.Path]
		closed := p.Closed || len(p.Points) > 2 && p.Points[0].Dist(p.Points[len(p.Points)-1]) < float64(geom.Millimetre)
		if !closed || !p.Bounds().ContainsBox(content) {
			continue
		}
		src := u.Source(h)
		b.Layers = append(b.Layers, drawCut(p, h.Diameter, src))
		b.Holes = slices.Delete(b.Holes, i, i+1)
		b.Findings = append(b.Findings, pcb.Finding{
			Code: "outline_from_rout", Level: pcb.Warning, File: src.File, Line: src.Line,
			Message: "no file draws the outline; it was taken from the router's way round the board, which may run outside of it by half the cutter",
		})
		return
	}
}

// drawCut draws a cut as an outline layer.
func drawCut(p geom.Path, width int64, src pcb.Source) *pcb.Layer {
	l := pcb.NewLayer("routed outline", src.File)
	l.Role, l.Nets, l.Pins = pcb.RoleOutline, nil, nil
	l.Apertures = []pcb.Aperture{pcb.Circle(max(width, geom.Millimetre/10))}
	for e := range p.Edges() {
		f := pcb.Feature{A: e.A, B: e.B, Line: int32(src.Line)}
		if e.IsArc() {
			f.Kind, f.Arc = pcb.ArcFeature, int32(len(l.Arcs))
			l.Arcs = append(l.Arcs, pcb.ArcGeometry{Centre: e.Centre, Clockwise: e.Turn == geom.Clockwise})
		}
		l.Features = append(l.Features, f)
	}
	return l
}
