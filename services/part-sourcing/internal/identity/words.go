package identity

import (
	"slices"
	"strings"
	"unicode"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/maker"
	"boardorder/services/part-sourcing/internal/mpn"
)

// Words is what a line says of its part in words.
func Words(l *bom.Line) passive.Line {
	words := passive.Line{Value: l.Value, Footprint: l.Footprint, Description: l.Description}
	if len(l.Refs) > 0 {
		words.Ref = l.Refs[0]
	}
	return words
}

// Read reads the specification that a line's words give. unread are words that were not
// understood and may ask for something; those that say which part it is do not: the
// line's numbers and manufacturers.
func Read(l *bom.Line) (s passive.Spec, unread passive.Unread, ok bool) {
	s, unread, ok = passive.Words(Words(l))
	unread.Value = slices.DeleteFunc(unread.Value, func(w string) bool { return names(l, w) })
	unread.Description = slices.DeleteFunc(unread.Description, func(w string) bool {
		return names(l, w) || isPartNumber(w) || !strings.ContainsFunc(w, unicode.IsLetter)
	})
	return s, unread, ok
}

// names reports whether a word of a line says which part it is.
func names(l *bom.Line, word string) bool {
	if _, known := maker.UsualName(word); known || mpn.Key(word) != "" && strings.Contains(mpn.Key(l.Manufacturer), mpn.Key(word)) {
		return true
	}
	return l.Names(word) || mpn.Same(l.Footprint, word)
}

// shortest is how long a word is at least that is some number of a part.
const shortest = 8

// isPartNumber reports whether a word is some number of a part.
func isPartNumber(word string) bool {
	digits, capitals := 0, 0
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsUpper(r):
			capitals++
		}
	}
	return mpn.Looks(word) && len(mpn.Key(word)) >= shortest && digits >= 3 && capitals >= 2
}
