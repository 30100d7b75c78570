package pdf

import (
	"math"
)

// Bounds on what is drawn.
const (
	maxPages  = 40
	maxNodes  = 10_000 // of the tree that pages stand in
	maxForms  = 12     // within each other
	maxRuns   = 50_000
	maxStates = 64 // saved one upon the other
	maxSteps  = 2_000_000
)

// A matrix maps points as PDF has it: x' = a·x + c·y + e.
type matrix struct{ a, b, c, d, e, f float64 }

var identity = matrix{a: 1, d: 1}

// times is m first, then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m.a*n.a + m.b*n.c, m.a*n.b + m.b*n.d, m.c*n.a + m.d*n.c, m.c*n.b + m.d*n.d,
		m.e*n.a + m.f*n.c + n.e, m.e*n.b + m.f*n.d + n.f,
	}
}

// A run is letters in one go.
type run struct {
	page         int
	x, y, length float64 // in the direction of reading, and across it downwards
	turn         int     // of the direction, in quarters
	size         float64
	letters      string
}

// state is what text is drawn with.
type state struct {
	ctm                                  matrix
	font                                 *font
	size, spacing, wordSpacing, lead, up float64
	stretch                              float64
}

// A painter follows what pages draw.
type painter struct {
	file  *file
	fonts map[ref]*font
	page  int
	runs  []run
	steps int
}

// pages gives the pages of a file, each with what it inherits.
func (f *file) pages() []dict {
	var out []dict
	seen, nodes := map[ref]bool{}, 0
	var walk func(v any, inherited any, depth int)
	walk = func(v any, inherited any, depth int) {
		if r, is := v.(ref); is {
			if seen[r] {
				return
			}
			seen[r] = true
		}
		d := f.dict(v)
		if nodes++; d == nil || depth > maxNested || nodes > maxNodes || len(out) >= maxPages {
			return
		}
		if own := d["Resources"]; own != nil {
			inherited = own
		}
		if d["Kids"] == nil {
			if d["Type"] == name("Pages") { // a part without pages
				return
			}
			out = append(out, dict{"Contents": d["Contents"], "Resources": inherited, "Annots": d["Annots"]})
			return
		}
		kids := f.list(d["Kids"])
		for i := 0; i < len(kids) && nodes <= maxNodes; i++ {
			walk(kids[i], inherited, depth+1)
		}
	}
	walk(f.catalog["Pages"], nil, 0)
	return out
}

// drawPage follows the content of a page.
func (p *painter) drawPage(d dict) {
	var content []byte
	for _, part := range p.file.list(d["Contents"]) {
		if s, ok := p.file.resolve(part).(stream); ok {
			content = append(append(content, p.file.unpack(s)...), '\n')
		}
	}
	p.draw(content, p.file.dict(d["Resources"]), state{ctm: identity, stretch: 1}, 0)
	p.drawAnnotations(d["Annots"])
}

// draw follows operators.
func (p *painter) draw(content []byte, resources dict, s state, depth int) {
	l := &lexer{data: content}
	var saved []state
	line, at := identity, identity // of the text
	var operands []any
	number := func(i int) float64 {
		if i < len(operands) {
			v, _ := operands[i].(float64)
			return v
		}
		return 0
	}
	newline := func(x, y float64) {
		line = matrix{1, 0, 0, 1, x, y}.times(line)
		at = line
	}
	show := func(v any) {
		if letters, ok := v.(text); ok {
			p.show(&s, &at, letters)
		}
	}
	for p.steps < maxSteps && len(p.runs) < maxRuns {
		p.steps++
		v, ok := l.value(0)
		if !ok {
			if l.at >= len(l.data) {
				return
			}
			l.at++
			continue
		}
		op, is := v.(operator)
		if !is {
			if operands = append(operands, v); len(operands) > 100 {
				operands = operands[:0]
			}
			continue
		}
		switch op {
		case "q":
			if len(saved) < maxStates {
				saved = append(saved, s)
			}
		case "Q":
			if n := len(saved); n > 0 {
				s, saved = saved[n-1], saved[:n-1]
			}
		case "cm":
			s.ctm = matrix{number(0), number(1), number(2), number(3), number(4), number(5)}.times(s.ctm)
		case "BT":
			line, at = identity, identity
		case "Tf":
			if len(operands) > 1 {
				n, _ := operands[0].(name)
				s.font, s.size = p.font(p.file.dict(resources["Font"])[string(n)]), number(1)
			}
		case "Tm":
			line = matrix{number(0), number(1), number(2), number(3), number(4), number(5)}
			at = line
		case "Td":
			newline(number(0), number(1))
		case "TD":
			s.lead = -number(1)
			newline(number(0), number(1))
		case "T*":
			newline(0, -s.lead)
		case "TL":
			s.lead = number(0)
		case "Tc":
			s.spacing = number(0)
		case "Tw":
			s.wordSpacing = number(0)
		case "Tz":
			s.stretch = number(0) / 100
		case "Ts":
			s.up = number(0)
		case "Tj":
			if len(operands) > 0 {
				show(operands[0])
			}
		case "'":
			newline(0, -s.lead)
			if len(operands) > 0 {
				show(operands[0])
			}
		case "\"":
			s.wordSpacing, s.spacing = number(0), number(1)
			newline(0, -s.lead)
			if len(operands) > 2 {
				show(operands[2])
			}
		case "TJ":
			if len(operands) > 0 {
				list, _ := operands[0].([]any)
				for _, v := range list {
					if back, isNumber := v.(float64); isNumber {
						at = matrix{1, 0, 0, 1, -back / 1000 * s.size * s.stretch, 0}.times(at)
						continue
					}
					show(v)
				}
			}
		case "Do":
			if len(operands) > 0 && depth < maxForms {
				n, _ := operands[0].(name)
				p.drawForm(p.file.resolve(p.file.dict(resources["XObject"])[string(n)]), resources, s, depth)
			}
		case "ID": // an image amid the operators
			l.passImage()
		}
		operands = operands[:0]
	}
}

// drawForm follows what several pages may share, in the state that it is called in.
func (p *painter) drawForm(v any, resources dict, s state, depth int) {
	form, ok := v.(stream)
	if !ok || form.dict["Subtype"] != name("Form") {
		return
	}
	if m := p.file.list(form.dict["Matrix"]); len(m) == 6 {
		var n [6]float64
		for i := range n {
			n[i], _ = p.file.resolve(m[i]).(float64)
		}
		s.ctm = matrix{n[0], n[1], n[2], n[3], n[4], n[5]}.times(s.ctm)
	}
	if own := p.file.dict(form.dict["Resources"]); own != nil {
		resources = own
	}
	p.draw(p.file.unpack(form), resources, s, depth+1)
}

// font reads a font once.
func (p *painter) font(v any) *font {
	r, is := v.(ref)
	if is && p.fonts[r] != nil {
		return p.fonts[r]
	}
	t := p.file.font(v)
	p.steps += t.cost
	if is {
		p.fonts[r] = t
	}
	return t
}

// passImage passes the bytes of an image up to what ends it.
func (l *lexer) passImage() {
	for ; l.at+3 < len(l.data); l.at++ {
		if isSpace(l.data[l.at]) && l.data[l.at+1] == 'E' && l.data[l.at+2] == 'I' && isSpace(l.data[l.at+3]) {
			l.at += 3
			return
		}
	}
	l.at = len(l.data)
}

// show keeps a string where it stands, and moves on by its width.
func (p *painter) show(s *state, at *matrix, letters text) {
	if s.font == nil || len(p.runs) >= maxRuns {
		return
	}
	shown, width, codes, blanks := s.font.decode(letters)
	p.steps += codes
	advance := (width*s.size + s.spacing*float64(codes) + s.wordSpacing*float64(blanks)) * s.stretch
	m := matrix{s.size * s.stretch, 0, 0, s.size, 0, s.up}.times(*at).times(s.ctm)
	whole := at.times(s.ctm)
	*at = matrix{1, 0, 0, 1, advance, 0}.times(*at)
	angle := math.Atan2(m.b, m.a)
	turn := int(math.Round(angle/(math.Pi/2))) & 3
	size := math.Hypot(m.c, m.d)
	length := advance * math.Hypot(whole.a, whole.b)
	if shown == "" || size == 0 || math.IsNaN(m.e+m.f+length+size) || math.IsInf(m.e+m.f+length+size, 0) {
		return
	}
	x, y := m.e, -m.f
	switch turn {
	case 1:
		x, y = m.f, m.e
	case 2:
		x, y = -m.e, m.f
	case 3:
		x, y = -m.f, -m.e
	}
	p.runs = append(p.runs, run{p.page, x, y, length, turn, size, shown})
}
