package stackup

import (
	"strings"
	"unicode"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/foil"
)

// SameWeight tells whether two weights of inner copper, in ounces, are one to a fabricator.
func SameWeight(a, b float64) bool { return dfm.Nominal(a, []float64{b}) == b }

// SameFinished tells the same of outer copper, which is plated.
func SameFinished(a, b float64) bool { return SameWeight(foil.WeightAsBuilt(a), foil.WeightAsBuilt(b)) }

// SameWords leaves case, spaces and punctuation aside: FR4 is FR-4.
func SameWords(a, b string) bool {
	plain := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	return plain(a) == plain(b)
}
