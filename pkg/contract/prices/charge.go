package prices

import (
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/money"

	"github.com/shopspring/decimal"
)

// A Charge is what a total is in another currency if it is paid in it: the European
// Central Bank's rate and a margin on it, held as long as the quote.
type Charge struct {
	Charged
	Cents   int64  `json:"cents"`   // the total that it stands for
	Rate    string `json:"rate"`    // units of the currency for one dollar, the margin on it
	Bank    string `json:"bank"`    // the bank's own
	Date    string `json:"date"`    // of the bank's
	Percent string `json:"percent"` // the margin
}

// Charged is an amount in the currency that a card was, or shall be, charged in.
type Charged struct {
	Currency string `json:"currency"` // ISO 4217
	Minor    int64  `json:"minor"`    // as the card processor counts: in hundredths, or in units of yen and won
	Digits   int    `json:"digits"`   // of Minor, after the point
}

// NewCharged is an amount that the card processor names in a currency, in either case.
func NewCharged(currency string, minor int64) Charged {
	code := strings.ToUpper(currency)
	u, ok := chargeable[code]
	if !ok {
		u.digits = 2
	}
	return Charged{Currency: code, Minor: minor, Digits: u.digits}
}

// Words writes an amount: "EUR 43.90", "JPY 7,480".
func (c Charged) Words() string { return money.Format(c.Minor, c.Digits, c.Currency) }

// Amounts that a card is charged in another currency, in its minor units. Their least is
// more than any least amount of the card processor's.
const (
	leastCents = 200
	mostMinor  = 99_999_999
)

// A unit is how the card processor counts a currency: digits after the point, and what
// amounts are multiples of.
type unit struct {
	digits int
	step   int64
}

// chargeable are the currencies with a rate of the European Central Bank that the card
// processor charges cards from abroad in. It counts krónur in hundredths, of which whole
// ones are charged.
var chargeable = map[string]unit{
	"AUD": {2, 1}, "BRL": {2, 1}, "CAD": {2, 1}, "CHF": {2, 1}, "CZK": {2, 1}, "DKK": {2, 1}, "EUR": {2, 1}, "GBP": {2, 1}, "HKD": {2, 1}, "HUF": {2, 1},
	"ILS": {2, 1}, "ISK": {2, 100}, "JPY": {0, 1}, "KRW": {0, 1}, "MXN": {2, 1}, "MYR": {2, 1}, "NOK": {2, 1}, "NZD": {2, 1}, "PLN": {2, 1}, "RON": {2, 1},
	"SEK": {2, 1}, "SGD": {2, 1}, "THB": {2, 1}, "TRY": {2, 1}, "ZAR": {2, 1},
}

// Chargeable lists the currencies that a card may be charged in, US dollars first.
func Chargeable() []string {
	return append([]string{"USD"}, slices.Sorted(maps.Keys(chargeable))...)
}

// NewCharge is what cents are at the rate that a quote shows, with a margin in percent on it;
// nil where they are not charged in that currency.
func NewCharge(shown *CurrencyPrice, cents int64, percent decimal.Decimal) *Charge {
	bank := RateOfQuote(shown)
	if bank == nil || cents < leastCents {
		return nil
	}
	u, ok := chargeable[bank.Currency]
	if !ok {
		return nil
	}
	rate := RoundRate(bank.unitsPerDollar().Mul(percent.Shift(-2).Add(decimal.NewFromInt(1))))
	minor := decimal.New(cents, int32(u.digits)-2).Mul(rate).Div(decimal.NewFromInt(u.step)).RoundBank(0).IntPart() * u.step
	if minor <= 0 || minor > mostMinor {
		return nil
	}
	return &Charge{
		Charged: Charged{Currency: bank.Currency, Minor: minor, Digits: u.digits},
		Cents:   cents, Rate: rate.String(), Bank: bank.PerUSD, Date: bank.Date, Percent: percent.String(),
	}
}

// Share is the part of an amount that belongs to so many cents of all that it stands for.
// The last share takes what is left, so that shares add up.
func (c Charged) Share(cents, all int64) Charged {
	if cents < all {
		step := max(1, chargeable[c.Currency].step)
		c.Minor = min(c.Minor, max(step, money.Divide(money.Divide(c.Minor*cents, all), step)*step))
	}
	return c
}

// CentsOf is Share the other way round: what of so many cents belongs to a part of the amount.
func (c Charged) CentsOf(minor, all int64) int64 {
	if minor >= c.Minor {
		return all
	}
	return min(all, max(1, money.Divide(all*minor, c.Minor)))
}
