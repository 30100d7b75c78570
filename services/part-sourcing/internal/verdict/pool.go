package verdict

import "math/bits"

// Whole is how many pieces are bought at once: those of all lines of the part.
func (l *Line) Whole() int64 { return max(l.Pool, l.Need) }

// share is what falls to the line of an amount for the whole. The shares of all
// lines of a part add up to the amount.
func (l *Line) share(amount int64) int64 {
	if l.Pool <= l.Need {
		return amount
	}
	return Portion(amount, l.Before+l.Need, l.Pool) - Portion(amount, l.Before, l.Pool)
}

// Portion is amount × n / of, rounded down; n is of at most, and nothing is
// negative.
func Portion(amount, n, of int64) int64 {
	hi, lo := bits.Mul64(uint64(amount), uint64(n))
	q, _ := bits.Div64(hi, lo, uint64(of))
	return int64(q)
}
