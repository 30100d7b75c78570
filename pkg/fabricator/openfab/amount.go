package openfab

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// An amount is a number that arrives as a JSON number or as a string of one.
type amount struct{ decimal.Decimal }

// maxAmount is beyond anything that a board order costs or weighs; a larger
// number is a mistake.
var maxAmount = decimal.NewFromInt(1_000_000_000)

// Digits of an amount at most.
const (
	maxWhole    = 12
	maxFraction = 8
)

// UnmarshalJSON takes plain notation only: no exponents, no thousands marks.
func (a *amount) UnmarshalJSON(data []byte) error {
	s := string(bytes.Trim(data, `"`))
	if s == "null" || s == "" {
		return nil
	}
	if !isPlainNumber(s) {
		return fmt.Errorf("%.40q is no amount", s)
	}
	d, err := decimal.NewFromString(s)
	if err != nil {
		return err
	}
	if len(s) >= len("1000000000") && d.Abs().GreaterThan(maxAmount) { // no shorter one is
		return fmt.Errorf("%s is out of range", s)
	}
	a.Decimal = d
	return nil
}

// isPlainNumber reports whether a text is a number of so many digits, with a point or
// without one, perhaps below zero.
func isPlainNumber(s string) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return isDigits(whole, maxWhole) && (!point || isDigits(fraction, maxFraction))
}

// isDigits reports whether a text is 1 to most digits.
func isDigits(s string, most int) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) <= most
}

// cents rounds half-even to whole cents.
func cents(d decimal.Decimal) int64 { return d.Shift(2).RoundBank(0).IntPart() }

var dayRange = regexp.MustCompile(`^\s*(\d{1,3})(?:\s*[-~–]\s*(\d{1,3}))?\b`)

// days reads "3", 3, "6-9 business days".
type days struct{ min, max int }

// UnmarshalJSON reads a number of days or a range of them.
func (d *days) UnmarshalJSON(data []byte) error {
	m := dayRange.FindSubmatch(bytes.Trim(data, `"`))
	if m == nil {
		return fmt.Errorf("%.40q are no days", data)
	}
	d.min, _ = strconv.Atoi(string(m[1]))
	d.max = d.min
	if len(m[2]) > 0 {
		d.max, _ = strconv.Atoi(string(m[2]))
	}
	if d.min < 0 || d.max < 1 || d.max < d.min || d.max > 200 {
		return errors.New("days of transit are out of range")
	}
	return nil
}

// hours reads "48" and 48.
type hours int

// UnmarshalJSON reads a number of hours.
func (h *hours) UnmarshalJSON(data []byte) error {
	n, err := strconv.Atoi(string(bytes.Trim(data, `"`)))
	if err != nil || n < 1 || n > 24*365 {
		return fmt.Errorf("%.40q are no hours", data)
	}
	*h = hours(n)
	return nil
}
