package ipc2581

import (
	"fmt"
	"math"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/markup"
	"boardorder/pkg/board/pcb"
)

// A piece is one thing to draw, at its own origin.
type piece struct {
	shape  *artwork.Shape // an aperture
	area   *geom.Polygon
	edges  []geom.Edge
	width  int64
	clear  bool
	placed geom.Transform // within a group
}

// maxNested is how deep groups of user primitives may hold each other.
const maxNested = 8

func (r *reader) content() {
	for e := range r.in.Children() {
		unit := unitOf(e.Attr("units"), 1e6)
		switch e.Name() {
		case "FunctionMode":
			r.mode = strings.ToUpper(e.Attr("mode"))
		case "DictionaryLineDesc":
			for entry := range r.in.Children() {
				for d := range r.in.Children() {
					r.lines[entry.Attr("id")] = lengthIn(d, "lineWidth", unit)
				}
			}
		case "DictionaryFillDesc":
			for entry := range r.in.Children() {
				for d := range r.in.Children() {
					r.fills[entry.Attr("id")] = d.Attr("fillProperty")
				}
			}
		case "DictionaryStandard":
			r.dictionary(r.standard, unit)
		case "DictionaryUser":
			r.dictionary(r.user, unit)
		}
	}
}

func (r *reader) dictionary(to map[string][]piece, unit float64) {
	design := r.unit
	r.unit = unit
	defer func() { r.unit = design }()
	for entry := range r.in.Children() {
		id := entry.Attr("id")
		var all []piece
		for e := range r.in.Children() {
			p, _ := r.pieces(e)
			if r.meter.Spend(pcb.Shapes, len(p)) {
				all = append(all, p...)
			}
		}
		to[id] = all
	}
}

// pieces reads a primitive, a group of them or a reference to one; ok is false
// where the element is none.
func (r *reader) pieces(e markup.Element) (out []piece, ok bool) {
	switch name := e.Name(); name {
	case "StandardPrimitiveRef":
		return r.reference(r.standard, e), true
	case "UserPrimitiveRef":
		return r.reference(r.user, e), true
	case "UserSpecial":
		return r.group(), true
	case "Features":
		return r.group(), true
	case "Line":
		return r.stroke([]geom.Edge{geom.Line(r.point(e, "startX", "startY"), r.point(e, "endX", "endY"))}), true
	case "Arc":
		a, b, c := r.point(e, "startX", "startY"), r.point(e, "endX", "endY"), r.point(e, "centerX", "centerY")
		return r.stroke([]geom.Edge{geom.ArcEdge(a, b, c, e.Bool("clockwise"))}), true
	case "Polyline":
		path, d := r.walk() // one that comes back to its start keeps its last piece
		path.Closed = false
		var edges []geom.Edge
		for x := range path.Edges() {
			edges = append(edges, x)
		}
		return []piece{{edges: edges, width: d.width}}, true
	case "Polygon":
		path, d := r.path()
		return d.area(geom.Polygon{Outer: path}), true
	case "Contour", "Outline":
		return r.contour(name == "Outline"), true
	case "Text":
		r.passOver(name, e.Line())
		return nil, true
	default:
		return r.standardShape(e, name)
	}
}

func (r *reader) reference(in map[string][]piece, e markup.Element) []piece {
	p, ok := in[e.Attr("id")]
	if !ok {
		r.passOver("reference to a missing "+e.Name(), e.Line())
	}
	return p
}

// group reads (UserSpecial …): primitives with places of their own.
func (r *reader) group() []piece {
	if r.nested >= maxNested {
		return nil
	}
	r.nested++
	defer func() { r.nested-- }()
	var out, pending []piece
	var t geom.Transform
	for e := range r.in.Children() {
		switch e.Name() {
		case "Xform":
			t = r.xform(e, t)
		case "Location":
			t.Offset = t.Offset.Add(r.point(e, "x", "y"))
		default:
			p, _ := r.pieces(e)
			if r.meter.Spend(pcb.Shapes, 2*len(p)) {
				pending = append(pending, p...)
			}
		}
	}
	for _, p := range pending {
		p.placed = p.placed.Chain(t)
		out = append(out, p)
	}
	return out
}

// xform reads a transform. The format turns first and mirrors the result, which is
// to mirror first and turn the other way.
func (r *reader) xform(e markup.Element, t geom.Transform) geom.Transform {
	t.Offset = t.Offset.Add(r.point(e, "xOffset", "yOffset"))
	t.Rotation = e.Float("rotation")
	if t.Mirror = e.Bool("mirror"); t.Mirror {
		t.Rotation = -t.Rotation
	}
	if s := e.Float("scale"); s > 0 && s < 1000 {
		t.Scale = s
	}
	return t
}

// A style is how a primitive is drawn.
type style struct {
	width int64
	fill  string
}

func (d style) area(p geom.Polygon) []piece {
	p.Outer.Closed = true
	switch d.fill {
	case "HOLLOW":
		return []piece{{edges: edgesOf(p), width: d.width}}
	case "VOID":
		return []piece{{area: &p, clear: true}}
	}
	out := []piece{{area: &p}}
	if d.width > 0 {
		out = append(out, piece{edges: edgesOf(p), width: d.width})
	}
	return out
}

func edgesOf(p geom.Polygon) []geom.Edge {
	var out []geom.Edge
	for e := range p.Outer.Edges() {
		out = append(out, e)
	}
	for _, h := range p.Holes {
		for e := range h.Edges() {
			out = append(out, e)
		}
	}
	return out
}

// describe takes an element that says how something is drawn; ok is false where
// it is none.
func (r *reader) describe(d *style, e markup.Element) (ok bool) {
	switch e.Name() {
	case "LineDescRef":
		d.width = r.lines[e.Attr("id")]
	case "LineDesc":
		d.width = r.length(e, "lineWidth")
	case "FillDescRef":
		d.fill = r.fills[e.Attr("id")]
	case "FillDesc":
		d.fill = e.Attr("fillProperty")
	default:
		return false
	}
	return true
}

func (r *reader) stroke(edges []geom.Edge) []piece {
	var d style
	for e := range r.in.Children() {
		r.describe(&d, e)
	}
	return []piece{{edges: edges, width: d.width}}
}

// path reads a polygon. What repeats its first point at the end is dropped.
func (r *reader) path() (geom.Path, style) {
	p, d := r.walk()
	if k := len(p.Points); k > 2 && p.Points[0] == p.Points[k-1] && (len(p.Bends) == 0 || int(p.Bends[len(p.Bends)-1].At) != k-2) {
		p.Points = p.Points[:k-1]
	}
	return p, d
}

// walk reads the steps of a polygon or polyline.
func (r *reader) walk() (geom.Path, style) {
	p := geom.Path{Closed: true}
	var d style
	for e := range r.in.Children() {
		switch e.Name() {
		case "PolyBegin":
			p = geom.Path{Closed: true}
			p.LineTo(r.point(e, "x", "y"))
		case "PolyStepSegment":
			if q := r.point(e, "x", "y"); len(p.Points) == 0 || p.Points[len(p.Points)-1] != q {
				p.LineTo(q)
			}
		case "PolyStepCurve":
			q, c := r.point(e, "x", "y"), r.point(e, "centerX", "centerY")
			if len(p.Points) > 0 {
				p.ArcTo(q, c, e.Bool("clockwise"))
			}
		default:
			r.describe(&d, e)
		}
	}
	return p, d
}

// contour reads a polygon with its cutouts.
func (r *reader) contour(outline bool) []piece {
	var d style
	var poly geom.Polygon
	for e := range r.in.Children() {
		switch e.Name() {
		case "Polygon":
			path, own := r.path()
			poly.Outer = path
			d = own
		case "Cutout":
			path, _ := r.path()
			poly.Holes = append(poly.Holes, path)
		default:
			r.describe(&d, e)
		}
	}
	if len(poly.Outer.Points) == 0 {
		return nil
	}
	if outline && d.fill == "" {
		d.fill = "HOLLOW"
	}
	return d.area(poly)
}

// standardShape reads one of the standard primitives.
func (r *reader) standardShape(e markup.Element, name string) ([]piece, bool) {
	l := func(attr string) int64 { return max(0, r.length(e, attr)) }
	var s artwork.Shape
	switch name {
	case "Circle":
		s = artwork.Circle(l("diameter"))
	case "RectCenter":
		s = artwork.Rect(l("width"), l("height"))
	case "Oval":
		s = artwork.Obround(l("width"), l("height"))
	case "RectRound":
		s = cornerRect(l("width"), l("height"), l("radius"), roundCorner, corners(e))
	case "RectCham":
		s = cornerRect(l("width"), l("height"), l("chamfer"), cutCorner, corners(e))
	case "RectCorner":
		s = pathShape("corner", geom.Rect(geom.BoxOf(r.point(e, "lowerLeftX", "lowerLeftY"), r.point(e, "upperRightX", "upperRightY"))))
	case "Ellipse":
		s = ellipse(l("width"), l("height"))
	case "Diamond":
		w, h := l("width")/2, l("height")/2
		s = pathShape("diamond", geom.Path{Closed: true, Points: []geom.Point{{X: -w}, {Y: -h}, {X: w}, {Y: h}}})
	case "Triangle":
		w, h := l("base")/2, l("height")/2
		s = pathShape("triangle", geom.Path{Closed: true, Points: []geom.Point{{X: -w, Y: -h}, {X: w, Y: -h}, {Y: h}}})
	case "Hexagon":
		s = polygon(l("length"), 6, 0)
	case "Octagon":
		s = polygon(l("length"), 8, 22.5)
	case "Donut":
		s = artwork.Donut(l("outerDiameter"), l("innerDiameter"), e.Attr("shape") == "SQUARE")
	case "Thermal":
		s = artwork.Thermal(l("outerDiameter"), l("innerDiameter"), l("gap"), e.Int("spokeCount"), e.Float("spokeStartAngle"),
			e.Attr("shape") == "SQUARE")
	case "Butterfly":
		s = artwork.Butterfly(max(l("diameter"), l("side")), e.Attr("shape") == "SQUARE")
	case "Moire":
		s = artwork.Circle(l("diameter"))
	default:
		return nil, false
	}
	var d style
	for c := range r.in.Children() {
		r.describe(&d, c)
	}
	if d.fill == "HOLLOW" {
		a := s.Build()
		var edges []geom.Edge
		for i := range a.Primitives {
			for x := range a.Primitives[i].Path().Edges() {
				edges = append(edges, x)
			}
		}
		return []piece{{edges: edges, width: d.width}}, true
	}
	return []piece{{shape: &s, clear: d.fill == "VOID"}}, true
}

func pathShape(kind string, p geom.Path) artwork.Shape {
	return artwork.Shape{Key: kind + fmt.Sprint(p.Points), Build: func() pcb.Aperture {
		return pcb.Custom(kind, []pcb.Primitive{{Kind: pcb.AreaPrimitive, Area: p}})
	}}
}

func polygon(d int64, n int, deg float64) artwork.Shape {
	return artwork.Shape{Key: fmt.Sprint("polygon", d, n, deg), Build: func() pcb.Aperture { return pcb.RegularPolygon(d, n, deg) }}
}

func ellipse(w, h int64) artwork.Shape {
	p := geom.Path{Closed: true}
	const steps = 72
	for i := range steps {
		s, c := math.Sincos(2 * math.Pi * float64(i) / steps)
		p.LineTo(geom.Pt(int64(c*float64(w)/2), int64(s*float64(h)/2)))
	}
	return pathShape("ellipse", p)
}

const (
	roundCorner = false
	cutCorner   = true
)

// corners reads which corners of a rectangle are worked: upper right, upper
// left, lower left, lower right; all where none is named.
func corners(e markup.Element) [4]bool {
	names := [4]string{"upperRight", "upperLeft", "lowerLeft", "lowerRight"}
	all := true
	var out [4]bool
	for i, n := range names {
		all = all && !e.Has(n)
		out[i] = e.Bool(n)
	}
	if all {
		return [4]bool{true, true, true, true}
	}
	return out
}

func cornerRect(w, h, d int64, cut bool, which [4]bool) artwork.Shape {
	if !cut && which == [4]bool{true, true, true, true} {
		return artwork.RoundRect(w, h, d)
	}
	return artwork.CornerRect(w, h, d, cut, which)
}
