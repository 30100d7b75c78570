package gerber

import (
	"bytes"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// fields tells which letters a word command had.
type fields uint8

const (
	hasX fields = 1 << iota
	hasY
	hasI
	hasJ
	hasD
	hasOther
	newLine
)

// command is one word command, such as G01X100Y200D01.
type command struct {
	has        fields
	x, y, i, j int64
	d          int
	gFlash     bool // G55: prepare to flash
}

// word reads one command up to its asterisk. Where the asterisk is missing, the
// next line's first repeated letter ends it too.
func (r *reader) word() {
	var c command
	for r.pos < len(r.data) {
		b := r.data[r.pos]
		switch {
		case b == '*':
			r.pos++
			r.execute(&c)
			return
		case b == '\n':
			r.line++
			r.pos++
			c.has |= newLine
		case b == '\r':
			r.carriageReturn()
			c.has |= newLine
		case b <= ' ':
			r.pos++
		case b == '%':
			r.warnNoStar()
			r.execute(&c)
			return
		default:
			if c.has&newLine != 0 && c.repeats(b) {
				r.warnNoStar()
				r.execute(&c)
				return
			}
			if r.letter(b, &c) {
				return
			}
		}
	}
	if c.has&^newLine != 0 {
		r.find(pcb.Problem, "truncated", "", r.line, "the file ends in the middle of a command")
	}
}

func (r *reader) warnNoStar() {
	r.find(pcb.Warning, "missing_asterisk", "", r.line, "a command has no asterisk at its end")
}

// repeats tells whether letter b cannot belong to the same command.
func (c *command) repeats(b byte) bool {
	switch b {
	case 'X':
		return c.has&(hasX|hasD) != 0
	case 'Y':
		return c.has&(hasY|hasD) != 0
	case 'D':
		return c.has&hasD != 0
	case 'G', 'M':
		return c.has&(hasD|hasX|hasY) != 0
	}
	return false
}

// letter reads a letter with its number; true when it ended the command.
func (r *reader) letter(b byte, c *command) bool {
	r.pos++
	switch b {
	case 'X':
		c.x, c.has = r.coordinate(), c.has|hasX
	case 'Y':
		c.y, c.has = r.coordinate(), c.has|hasY
	case 'I':
		c.i, c.has = r.offset(), c.has|hasI
	case 'J':
		c.j, c.has = r.offset(), c.has|hasJ
	case 'D':
		d := r.integer()
		switch again := c.has&hasD != 0; { // old files choose an aperture and use it in one command
		case again && c.d >= 10:
			r.selectAperture(c.d)
		case again && d >= 10:
			r.selectAperture(d)
			d = c.d
		}
		c.d, c.has = d, c.has|hasD
	case 'G':
		return r.general(r.integer(), c)
	case 'M':
		r.misc(r.integer())
		c.has |= hasOther
	case 'N':
		r.integer() // sequence number
	case 'x', 'y', 'i', 'j', 'd', 'g', 'm', 'n':
		r.find(pcb.Note, "lower_case", "", r.line, "commands are written in lower case")
		r.pos--
		return r.letter(b-'a'+'A', c)
	default:
		return r.strange(b)
	}
	return false
}

// strange skips what is no Gerber command, up to the asterisk or line end.
func (r *reader) strange(b byte) bool {
	start, line := r.pos-1, r.line
	for r.pos < len(r.data) && !strings.ContainsRune("*%\r\n", rune(r.data[r.pos])) {
		r.pos++
	}
	r.file.Unknown++
	r.find(pcb.Warning, "unknown_command", string(rune(b)), line, "not a Gerber command: %q", clip(r.data[start:r.pos]))
	return true
}

// clip shortens what is quoted in a message.
func clip(s []byte) string {
	const most = 40
	if len(s) > most {
		return strings.ToValidUTF8(string(s[:most]), "?") + "…"
	}
	return strings.ToValidUTF8(string(s), "?")
}

// integer reads the code after a letter.
func (r *reader) integer() int {
	v, n := 0, 0
	for r.pos < len(r.data) {
		c := r.data[r.pos]
		if c < '0' || c > '9' {
			if n == 0 && (c == ' ' || c == '+') {
				r.pos++
				continue
			}
			break
		}
		if v < 1e8 {
			v = v*10 + int(c-'0')
		}
		n++
		r.pos++
	}
	if n == 0 {
		return -1
	}
	return v
}

// coordinate reads the number after X or Y, in nanometres.
func (r *reader) coordinate() int64 {
	start := r.pos
	nm, within := r.number()
	if !within {
		r.reportFar(start)
	}
	return nm
}

// offset reads the number after I or J, in nanometres. The centre of an arc that is nearly
// straight lies beyond any board: its offset is clipped, which nobody can see.
func (r *reader) offset() int64 {
	nm, _ := r.number()
	return nm
}

// number reads a length in the file's format, in nanometres; false when it had to be
// clipped.
func (r *reader) number() (nm int64, within bool) {
	if !r.pending && (!r.file.FormatStated || !r.file.UnitStated) {
		r.needFormat()
	}
	data, p := r.data, r.pos
	neg := false
	for p < len(data) && (data[p] == '+' || data[p] == '-' || data[p] == ' ') {
		neg = neg != (data[p] == '-')
		p++
	}
	v, n := int64(0), 0
	for p < len(data) && data[p]-'0' <= 9 {
		if n < 17 {
			v = v*10 + int64(data[p]-'0')
		}
		n++
		p++
	}
	r.pos = p
	if p < len(data) && data[p] == '.' {
		return r.decimal(v, neg)
	}
	if neg {
		v = -v
	}
	nm, within = r.scale.nanometres(v, n)
	return nm, within && n <= 17
}

// decimal reads the fraction of a coordinate that is written with a point,
// which the format does not allow but some tools write.
func (r *reader) decimal(whole int64, neg bool) (nm int64, within bool) {
	r.pos++
	frac, den := int64(0), int64(1)
	for r.pos < len(r.data) && r.data[r.pos]-'0' <= 9 {
		if den < 1e9 {
			frac, den = frac*10+int64(r.data[r.pos]-'0'), den*10
		}
		r.pos++
	}
	r.find(pcb.Note, "decimal_point", "", r.line, "coordinates are written with a decimal point; taken as whole units")
	a, within := mulDiv(whole, r.scale.unit, 1)
	b, _ := mulDiv(frac, r.scale.unit, den)
	if neg {
		return -(a + b), within
	}
	return a + b, within
}

// reportFar tells of the coordinate that was read from start on and lies beyond any board:
// what is drawn to it or from it is left out, so that nothing is measured by it.
func (r *reader) reportFar(start int) {
	r.far = true
	r.find(pcb.Problem, "coordinate_range", "", r.line, "the coordinate %q in line %d lies beyond %d m, farther away than any board is long: what is drawn to it or from it was left out; export the file again", clip(bytes.TrimSpace(r.data[start:r.pos])), r.line, geom.MaxCoord/(1000*geom.Millimetre))
}

// general handles a G code; true when it consumed the rest of the command.
func (r *reader) general(g int, c *command) bool {
	c.has |= hasOther
	switch g {
	case 0: // rapid move: as G01
		r.interp = geom.Straight
	case 1:
		r.interp = geom.Straight
	case 2:
		r.interp = geom.Clockwise
	case 3:
		r.interp = geom.CounterClockwise
	case 4:
		r.comment()
		return true
	case 10, 11, 12, 60: // scaled linear interpolation, long gone
		r.interp = geom.Straight
		r.find(pcb.Warning, "deprecated_interpolation", "", r.line, "G%d scaled interpolation is read as plain lines", g)
	case 36:
		r.beginRegion()
	case 37:
		r.endRegion()
	case 54:
	case 55:
		c.gFlash = true
	case 70:
		r.unit(false)
	case 71:
		r.unit(true)
	case 74:
		r.quadrant = single
	case 75:
		r.quadrant = multi
	case 90:
		r.file.Format.Incremental = false
	case 91:
		r.file.Format.Incremental = true
	default:
		r.file.Unknown++
		r.find(pcb.Warning, "unknown_command", "G", r.line, "unknown command G%d", g)
		return false
	}
	return false
}

// misc handles an M code.
func (r *reader) misc(m int) {
	switch m {
	case 0, 2:
		r.file.Ended, r.done = true, true
	case 1:
	default:
		r.file.Unknown++
		r.find(pcb.Note, "unknown_command", "M", r.line, "unknown command M%d", m)
	}
}

// comment reads a G04 up to its asterisk. A comment that was not ended stops
// before the next line that looks like a command.
func (r *reader) comment() {
	start, line := r.pos, r.line
	end := bytes.IndexByte(r.data[start:], '*')
	if end < 0 {
		end = len(r.data) - start
	}
	text := r.data[start : start+end]
	if i := commentEnd(text); i >= 0 {
		r.find(pcb.Note, "missing_asterisk", "", line, "a comment has no asterisk at its end")
		text, end = text[:i], i
	}
	r.pos = min(start+end+1, len(r.data))
	r.line += countLines(text)
	if start+end < len(r.data) && r.data[start+end] == '\n' {
		r.line++
	}
	r.addComment(string(bytes.TrimSpace(text)), line)
}

// commentEnd gives where a comment without an asterisk should have ended; -1 when
// it runs over no line that looks like a command.
func commentEnd(text []byte) int {
	for i, c := range text {
		if c != '\n' || i+2 >= len(text) {
			continue
		}
		next := text[i+1]
		digit := text[i+2] >= '0' && text[i+2] <= '9' || text[i+2] == '-'
		if next == '%' || digit && isWordLetter(next) {
			return i
		}
	}
	return -1
}

func (r *reader) addComment(text string, line int) {
	if rest, ok := strings.CutPrefix(text, "#@!"); ok {
		if rest = strings.TrimSpace(rest); len(rest) >= 2 && rest[0] == 'T' {
			r.attribute(rest, line)
			return
		}
	}
	if len(r.file.Comments) < 64 && text != "" {
		r.file.Comments = append(r.file.Comments, strings.ToValidUTF8(text[:min(len(text), 500)], "?"))
	}
}
