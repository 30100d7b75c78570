package checkout

import (
	"strconv"
	"strings"
)

// amount writes cents as people read them: "$1,234.56", "EUR 1,234.56".
func amount(cents int64, currency string) string {
	sign := ""
	magnitude := uint64(cents)
	if cents < 0 {
		sign, magnitude = "−", uint64(-cents)
	}
	unit := "$"
	if currency != "" && currency != "USD" {
		unit = currency + "\u00a0"
	}
	whole := strconv.FormatUint(magnitude/100, 10)
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	part := strconv.FormatUint(magnitude%100, 10)
	return sign + unit + whole + "." + strings.Repeat("0", 2-len(part)) + part
}
