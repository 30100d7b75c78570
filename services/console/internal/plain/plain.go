// Package plain makes words from outside — files, partners, customers — fit to
// be shown: without control and direction characters, and not longer than they
// may be.
package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is s on one line, of at most most characters; an ellipsis says that it
// was cut.
func Line(s string, most int) string {
	return cut(strings.Join(strings.Fields(clean(s, ' ')), " "), most)
}

// Block is s with its line ends, of at most most characters.
func Block(s string, most int) string {
	return cut(clean(strings.ReplaceAll(s, "\r\n", "\n"), '\n'), most)
}

// clean drops what is not text; lineEnd stands for every line end, and tabs
// become spaces.
func clean(s string, lineEnd rune) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\r', r == '\u2028', r == '\u2029', r == '\u0085':
			return lineEnd
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, s)
}

func cut(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// Cell is s as a cell of a CSV file that a spreadsheet does not take for a
// formula (OWASP: CSV injection).
func Cell(s string) string {
	s = Line(s, 1000)
	if s != "" && strings.ContainsRune("=+-@\t\r|%", rune(s[0])) {
		return "'" + s
	}
	return s
}
