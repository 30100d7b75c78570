package pdf

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// The values of a PDF file besides bool, float64, []any and nil.
type (
	name string
	text string // a string, as its bytes
	dict map[string]any
	// ref points to an object by its number.
	ref int
	// operator is a word that is no value, in the content of a page.
	operator string
	// stream is what follows a dictionary.
	stream struct {
		dict dict
		raw  []byte
	}
)

// maxNested bounds arrays and dictionaries within each other.
const maxNested = 40

// A lexer reads values one after the other.
type lexer struct {
	data []byte
	at   int
	left *int // values that may still be read; nil for any number
	cut  bool // an array or dictionary did not end
}

// integer is a whole number that may count bytes or objects; false for all else, and for what no
// file has so many of.
func integer(v any) (int, bool) {
	n, ok := v.(float64)
	return int(n), ok && n == math.Trunc(n) && math.Abs(n) <= math.MaxInt32
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool { return strings.IndexByte("()<>[]{}/%", c) >= 0 }

// skip passes blanks and comments.
func (l *lexer) skip() {
	for l.at < len(l.data) {
		switch c := l.data[l.at]; {
		case isSpace(c):
			l.at++
		case c == '%':
			for l.at < len(l.data) && l.data[l.at] != '\n' && l.data[l.at] != '\r' {
				l.at++
			}
		default:
			return
		}
	}
}

// word reads up to a blank or delimiter.
func (l *lexer) word() string {
	from := l.at
	for l.at < len(l.data) && !isSpace(l.data[l.at]) && !isDelimiter(l.data[l.at]) {
		l.at++
	}
	return string(l.data[from:l.at])
}

// value reads the next value; false at the end, and where an array or dictionary ends.
func (l *lexer) value(depth int) (any, bool) {
	l.skip()
	if l.at >= len(l.data) || depth > maxNested || l.left != nil && *l.left <= 0 {
		l.at = len(l.data)
		return nil, false
	}
	if l.left != nil {
		*l.left--
	}
	switch c := l.data[l.at]; {
	case c == '/':
		l.at++
		return l.name(), true
	case c == '(':
		l.at++
		return l.literal(), true
	case c == '<' && l.at+1 < len(l.data) && l.data[l.at+1] == '<':
		l.at += 2
		return l.dict(depth), true
	case c == '<':
		l.at++
		return l.hex(), true
	case c == '[':
		l.at++
		var list []any
		for {
			v, ok := l.value(depth + 1)
			if !ok {
				break
			}
			list = append(list, v)
		}
		l.close("]")
		return list, true
	case c == ']' || c == '>':
		return nil, false
	case isDelimiter(c):
		l.at++
		return operator(c), true
	}
	return l.bare(), true
}

// close passes what ends an array or dictionary.
func (l *lexer) close(end string) {
	if bytes.HasPrefix(l.data[l.at:], []byte(end)) {
		l.at += len(end)
	} else if l.at < len(l.data) {
		l.at++ // the end of something else
	} else {
		l.cut = true
	}
}

func (l *lexer) dict(depth int) dict {
	d := dict{}
	for {
		key, ok := l.value(depth + 1)
		if !ok {
			break
		}
		k, isName := key.(name)
		if !isName {
			continue
		}
		v, ok := l.value(depth + 1)
		if !ok {
			break
		}
		d[string(k)] = v
	}
	l.close(">>")
	return d
}

// bare reads a number, a reference to an object, or a word.
func (l *lexer) bare() any {
	w := l.word()
	switch w {
	case "true", "false":
		return w == "true"
	case "null":
		return nil
	}
	v, err := strconv.ParseFloat(w, 64)
	if err != nil || strings.Trim(w, "+-.0123456789") != "" { // no exponents, no infinity
		return operator(w)
	}
	if n := int(v); v == float64(n) && n > 0 {
		back := l.at
		l.skip()
		generation := l.word()
		l.skip()
		if _, err := strconv.ParseUint(generation, 10, 16); err == nil && l.word() == "R" {
			return ref(n)
		}
		l.at = back
	}
	return v
}

func (l *lexer) name() name {
	w := l.word()
	if !strings.Contains(w, "#") {
		return name(w)
	}
	var out []byte
	for i := 0; i < len(w); i++ {
		if w[i] == '#' && i+2 < len(w) {
			if v, err := strconv.ParseUint(w[i+1:i+3], 16, 8); err == nil {
				out, i = append(out, byte(v)), i+2
				continue
			}
		}
		out = append(out, w[i])
	}
	return name(out)
}

// escapes are the letters that stand for bytes behind a backslash.
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// literal reads a string in parentheses, which may hold others.
func (l *lexer) literal() text {
	var out []byte
	for open := 1; l.at < len(l.data); l.at++ {
		c := l.data[l.at]
		switch c {
		case '\r': // an end of line is one, whatever it is written as
			l.passFeed()
			c = '\n'
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				l.at++
				return text(out)
			}
		case '\\':
			l.at++
			if l.at >= len(l.data) {
				return text(out)
			}
			c = l.data[l.at]
			switch {
			case c == '\n':
				continue
			case c == '\r':
				l.passFeed()
				continue
			case c >= '0' && c <= '7':
				v := 0
				for n := 0; n < 3 && l.at < len(l.data) && l.data[l.at] >= '0' && l.data[l.at] <= '7'; n++ {
					v, l.at = 8*v+int(l.data[l.at]-'0'), l.at+1
				}
				l.at--
				c = byte(v)
			case escapes[c] != 0:
				c = escapes[c]
			}
		}
		out = append(out, c)
	}
	return text(out)
}

// passFeed passes the line feed behind a carriage return, if there is one.
func (l *lexer) passFeed() {
	if bytes.HasPrefix(l.data[l.at+1:], []byte("\n")) {
		l.at++
	}
}

// hex reads a string of hexadecimal digits.
func (l *lexer) hex() text {
	var out []byte
	half, odd := byte(0), false
	for ; l.at < len(l.data); l.at++ {
		c := l.data[l.at]
		if c == '>' {
			l.at++
			break
		}
		v, err := strconv.ParseUint(string(c), 16, 8)
		if err != nil {
			continue
		}
		if odd {
			out = append(out, half<<4|byte(v))
		}
		half, odd = byte(v), !odd
	}
	if odd {
		out = append(out, half<<4)
	}
	return text(out)
}
