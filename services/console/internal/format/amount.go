package format

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"boardorder/pkg/board/untrusted"
)

var errAmount = errors.New("not an amount")

// ExplainAmount says what is wrong with the amount of something, that is missing or cannot
// be read.
func ExplainAmount(text, of string) string {
	of = untrusted.Line(of, 60)
	switch {
	case text == "" && of == "":
		return "Enter an amount, such as 1234.50."
	case text == "":
		return fmt.Sprintf("“%s” needs an amount such as 1234.50.", of)
	case of == "":
		return fmt.Sprintf("“%s” is not an amount. Write it like 1234.50.", untrusted.Line(text, 20))
	}
	return fmt.Sprintf("“%s” is not an amount of “%s”. Write it like 1234.50.", untrusted.Line(text, 20), of)
}

// ParseCents reads an amount with at most two decimals, behind a point or a comma: 1234.5,
// -10, 1,234.50, 1.234,50, 12,50. What stands before three digits alone separates thousands
// if it is a comma, and is refused if it is a point: 1.234 may mean either.
func ParseCents(s string) (int64, error) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "$")
	digits, negative := strings.CutPrefix(strings.ReplaceAll(s, "−", "-"), "-")
	point, separator := ".", ","
	if i := strings.LastIndexAny(digits, ".,"); i >= 0 && digits[i] == ',' && len(digits)-i-1 < 3 {
		point, separator = ",", "."
	}
	whole, part, dotted := strings.Cut(digits, point)
	whole, grouped := ungroup(whole, separator)
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
func ungroup(whole, separator string) (string, bool) {
	groups := strings.Split(whole, separator)
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
