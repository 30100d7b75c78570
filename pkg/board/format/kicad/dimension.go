package kicad

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/sexpr"
)

// dimension draws a dimension: up to KiCad 5 as the lines stored for it, later
// from its points and height.
func (r *pcbReader) dimension(n sexpr.Node) {
	l := r.layer(n.Value("layer"))
	if l == nil {
		return
	}
	if text := n.Find("gr_text"); text.Exists() {
		lab := r.label(text, text.Part(1), geom.Transform{})
		lab.text = r.expand(lab.text, nil)
		r.drawLabel(lab)
	}
	f := figure{width: size(n.Value("width"))}
	if style := n.Find("style"); style.Exists() {
		f.width = size(style.Value("thickness"))
	}
	pts := n.Find("pts")
	if pts.Exists() {
		p := r.points(pts, geom.Transform{}).Points
		f.edges = dimensionLines(n.Value("type").Text(), p, size(n.Value("height")), n.Value("orientation").Int())
	} else {
		for c := range n.Args() {
			p := r.points(c.Find("pts"), geom.Transform{})
			for e := range p.Edges() {
				f.edges = append(f.edges, e)
			}
		}
	}
	r.draw(f, l, graphicContext{}, n.Line())
}

// dimensionLines are the two extension lines and the bar between them; other
// kinds of dimension are their points joined.
func dimensionLines(kind string, p []geom.Point, height int64, orientation int) []geom.Edge {
	var out []geom.Edge
	if len(p) != 2 || kind != "aligned" && kind != "orthogonal" {
		for i := 1; i < len(p); i++ {
			out = append(out, geom.Line(p[i-1], p[i]))
		}
		return out
	}
	a, b := p[0], p[1]
	up := geom.Pt(0, -height)
	end := geom.Pt(b.X, a.Y-height)
	switch {
	case kind == "orthogonal" && orientation == 1:
		up, end = geom.Pt(height, 0), geom.Pt(a.X+height, b.Y)
	case kind == "aligned":
		d := b.Sub(a)
		length := d.Len()
		if length == 0 {
			return nil
		}
		k := float64(height) / length
		up = geom.Pt(int64(math.Round(float64(d.Y)*k)), int64(math.Round(-float64(d.X)*k)))
		end = b.Add(up)
	}
	start := a.Add(up)
	return []geom.Edge{geom.Line(a, start), geom.Line(b, end), geom.Line(start, end)}
}

// target draws the cross and circle of an alignment target.
func (r *pcbReader) target(n sexpr.Node) {
	at, half := r.pt(n.Find("at")), size(n.Value("size"))/2
	f := figure{width: size(n.Value("width"))}
	dx, dy := geom.Pt(half, 0), geom.Pt(0, half)
	if n.Part(1).Text() == "x" {
		dx, dy = geom.Pt(half, half), geom.Pt(half, -half)
	}
	rim := at.Add(geom.Pt(half*2/3, 0))
	f.edges = []geom.Edge{geom.Line(at.Sub(dx), at.Add(dx)), geom.Line(at.Sub(dy), at.Add(dy)), geom.ArcEdge(rim, rim, at, false)}
	for _, l := range r.layersOf(n) {
		if l.role.String() != "outline" {
			r.draw(f, l, graphicContext{}, n.Line())
		}
	}
}
