package markup

import (
	"bytes"
	"math"
	"strconv"
)

// An Element is a start tag.
type Element struct {
	r          *Reader
	start, end int // of what stands between < and >
}

// Name is the element's name without a namespace's prefix.
func (e Element) Name() string {
	d := e.r.data[e.start:e.end]
	i := 0
	for i < len(d) && !space[d[i]] && d[i] != '/' {
		i++
	}
	d = d[:i]
	if k := bytes.IndexByte(d, ':'); k >= 0 {
		d = d[k+1:]
	}
	return string(d)
}

// Line is the line at which the element begins.
func (e Element) Line() int { return e.r.Line(e.start) }

// raw finds an attribute's value as written.
func (e Element) raw(name string) ([]byte, bool) {
	d := e.r.data[e.start:e.end]
	i := 0
	for i < len(d) && !space[d[i]] {
		i++
	}
	for i < len(d) {
		for i < len(d) && space[d[i]] {
			i++
		}
		from := i
		for i < len(d) && d[i] != '=' && !space[d[i]] {
			i++
		}
		key := d[from:i]
		for i < len(d) && (space[d[i]] || d[i] == '=') {
			i++
		}
		if i >= len(d) || d[i] != '"' && d[i] != '\'' {
			continue
		}
		end := bytes.IndexByte(d[i+1:], d[i])
		if end < 0 {
			return nil, false
		}
		if string(key) == name {
			return d[i+1 : i+1+end], true
		}
		i += end + 2
	}
	return nil, false
}

// Attr is an attribute's value; "" where there is none.
func (e Element) Attr(name string) string {
	v, _ := e.raw(name)
	return unescape(v)
}

// Has tells whether the element has the attribute.
func (e Element) Has(name string) bool {
	_, ok := e.raw(name)
	return ok
}

// Float is an attribute as a number; 0 where it is none.
func (e Element) Float(name string) float64 {
	raw, _ := e.raw(name)
	v, err := strconv.ParseFloat(string(bytes.TrimSpace(raw)), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// Int is an attribute as an integer; 0 where it is none.
func (e Element) Int(name string) int {
	v := e.Float(name)
	if math.Abs(v) > math.MaxInt32 {
		return 0
	}
	return int(v)
}

// Bool tells whether an attribute says true, yes or 1.
func (e Element) Bool(name string) bool {
	switch v, _ := e.raw(name); string(v) {
	case "true", "TRUE", "True", "yes", "YES", "1":
		return true
	}
	return false
}

// unescape resolves the entities of XML and character references.
func unescape(raw []byte) string {
	if bytes.IndexByte(raw, '&') < 0 {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '&' {
			out = append(out, raw[i])
			continue
		}
		end := bytes.IndexByte(raw[i:], ';')
		if end < 0 || end > 10 {
			out = append(out, '&')
			continue
		}
		if s, ok := entity(string(raw[i+1 : i+end])); ok {
			out = append(out, s...)
			i += end
			continue
		}
		out = append(out, '&')
	}
	return string(out)
}

func entity(name string) (string, bool) {
	switch name {
	case "amp":
		return "&", true
	case "lt":
		return "<", true
	case "gt":
		return ">", true
	case "quot":
		return `"`, true
	case "apos":
		return "'", true
	}
	if len(name) < 2 || name[0] != '#' {
		return "", false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	v, err := strconv.ParseUint(digits, base, 32)
	if err != nil || v == 0 || v > 0x10ffff {
		return "", false
	}
	return string(rune(v)), true
}
