package markup

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"boardorder/pkg/board/pcb"
)

// MaxDepth is how deep elements may nest; deeper ones are passed over.
const MaxDepth = 200

// A Fault is something wrong with the text itself.
type Fault struct {
	Line int // from 1
	Text string
}

// A Reader walks a document.
type Reader struct {
	data    []byte
	pos     int
	open    []span // names of the open elements
	pending int    // end tags still to be given out
	faults  []Fault
	linePos int
	line    int
	ended   bool
	tags    pcb.Tally
}

type span struct{ start, end int }

// NewReader starts at the beginning of data, which is not copied. What stands after
// ctx ends, or the budget in it does, is not read.
func NewReader(ctx context.Context, data []byte) *Reader {
	return &Reader{data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), line: 1, tags: pcb.MeterOf(ctx).Tally(pcb.Named)}
}

// Faults lists what was wrong with what was read so far.
func (r *Reader) Faults() []Fault { return r.faults }

// Line is the line, from 1, that holds byte pos.
func (r *Reader) Line(pos int) int {
	pos = min(pos, len(r.data))
	if pos < r.linePos {
		r.line -= bytes.Count(r.data[pos:r.linePos], []byte{'\n'})
	} else {
		r.line += bytes.Count(r.data[r.linePos:pos], []byte{'\n'})
	}
	r.linePos = pos
	return r.line
}

func (r *Reader) fault(pos int, format string, args ...any) {
	const enough = 50
	if len(r.faults) < enough {
		r.faults = append(r.faults, Fault{r.Line(pos), fmt.Sprintf(format, args...)})
	}
}

// Children walks the elements directly inside the element at hand, the one that
// the enclosing loop is at; in the outermost loop, the document's root. What a
// loop's body does not read of an element is passed over.
func (r *Reader) Children() iter.Seq[Element] {
	return func(yield func(Element) bool) {
		depth := len(r.open)
		for {
			e, kind := r.readToken()
			switch kind {
			case startTag:
				if !yield(e) {
					r.leave(depth - 1)
					return
				}
				r.leave(depth)
			case endTag:
				if len(r.open) < depth {
					return
				}
			case endOfData:
				return
			}
		}
	}
}

// Text is the text directly inside the element at hand, up to its end, with the
// elements inside it left out.
func (r *Reader) Text() string {
	depth := len(r.open)
	var out []byte
	for r.pending == 0 && len(r.open) >= depth && r.pos < len(r.data) {
		if r.data[r.pos] != '<' {
			end := bytes.IndexByte(r.data[r.pos:], '<')
			if end < 0 {
				end = len(r.data) - r.pos
			}
			if len(r.open) == depth {
				out = append(out, r.data[r.pos:r.pos+end]...)
			}
			r.pos += end
			continue
		}
		if text, ok := r.cdata(); ok {
			out = append(out, bytes.ReplaceAll(text, []byte("&"), []byte("&amp;"))...)
			continue
		}
		if r.markup() == endTag && len(r.open) < depth {
			// The end was for the element at hand: let the walk see it.
			r.pending++
			r.open = append(r.open, span{})
			break
		}
	}
	return unescape(out)
}

// leave passes over everything until the element at that depth is left.
func (r *Reader) leave(depth int) {
	for len(r.open) > max(depth, 0) {
		if _, kind := r.readToken(); kind == endOfData {
			return
		}
	}
}

type tokenKind uint8

const (
	other tokenKind = iota
	startTag
	endTag
	endOfData
)

// readToken gives the next start or end of an element.
func (r *Reader) readToken() (Element, tokenKind) {
	for {
		if r.pending > 0 {
			r.pending--
			r.open = r.open[:len(r.open)-1]
			return Element{}, endTag
		}
		if !r.tags.Add(1) {
			r.pos, r.ended, r.open = len(r.data), true, r.open[:0]
			return Element{}, endOfData
		}
		i := bytes.IndexByte(r.data[r.pos:], '<')
		if i < 0 {
			r.pos = len(r.data)
			if len(r.open) > 0 && !r.ended {
				r.ended = true
				r.fault(len(r.data), "the file ends inside %q: it is cut off", r.name(len(r.open)-1))
			}
			r.open = r.open[:0]
			return Element{}, endOfData
		}
		r.pos += i
		start := r.pos
		switch kind := r.markup(); kind {
		case startTag:
			return Element{r: r, start: start + 1, end: r.pos - 1}, kind
		case endTag:
			return Element{}, kind
		}
	}
}

func (r *Reader) name(i int) string { return string(r.data[r.open[i].start:r.open[i].end]) }

// cdata reads a CDATA section at pos.
func (r *Reader) cdata() ([]byte, bool) {
	d := r.data[r.pos:]
	if !bytes.HasPrefix(d, []byte("<![CDATA[")) {
		return nil, false
	}
	end := bytes.Index(d, []byte("]]>"))
	if end < 0 {
		r.fault(r.pos, "a CDATA section is not closed")
		r.pos = len(r.data)
		return d[9:], true
	}
	r.pos += end + 3
	return d[9:end], true
}

// markup reads what begins with < at pos.
func (r *Reader) markup() tokenKind {
	d := r.data[r.pos:]
	switch {
	case bytes.HasPrefix(d, []byte("<!--")):
		r.skipTo("-->", "a comment")
	case bytes.HasPrefix(d, []byte("<![CDATA[")):
		r.cdata()
	case bytes.HasPrefix(d, []byte("<?")):
		r.skipTo("?>", "an instruction")
	case bytes.HasPrefix(d, []byte("<!")):
		r.skipDeclaration()
	case bytes.HasPrefix(d, []byte("</")):
		return r.closeTag()
	default:
		return r.openTag()
	}
	return other
}

func (r *Reader) skipTo(end, what string) {
	i := bytes.Index(r.data[r.pos:], []byte(end))
	if i < 0 {
		r.fault(r.pos, "%s is not closed", what)
		r.pos = len(r.data)
		return
	}
	r.pos += i + len(end)
}

// skipDeclaration passes over <!DOCTYPE …> with what it declares inside.
func (r *Reader) skipDeclaration() {
	depth := 0
	for r.pos < len(r.data) {
		c := r.data[r.pos]
		r.pos++
		switch c {
		case '<', '[':
			depth++
		case ']':
			depth--
		case '>':
			if depth--; depth <= 0 {
				return
			}
		}
	}
}

// openTag reads <name …> or <name …/>.
func (r *Reader) openTag() tokenKind {
	start := r.pos + 1
	end := r.tagEnd(start)
	if end < 0 {
		r.fault(r.pos, "a tag is not closed: the file is cut off")
		r.pos = len(r.data)
		return other
	}
	r.pos = end + 1
	nameEnd := start
	for nameEnd < end && !space[r.data[nameEnd]] && r.data[nameEnd] != '/' {
		nameEnd++
	}
	if nameEnd == start {
		r.fault(start, "a tag has no name")
		return other
	}
	if len(r.open) >= MaxDepth {
		r.fault(start, "elements nest deeper than %d; the rest is not read", MaxDepth)
		r.pos = len(r.data)
		return other
	}
	r.open = append(r.open, span{start, nameEnd})
	if r.data[end-1] == '/' {
		r.pending++
	}
	return startTag
}

// tagEnd finds the > that ends a tag; those in quotes do not.
func (r *Reader) tagEnd(i int) int {
	d := r.data
	for i < len(d) {
		switch d[i] {
		case '>':
			return i
		case '"', '\'':
			j := bytes.IndexByte(d[i+1:], d[i])
			if j < 0 {
				return -1
			}
			i += j + 1
		}
		i++
	}
	return -1
}

// closeTag reads </name>. One that closes an outer element closes those inside
// it too; one that closes nothing is ignored.
func (r *Reader) closeTag() tokenKind {
	start := r.pos + 2
	end := bytes.IndexByte(r.data[r.pos:], '>')
	if end < 0 {
		r.fault(r.pos, "a tag is not closed: the file is cut off")
		r.pos = len(r.data)
		return other
	}
	at := r.pos
	r.pos += end + 1
	name := bytes.TrimRight(r.data[start:at+end], " \t\r\n")
	for i := len(r.open) - 1; i >= 0; i-- {
		if bytes.Equal(name, r.data[r.open[i].start:r.open[i].end]) {
			if missing := len(r.open) - 1 - i; missing > 0 {
				r.fault(at, "%q is not closed before the end of %q", r.name(len(r.open)-1), name)
				r.pending += missing
			}
			r.open = r.open[:len(r.open)-1]
			return endTag
		}
	}
	r.fault(at, "the end of %q closes nothing", name)
	return other
}

var space = [256]bool{' ': true, '\t': true, '\r': true, '\n': true}
