package easyeda

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// shapes draws the shapes of a document of EasyEDA Standard.
type shapes struct {
	*builder
	frame
}

// fields are those of one shape. One that is no number where one should be spoils it.
type fields struct {
	frame
	list []string
	bad  bool
}

func (f *fields) text(i int) string {
	if i < len(f.list) {
		return f.list[i]
	}
	return ""
}

// number reads a number; an empty field is def, and one without a default spoils the shape.
func (f *fields) number(i int, def float64) float64 {
	s := strings.TrimSpace(f.text(i))
	v := def
	if s != "" {
		var err error
		if v, err = strconv.ParseFloat(s, 64); err != nil {
			v = math.NaN()
		}
	}
	if !f.sound(v) {
		f.bad = true
		return 0
	}
	return v
}

// needed is the default of numbers that have to be there.
var needed = math.NaN()

func (f *fields) length(i int) int64 { return f.frame.length(f.number(i, needed)) }

func (f *fields) point(i int) geom.Point {
	return f.frame.point(f.number(i, needed), f.number(i+1, needed))
}

// width is that of a pen; older files have a unit behind it.
func (f *fields) width(i int) int64 {
	if i < len(f.list) {
		f.list[i] = strings.TrimSuffix(f.list[i], "px")
	}
	return f.frame.length(math.Abs(f.number(i, 0)))
}

func (f *fields) layer(i int) int {
	n, err := strconv.Atoi(f.text(i))
	f.bad = f.bad || err != nil
	return n
}

// corners reads a list of coordinates with spaces between.
func (f *fields) corners(i int) geom.Path {
	var p geom.Path
	list := strings.FieldsFunc(f.text(i), func(r rune) bool { return r == ' ' || r == ',' })
	c := fields{frame: f.frame, list: list}
	for k := 0; k+1 < len(list); k += 2 {
		if q := c.point(k); len(p.Points) == 0 || q != p.Points[len(p.Points)-1] {
			p.LineTo(q)
		}
	}
	f.bad = f.bad || c.bad || len(list)%2 == 1 || len(list) == 0
	return p
}

// paths reads a field that is data of a path or, in older files, a list of corners.
func (f *fields) paths(i int) []geom.Path {
	if !strings.ContainsAny(f.text(i), "Mm") {
		return []geom.Path{f.corners(i)}
	}
	out, err := readPath(f.frame, f.text(i))
	f.bad = f.bad || err != nil || len(out) == 0
	return out
}

// A part is a footprint that shapes belong to; none: they are the board's own.
type part struct {
	pcb.Component
	pads []pad
}

// read draws one shape of the document.
func (r *shapes) read(s string) {
	kind, _, _ := strings.Cut(s, "~")
	if kind == "LIB" {
		r.footprint(s)
		return
	}
	r.shape(s, nil)
}

func (r *shapes) shape(s string, p *part) {
	f := &fields{frame: r.frame, list: strings.Split(s, "~")}
	switch f.list[0] {
	case "TRACK":
		r.track(f)
	case "ARC":
		r.curve(f)
	case "CIRCLE":
		r.circle(f)
	case "RECT":
		r.rectangle(f)
	case "SOLIDREGION":
		r.region(f)
	case "COPPERAREA":
		r.copperArea(f)
	case "PAD":
		r.pad(f, p)
	case "VIA":
		r.viaShape(f)
	case "HOLE":
		r.hole(f)
	case "TEXT":
		r.text(f)
	case "DIMENSION":
		r.dimension(f)
	case "SVGNODE":
		r.image(f)
	case "PROTRACTOR": // measures on the screen only
	default:
		f.bad = true
	}
	if f.bad {
		r.misread(f.list[0])
	}
}

// footprint reads a part with its shapes.
func (r *shapes) footprint(s string) {
	list := strings.Split(s, "#@$")
	f := &fields{frame: r.frame, list: strings.Split(list[0], "~")}
	var attributes [][2]string
	pairs := strings.Split(f.text(3), "`")
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] != "" {
			attributes = append(attributes, [2]string{pairs[i], pairs[i+1]})
		}
	}
	p := &part{Component: pcb.Component{At: f.point(1), HasAt: true, Rotation: f.number(4, 0), Side: pcb.Top, NoBOM: f.text(12) == "none"}}
	if f.bad {
		r.misread("LIB")
		return
	}
	if f.text(7) == "2" {
		p.Side = pcb.Bottom
	}
	for _, a := range attributes {
		if a[0] == "package" {
			p.Footprint = a[1]
		}
	}
	for _, s := range list[1:] { // names first: pads belong to them
		if g := (&fields{list: strings.Split(s, "~")}); g.list[0] == "TEXT" {
			switch g.text(1) {
			case "P":
				p.Ref = g.text(10)
			case "N":
				p.Value = g.text(10)
			}
		}
	}
	for _, s := range list[1:] {
		if strings.HasPrefix(s, "LIB~") {
			r.misread("LIB")
			continue
		}
		r.shape(s, p)
	}
	p.Mount = mount(p.pads)
	r.place(p.Component, attributes)
}

func (r *shapes) track(f *fields) {
	e, width, path := element{f.list[0], f.layer(2), f.text(3)}, f.width(1), f.corners(4)
	if !f.bad {
		r.stroke(e, path, width)
	}
}

func (r *shapes) curve(f *fields) {
	e, width, paths := element{f.list[0], f.layer(2), f.text(3)}, f.width(1), f.paths(4)
	if f.bad {
		return
	}
	for _, p := range paths {
		r.stroke(e, p, width)
	}
}

func (r *shapes) circle(f *fields) {
	e, at, radius, width := element{f.list[0], f.layer(5), f.text(8)}, f.point(1), f.length(3), f.width(4)
	if !f.bad && radius > 0 {
		r.stroke(e, geom.Circle(at, radius), width)
	}
}

func (r *shapes) rectangle(f *fields) {
	x, y, w, h := f.number(1, needed), f.number(2, needed), f.number(3, needed), f.number(4, needed)
	e, width := element{f.list[0], f.layer(5), f.text(11)}, f.width(8)
	if f.bad {
		return
	}
	path := geom.Rect(geom.BoxOf(f.frame.point(x, y), f.frame.point(x+w, y+h)))
	if fill := f.text(9); fill != "none" && r.layers[e.layer].role != pcb.RoleOutline {
		r.fill(e, []geom.Path{path})
	}
	r.stroke(e, path, width)
}

// region fills an area; one through all layers is cut out of the board. Those that keep
// pours away are drawn by what was poured.
func (r *shapes) region(f *fields) {
	e, paths, kind := element{f.list[0], f.layer(1), f.text(2)}, f.paths(3), strings.ToLower(f.text(4))
	switch {
	case f.bad:
	case kind == "npth" || e.layer == multiLayer:
		r.cut(e.kind, paths)
	case kind == "cutout":
	default:
		r.fill(e, paths)
	}
}

// copperArea draws the copper of a pour, as the file holds it.
func (r *shapes) copperArea(f *fields) {
	const fill = 10
	e := element{f.list[0], f.layer(2), f.text(3)}
	var islands [][]string
	if s := strings.TrimSpace(f.text(fill)); s != "" && json.Unmarshal([]byte(s), &islands) != nil {
		f.bad = true
	}
	var pieces [][]geom.Path
	for _, island := range islands {
		for _, s := range island {
			paths, err := readPath(r.frame, s)
			f.bad = f.bad || err != nil
			pieces = append(pieces, paths)
		}
	}
	switch {
	case f.bad:
	case len(pieces) == 0 && f.text(6) != "none":
		r.missPour(e)
	}
	if !f.bad {
		for _, p := range pieces {
			r.pour(e, p, 0)
		}
	}
}

// image fills the path of a drawing.
func (r *shapes) image(f *fields) {
	var node struct {
		Name       string            `json:"nodeName"`
		Layer      string            `json:"layerid"`
		Attributes map[string]any    `json:"attrs"`
		Children   []json.RawMessage `json:"childNodes"`
	}
	if json.Unmarshal([]byte(strings.Join(f.list[1:], "~")), &node) != nil {
		f.bad = true
		return
	}
	n, err := strconv.Atoi(node.Layer)
	if err != nil || r.layers[n].ignored {
		f.bad = err != nil
		return
	}
	d, _ := node.Attributes["d"].(string)
	paths, err := readPath(r.frame, d)
	if f.bad = err != nil || node.Name != "path" || len(paths) == 0; !f.bad {
		r.fill(element{kind: f.list[0], layer: n}, paths)
	}
}

func (r *shapes) dimension(f *fields) {
	e, paths, width := element{kind: f.list[0], layer: f.layer(1)}, f.paths(2), f.width(7)
	if f.bad {
		return
	}
	for _, p := range paths {
		r.stroke(e, p, width)
	}
}

// text draws lettering as the file holds it: strokes, or the areas of a font's letters.
func (r *shapes) text(f *fields) {
	words := f.text(10)
	if f.text(12) == "none" || strings.TrimSpace(words) == "" {
		return
	}
	e, at, pen, height := element{kind: f.list[0], layer: f.layer(7)}, f.point(2), f.width(4), f.frame.length(f.number(9, 0))
	paths := f.paths(11)
	if f.bad {
		return
	}
	if f.text(14) != "" {
		r.write(e, pcb.Text{Text: words, At: at, Height: height, Mirrored: r.layers[e.layer].side == pcb.Bottom}, nil, 0)
		r.fill(e, paths)
		return
	}
	r.write(e, pcb.Text{Text: words, At: at, Height: height, Mirrored: r.layers[e.layer].side == pcb.Bottom}, paths, pen)
}

// viaShape draws a via. EasyEDA Standard covers vias with mask.
func (r *shapes) viaShape(f *fields) {
	at, diameter, drill := f.point(1), f.length(3), 2*f.length(5)
	if !f.bad {
		r.drawVia(at, diameter, drill, f.text(4), 1, len(r.copper), [2]float64{noOpening, noOpening})
	}
}

// hole drills without copper. The field that is called a diameter is a radius.
func (r *shapes) hole(f *fields) {
	at, d := f.point(1), 2*f.length(3)
	if f.bad = f.bad || d <= 0; !f.bad {
		r.drill(&bore{a: at, b: at, diameter: d}, artwork.Meta{})
	}
}

// roundSlot is how far the ends of a slot lie apart, in nanometres, that is drilled as a
// hole is.
const roundSlot = 10_000

func (r *shapes) pad(f *fields, owner *part) {
	p := pad{number: f.text(8), net: f.text(7), at: f.point(2)}
	l := land{x: f.length(4), y: f.length(5), turn: f.number(11, 0)}
	switch n := f.layer(6); n {
	case 1, 2:
		p.side = fixedLayers[n].side
	case multiLayer:
	default:
		f.bad = true
	}
	switch f.text(1) {
	case "ELLIPSE", "OVAL":
		l.corner = min(l.x, l.y)/2 + 1
	case "RECT":
	case "POLYGON":
		l.area = []geom.Path{f.corners(10)}
	default:
		f.bad = true
	}
	mask, paste := f.growth(18, 0.2), f.growth(17, 0)
	p.mask, p.paste = [2]float64{mask, mask}, [2]float64{paste, paste}
	if d := 2 * f.frame.length(f.number(9, 0)); d > 0 {
		p.hole = f.bore(p.at, d, l)
	}
	if f.bad {
		return
	}
	p.lands = map[int]land{0: l}
	if owner != nil {
		p.part = owner.Ref
		owner.pads = append(owner.pads, p)
	}
	r.drawPad(&p)
}

// growth reads how far an opening reaches beyond a pad, in nanometres.
func (f *fields) growth(i int, def float64) float64 {
	v := float64(f.frame.length(f.number(i, def)))
	if v <= -50*float64(geom.Millimetre) {
		return noOpening
	}
	return v
}

// bore reads a pad's hole of a diameter: a slot has a length, and its ends where the file
// is not too old.
func (f *fields) bore(at geom.Point, d int64, l land) *bore {
	h := &bore{a: at, b: at, diameter: d, plated: f.text(15) != "N"}
	long := f.frame.length(f.number(13, 0))
	if long <= d+roundSlot {
		return h
	}
	if f.text(14) != "" {
		if ends := f.corners(14); len(ends.Points) == 2 {
			h.a, h.b = ends.Points[0], ends.Points[1]
		}
		return h
	}
	way := geom.Pt((long-d)/2, 0)
	if l.y > l.x {
		way = geom.Pt(0, way.X)
	}
	way = way.Rotate(l.turn)
	h.a, h.b = at.Sub(way), at.Add(way)
	return h
}
