package pdf

import (
	"strings"
	"unicode/utf16"
)

const (
	maxAnnotations = 1000 // of a page
	hiddenFlags    = 1<<1 | 1<<5
	noteSize       = 10 // of the letters of a note without an appearance, in points
)

// drawAnnotations draws what lies on a page: notes that were put on it after it was made.
func (p *painter) drawAnnotations(v any) {
	all := p.file.list(v)
	for _, a := range all[:min(len(all), maxAnnotations)] {
		d := p.file.dict(a)
		kind, _ := p.file.resolve(d["Subtype"]).(name)
		flags, _ := integer(p.file.resolve(d["F"]))
		if d == nil || kind == "Link" || kind == "Popup" || flags&hiddenFlags != 0 {
			continue
		}
		box := p.numbers(d["Rect"])
		if len(box) != 4 {
			continue
		}
		left, top := min(box[0], box[2]), max(box[1], box[3])
		if form, ok := p.appearance(d); ok {
			p.drawAppearance(form, left, min(box[1], box[3]))
			continue
		}
		if words, ok := p.file.resolve(d["Contents"]).(text); ok && kind == "FreeText" {
			for i, line := range strings.FieldsFunc(decodeText(words), func(r rune) bool { return r == '\n' || r == '\r' }) {
				if len(p.runs) < maxRuns {
					p.runs = append(p.runs, run{p.page, left, -(top - float64(i+1)*noteSize), float64(len(line)) * noteSize / 2, 0, noteSize, line})
				}
			}
		}
	}
}

// appearance is what an annotation draws in the state that it is in.
func (p *painter) appearance(d dict) (stream, bool) {
	look := p.file.resolve(p.file.dict(d["AP"])["N"])
	if states, is := look.(dict); is {
		n, _ := p.file.resolve(d["AS"]).(name)
		look = p.file.resolve(states[string(n)])
	}
	s, ok := look.(stream)
	return s, ok
}

// drawAppearance draws a form with the lower left corner of its box at a place of the page.
func (p *painter) drawAppearance(form stream, x, y float64) {
	if box := p.numbers(form.dict["BBox"]); len(box) == 4 {
		x, y = x-min(box[0], box[2]), y-min(box[1], box[3])
	}
	s := state{ctm: matrix{1, 0, 0, 1, x, y}, stretch: 1}
	p.draw(p.file.unpack(form), p.file.dict(form.dict["Resources"]), s, 1)
}

// numbers are those of a list.
func (p *painter) numbers(v any) (out []float64) {
	for _, n := range p.file.list(v) {
		x, ok := p.file.resolve(n).(float64)
		if !ok || len(out) > 4 {
			return nil
		}
		out = append(out, x)
	}
	return out
}

// decodeText reads a string of words: UTF-16 behind its mark, else bytes as letters.
func decodeText(t text) string {
	b := []byte(t)
	if len(b) < 2 || b[0] != 0xfe || b[1] != 0xff {
		var out strings.Builder
		for _, c := range b {
			out.WriteRune(rune(c))
		}
		return out.String()
	}
	var units []uint16
	for i := 2; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i])<<8|uint16(b[i+1]))
	}
	return string(utf16.Decode(units))
}
