package kicad

import (
	"hash/fnv"
	"math"
	"strconv"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
)

// A padShape is the outline of a pad round its own centre, unturned.
type padShape struct {
	kind      string // circle, rect, oval, trapezoid, roundrect, custom
	x, y      int64
	deltaX    int64 // of a trapezoid
	deltaY    int64
	radius    float64 // of a roundrect, as part of the shorter side
	corner    int64   // the same as a length
	chamfer   float64 // as part of the shorter side
	cut       int64   // the same as a length
	cutCorner [4]bool // top left, top right, bottom left, bottom right are chamfered
	anchor    string  // of a custom pad: circle or rect
	prims     []pcb.Primitive
	key       uint64 // of prims
	grow      int64  // margin round a polygon or custom shape
}

func shapeKind(n sexpr.Node) string {
	return wordOf(n, "rect", "roundrect", "circle", "oval", "custom", "trapezoid")
}

func (r *pcbReader) shapePart(s *padShape, c sexpr.Node) {
	v := c.Part(1)
	switch string(c.Name()) {
	case "size":
		s.x, s.y = size(v), size(c.Part(2))
		if !c.Part(2).Exists() {
			s.y = s.x
		}
		s.x, s.y = max(s.x, 0), max(s.y, 0)
	case "rect_delta":
		s.deltaX, s.deltaY = size(v), size(c.Part(2))
	case "roundrect_rratio":
		s.radius = share(v.Float())
	case "chamfer_ratio":
		s.chamfer = share(v.Float())
	case "chamfer":
		for i, name := range [4]string{"top_left", "top_right", "bottom_left", "bottom_right"} {
			s.cutCorner[i] = c.Has(name)
		}
	case "options":
		s.anchor = c.Value("anchor").Text()
	case "primitives":
		r.primitives(s, c)
	}
}

// share keeps a ratio of the shorter side within what makes sense.
func share(v float64) float64 { return math.Max(0, math.Min(0.5, v)) }

// finish turns ratios into lengths once all parts are known.
func (s *padShape) finish() {
	short := float64(min(s.x, s.y))
	s.corner, s.cut = int64(s.radius*short), int64(s.chamfer*short)
	if s.kind == "roundrect" && s.cut > 0 && s.cutCorner != [4]bool{} {
		s.kind = "chamfered"
	}
	if s.kind == "custom" && s.anchor == "" {
		s.anchor = "circle"
	}
}

// primitives reads the drawn parts of a custom pad.
func (r *pcbReader) primitives(s *padShape, n sexpr.Node) {
	h := fnv.New64a()
	h.Write(n.Raw())
	s.key = h.Sum64()
	for c := range n.Args() {
		name := c.Name()
		if len(name) < 4 || string(name[:3]) != "gr_" || string(name) == "gr_bbox" || string(name) == "gr_vector" {
			continue
		}
		parts := partsOfGraphic(c)
		f := r.figure(&parts, figureKind(name), geom.Transform{})
		if f.closed && (string(name) == "gr_poly" || isFilled(&parts)) {
			s.prims = append(s.prims, pcb.Primitive{Kind: pcb.AreaPrimitive, Area: loop(f.edges)})
			if f.width == 0 {
				continue
			}
		}
		for _, e := range f.edges {
			s.prims = append(s.prims, strokes(e, f.width/2)...)
		}
	}
}

func isFilled(g *graphicParts) bool {
	if g.fill.Exists() {
		return saysFilled(g.fill.Part(1))
	}
	return size(g.width.Part(1)) == 0 && !g.stroke.Exists()
}

// strokes is an edge drawn with a round pen; an arc in chords that stray less
// than a micrometre.
func strokes(e geom.Edge, radius int64) []pcb.Primitive {
	const tolerance = 1000
	var out []pcb.Primitive
	from := e.A
	for _, to := range e.AppendFlat(nil, tolerance) {
		out = append(out, pcb.Primitive{Kind: pcb.StrokePrimitive, A: from, B: to, Radius: radius})
		from = to
	}
	return out
}

// growBy is the shape with its margins: how KiCad plots mask and paste. A
// rectangle gets round corners, since KiCad 6, where its mask grows.
func (s padShape) growBy(dx, dy int64, version int) padShape {
	if dx == 0 && dy == 0 {
		return s
	}
	switch s.kind {
	case "custom", "trapezoid", "chamfered":
		s.grow = dx
		return s
	case "rect":
		if dx > 0 && dx == dy && version >= version6 {
			s.kind, s.corner = "roundrect", dx
		}
	case "roundrect":
		s.corner = max(0, s.corner+min(dx, dy))
	}
	s.x, s.y = max(0, s.x+2*dx), max(0, s.y+2*dy)
	return s
}

// plainShapes keeps the shapes that pads share.
type plainShapes map[plainShape]artwork.Shape

type plainShape struct {
	kind         pcb.ShapeKind
	x, y, corner int64
}

func (k plainShapes) get(p plainShape) artwork.Shape {
	s, ok := k[p]
	if !ok {
		switch p.kind {
		case pcb.CircleShape:
			s = artwork.Circle(p.x)
		case pcb.ObroundShape:
			s = artwork.Obround(p.x, p.y)
		case pcb.RoundRectShape:
			s = artwork.RoundRect(p.x, p.y, p.corner)
		default:
			s = artwork.Rect(p.x, p.y)
		}
		k[p] = s
	}
	return s
}

func (k plainShapes) circle(d int64) artwork.Shape {
	return k.get(plainShape{kind: pcb.CircleShape, x: d})
}

// plain gives the shape as an aperture; ok is false where nothing is left of it.
func (s *padShape) plain(known plainShapes) (artwork.Shape, bool) {
	if s.kind != "custom" && (s.x <= 0 || s.y <= 0) {
		return artwork.Shape{}, false
	}
	switch s.kind {
	case "circle":
		return known.circle(s.x), true
	case "oval":
		if s.x == s.y {
			return known.circle(s.x), true
		}
		return known.get(plainShape{pcb.ObroundShape, s.x, s.y, 0}), true
	case "roundrect":
		return known.get(plainShape{pcb.RoundRectShape, s.x, s.y, s.corner}), true
	case "trapezoid":
		return s.polygon(pcb.TrapezoidShape, s.trapezoid()), true
	case "chamfered":
		return s.polygon(pcb.ChamferShape, s.chamferCorners()), true
	case "custom":
		return s.custom()
	}
	return known.get(plainShape{pcb.RectShape, s.x, s.y, 0}), true
}

func (s *padShape) polygon(kind pcb.ShapeKind, path geom.Path) artwork.Shape {
	key := kind.String() + keyOf(s.x, s.y, s.deltaX, s.deltaY, s.corner, s.cut, s.grow)
	for _, c := range s.cutCorner {
		key += strconv.FormatBool(c)[:1]
	}
	grow := s.grow
	x, y, cut := s.x, s.y, s.cut
	return artwork.Shape{Key: key, Build: func() pcb.Aperture {
		a := pcb.Area(kind, path)
		if grow != 0 {
			a = pcb.Custom(kind.String(), artwork.Inflate(a.Primitives, grow))
		}
		if kind == pcb.ChamferShape && grow == 0 {
			a.X, a.Y, a.Corner = x, y, cut
		}
		return a
	}}
}

func keyOf(v ...int64) string {
	var b []byte
	for _, x := range v {
		b = strconv.AppendInt(append(b, ' '), x, 36)
	}
	return string(b)
}

// trapezoid narrows two of a rectangle's sides by the deltas.
func (s *padShape) trapezoid() geom.Path {
	hx, hy, dx, dy := s.x/2, s.y/2, s.deltaX/2, s.deltaY/2
	p := geom.Path{Closed: true}
	// Y points upwards here and downwards in the file.
	p.LineTo(geom.Pt(-hx-dy, -hy-dx))
	p.LineTo(geom.Pt(hx+dy, -hy+dx))
	p.LineTo(geom.Pt(hx-dy, hy-dx))
	p.LineTo(geom.Pt(-hx+dy, hy+dx))
	return p
}

// chamferCorners cuts some corners of a rectangle and rounds the others.
func (s *padShape) chamferCorners() geom.Path {
	hx, hy := s.x/2, s.y/2
	p := geom.Path{Closed: true}
	corner := func(at geom.Point, along geom.Point, out geom.Point, cut bool) {
		d := s.corner
		if cut {
			d = s.cut
		}
		if d <= 0 {
			p.LineTo(at)
			return
		}
		from := at.Sub(geom.Pt(along.X*d, along.Y*d))
		to := at.Add(geom.Pt(out.X*d, out.Y*d))
		p.LineTo(from)
		if cut {
			p.LineTo(to)
			return
		}
		p.ArcTo(to, from.Add(geom.Pt(out.X*d, out.Y*d)), false)
	}
	corner(geom.Pt(hx, -hy), geom.Pt(1, 0), geom.Pt(0, 1), s.cutCorner[3])
	corner(geom.Pt(hx, hy), geom.Pt(0, 1), geom.Pt(-1, 0), s.cutCorner[1])
	corner(geom.Pt(-hx, hy), geom.Pt(-1, 0), geom.Pt(0, -1), s.cutCorner[0])
	corner(geom.Pt(-hx, -hy), geom.Pt(0, -1), geom.Pt(1, 0), s.cutCorner[2])
	return p
}

func (s *padShape) custom() (artwork.Shape, bool) {
	prims := s.prims
	if s.x > 0 && s.y > 0 {
		anchor := pcb.Circle(s.x)
		if s.anchor == "rect" {
			anchor = pcb.Rect(s.x, s.y)
		}
		prims = append(append([]pcb.Primitive{}, prims...), anchor.Primitives...)
	}
	if len(prims) == 0 {
		return artwork.Shape{}, false
	}
	grow := s.grow
	key := "custom " + s.anchor + keyOf(int64(s.key), s.x, s.y, grow)
	return artwork.Shape{Key: key, Build: func() pcb.Aperture {
		return pcb.Custom("custom pad", artwork.Inflate(prims, grow))
	}}, true
}
