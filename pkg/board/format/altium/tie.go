package altium

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// findTies finds the parts whose own copper reaches pads of theirs on several nets:
// printed antennas, net ties, star points. Altium gives such copper the net of one of
// these pads; what it joins is meant, so it is taken as of no net of its own, as other
// tools store it.
func (b *builder) findTies() {
	pads := map[int][]*pad{}
	for i := range b.design.pads {
		if p := &b.design.pads[i]; p.part != none && p.net != none {
			pads[p.part] = append(pads[p.part], p)
		}
	}
	look := func(o *object, distance func(geom.Point) float64) {
		mine := pads[o.part]
		if o.part == none || o.net == none || o.keepOut || o.polygon != none || !o.layer.signal() || !b.meter.SpendTimes(pcb.Lookups, 1, len(mine)) {
			return
		}
		for _, p := range mine {
			if p.net == o.net || p.layer != o.layer && p.layer != multiLayer {
				continue
			}
			if l := p.lands[o.layer-1]; distance(p.at) <= float64(min(l.x, l.y)/2) {
				b.ties[o.part] = true
			}
		}
	}
	edge := func(o *object, e geom.Edge, width int64) {
		look(o, func(at geom.Point) float64 {
			_, d := e.Nearest(at)
			return d - float64(width)/2
		})
	}
	area := func(o *object, area geom.Polygon) {
		look(o, func(at geom.Point) float64 {
			d, _ := area.Distance(at)
			return d
		})
	}
	d := &b.design
	for i := range d.lines {
		l := &d.lines[i]
		edge(&l.object, geom.Line(l.a, l.b), l.width)
	}
	for i := range d.arcs {
		edge(&d.arcs[i].object, d.arcs[i].edge(geom.Point{}), d.arcs[i].width)
	}
	for i := range d.fills {
		area(&d.fills[i].object, geom.Polygon{Outer: d.fills[i].path(geom.Point{})})
	}
	for i := range d.regions {
		if g := &d.regions[i]; g.kind == copperRegion && !g.cutout && len(g.outer) > 2 {
			area(&g.object, g.polygonOf(geom.Point{}))
		}
	}
}
