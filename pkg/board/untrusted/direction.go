package untrusted

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Marks that set a text apart in its direction of writing.
const (
	isolate    = "\u2068"
	endIsolate = "\u2069"
)

// IsolateNames makes a sentence of ours that names what strangers wrote read as it was
// written. What turns the direction of writing is dropped. What is written from the right
// is set apart: what stands in quotes as a whole, other words with those beside them. A
// text that has no word from the left is somebody's own, and is set apart as a whole.
func IsolateNames(sentence string) string {
	if isASCII(sentence) || !strings.ContainsFunc(sentence, turns) {
		return sentence
	}
	sentence = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, sentence)
	if !strings.ContainsFunc(sentence, isFromLeft) {
		return Isolate(sentence)
	}
	var out strings.Builder
	for at := 0; at < len(sentence); {
		begin, end := findName(sentence, at)
		out.WriteString(sentence[at:begin] + Isolate(sentence[begin:end]))
		at = end
	}
	return out.String()
}

// findName gives where the first name from the right stands from at on, or the end twice.
func findName(s string, at int) (begin, end int) {
	first := strings.IndexFunc(s[at:], isFromRight)
	if first < 0 {
		return len(s), len(s)
	}
	first += at
	if begin, end, ok := findQuotation(s, at, first); ok {
		return begin, end
	}
	begin = at + strings.LastIndexFunc(s[at:first], isBoundary)
	if begin < at {
		begin = at
	} else {
		_, size := utf8.DecodeRuneInString(s[begin:])
		begin += size
	}
	end = wordEnd(s, first)
	for strings.HasPrefix(s[end:], " ") {
		next := wordEnd(s, end+1)
		if !strings.ContainsFunc(s[end+1:next], isFromRight) {
			break
		}
		end = next
	}
	return begin, end
}

// findQuotation gives what stands in the quotes that a rune is in.
func findQuotation(s string, at, inside int) (begin, end int, ok bool) {
	for _, quotes := range [][2]string{{`"`, `"`}, {"“", "”"}} {
		i := strings.LastIndex(s[at:inside], quotes[0])
		if i < 0 {
			continue
		}
		open := at + i
		before, _ := utf8.DecodeLastRuneInString(s[:open])
		begin = open + len(quotes[0])
		// Else it closes a quotation, or means inches.
		opens := open == 0 || unicode.IsSpace(before) || strings.ContainsRune("([/", before)
		n := strings.Index(s[inside:], quotes[1])
		if !opens || n < 0 || strings.Contains(s[begin:inside], quotes[1]) {
			continue
		}
		return begin, inside + n, true
	}
	return 0, 0, false
}

func wordEnd(s string, at int) int {
	if n := strings.IndexFunc(s[at:], isBoundary); n >= 0 {
		return at + n
	}
	return len(s)
}

// isBoundary: what no name of one word holds.
func isBoundary(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(`,;:!?"“”()[]`, r)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// turns reports whether a character has text written from the right, or would have it.
func turns(r rune) bool {
	return r >= utf8.RuneSelf && (unicode.Is(unicode.Bidi_Control, r) || isFromRight(r))
}

func isFromLeft(r rune) bool {
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.L
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
