package sexpr

import (
	"bytes"
	"slices"
)

// A Tree holds children of the outermost list, their nodes in the order of the
// text. Each Tree may be read by another goroutine.
type Tree struct {
	data      []byte
	nodes     []node
	start     position // of the first child
	requested position // of the last line asked for
}

// A position is a place in the text and the line, from 1, that it is on.
type position struct{ pos, line int }

// advance is the position of a place behind p.
func (p position) advance(data []byte, pos int) position {
	return position{pos, p.line + bytes.Count(data[p.pos:pos], []byte{'\n'})}
}

// A node is a word, a quoted text or a list; a list's first part follows it and
// next is the node behind its last one. Of what is no list next is 0.
type node struct {
	start, end uint32
	next       int32
}

// nodeAfter is the node behind node i and all its parts.
func (t *Tree) nodeAfter(i int32) int32 {
	if next := t.nodes[i].next; next > 0 {
		return next
	}
	return i + 1
}

// Reset empties the tree but for its room; its nodes are no longer valid.
func (t *Tree) Reset() { t.data, t.nodes = nil, t.nodes[:0] }

// Reserve makes room for some bytes of text.
func (t *Tree) Reserve(bytes int) {
	const perNode = 4 // and a little more
	t.nodes = slices.Grow(t.nodes, bytes/perNode)
}

// roomy gives nodes room for another, doubling it where there is none.
func roomy(nodes []node) []node {
	if len(nodes) < cap(nodes) {
		return nodes
	}
	return slices.Grow(nodes, max(1024, len(nodes)))
}

func (t *Tree) close(i int32, pos int) {
	t.nodes[i].end = uint32(pos)
	t.nodes[i].next = int32(len(t.nodes))
}

// line is the line of a place in the tree. Asking in rising order is cheap.
func (t *Tree) line(pos int) int {
	if pos < t.requested.pos {
		t.requested = t.start
	}
	t.requested = t.requested.advance(t.data, pos)
	return t.requested.line
}
