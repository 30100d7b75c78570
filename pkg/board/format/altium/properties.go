package altium

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/geom"
)

// properties are named values; of a name that comes twice the first counts.
type properties map[string]string

func parseProperties(data []byte) properties {
	s := strings.TrimRight(latin(data), "\x00\r\n")
	p := make(properties, strings.Count(s, "|"))
	for f := range strings.SplitSeq(s, "|") {
		name, value, ok := strings.Cut(f, "=")
		if !ok {
			continue
		}
		name = strings.ToUpper(name)
		if _, known := p[name]; !known {
			p[name] = value
		}
	}
	return p
}

// latin is text that is UTF-8, or else of the Western code page as far as Latin-1 goes.
func latin(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	out := make([]rune, len(b))
	for i, c := range b {
		out[i] = rune(c)
	}
	return string(out)
}

// text is a value as people wrote it: beyond the code page it stands beside the value
// as a list of character codes.
func (p properties) text(name string) string {
	codes, ok := p["UNICODE__"+name]
	if !ok {
		if utf, ok := p["%UTF8%"+name]; ok {
			return utf
		}
		return p[name]
	}
	var out strings.Builder
	for f := range strings.SplitSeq(codes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(f))
		if err != nil || n <= 0 || n > utf8.MaxRune {
			return p[name]
		}
		out.WriteRune(rune(n))
	}
	return out.String()
}

func (p properties) has(name string) bool { _, ok := p[name]; return ok }

func (p properties) is(name string) bool { return strings.EqualFold(p[name], "TRUE") || p[name] == "T" }

// number is a whole number, or other where there is none.
func (p properties) number(name string, other int) int {
	n, err := strconv.Atoi(strings.TrimSpace(p[name]))
	if err != nil {
		return other
	}
	return n
}

// float is a number; 0 where there is none, or none that a board can hold.
func (p properties) float(name string) float64 { return parseFloat(p[name]) }

func parseFloat(s string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(math.Abs(v) < 1e12) {
		return 0
	}
	return v
}

// length is a length such as 12.5mil in nanometres; 0 where there is none.
func (p properties) length(name string) int64 {
	s, per := strings.TrimSpace(p[name]), float64(geom.Mil)
	switch {
	case strings.HasSuffix(s, "mil"):
		s = s[:len(s)-3]
	case strings.HasSuffix(s, "mm"):
		s, per = s[:len(s)-2], float64(geom.Millimetre)
	case strings.HasSuffix(s, "in"):
		s, per = s[:len(s)-2], float64(geom.Inch)
	}
	v := parseFloat(s) * per
	if math.Abs(v) > float64(geom.MaxCoord) {
		return 0
	}
	return int64(math.Round(v))
}
