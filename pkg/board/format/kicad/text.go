package kicad

import (
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/internal/strokefont"
	"boardorder/pkg/board/pcb"
)

// A label is a text with how it is set.
type label struct {
	text     string
	at       geom.Point
	style    strokefont.Style
	layer    *pcbLayer
	knockout bool
	hidden   bool
	shapes   []geom.Path // letters as KiCad stored them, for outline fonts
	line     int
}

// boardText draws gr_text and gr_text_box; of tables, every cell.
func (r *pcbReader) boardText(n sexpr.Node, kind string) {
	switch kind {
	case "table":
		for c := range n.Find("cells").Lists("table_cell") {
			r.drawLabel(r.boxLabel(c))
		}
		r.passOver("table border", n.Line())
	case "gr_text_box":
		if n.Value("border").Text() != "no" {
			r.graphic(n, "rect", geom.Transform{}, graphicContext{})
		}
		r.drawLabel(r.boxLabel(n))
	default:
		l := r.label(n, n.Part(1), geom.Transform{})
		l.text = r.expand(l.text, nil)
		r.drawLabel(l)
	}
}

// boxLabel reads a text box, whose text begins in a corner of it; without
// breaking lines anew.
func (r *pcbReader) boxLabel(n sexpr.Node) label {
	l := r.label(n, n.Part(1), geom.Transform{})
	box := geom.BoxOf(r.pt(n.Find("start")), r.pt(n.Find("end")))
	if pts := n.Find("pts"); pts.Exists() {
		box = r.points(pts, geom.Transform{}).Bounds()
	}
	if !box.Empty() {
		l.at = geom.Pt(pick(l.style.H, box.Min.X, box.Max.X), pick(-l.style.V, box.Min.Y, box.Max.Y))
	}
	l.text = r.expand(l.text, nil)
	return l
}

func pick(a strokefont.Align, low, high int64) int64 {
	switch a {
	case strokefont.Start:
		return low
	case strokefont.End:
		return high
	}
	return low + (high-low)/2
}

// footprintText draws fp_text and, since KiCad 8, properties that have a place.
func (r *pcbReader) footprintText(n sexpr.Node, f *footprint) {
	kind, text := n.Part(1).Text(), n.Part(2)
	if n.Is("property") {
		if !n.Find("layer").Exists() {
			return
		}
		switch kind {
		case "Reference":
			kind = "reference"
		case "Value":
			kind = "value"
		}
	}
	if n.Is("fp_text_box") {
		kind, text = "user", n.Part(1)
	}
	s := &r.setup
	if kind == "reference" && !s.plotReference || kind == "value" && !s.plotValue || kind == "user" && !s.plotText {
		return
	}
	l := r.label(n, text, f.frame)
	if !n.Flag("unlocked") {
		l.style.Rotation = upright(l.style.Rotation)
	}
	l.text = r.expand(l.text, f)
	r.drawLabel(l)
}

// upright turns text that would stand on its head.
func upright(deg float64) float64 {
	for deg > 90 {
		deg -= 180
	}
	for deg <= -90 {
		deg += 180
	}
	return deg
}

func (r *pcbReader) label(n, text sexpr.Node, frame geom.Transform) label {
	l := label{text: text.Text(), line: n.Line()}
	if at := n.Find("at"); at.Exists() {
		l.at = frame.Apply(r.pt(at))
		l.style.Rotation = limitAngle(at.Part(3).Float())
	}
	if layer := n.Find("layer"); layer.Exists() {
		l.layer = r.layer(layer.Part(1))
		l.knockout = layer.Has("knockout")
	}
	effects := n.Find("effects")
	l.hidden = n.Flag("hide") || effects.Flag("hide")
	r.font(&l, effects)
	if cache := n.Find("render_cache"); cache.Exists() {
		for p := range cache.Lists("polygon") {
			for pts := range p.Lists("pts") {
				l.shapes = append(l.shapes, r.points(pts, geom.Transform{}))
			}
		}
	}
	return l
}

func limitAngle(deg float64) float64 {
	if deg < -3600 || deg > 3600 {
		return 0
	}
	return deg
}

// font reads (effects (font (size h w) (thickness t) bold italic) (justify …)).
func (r *pcbReader) font(l *label, effects sexpr.Node) {
	font := effects.Find("font")
	s := &l.style
	s.Height, s.Width = size(font.Find("size").Part(1)), size(font.Find("size").Part(2))
	if s.Height <= 0 || s.Width <= 0 {
		s.Height, s.Width = 1_000_000, 1_000_000
	}
	s.Pen = size(font.Value("thickness"))
	if s.Pen <= 0 {
		s.Pen = s.Width / 8
		if font.Flag("bold") {
			s.Pen = s.Width / 5
		}
	}
	s.Pen = min(s.Pen, min(s.Width, s.Height)/4)
	s.Italic = font.Flag("italic")
	s.LineFactor = 1.68 * max(0, min(10, defaultToOne(font.Value("line_spacing").Float())))
	justify := effects.Find("justify")
	switch {
	case justify.Has("left"):
		s.H = strokefont.Start
	case justify.Has("right"):
		s.H = strokefont.End
	}
	switch {
	case justify.Has("top"):
		s.V = strokefont.Start
	case justify.Has("bottom"):
		s.V = strokefont.End
	}
	s.Mirror = justify.Has("mirror")
}

func defaultToOne(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// drawLabel draws a text on its layer; knocked out, as a box with the letters
// left free.
func (r *pcbReader) drawLabel(l label) {
	if l.layer == nil || l.text == "" || l.hidden && !r.setup.plotInvisible {
		return
	}
	m := artwork.Meta{Line: l.line, Function: pcb.FuncMaterial}
	if l.layer.role == pcb.RoleCopper {
		m.Function = pcb.FuncNonConductor
	}
	sheet := l.layer.paper()
	sheet.Layer.Texts = append(sheet.Layer.Texts, pcb.Text{
		Text: l.text, At: l.at, Height: l.style.Height, Mirrored: l.style.Mirror, Line: int32(l.line)})
	if len(l.shapes) > 0 {
		for _, p := range l.shapes {
			p.Closed = true
			sheet.Region(geom.Polygon{Outer: p}, m)
		}
		return
	}
	lines := r.letters.Lines(plainText(l.text), l.at, l.style)
	if l.knockout {
		box := geom.EmptyBox()
		for _, p := range lines {
			box = box.Union(p.Bounds())
		}
		if !box.Empty() {
			sheet.Region(geom.Polygon{Outer: geom.Rect(box.Grow(l.style.Pen + l.style.Height/6))}, m)
		}
		m.Clear = true
	}
	for _, p := range lines {
		sheet.Path(p, l.style.Pen, m)
	}
}

// plainText drops the marks for raised, lowered and overlined text.
func plainText(s string) string {
	if strings.IndexByte(s, '{') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case i+1 < len(s) && s[i+1] == '{' && (s[i] == '~' || s[i] == '^' || s[i] == '_'):
			depth++
			i++
		case s[i] == '}' && depth > 0:
			depth--
		default:
			out = append(out, s[i])
		}
	}
	return string(out)
}
