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

// at is the position of a place that is mostly further on than the last.
func (r *Reader) at(pos int) position {
	pos = min(pos, len(r.data))
	if pos < r.known.pos {
		r.known = position{0, 1}
	}
	r.known = r.known.to(r.data, pos)
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
	r.skipAtom()
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
	end := start
	for end < len(r.data) && !delimiter[r.data[end]] {
		end++
	}
	return r.data[start:end]
}

// Next reads the next child of the outermost list. The node and everything
// below it are valid until the following call. ok is false at the end.
func (r *Reader) Next() (n Node, ok bool) {
	r.tree.Reset()
	return r.Into(&r.tree)
}

// Into reads the next child of the outermost list into t, beside what it holds.
// The node and everything below it are valid until t is reset. ok is false at
// the end.
func (r *Reader) Into(t *Tree) (n Node, ok bool) {
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
				t.data, t.start = r.data, r.at(r.pos)
				t.asked = t.start
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
		r.faults = append(r.faults, Fault{Line: r.at(pos).line, Text: fmt.Sprintf(format, args...)})
	}
}

// build reads one expression at pos into the tree.
func (r *Reader) build(t *Tree) {
	depth, skipped, most := 0, 0, len(t.nodes)+MaxNodes
	for {
		if r.pos >= len(r.data) {
			r.closeAll(t, r.stack[:depth])
			return
		}
		switch c := r.data[r.pos]; {
		case c == '(' && (depth == MaxDepth || len(t.nodes) >= most):
			if skipped == 0 {
				r.fault(r.pos, "lists nest deeper than %d or an element holds more than %d parts; the rest of it is skipped", MaxDepth, MaxNodes)
			}
			skipped++
			r.pos++
		case c == '(':
			r.stack[depth] = int32(len(t.nodes))
			depth++
			t.add(node{start: uint32(r.pos), list: true})
			r.pos++
		case c == ')' && skipped > 0:
			skipped--
			r.pos++
		case c == ')':
			r.pos++
			depth--
			t.close(r.stack[depth], r.pos)
		default:
			start := r.pos
			r.skipAtom()
			if skipped == 0 && len(t.nodes) < most {
				t.add(node{start: uint32(start), end: uint32(r.pos), next: int32(len(t.nodes) + 1)})
			}
		}
		if depth == 0 {
			return
		}
		r.skipSpace()
	}
}

func (r *Reader) closeAll(t *Tree, open []int32) {
	if len(open) > 0 {
		first := Node{t: t, i: open[0]}
		t.close(open[len(open)-1], r.pos)
		for _, i := range open {
			t.close(i, r.pos)
		}
		r.open = false
		r.fault(int(t.nodes[open[0]].start), "the file is cut off inside this %s", first.Name())
	}
}

// skipAtom moves behind the word or quoted string at pos.
func (r *Reader) skipAtom() {
	d, i := r.data, r.pos
	for i < len(d) && !delimiter[d[i]] {
		i++
	}
	r.pos = i
	if i < len(d) && d[i] == '"' {
		r.skipQuoted()
	}
}

func (r *Reader) skipQuoted() {
	start := r.pos
	rest := r.data[start+1:]
	end := bytes.IndexByte(rest, '"')
	if end >= 0 && bytes.IndexByte(rest[:end], '\\') >= 0 {
		end = closingQuote(rest)
	}
	if end < 0 {
		r.pos = len(r.data)
		r.fault(start, "a quoted text is not closed")
		return
	}
	r.pos = start + end + 2
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
	d, i := r.data, r.pos
	for i < len(d) {
		switch c := d[i]; {
		case c <= ' ':
			i++
		case c == '#' && r.lineStart(i):
			end := bytes.IndexByte(d[i:], '\n')
			if end < 0 {
				end = len(d) - i
			}
			i += end
		default:
			r.pos = i
			return
		}
	}
	r.pos = i
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
		d[c] = c <= ' ' || c == '(' || c == ')' || c == '"'
	}
	return d
}()
