package openfab

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/shopspring/decimal"
)

// An amount is a number that arrives as a JSON number or as a string of one.
type amount struct{ decimal.Decimal }

// maxAmount is beyond anything that a board order costs or weighs; a larger
// number is a mistake.
var maxAmount = decimal.NewFromInt(1_000_000_000)

var plainNumber = regexp.MustCompile(`^-?\d{1,12}(\.\d{1,8})?$`)

// UnmarshalJSON takes plain notation only: no exponents, no thousands marks.
func (a *amount) UnmarshalJSON(data []byte) error {
	s := string(bytes.Trim(data, `"`))
	if s == "null" || s == "" {
		return nil
	}
	if !plainNumber.MatchString(s) {
		return fmt.Errorf("%.40q is no amount", s)
	}
	d, err := decimal.NewFromString(s)
	if err != nil {
		return err
	}
	if d.Abs().GreaterThan(maxAmount) {
		return fmt.Errorf("%s is out of range", s)
	}
	a.Decimal = d
	return nil
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
