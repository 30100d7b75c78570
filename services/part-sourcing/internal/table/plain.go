package table

import (
	"strings"
	"unicode"
)

// Plain keeps letters and digits, in lower case: what headings and words in cells
// are compared by.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
