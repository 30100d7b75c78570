// Package foreigntext makes texts from outside harmless to show.
package foreigntext

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// Clean makes a text from outside harmless: composed Unicode, no control
// characters but line breaks and tabs, nothing that turns the direction of
// writing or hides, no blanks around it.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r', unicode.IsControl(r), isHidden(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(norm.NFC.String(s))
}

// CleanLine is Clean for what stands on one line.
func CleanLine(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

// isHidden: format characters (direction marks and overrides, zero-width, tags),
// line separators, private use.
func isHidden(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || unicode.Is(unicode.Co, r)
}

// Isolate sets a text that is written from the right apart (Unicode UAX 9), so that
// it orders nothing but itself: numbers that stand beside it in a sentence stay in
// their places. Other texts are as they were.
func Isolate(s string) string {
	if !strings.ContainsFunc(s, isFromRight) {
		return s
	}
	return isolate + s + endIsolate
}

func isFromRight(r rune) bool {
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.R || p.Class() == bidi.AL || p.Class() == bidi.AN
}
