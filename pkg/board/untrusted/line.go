package untrusted

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Line is a text on one line, of at most maxLength characters.
func Line(s string, maxLength int) string { return Shorten(CleanLine(s), maxLength) }

// Block is a text with its line ends and its blanks, as written code has them, of at most
// maxLength characters.
func Block(s string, maxLength int) string { return Shorten(drop(s, '\n', ' '), maxLength) }

// Strip is a text on one line whose blanks all stay, as those of names that are compared, of
// at most maxLength characters.
func Strip(s string, maxLength int) string { return Shorten(drop(s, ' ', ' '), maxLength) }

// Shorten cuts a text to maxLength characters. An ellipsis, one more, says that it was cut.
func Shorten(s string, maxLength int) string {
	if len(s) <= maxLength || utf8.RuneCountInString(s) <= maxLength {
		return s
	}
	n := 0
	for i := range s {
		if n == maxLength {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		n++
	}
	return s
}

// CutBytes cuts a text to maxBytes without splitting a character, for fields that have no
// room for an ellipsis.
func CutBytes(s string, maxBytes int) string {
	if len(s) <= maxBytes {
		return s
	}
	for maxBytes > 0 && !utf8.RuneStart(s[maxBytes]) {
		maxBytes--
	}
	return s[:maxBytes]
}

// formula is where a spreadsheet may begin to read one: at the beginning of a
// cell, and after a semicolon, which separates cells where numbers have a decimal
// comma, whatever quotes stand around them.
var formula = regexp.MustCompile(`(^|;[ "]*)([=+\-@|%＝＋－＠])`)

// Cell is a text as a cell of a CSV file that a spreadsheet does not take for a
// formula (OWASP: CSV injection).
func Cell(s string) string { return formula.ReplaceAllString(Line(s, 1000), "${1}'${2}") }
