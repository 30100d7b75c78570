package eagle

import (
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

func layerName(n int) string { return fmt.Sprint("layer ", n) }

// item draws one thing of a package, a signal or the board.
func (b *builder) item(it *item, s scope) {
	switch it.kind {
	case "pad":
		b.pad(it, s)
	case "smd":
		b.smd(it, s)
	case "via":
		b.drawVia(it, s)
	case "hole":
		b.hole(it, s)
	case "text":
		b.text(it, s)
	default:
		b.graphic(it, s)
	}
}

// target is the layer an item is drawn on; 0 for none.
func (b *builder) target(it *item, s scope) int {
	n := it.layer
	if s.mirror {
		n = mirrorLayer(n)
	}
	n = targetLayer(n)
	if n >= 1 && n <= 16 && !slices.Contains(b.copper, n) {
		b.unplaced[n]++
		return 0
	}
	return n
}

func (b *builder) meta(it *item, s scope, n int) artwork.Meta {
	m := artwork.Meta{Line: it.line, Function: pcb.FuncMaterial}
	switch {
	case n == dimensionLayer:
		m.Function = pcb.FuncProfile
	case b.planes[n] != nil && s.signal:
		m.Net, m.Function = s.net, pcb.FuncConductor
	case b.planes[n] != nil:
		m.Function = pcb.FuncNonConductor
	}
	return m
}

// graphic draws wires, circles, rectangles and polygons.
func (b *builder) graphic(it *item, s scope) {
	n := b.target(it, s)
	if n == 0 {
		return
	}
	m := b.meta(it, s, n)
	switch it.kind {
	case "wire":
		e := s.t.Edge(edge(it.a, it.b, it.curve))
		if m.Function == pcb.FuncConductor && it.width > 0 && (b.minTrack == 0 || it.width < b.minTrack) {
			b.minTrack = it.width
		}
		b.put(n, m, e.Bounds().Grow(it.width/2), func(x *artwork.Sheet, grow int64, m artwork.Meta) {
			if band, ok := flatArc(e, it.width); ok && it.flat && grow == 0 {
				x.Region(geom.Polygon{Outer: band}, m)
				return
			}
			x.Edge(e, it.width+2*grow, m)
		})
	case "circle":
		b.circle(it, s, n, m)
	case "rectangle":
		b.area(it, n, m, s.t.Path(rectangle(it)))
	case "polygon":
		if len(it.points) < 3 && (len(it.fill) == 0 || it.pour == "cutout") {
			b.leaveOut(s.net, it.line)
			return
		}
		path := s.t.Path(it.path())
		if len(it.fill) > 0 && it.pour != "cutout" {
			for i := range it.fill {
				b.graphic(&it.fill[i], s)
			}
			return
		}
		if s.signal && b.planes[n] != nil && it.pour != "cutout" {
			b.pours++
			b.planes[n].pours = append(b.planes[n].pours, newPour(it, path, s.net))
			return
		}
		if it.pour == "cutout" && b.planes[n] != nil {
			b.planes[n].cutouts = append(b.planes[n].cutouts, path)
			return
		}
		b.area(it, n, m, path)
	case "piece":
		b.piece(it, s, n, m)
	}
}

// flatArc is the border of an arc of this width whose ends are cut off square; there
// is none where the arc bends more tightly than half its width.
func flatArc(e geom.Edge, width int64) (geom.Path, bool) {
	r := e.Radius()
	if !e.IsArc() || width <= 0 || r <= float64(width)/2 || e.A == e.B {
		return geom.Path{}, false
	}
	beside := func(p geom.Point, by float64) geom.Point {
		k := (r + by) / r
		dx, dy := float64(p.X-e.Centre.X), float64(p.Y-e.Centre.Y)
		return geom.Pt(e.Centre.X+int64(math.Round(dx*k)), e.Centre.Y+int64(math.Round(dy*k)))
	}
	half := float64(width) / 2
	outer := geom.ArcEdge(beside(e.A, half), beside(e.B, half), e.Centre, e.Turn == geom.Clockwise)
	inner := geom.ArcEdge(beside(e.B, -half), beside(e.A, -half), e.Centre, e.Turn != geom.Clockwise)
	p := geom.Path{Closed: true}
	p.Add(outer)
	p.Add(geom.Line(outer.B, inner.A))
	p.Add(inner)
	p.Add(geom.Line(inner.B, outer.A))
	return p, true
}

// piece draws stored copper of a pour. It is no [pcb.FuncPour]: what that joins is not
// known from the file, and this is.
func (b *builder) piece(it *item, s scope, n int, m artwork.Meta) {
	if len(it.points) < 3 {
		return
	}
	area := geom.Polygon{Outer: s.t.Path(it.path())}
	for _, h := range it.holes {
		if len(h) > 2 {
			area.Holes = append(area.Holes, s.t.Path(closePath(h)))
		}
	}
	b.put(n, m, area.Bounds(), func(x *artwork.Sheet, grow int64, m artwork.Meta) {
		x.Region(area, m)
		if grow > 0 {
			for _, border := range append([]geom.Path{area.Outer}, area.Holes...) {
				x.Path(border, 2*grow, m)
			}
		}
	})
}

// circle draws a ring, or a disc where its line has no width; on the outline it
// is always a line.
func (b *builder) circle(it *item, s scope, n int, m artwork.Meta) {
	at := s.t.Apply(it.a)
	box := geom.BoxOf(at).Grow(it.size + it.width/2)
	if it.size <= 0 {
		return
	}
	if it.width == 0 && n != dimensionLayer {
		b.put(n, m, box, func(x *artwork.Sheet, grow int64, m artwork.Meta) {
			x.Flash(at, artwork.Circle(2*(it.size+grow)), 0, false, m)
		})
		return
	}
	from := at.Add(geom.Pt(it.size, 0))
	e := geom.ArcEdge(from, from, at, false)
	b.put(n, m, box, func(x *artwork.Sheet, grow int64, m artwork.Meta) { x.Edge(e, it.width+2*grow, m) })
}

// rectangle is turned round its own middle.
func rectangle(it *item) geom.Path {
	box := geom.BoxOf(it.a, it.b)
	c := box.Centre()
	return it.rot.transformAt(c).Path(geom.Rect(box.Move(c.Neg())))
}

// area fills a path; polygons are drawn along with their line, too.
func (b *builder) area(it *item, n int, m artwork.Meta, path geom.Path) {
	width := it.width
	if it.kind == "rectangle" {
		width = 0
	}
	b.put(n, m, path.Bounds().Grow(width/2), func(x *artwork.Sheet, grow int64, m artwork.Meta) {
		x.Region(geom.Polygon{Outer: path}, m)
		if w := width + 2*grow; w > 0 {
			x.Path(path, w, m)
		}
	})
}

// kept is what an item costs until pours are clear of it, in objects: where it lies,
// what it is, what draws it, and what that needs.
const kept = 4

// put draws on a layer; on copper, later: pours keep clear of it first.
func (b *builder) put(n int, m artwork.Meta, box geom.Box, draw func(*artwork.Sheet, int64, artwork.Meta)) {
	if p := b.planes[n]; p != nil {
		if !b.meter.Spend(pcb.Shapes, kept) {
			return
		}
		p.items = append(p.items, copperItem{meta: m, box: box, draw: draw})
		return
	}
	draw(b.sheet(n), 0, m)
}
