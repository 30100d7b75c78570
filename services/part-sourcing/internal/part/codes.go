package part

import (
	"cmp"
	"slices"
)

// A Code is a distributor's number of a part.
type Code struct {
	Scheme Scheme
	Number string
}

// Codes are the distributors' numbers of one part, at most one of each scheme, in the
// order of the schemes.
type Codes []Code

// Number is the number of a scheme; "" where there is none.
func (c Codes) Number(s Scheme) string {
	for _, one := range c {
		if one.Scheme == s {
			return one.Number
		}
	}
	return ""
}

// Add is the codes with one more; of a scheme that they have already the first stays, and
// no number is none.
func (c Codes) Add(s Scheme, number string) Codes {
	if number == "" || c.Number(s) != "" {
		return c
	}
	out := append(slices.Clone(c), Code{s, number})
	slices.SortFunc(out, func(a, b Code) int { return cmp.Compare(a.Scheme, b.Scheme) })
	return out
}
