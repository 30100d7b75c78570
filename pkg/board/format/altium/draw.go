package altium

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// boardPolygon is whose pour the lines of the board shape are.
const boardPolygon = 0xFFFE

// pours notes that a polygon has copper, and whether the object is part of it.
func (b *builder) pours(o *object) bool {
	if o.polygon >= boardPolygon {
		return false
	}
	b.poured[o.polygon] = true
	return true
}

// isShelved tells whether the object is copper of a pour that was put aside: the file
// keeps it, and nothing of it is made.
func (b *builder) isShelved(o *object) bool {
	return o.polygon < len(b.design.polygons) && b.design.polygons[o.polygon].shelved
}

// frame remembers lines that may be an outline.
func (b *builder) frame(o *object, e geom.Edge) {
	if o.part == none && (o.layer == keepOut || o.layer.mechanical()) {
		box, ok := b.framed[o.layer]
		if !ok {
			box = geom.EmptyBox()
		}
		b.framed[o.layer] = box.Union(e.Bounds())
	}
}

func (b *builder) line(l *line) {
	b.stroke("Track", &l.object, geom.Line(l.a.Sub(b.origin), l.b.Sub(b.origin)), l.width)
}

func (b *builder) arc(a *arc) {
	b.stroke("Arc", &a.object, a.edge(b.origin), a.width)
}

// stroke draws a line or an arc. Keep-outs on copper are no copper.
func (b *builder) stroke(kind string, o *object, e geom.Edge, width int64) {
	b.frame(o, e)
	if o.keepOut && o.layer != keepOut || o.polygon == boardPolygon || b.isShelved(o) {
		return
	}
	pour := b.pours(o)
	for _, l := range b.targets(o.layer) {
		m := b.meta(o, l)
		switch {
		case pour && l.signal():
			m.Function = pcb.FuncPour
		case l.signal() && width > 0 && (b.minTrack == 0 || width < b.minTrack):
			b.minTrack = width
		}
		b.sheet(l).Edge(e, width, m)
	}
	b.openings(kind, o, func(l layer, grow int64) {
		if w := width + 2*grow; w > 0 {
			b.sheet(l).Edge(e, w, artwork.Meta{Line: o.record, Function: pcb.FuncMaterial})
		}
	})
}

func (b *builder) fill(f *fill) {
	if f.keepOut || b.isShelved(&f.object) {
		return
	}
	area := geom.Polygon{Outer: f.path(b.origin)}
	b.pours(&f.object)
	b.area("Fill", &f.object, area, pcb.FuncConductor)
}

// region draws an area that is copper, ink or an opening.
func (b *builder) region(g *region) {
	if g.cutout || g.keepOut || g.layer == keepOut || b.isShelved(&g.object) {
		return
	}
	switch g.kind {
	case copperRegion:
	case polygonCutout, dashedOutline, cavityRegion:
		return
	default:
		b.finding(pcb.Problem, "region_unknown", "region %d on %s is of kind %d, which is not known: send Gerbers", g.record, b.layerName(g.layer), g.kind)
		return
	}
	area := g.polygonOf(b.origin)
	if len(area.Outer.Points) < 2 {
		return
	}
	function := pcb.FuncConductor
	if b.pours(&g.object) {
		function = pcb.FuncPour
	}
	b.area("Region", &g.object, area, function)
}

// area fills a polygon, and opens the masks over it as the object asks.
func (b *builder) area(kind string, o *object, area geom.Polygon, function pcb.Function) {
	for _, l := range b.targets(o.layer) {
		m := b.meta(o, l)
		if l.signal() && m.Net != 0 {
			m.Function = function
		}
		b.sheet(l).Region(area, m)
	}
	b.openings(kind, o, func(l layer, grow int64) {
		m := artwork.Meta{Line: o.record, Function: pcb.FuncMaterial}
		s := b.sheet(l)
		s.Region(area, m)
		if grow != 0 {
			m.Clear = grow < 0
			s.Path(area.Outer, 2*max(grow, -grow), m)
			for _, h := range area.Holes {
				s.Path(h, 2*max(grow, -grow), m)
			}
		}
	})
}
