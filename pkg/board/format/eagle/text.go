package eagle

import (
	"math"
	"path"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/strokefont"
	"boardorder/pkg/board/pcb"
)

// text draws lettering. Placeholders of a smashed part stand with the part, not
// with its package.
func (b *builder) text(it *item, s scope) {
	n := b.target(it, s)
	words := it.text
	if name, ok := strings.CutPrefix(strings.TrimSpace(words), ">"); ok {
		if s.element != nil && s.element.smashed && !s.label {
			return
		}
		words = b.expand(name, s.element)
	}
	if n == 0 || n == dimensionLayer || words == "" || it.size <= 0 {
		return
	}
	place := it.rot.transformAt(it.a).Chain(s.t)
	style := it.style(place)
	m := b.meta(it, scope{}, n)
	b.texts++
	if b.planes[n] == nil {
		l := b.sheet(n).Layer
		l.Texts = append(l.Texts, pcb.Text{Text: words, At: place.Offset, Height: it.size, Mirrored: style.Mirror, Line: int32(it.line)})
	}
	for _, p := range strokefont.Lines(words, place.Offset, style) {
		if !b.meter.Spend(pcb.Shapes, p.Len()) {
			return
		}
		b.put(n, m, p.Bounds().Grow(style.Pen/2), func(x *artwork.Sheet, grow int64, m artwork.Meta) { x.Path(p, style.Pen+2*grow, m) })
	}
}

// style sets letters so that they stay readable, unless they may spin.
func (it *item) style(place geom.Transform) strokefont.Style {
	pen := max(int64(float64(it.size)*it.ratio/100), 1000)
	st := strokefont.Style{Pen: pen, Mirror: place.Mirror, Rotation: place.Rotation}
	st.Height = max(it.size-pen, pen)
	st.Width = st.Height
	st.H, st.V = alignment(it.align)
	turn := math.Mod(math.Mod(place.Rotation, 360)+360, 360)
	if place.Mirror {
		turn = math.Mod(360-turn, 360)
	}
	if !it.rot.spin && turn > 90 && turn <= 270 {
		st.Rotation += 180
		st.H, st.V = -st.H, -st.V
	}
	return st
}

func alignment(s string) (h, v strokefont.Align) {
	h, v = strokefont.Start, strokefont.End
	switch {
	case s == "":
		return h, v
	case strings.HasSuffix(s, "center"):
		h = strokefont.Centre
	case strings.HasSuffix(s, "right"):
		h = strokefont.End
	}
	switch {
	case strings.HasPrefix(s, "top"):
		v = strokefont.Start
	case strings.HasPrefix(s, "center"):
		v = strokefont.Centre
	}
	return h, v
}

// expand gives what a placeholder stands for; "" where that is not known.
func (b *builder) expand(name string, x *element) string {
	if x != nil {
		switch name {
		case "NAME":
			return x.name
		case "VALUE":
			return x.value
		}
		for _, a := range x.attributes {
			if a.name == name {
				return a.value
			}
		}
	}
	if name == "DRAWING_NAME" {
		return path.Base(b.boardName())
	}
	return b.globals[name]
}
