package excellon

import (
	"bytes"
	"strconv"

	"boardorder/pkg/board/pcb"
)

// A scanner turns lines into a program.
type scanner struct {
	program
	opt      Options
	findings findingList
	line     int
	header   bool
	section  pcb.Plating // ;TYPE= in force
	attr     toolAttr
	motion   opcode // the modal code of coordinate lines
	routing  bool
	sieb     bool
	words    []word
	meter    pcb.Meter
	lines    pcb.Tally
	stored   pcb.Tally
}

// toolAttr is the aperture attribute that the next tools take.
type toolAttr struct {
	plating  pcb.Plating
	function string
}

// scan reads the whole program.
func scan(m pcb.Meter, data []byte, opt Options) *scanner {
	s := &scanner{opt: opt, motion: opDrill, meter: m, lines: m.Tally(pcb.Lookups), stored: m.Tally(pcb.Named)}
	s.byNum = make(map[int]int)
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for len(data) > 0 && s.lines.Add(1) {
		var line []byte
		line, data = splitLine(data)
		s.line++
		s.scanLine(bytes.TrimSpace(line))
	}
	return s
}

// endHeader leaves the header. What its sections and attributes say holds for the tools
// that they list; a tool whose size the body states again keeps its own.
func (s *scanner) endHeader() {
	s.header, s.section, s.attr = false, pcb.PlatingUnknown, toolAttr{}
}

// splitLine splits at the first line end: LF, CR LF or a lone CR.
func splitLine(data []byte) (line, rest []byte) {
	i := bytes.IndexAny(data, "\r\n")
	if i < 0 {
		return data, nil
	}
	if data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n' {
		return data[:i], data[i+2:]
	}
	return data[:i], data[i+1:]
}

func (s *scanner) scanLine(line []byte) {
	switch {
	case len(line) == 0 || s.ended:
		return
	case line[0] == ';' || line[0] == '(':
		s.comment(string(bytes.Trim(line, ";() \t")))
		return
	case bytes.HasPrefix(line, []byte("%%")):
		s.sieb, s.routing = true, false // Sieb & Meyer: %%3000
		return
	case line[0] == '%':
		s.endHeader()
		if len(line) > 1 && line[1] == ';' {
			s.comment(string(line[2:]))
		}
		return
	case line[0] == '$' || line[0] == '/' || line[0] == ':':
		s.ended = s.ended || line[0] == '$' && s.sieb
		return
	case s.keyword(line):
		return
	}
	if i := bytes.IndexByte(line, ';'); i > 0 {
		s.comment(string(bytes.TrimSpace(line[i+1:])))
	}
	words, rest := scanWords(line, s.words[:0])
	s.words = words
	if rest >= 0 {
		s.findings.add(s.line, true, "drill_unreadable", "cannot read "+quote(line[rest:]))
	}
	s.statement(words)
}

// quote shows a piece of a line, shortened.
func quote(b []byte) string {
	if len(b) > 40 {
		b = b[:40]
	}
	return strconv.QuoteToASCII(string(b))
}

// statement takes one line's words apart: codes first, then coordinates, then
// whatever follows them.
func (s *scanner) statement(ws []word) {
	var o op
	o.line, o.code = int32(s.line), s.motion
	pending := false // o holds coordinates that are not stored yet
	flush := func() {
		if pending {
			s.push(o)
		}
		o = op{line: int32(s.line), code: s.motion}
		pending = false
	}
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		switch w.letter {
		case 'G':
			if w.num.integer() == 85 {
				i = s.slot(&o, ws, i)
				pending = true
				continue
			}
			if c, ok := circleCycle(w.num.integer()); ok && w.has {
				i = s.circle(&o, ws, i, c)
				pending = true
				continue
			}
			flush()
			s.gcode(w)
			o.code = s.motion
		case 'M':
			i += s.mcode(w, ws[i+1:], &o, &pending, flush)
		case 'T':
			if s.sieb && pending && w.has {
				held := o
				o, pending = op{}, false
				s.toolWord(ws[i:])
				s.push(held)
				o = op{line: int32(s.line), code: s.motion}
			} else {
				flush()
				i += s.toolWord(ws[i:])
			}
		case 'X':
			if w.has {
				o.x, o.has, pending = w.num, o.has|hasX, true
			}
		case 'Y':
			if w.has {
				o.y, o.has, pending = w.num, o.has|hasY, true
			}
		case 'R':
			if w.has && !s.header {
				flush()
				i = s.repeat(&o, ws, i)
				pending = true
			}
		case 'A', 'I', 'J':
			if w.has {
				s.arcWord(&o, w)
			}
		case 'C', 'F', 'S', 'H', 'B', 'Z', 'N', 'D', 'P', 'L', 'Q', 'E', 'K', 'V', 'W', 'U', 'O':
			// Feeds, speeds, depths, hit counts and line numbers move nothing.
		}
	}
	flush()
}

func (s *scanner) push(o op) {
	if !s.stored.Add(1) {
		return
	}
	if o.has&hasX != 0 {
		s.coords.add(o.x)
	}
	if o.has&hasY != 0 {
		s.coords.add(o.y)
	}
	if o.has&(hasX|hasY) != 0 {
		s.stopped = false
	}
	s.ops = append(s.ops, o)
}

// mark stores an operation without coordinates.
func (s *scanner) mark(code opcode, n int) {
	s.push(op{code: code, n: int32(n), line: int32(s.line)})
}

// slot reads the second pair of X..Y..G85X..Y.. and returns the index of its
// last word.
func (s *scanner) slot(o *op, ws []word, i int) int {
	o.code = opSlot
	var e extraPair
	for i+1 < len(ws) && (ws[i+1].letter == 'X' || ws[i+1].letter == 'Y') {
		i++
		if ws[i].letter == 'X' {
			e.a, e.hasA = ws[i].num, ws[i].has
		} else {
			e.b, e.hasB = ws[i].num, ws[i].has
		}
		if ws[i].has {
			s.coords.add(ws[i].num)
		}
	}
	s.attach(o, e)
	return i
}

func (s *scanner) attach(o *op, e extraPair) {
	o.extra = int32(len(s.extra))
	o.has |= hasExtra
	s.extra = append(s.extra, e)
}

// circleCycle tells the canned cycles that cut a circle, and whether the
// number given is a diameter.
func circleCycle(g int) (diameter, ok bool) {
	switch g {
	case 84:
		return true, true
	case 32, 33:
		return false, true
	}
	return false, false
}

// circle reads X..Y..G84X(diameter) and G32X..Y..A(radius).
func (s *scanner) circle(o *op, ws []word, i int, diameter bool) int {
	o.code = opCircle
	var e extraPair
	e.radius = !diameter
	for i+1 < len(ws) {
		w := ws[i+1]
		switch {
		case diameter && w.letter == 'X' || !diameter && w.letter == 'A':
			e.a, e.hasA = w.num, w.has
		case !diameter && w.letter == 'X' && w.has:
			o.x, o.has = w.num, o.has|hasX
		case !diameter && w.letter == 'Y' && w.has:
			o.y, o.has = w.num, o.has|hasY
		default:
			s.attach(o, e)
			return i
		}
		i++
	}
	s.attach(o, e)
	return i
}

// arcWord keeps the radius or the centre offsets of an arc.
func (s *scanner) arcWord(o *op, w word) {
	if o.has&hasExtra == 0 {
		s.attach(o, extraPair{})
	}
	e := &s.extra[o.extra]
	switch w.letter {
	case 'A':
		e.a, e.hasA, e.radius = w.num, true, true
	case 'I':
		e.a, e.hasA = w.num, true
	case 'J':
		e.b, e.hasB = w.num, true
	}
}

// repeat reads R(n)X..Y.. (repeat the last hole with that step), and the
// R(n)M02X..Y.. form that repeats the pattern.
func (s *scanner) repeat(o *op, ws []word, i int) int {
	o.code, o.n = opRepeat, int32(ws[i].num.integer())
	for i+1 < len(ws) {
		w := ws[i+1]
		switch {
		case w.letter == 'X' && w.has:
			o.x, o.has = w.num, o.has|hasX
		case w.letter == 'Y' && w.has:
			o.y, o.has = w.num, o.has|hasY
		case w.letter == 'M' && w.num.integer() == 2:
			o.code = opPatternAgain
		default:
			return i
		}
		i++
	}
	return i
}
