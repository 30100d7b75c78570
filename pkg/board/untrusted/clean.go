package untrusted

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Clean gives a text of any number of lines as it is kept: in composed Unicode, without
// what never shows, and without blanks around it.
func Clean(s string) string { return strings.TrimSpace(norm.NFC.String(drop(s, '\n', '\t'))) }

// CleanLine is Clean for what stands on one line, with single blanks.
func CleanLine(s string) string {
	if isTidy(s) { // as nearly all are
		return s
	}
	return strings.Join(strings.Fields(Clean(s)), " ")
}

// IsHarmful reports whether a character never shows: a control or format character, one of
// private use, or what stands for bytes that are no text.
func IsHarmful(r rune) bool {
	return r < ' ' || r >= 0x7f && (unicode.IsControl(r) || r == utf8.RuneError || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co))
}

// drop drops what never shows. Every line end becomes lineEnd, and every tab tab.
func drop(s string, lineEnd, tab rune) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
			return lineEnd
		case '\t':
			return tab
		}
		if IsHarmful(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// isTidy reports whether a text is printable ASCII with single blanks, none of them around it.
func isTidy(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return before != ' ' || s == ""
}
