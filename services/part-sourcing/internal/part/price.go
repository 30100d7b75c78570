package part

import (
	"errors"
	"math/bits"
	"strconv"
	"strings"

	"boardorder/pkg/money"
)

// A Price is a unit price in millionths of a dollar: passives cost less than a
// cent.
type Price int64

// MaxPrice is beyond what any part costs; a larger number is a mistake.
const MaxPrice Price = 200_000 * 1_000_000

// ErrPrice says that text is no price.
var ErrPrice = errors.New("not a price")

// ParsePrice reads "0.0125" or "12". It takes plain decimals of at most twelve
// places, rounds to millionths, and refuses signs and exponents.
func ParsePrice(s string) (Price, error) {
	whole, fraction, _ := strings.Cut(s, ".")
	if whole == "" || len(fraction) > 12 {
		return 0, ErrPrice
	}
	n, err := strconv.ParseUint(whole, 10, 32)
	if err != nil {
		return 0, ErrPrice
	}
	f := uint64(0)
	if fraction != "" {
		if f, err = strconv.ParseUint(fraction+strings.Repeat("0", 12-len(fraction)), 10, 64); err != nil {
			return 0, ErrPrice
		}
	}
	p := Price(n)*1_000_000 + Price(money.Divide(int64(f), 1_000_000))
	if p > MaxPrice {
		return 0, ErrPrice
	}
	return p, nil
}

// String writes the price with no more decimals than it has, at least two.
func (p Price) String() string {
	s := strconv.FormatInt(int64(p)/1_000_000, 10) + "." + strconv.FormatInt(1_000_000+int64(p)%1_000_000, 10)[1:]
	for strings.HasSuffix(s, "0") && len(s)-strings.IndexByte(s, '.') > 3 {
		s = s[:len(s)-1]
	}
	return s
}

// Times is what n parts cost, in cents, rounded half to even; false where that
// is out of range.
func (p Price) Times(n int64) (cents int64, ok bool) {
	hi, lo := bits.Mul64(uint64(p), uint64(n))
	if p < 0 || n < 0 || hi > 0 || lo > 1<<62 {
		return 0, false
	}
	return money.Divide(int64(lo), 10_000), true
}
