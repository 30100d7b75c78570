package kicad

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
)

// defaultPen is what KiCad plots lines with whose own width is nought.
const defaultPen = 100_000

// A graphicContext is what a drawn item takes from the footprint it is in.
type graphicContext struct {
	net int32
	pin int32
}

// A figure is a drawn item brought to one form: edges, and whether what they
// enclose is filled. Its edges are the reader's until the next one is read.
type figure struct {
	edges  []geom.Edge
	closed bool
	filled bool
	width  int64
}

// figureKind is what an item such as gr_line or fp_line draws: a line.
func figureKind(name []byte) string {
	switch string(name[3:]) {
	case "line":
		return "line"
	case "arc":
		return "arc"
	case "circle":
		return "circle"
	case "rect":
		return "rect"
	case "poly":
		return "poly"
	case "curve":
		return "curve"
	}
	return ""
}

// graphic draws a gr_ or fp_ item: line, arc, circle, rect, poly or curve.
func (r *pcbReader) graphic(n sexpr.Node, kind string, frame geom.Transform, in graphicContext) {
	parts := partsOfGraphic(n)
	layers := r.layersIn(parts.layers, parts.layer)
	if len(layers) == 0 {
		return
	}
	f := r.figure(&parts, kind, frame)
	switch {
	case parts.fill.Exists():
		f.filled = saysFilled(parts.fill.Part(1))
		if t := parts.fill.Find("type"); t.Exists() {
			f.filled = saysFilled(t.Part(1))
		}
	case kind == "poly":
		f.filled = layers[0].role != pcb.RoleOutline
	case kind == "rect" || kind == "circle":
		f.filled = f.width == 0
	}
	if parts.net.Exists() {
		in.net = r.netOf(parts.net)
	}
	margin := r.setup.maskMargin
	if parts.margin.Exists() {
		margin = size(parts.margin.Part(1))
	}
	copper := hasCopper(layers)
	for _, l := range layers {
		g := f
		if copper && l.role == pcb.RoleMask {
			g.width = max(0, g.width+2*margin)
		}
		r.draw(g, l, in, n.Line())
	}
}

func saysFilled(n sexpr.Node) bool { return n.Says("yes") || n.Says("solid") || n.Says("outline") }

func (r *pcbReader) draw(f figure, l *pcbLayer, in graphicContext, line int) {
	m := artwork.Meta{Line: line, Function: pcb.FuncMaterial}
	switch {
	case l.role == pcb.RoleCopper && in.net > 0:
		m.Function, m.Net, m.Pin = pcb.FuncConductor, in.net, in.pin
	case l.role == pcb.RoleCopper:
		m.Function = pcb.FuncNonConductor
	case l.role == pcb.RoleOutline:
		m.Function = pcb.FuncProfile
		if r.outlineAt == 0 {
			r.outlineAt = line
		}
		r.outline = append(r.outline, f.edges...)
	}
	if f.filled && f.closed && l.role != pcb.RoleOutline {
		l.paper().Region(geom.Polygon{Outer: loop(f.edges)}, m)
		if f.width <= 0 {
			return
		}
	}
	width := f.width
	if width <= 0 {
		width = defaultPen
	}
	for _, e := range f.edges {
		l.paper().Edge(e, width, m)
	}
}

// loop makes the closed path of edges that run head to tail.
func loop(edges []geom.Edge) geom.Path {
	p := geom.Path{Closed: true, Points: make([]geom.Point, 0, len(edges)+1)}
	for _, e := range edges {
		p.Add(e)
	}
	if k := len(p.Points); k > 2 && p.Points[0] == p.Points[k-1] && !isBentAt(p, k-2) {
		p.Points = p.Points[:k-1]
	}
	return p
}

func (r *pcbReader) figure(g *graphicParts, kind string, frame geom.Transform) figure {
	f := figure{width: g.strokeWidth(), edges: r.edges[:0]}
	start, end := r.pt(g.start), r.pt(g.end)
	switch kind {
	case "line":
		f.edges = append(f.edges, geom.Line(start, end))
	case "arc":
		f.edges = append(f.edges, r.arc(g, start, end))
	case "circle":
		c := r.pt(g.center)
		f.closed = true
		if c != end {
			f.edges = append(f.edges, geom.ArcEdge(end, end, c, false))
		}
	case "rect":
		f.edges, f.closed = appendRect(f.edges, start, end, size(g.radius.Part(1))), true
	case "poly":
		p := r.points(g.pts, geom.Transform{})
		p.Closed = true
		f.closed = len(p.Points) > 2 || len(p.Bends) > 0
		f.edges = appendEdges(f.edges, p)
	case "curve":
		var control []geom.Point
		for c := range g.pts.Lists("xy") {
			control = append(control, r.pt(c))
		}
		f.edges = append(f.edges, bezier(control)...)
	}
	if !frame.Identity() {
		for i := range f.edges {
			f.edges[i] = frame.Edge(f.edges[i])
		}
	}
	r.edges = f.edges
	return f
}

func appendEdges(out []geom.Edge, p geom.Path) []geom.Edge {
	for e := range p.Edges() {
		out = append(out, e)
	}
	return out
}

// arc reads both forms: start, mid and end; or, up to KiCad 5, the centre as
// start, the beginning as end and an angle, clockwise.
func (r *pcbReader) arc(g *graphicParts, start, end geom.Point) geom.Edge {
	if g.mid.Exists() {
		return geom.ArcThrough(start, r.pt(g.mid), end)
	}
	angle := g.angle.Part(1).Float()
	if angle == 0 {
		return geom.Line(start, end)
	}
	stop := start.Add(end.Sub(start).Rotate(-angle))
	if angle >= 360 || angle <= -360 {
		stop = end
	}
	return geom.ArcEdge(end, stop, start, angle > 0)
}

// appendRect adds a rectangle by two opposite corners, its corners rounded by radius.
func appendRect(out []geom.Edge, a, b geom.Point, radius int64) []geom.Edge {
	box := geom.BoxOf(a, b)
	if radius > 0 && box.Width() > 0 && box.Height() > 0 {
		p := pcb.RoundRect(box.Width(), box.Height(), radius).Primitives[0].Path()
		return appendEdges(out, geom.Move(box.Centre()).Path(p))
	}
	return appendEdges(out, geom.Rect(box))
}

// bezier is a cubic curve in chords, as KiCad plots it.
func bezier(p []geom.Point) []geom.Edge {
	if len(p) != 4 {
		return nil
	}
	steps := max(4, min(64, int(p[0].Dist(p[1])+p[1].Dist(p[2])+p[2].Dist(p[3]))/50_000))
	var out []geom.Edge
	from := p[0]
	for i := 1; i <= steps; i++ {
		t := float64(i) / float64(steps)
		u := 1 - t
		w := [4]float64{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t}
		var x, y float64
		for k := range p {
			x += w[k] * float64(p[k].X)
			y += w[k] * float64(p[k].Y)
		}
		to := geom.Pt(int64(math.Round(x)), int64(math.Round(y)))
		if i == steps {
			to = p[3]
		}
		if to != from {
			out = append(out, geom.Line(from, to))
			from = to
		}
	}
	return out
}
