package pricing

import (
	"fmt"

	"github.com/shopspring/decimal"
)

// maxMargin is the most percent on an exchange rate that nobody takes for a misplaced point.
const maxMargin = 20

// readMargin reads CURRENCY_MARGIN: percent, or nothing or "off" where all pay in dollars.
func readMargin(text string) (*decimal.Decimal, error) {
	if text == "" || text == "off" {
		return nil, nil
	}
	percent, err := decimal.NewFromString(text)
	if err != nil || percent.IsNegative() || percent.GreaterThan(decimal.NewFromInt(maxMargin)) || percent.Exponent() < -4 {
		return nil, fmt.Errorf("CURRENCY_MARGIN is %q, not off and no percentage from 0 to %d", text, maxMargin)
	}
	return &percent, nil
}
