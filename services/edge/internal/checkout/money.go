package checkout

import (
	"strings"

	"boardorder/pkg/money"
)

// onPaper is how a page sets an amount: with a real minus, and a currency that
// is not torn from its figure.
var onPaper = strings.NewReplacer("-", "−", " ", "\u00a0")

// amount writes cents as people read them: "$1,234.56", "EUR 1,234.56".
func amount(cents int64, currency string) string {
	return onPaper.Replace(money.Amount(cents, currency))
}
