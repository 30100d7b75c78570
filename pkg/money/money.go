// Package money is the arithmetic of prices: integer cents, rates in millionths,
// and one way of rounding, half to even. Nothing here is a float, and nothing
// here knows what is being paid for.
package money

import (
	"math/bits"
	"strconv"
	"strings"
)

// Divide is n/d rounded half to even; d must be positive.
func Divide(n, d int64) int64 {
	negative := n < 0
	q := divide(magnitude(n), 1, uint64(d))
	if negative {
		return -q
	}
	return q
}

// divide is a*b/d rounded half to even, exact over 128 bits on the way.
func divide(a, b, d uint64) int64 {
	hi, lo := bits.Mul64(a, b)
	q, rest := bits.Div64(hi, lo, d)
	if half := d - rest; rest > half || rest == half && q%2 == 1 {
		q++
	}
	return int64(q)
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return uint64(-n)
	}
	return uint64(n)
}

// Dollars writes cents as people read them: 123456 is "$1,234.56".
func Dollars(cents int64) string { return Amount(cents, "USD") }

// Amount writes cents of a currency: "$1,234.56" for dollars, which is what no
// currency means, else "EUR 1,234.56".
func Amount(cents int64, currency string) string { return Format(cents, 2, currency) }

// Format is Amount of minor units that have so many digits after the point:
// Format(1234, 0, "JPY") is "JPY 1,234".
func Format(minor int64, digits int, currency string) string {
	unit := "$"
	if currency != "" && currency != "USD" {
		unit = currency + " "
	}
	if figure, negative := strings.CutPrefix(Decimal(minor, digits), "-"); negative {
		return "-" + unit + figure
	}
	return unit + Decimal(minor, digits)
}

// Decimal writes an amount of minor units that has so many digits after the
// point, with commas between thousands: Decimal(1234567, 3) is "1,234.567".
func Decimal(minor int64, digits int) string {
	sign := ""
	if minor < 0 {
		sign = "-"
	}
	s := strconv.FormatUint(magnitude(minor), 10)
	if len(s) <= digits {
		s = strings.Repeat("0", digits-len(s)+1) + s
	}
	whole, part := s[:len(s)-digits], s[len(s)-digits:]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if digits > 0 {
		whole += "." + part
	}
	return sign + whole
}
