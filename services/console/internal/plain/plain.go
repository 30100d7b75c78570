// Package plain makes words from outside — files, partners, customers — fit to
// be shown: without control and direction characters, and not longer than they
// may be.
package plain

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is s on one line, of at most most characters; an ellipsis says that it
// was cut.
func Line(s string, most int) string {
	return truncate(strings.Join(strings.Fields(clean(s, ' ')), " "), most)
}

// Block is s with its line ends, of at most most characters.
func Block(s string, most int) string {
	return truncate(clean(strings.ReplaceAll(s, "\r\n", "\n"), '\n'), most)
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

func truncate(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// formula is where a spreadsheet may begin to read one: at the beginning of a
// cell, and after a semicolon, which separates cells where numbers have a decimal
// comma, whatever quotes stand around them.
var formula = regexp.MustCompile(`(^|;[ "]*)([=+\-@|%＝＋－＠])`)

// Cell is s as a cell of a CSV file that a spreadsheet does not take for a
// formula (OWASP: CSV injection).
func Cell(s string) string { return formula.ReplaceAllString(Line(s, 1000), "${1}'${2}") }
