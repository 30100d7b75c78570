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
	tree   Tree // of Next
	faults []Fault
	known  position // the last whose line was asked for
	stack  [MaxDepth]int32
	open   bool
}

// NewReader starts reading data, which is not copied and must not change.
func NewReader(data []byte) *Reader {
	return &Reader{data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), known: position{0, 1}}
}

// Faults lists what was wrong with the text read so far.
func (r *Reader) Faults() []Fault { return r.faults }

// Rest is how many bytes are left to read.
func (r *Reader) Rest() int { return len(r.data) - r.pos }

// positionAt is the position of a place that is mostly further on than the last.
func (r *Reader) positionAt(pos int) position {
	pos = min(pos, len(r.data))
	if pos < r.known.pos {
		r.known = position{0, 1}
	}
	r.known = r.known.advance(r.data, pos)
	return r.known
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
	r.pos = r.atomEnd(start)
	if r.pos == start {
		return "", false
	}
	r.open = true
	return string(r.data[start:r.pos]), true
}

// Peek is the name of the next child as written, without reading it; empty where
// that is no list or has no name.
func (r *Reader) Peek() []byte {
	r.skipSpace()
	if r.pos >= len(r.data) || r.data[r.pos] != '(' {
		return nil
	}
	start := r.pos + 1
	return r.data[start:r.wordEnd(start)]
}

// Next reads the next child of the outermost list. The node and everything
// below it are valid until the following call. ok is false at the end.
func (r *Reader) Next() (n Node, ok bool) {
	r.tree.Reset()
	return r.ReadInto(&r.tree)
}

// ReadInto reads the next child of the outermost list into t, beside what it holds.
// The node and everything below it are valid until t is reset. ok is false at
// the end.
func (r *Reader) ReadInto(t *Tree) (n Node, ok bool) {
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
			if len(t.nodes) == 0 {
				t.data, t.start = r.data, r.positionAt(r.pos)
				t.requested = t.start
			}
			n = Node{t: t, i: int32(len(t.nodes))}
			r.build(t)
			return n, true
		}
	}
}

func (r *Reader) fault(pos int, format string, args ...any) {
	const enough = 50
	if len(r.faults) < enough {
		r.faults = append(r.faults, Fault{Line: r.positionAt(pos).line, Text: fmt.Sprintf(format, args...)})
	}
}

// build reads one expression at pos into the tree.
func (r *Reader) build(t *Tree) {
	d, pos, nodes := r.data, r.pos, t.nodes
	depth, skipped, most := 0, 0, len(nodes)+MaxNodes
	for pos < len(d) {
		switch c := d[pos]; {
		case c <= ' ':
			pos++
			continue
		case c == '(' && (depth == MaxDepth || len(nodes) >= most):
			if skipped == 0 {
				r.fault(pos, "lists nest deeper than %d or an element holds more than %d parts; the rest of it is skipped", MaxDepth, MaxNodes)
			}
			skipped++
			pos++
		case c == '(':
			r.stack[depth] = int32(len(nodes))
			depth++
			nodes = append(roomy(nodes), node{start: uint32(pos)})
			pos++
		case c == ')' && skipped > 0:
			skipped--
			pos++
		case c == ')':
			pos++
			depth--
			n := &nodes[r.stack[depth]]
			n.end, n.next = uint32(pos), int32(len(nodes))
		case c == '#' && r.lineStart(pos):
			pos = r.lineEnd(pos)
			continue
		default:
			start := pos
			pos = r.atomEnd(pos)
			if skipped == 0 && len(nodes) < most {
				nodes = append(roomy(nodes), node{start: uint32(start), end: uint32(pos)})
			}
		}
		if depth == 0 {
			r.pos, t.nodes = pos, nodes
			return
		}
	}
	r.pos, t.nodes = pos, nodes
	r.closeAll(t, r.stack[:depth])
}

func (r *Reader) closeAll(t *Tree, open []int32) {
	if len(open) > 0 {
		first := Node{t: t, i: open[0]}
		t.close(open[len(open)-1], r.pos)
		for _, i := range open {
			t.close(i, r.pos)
		}
		r.open = false
		r.fault(int(t.nodes[open[0]].start), "the file is cut off inside this %q", first.Name())
	}
}

// wordEnd is the place behind the word at pos.
func (r *Reader) wordEnd(pos int) int {
	d := r.data
	for pos < len(d) && !delimiter[d[pos]] {
		pos++
	}
	return pos
}

// atomEnd is the place behind the word or quoted text at pos. A quote within a word
// is part of it, as in the text 1" that KiCad up to 5 writes without quotes.
func (r *Reader) atomEnd(pos int) int {
	if pos == len(r.data) || r.data[pos] != '"' {
		return r.wordEnd(pos)
	}
	rest := r.data[pos+1:]
	end := bytes.IndexByte(rest, '"')
	if end >= 0 && bytes.IndexByte(rest[:end], '\\') >= 0 {
		end = closingQuote(rest)
	}
	if end < 0 {
		r.fault(pos, "a quoted text is not closed")
		return len(r.data)
	}
	return pos + end + 2
}

// closingQuote is where the quote lies that ends a text with escapes in it; -1
// for nowhere.
func closingQuote(d []byte) int {
	for i := 0; i < len(d); i++ {
		switch d[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// skipSpace moves to the next byte that matters; a line whose first visible
// character is # is a comment.
func (r *Reader) skipSpace() {
	for r.pos < len(r.data) {
		switch c := r.data[r.pos]; {
		case c <= ' ':
			r.pos++
		case c == '#' && r.lineStart(r.pos):
			r.pos = r.lineEnd(r.pos)
		default:
			return
		}
	}
}

// lineEnd is where the line of pos ends.
func (r *Reader) lineEnd(pos int) int {
	if n := bytes.IndexByte(r.data[pos:], '\n'); n >= 0 {
		return pos + n
	}
	return len(r.data)
}

func (r *Reader) lineStart(pos int) bool {
	for i := pos - 1; i >= 0; i-- {
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
		d[c] = c <= ' ' || c == '(' || c == ')'
	}
	return d
}()
