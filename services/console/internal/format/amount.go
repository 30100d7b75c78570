package format

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

var errAmount = errors.New("not an amount")

// AmountHint is the message about an amount that cannot be read.
const AmountHint = "An amount like 1234.50."

// ParseCents reads an amount with at most two decimals: 1234.5, -10, 1,234.50.
func ParseCents(s string) (int64, error) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "$")
	digits, negative := strings.CutPrefix(strings.ReplaceAll(s, "−", "-"), "-")
	whole, part, dotted := strings.Cut(digits, ".")
	whole, grouped := ungroup(whole)
	if !grouped || len(part) > 2 || dotted && part == "" || !isDigits(whole) || part != "" && !isDigits(part) {
		return 0, errAmount
	}
	n, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	if err != nil || n > math.MaxInt32*100 {
		return 0, errAmount
	}
	if negative {
		n = -n
	}
	return n, nil
}

// ungroup takes thousands separators out, where they stand right.
func ungroup(whole string) (string, bool) {
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if len(groups) > 1 && (i > 0 && len(g) != 3 || i == 0 && (g == "" || len(g) > 3)) {
			return whole, false
		}
	}
	return strings.Join(groups, ""), true
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Decimal writes cents as an amount to edit.
func Decimal(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}
