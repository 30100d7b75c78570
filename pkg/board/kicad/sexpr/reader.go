package sexpr

import (
	"bytes"
	"fmt"
)

// Limits of what a file may hold. KiCad's own files nest about fifteen deep.
const (
	MaxDepth = 200
	MaxNodes = 30 << 20 // of one child of the outermost list
)

// A Fault is something wrong with the text itself.
type Fault struct {
	Line int // from 1
	Text string
}

// A Reader walks the children of the outermost list of data.
type Reader struct {
	data   []byte
	pos    int
	tree   Tree
	faults []Fault
	// The line counter moves forward with the positions asked about.
	linePos, line int
	open          bool
}

// NewReader starts reading data, which is not copied and must not change.
func NewReader(data []byte) *Reader {
	r := &Reader{data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), line: 1}
	r.tree.r = r
	return r
}

// Faults lists what was wrong with the text read so far.
func (r *Reader) Faults() []Fault { return r.faults }

// Line is the line, from 1, that holds byte pos. Asking in rising order of
// position is cheap.
func (r *Reader) Line(pos int) int {
	pos = min(pos, len(r.data))
	if pos < r.linePos {
		r.linePos, r.line = 0, 1
	}
	r.line += bytes.Count(r.data[r.linePos:pos], []byte{'\n'})
	r.linePos = pos
	return r.line
}

// Open enters the outermost list and gives its name, such as kicad_pcb; ok is
// false where the data does not begin with a named list.
func (r *Reader) Open() (name string, ok bool) {
	r.skipSpace()
	if r.pos >= len(r.data) || r.data[r.pos] != '(' {
		return "", false
	}
	r.pos++
	r.skipSpace()
	start := r.pos
	r.skipAtom()
	if r.pos == start {
		return "", false
	}
	r.open = true
	return string(r.data[start:r.pos]), true
}

// Next reads the next child of the outermost list. The node and everything
// below it are valid until the following call. ok is false at the end.
func (r *Reader) Next() (n Node, ok bool) {
	for {
		r.skipSpace()
		switch {
		case r.pos >= len(r.data):
			if r.open {
				r.open = false
				r.fault(len(r.data), "the file ends inside its outermost list: it is cut off")
			}
			return Node{}, false
		case r.data[r.pos] == ')':
			if !r.open {
				r.fault(r.pos, "a closing parenthesis too many")
			}
			r.open = false
			r.pos++
		default:
			if !r.open {
				r.fault(r.pos, "text follows the end of the outermost list; read as part of it")
				r.open = true
			}
			r.build()
			return Node{t: &r.tree, i: 0}, true
		}
	}
}

func (r *Reader) fault(pos int, format string, args ...any) {
	const enough = 50
	if len(r.faults) < enough {
		r.faults = append(r.faults, Fault{Line: r.Line(pos), Text: fmt.Sprintf(format, args...)})
	}
}

// build reads one expression at pos into the tree.
func (r *Reader) build() {
	t := &r.tree
	t.nodes = t.nodes[:0]
	var stack [MaxDepth]int32
	depth, skipped := 0, 0
	for {
		if r.pos >= len(r.data) {
			r.closeAll(stack[:depth])
			return
		}
		switch c := r.data[r.pos]; {
		case c == '(' && (depth == MaxDepth || len(t.nodes) >= MaxNodes):
			if skipped == 0 {
				r.fault(r.pos, "lists nest deeper than %d or an element holds more than %d parts; the rest of it is skipped", MaxDepth, MaxNodes)
			}
			skipped++
			r.pos++
		case c == '(':
			stack[depth] = int32(len(t.nodes))
			depth++
			t.nodes = append(t.nodes, node{start: uint32(r.pos), list: true})
			r.pos++
		case c == ')' && skipped > 0:
			skipped--
			r.pos++
		case c == ')':
			r.pos++
			depth--
			t.close(stack[depth], r.pos)
		case skipped > 0:
			r.skipAtom()
		default:
			r.atom()
		}
		if depth == 0 {
			return
		}
		r.skipSpace()
	}
}

func (r *Reader) closeAll(open []int32) {
	if len(open) > 0 {
		first := Node{t: &r.tree, i: open[0]}
		r.tree.close(open[len(open)-1], r.pos)
		for _, i := range open {
			r.tree.close(i, r.pos)
		}
		r.open = false
		r.fault(int(r.tree.nodes[open[0]].start), "the file is cut off inside this %s", first.Name())
	}
}

func (r *Reader) atom() {
	start := r.pos
	r.skipAtom()
	t := &r.tree
	if len(t.nodes) >= MaxNodes {
		return
	}
	t.nodes = append(t.nodes, node{start: uint32(start), end: uint32(r.pos), next: int32(len(t.nodes) + 1)})
}

// skipAtom moves behind the word or quoted string at pos.
func (r *Reader) skipAtom() {
	d := r.data
	if r.pos < len(d) && d[r.pos] == '"' {
		r.skipQuoted()
		return
	}
	for r.pos < len(d) && !delimiter[d[r.pos]] {
		r.pos++
	}
	if r.pos < len(d) && d[r.pos] == '"' {
		r.skipQuoted()
	}
}

func (r *Reader) skipQuoted() {
	d := r.data
	start := r.pos
	for r.pos++; r.pos < len(d); r.pos++ {
		switch d[r.pos] {
		case '\\':
			r.pos++
		case '"':
			r.pos++
			return
		}
	}
	r.pos = len(d)
	r.fault(start, "a quoted text is not closed")
}

// skipSpace moves to the next byte that matters; a line whose first visible
// character is # is a comment.
func (r *Reader) skipSpace() {
	d := r.data
	for r.pos < len(d) {
		switch c := d[r.pos]; {
		case c <= ' ':
			r.pos++
		case c == '#' && r.lineStart():
			end := bytes.IndexByte(d[r.pos:], '\n')
			if end < 0 {
				end = len(d) - r.pos
			}
			r.pos += end
		default:
			return
		}
	}
}

func (r *Reader) lineStart() bool {
	for i := r.pos - 1; i >= 0; i-- {
		switch r.data[i] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}

// delimiter marks the bytes that end a word.
var delimiter = func() (d [256]bool) {
	for c := range d {
		d[c] = c <= ' ' || c == '(' || c == ')' || c == '"'
	}
	return d
}()
