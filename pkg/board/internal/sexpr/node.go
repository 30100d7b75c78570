package sexpr

import (
	"bytes"
	"iter"
	"math"
	"strconv"
)

// A Node is a word, a text or a list of a tree. The zero Node is what is not
// there: every question about it has an empty answer.
type Node struct {
	t *Tree
	i int32
}

// Exists says whether there is such a node.
func (n Node) Exists() bool { return n.t != nil }

// IsList says whether the node is a list.
func (n Node) IsList() bool { return n.t != nil && n.t.nodes[n.i].next > 0 }

// Line is the line, from 1, at which the node begins.
func (n Node) Line() int {
	if n.t == nil {
		return 0
	}
	return n.t.line(int(n.t.nodes[n.i].start))
}

// Raw is the node's bytes as written, quotes included.
func (n Node) Raw() []byte {
	if n.t == nil {
		return nil
	}
	p := n.t.nodes[n.i]
	return n.t.data[p.start:p.end]
}

// Name is the first word of a list, as written.
func (n Node) Name() []byte { return n.Part(0).Raw() }

// Is says whether the node is a list of this name; it does not allocate.
func (n Node) Is(name string) bool { return string(n.Name()) == name }

// Says says whether the node is this word or text; it does not allocate.
func (n Node) Says(text string) bool {
	raw := n.Raw()
	if len(raw) == 0 || raw[0] != '"' {
		return string(raw) == text
	}
	if len(raw) == len(text)+2 && string(raw[1:len(raw)-1]) == text {
		return true
	}
	return bytes.IndexByte(raw, '\\') >= 0 && n.Text() == text
}

// Part is part i of a list, its name being part 0.
func (n Node) Part(i int) Node {
	if !n.IsList() {
		return Node{}
	}
	at, end := n.i+1, n.t.nodes[n.i].next
	for ; i > 0 && at < end; i-- {
		at = n.t.nodeAfter(at)
	}
	if at >= end || i < 0 {
		return Node{}
	}
	return Node{t: n.t, i: at}
}

// Len is the number of parts of a list, its name included.
func (n Node) Len() int {
	count := 0
	for range n.parts() {
		count++
	}
	return count
}

// Args walks the parts of a list behind its name.
func (n Node) Args() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		first := true
		for c := range n.parts() {
			if first && !c.IsList() {
				first = false
				continue
			}
			first = false
			if !yield(c) {
				return
			}
		}
	}
}

func (n Node) parts() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if !n.IsList() {
			return
		}
		for i, end := n.i+1, n.t.nodes[n.i].next; i < end; i = n.t.nodeAfter(i) {
			if !yield(Node{t: n.t, i: i}) {
				return
			}
		}
	}
}

// Find is the first part that is a list of this name.
func (n Node) Find(name string) Node {
	if !n.IsList() {
		return Node{}
	}
	for i, end := n.i+1, n.t.nodes[n.i].next; i < end; i = n.t.nodeAfter(i) {
		if c := (Node{t: n.t, i: i}); c.Is(name) {
			return c
		}
	}
	return Node{}
}

// Lists walks the parts that are lists of this name.
func (n Node) Lists(name string) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := range n.parts() {
			if c.Is(name) && !yield(c) {
				return
			}
		}
	}
}

// Has says whether one of the parts behind the name is this very word.
func (n Node) Has(word string) bool {
	for c := range n.Args() {
		if !c.IsList() && string(c.Raw()) == word {
			return true
		}
	}
	return false
}

// Value is part 1 of the list of this name: what (name value) says.
func (n Node) Value(name string) Node { return n.Find(name).Part(1) }

// Flag reads a switch in the ways the versions write it: the bare word, (name),
// (name yes) or (name no).
func (n Node) Flag(name string) bool {
	for c := range n.Args() {
		if !c.IsList() {
			if string(c.Raw()) == name {
				return true
			}
			continue
		}
		if c.Is(name) {
			v := string(c.Part(1).Raw())
			return v != "no" && v != "false" && v != "none"
		}
	}
	return false
}

// Text is the word or the text with its quotes and escapes taken off.
func (n Node) Text() string {
	raw := n.Raw()
	if len(raw) == 0 || raw[0] != '"' {
		return string(raw)
	}
	raw = raw[1:]
	if len(raw) > 0 && raw[len(raw)-1] == '"' {
		raw = raw[:len(raw)-1]
	}
	for _, c := range raw {
		if c == '\\' {
			return unescape(raw)
		}
	}
	return string(raw)
}

func unescape(raw []byte) string {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\\' && i+1 < len(raw) {
			i++
			c = raw[i]
			switch c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// Int is the node as an integer, 0 where it is none.
func (n Node) Int() int {
	v, err := strconv.ParseInt(n.Text(), 10, 64)
	if err != nil {
		return int(n.Float())
	}
	return int(v)
}

// Float is the node as a number, 0 where it is none.
func (n Node) Float() float64 {
	raw := n.Raw()
	if v, places, ok := decimal(raw); ok {
		f := float64(v) / float64(tens[places]) // the nearest number, as both are exact
		if raw[0] == '-' {
			f = math.Copysign(f, -1)
		}
		return f
	}
	if len(raw) == 0 {
		return 0
	}
	v, err := strconv.ParseFloat(n.Text(), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// tens are powers of ten.
var tens = [16]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// decimal reads a decimal of up to fifteen characters beside its sign: v over ten
// to the power of places. ok is false for anything else.
func decimal(raw []byte) (v int64, places int, ok bool) {
	digits := raw
	if len(raw) > 0 && raw[0] == '-' {
		digits = raw[1:]
	}
	if len(digits) == 0 || len(digits) >= len(tens) {
		return 0, 0, false
	}
	point := -1
	for i, c := range digits {
		switch {
		case c >= '0' && c <= '9':
			v = v*10 + int64(c-'0')
		case c == '.' && point < 0 && len(digits) > 1:
			point = i
		default:
			return 0, 0, false
		}
	}
	if point >= 0 {
		places = len(digits) - 1 - point
	}
	if len(digits) < len(raw) {
		v = -v
	}
	return v, places, true
}

// maxNm keeps coordinates far from overflow: a thousand metres.
const maxNm = 1e12

// Nm is the node, a number of millimetres, in nanometres, rounded to nearest; ok
// is false where it is no number or beyond a thousand metres.
func (n Node) Nm() (nm int64, ok bool) {
	const exact = 6 // decimal places of a nanometre
	if v, places, ok := decimal(n.Raw()); ok && places <= exact && -maxNm <= v && v <= maxNm {
		v *= tens[exact-places]
		return v, -maxNm <= v && v <= maxNm
	}
	return n.longNm()
}

// longNm reads what has more places than a nanometre or more digits than [decimal]
// takes.
func (n Node) longNm() (int64, bool) {
	raw := n.Raw()
	i, negative := 0, false
	if len(raw) > 0 && (raw[0] == '-' || raw[0] == '+') {
		negative = raw[0] == '-'
		i++
	}
	digits, v, fraction := 0, int64(0), -1
	for ; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c >= '0' && c <= '9':
			digits++
			switch {
			case fraction < 0:
				v = v*10 + int64(c-'0')
			case fraction < 6:
				v = v*10 + int64(c-'0')
				fraction++
			case fraction == 6:
				if c >= '5' {
					v++
				}
				fraction++
			}
			if v > maxNm {
				return 0, false
			}
		case c == '.' && fraction < 0:
			fraction = 0
		default:
			return n.slowNm()
		}
	}
	if digits == 0 {
		return 0, false
	}
	for f := max(fraction, 0); f < 6; f++ {
		v *= 10
	}
	if v > maxNm {
		return 0, false
	}
	if negative {
		v = -v
	}
	return v, true
}

// XY reads the first two arguments of a list as [Node.Nm] does; ok is false
// where either is missing or no number.
func (n Node) XY() (x, y int64, ok bool) {
	if !n.IsList() {
		return 0, 0, false
	}
	i := n.t.nodes[n.i+1 : n.t.nodes[n.i].next]
	if len(i) < 3 || i[0].next > 0 || i[1].next > 0 {
		return 0, 0, false
	}
	x, ok = Node{t: n.t, i: n.i + 2}.Nm()
	y, ok2 := Node{t: n.t, i: n.i + 3}.Nm()
	return x, y, ok && ok2
}

// slowNm reads what carries an exponent.
func (n Node) slowNm() (int64, bool) {
	v, err := strconv.ParseFloat(n.Text(), 64)
	if err != nil || !(math.Abs(v) <= maxNm/1e6) {
		return 0, false
	}
	return int64(math.Round(v * 1e6)), true
}
