package client

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Money is an amount in the smallest unit of its currency: cents of dollars.
type Money struct {
	Minor    int64
	Currency string // ISO 4217
}

const (
	wholeCurrencies      = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
	thousandthCurrencies = "BHD IQD JOD KWD LYD OMR TND"
)

// fractionDigits is how many digits an amount has after the point, by ISO 4217.
func fractionDigits(currency string) int {
	switch {
	case strings.Contains(wholeCurrencies, currency):
		return 0
	case strings.Contains(thousandthCurrencies, currency):
		return 3
	}
	return 2
}

// String writes an amount as the service does: "$1,234.50", "EUR 38.80".
func (m Money) String() string {
	sign, unit := "", m.Currency+" "
	figure := strconv.FormatInt(m.Minor, 10)
	if m.Minor < 0 {
		sign, figure = "-", figure[1:]
	}
	if m.Currency == "USD" {
		unit = "$"
	}
	digits := fractionDigits(m.Currency)
	if n := digits + 1 - len(figure); n > 0 {
		figure = strings.Repeat("0", n) + figure
	}
	whole, fraction := figure[:len(figure)-digits], figure[len(figure)-digits:]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if digits > 0 {
		whole += "." + fraction
	}
	return sign + unit + whole
}

var amountPattern = regexp.MustCompile(`^(?:(\$)|([A-Za-z]{3})? *)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))? *([A-Za-z]{3})?$`)

// ParseMoney reads an amount as people type it: "80EUR", "EUR 80.50", "$1,234.56".
func ParseMoney(text string) (Money, error) {
	m := amountPattern.FindStringSubmatch(strings.TrimSpace(text))
	wrong := fmt.Errorf("%q is no amount of money; one is like 80EUR or $80.50", text)
	if m == nil {
		return Money{}, wrong
	}
	currency := m[2] + m[5]
	if m[1] != "" {
		currency += "USD"
	}
	if len(currency) != 3 {
		return Money{}, wrong
	}
	digits := fractionDigits(strings.ToUpper(currency))
	if len(m[4]) > digits {
		return Money{}, wrong
	}
	minor, err := strconv.ParseInt(strings.ReplaceAll(m[3], ",", "")+m[4]+strings.Repeat("0", digits-len(m[4])), 10, 64)
	if err != nil {
		return Money{}, wrong
	}
	return Money{minor, strings.ToUpper(currency)}, nil
}

// Price is what a quote costs, delivered and with tax; false where the team has to price it.
func (q *QuoteReply) Price() (Money, bool) {
	return Money{q.TotalCents, q.Currency}, q.Mode == QuoteReplyModeInstant && q.Currency != ""
}

// Price is what a cell costs, delivered and with tax; false where it has no price.
func (t *PriceTable) Price(cell TableCell) (Money, bool) {
	return Money{cell.TotalCents, t.Currency}, cell.Status == TableCellStatusPriced
}
