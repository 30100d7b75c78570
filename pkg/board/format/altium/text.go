package altium

import (
	"strings"
	"unicode/utf16"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/strokefont"
	"boardorder/pkg/board/pcb"
)

// A text is lettering as the file states it.
type text struct {
	object
	at           geom.Point
	height, pen  int64
	turn         float64
	mirror       bool
	comment, ref bool // of its part
	font         byte
	inverted     bool // letters left out of a filled box
	words        string
}

// Fonts of texts.
const (
	strokeFont = 0
	barcode    = 2
)

// readTexts reads lettering; letters beyond the code page stand in a stream of their own.
func (r *reader) readTexts() error {
	wide, err := r.wideStrings()
	if err != nil {
		return err
	}
	return r.records("Texts6", func(c *cursor) error { return r.text(c, wide) })
}

// wideStrings are texts by number.
func (r *reader) wideStrings() (map[uint32]string, error) {
	data, err := r.stream("WideStrings6")
	if err != nil {
		return nil, err
	}
	out := map[uint32]string{}
	for c := (&cursor{data: data}); len(c.data) >= 8; {
		n := c.u32()
		raw := c.sub()
		if c.err != nil || !r.meter.Spend(pcb.Named, 1+len(raw.data)/64) {
			break
		}
		letters := make([]uint16, 0, len(raw.data)/2)
		for len(raw.data) >= 2 {
			if l := uint16(raw.u16()); l != 0 {
				letters = append(letters, l)
			}
		}
		out[n] = string(utf16.Decode(letters))
	}
	return out, r.meter.Err()
}

func (r *reader) text(c *cursor, wide map[uint32]string) error {
	s, err := begin(c, textRecord)
	if err != nil {
		return err
	}
	t := text{object: s.object(len(r.design.texts) + 1), at: s.point(), height: s.length()}
	s.skip(2)
	t.turn, t.mirror, t.pen = s.f64(), s.u8() != 0, s.length()
	number, numbered := uint32(0), false
	if len(s.data) >= 123-40 {
		t.comment, t.ref = s.u8() != 0, s.u8() != 0
		s.skip(1)
		t.font = s.u8()
		s.skip(2 + 64)
		t.inverted = s.u8() != 0
		s.skip(4)
		number, numbered = s.u32(), true
	}
	words := c.sub()
	t.words = words.short()
	if w, ok := wide[number]; ok && numbered {
		t.words = w
	}
	r.design.texts = append(r.design.texts, t)
	r.nameOf(&t)
	return s.err
}

// nameOf takes over a part's designator or comment.
func (r *reader) nameOf(t *text) {
	if t.part >= len(r.design.parts) {
		return
	}
	x := &r.design.parts[t.part]
	switch {
	case t.ref && x.ref == "":
		x.ref = strings.TrimSpace(t.words)
	case t.comment && x.comment == "":
		x.comment = strings.TrimSpace(t.words)
	}
}

// text draws lettering with plain strokes.
func (b *builder) text(t *text) {
	words := b.expand(t)
	if words == "" || t.height <= 0 || t.keepOut {
		return
	}
	copper := t.layer.signal() || t.layer == multiLayer
	if t.font == barcode || t.inverted && copper {
		level := pcb.Warning
		if copper {
			level = pcb.Problem
		}
		b.finding(level, "text_unread", "the text %q on %s is a bar code or is left out of a filled box; it is not drawn: send Gerbers if it matters", words, b.layerName(t.layer))
		return
	}
	st := t.style()
	at := t.at.Sub(b.origin)
	for _, l := range b.targets(t.layer) {
		s := b.sheet(l)
		if !copper {
			s.Layer.Texts = append(s.Layer.Texts, pcb.Text{Text: words, At: at, Height: t.height, Mirrored: t.mirror, Line: int32(t.record)})
		}
		b.texts++
		m := b.meta(&t.object, l)
		m.Net = 0
		if copper {
			m.Function = pcb.FuncNonConductor
		}
		if t.font != strokeFont && (copper || l == topSolder || l == bottomSolder) {
			b.fonts = append(b.fonts, words)
		}
		for _, p := range strokefont.Lines(words, at, st) {
			if !b.meter.Spend(pcb.Shapes, p.Len()) {
				return
			}
			s.Path(p, st.Pen, m)
		}
	}
}

// style sets letters with a pen. Of other fonts the height is that of a line, of which
// capitals take about half.
func (t *text) style() strokefont.Style {
	st := strokefont.Style{Pen: max(t.pen, 1000), Height: t.height, Mirror: t.mirror, Rotation: t.turn, H: strokefont.Start, V: strokefont.End}
	st.Width = st.Height
	if t.font != strokeFont {
		st.Pen = max(t.height/12, 1000)
		st.Height, st.Width = t.height*47/100, t.height*43/100
	}
	st.Height, st.Width = max(st.Height, st.Pen), max(st.Width, st.Pen)
	return st
}

// expand gives what a text says: names of parts may be hidden, and words with a dot
// before them stand for others.
func (b *builder) expand(t *text) string {
	var x *part
	if t.part < len(b.design.parts) {
		x = &b.design.parts[t.part]
	}
	if x != nil && (t.ref && !x.showRef || t.comment && !x.showComment) {
		return ""
	}
	words := strings.TrimRight(t.words, "\r\n ")
	name, special := strings.CutPrefix(words, ".")
	if !special || name == "" || strings.ContainsAny(name, " .\n") {
		return words
	}
	switch strings.ToLower(name) {
	case "designator":
		if x != nil {
			return x.ref
		}
	case "comment":
		if x != nil {
			return x.comment
		}
	case "layer_name":
		return b.layerName(t.layer)
	}
	if t.layer.mechanical() || t.layer == drillDrawing || t.layer == drillGuide {
		return words
	}
	b.special[words] = true
	return ""
}
