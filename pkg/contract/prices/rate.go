package prices

import (
	"time"

	"github.com/shopspring/decimal"
)

// RatesKey is where the bucket EXCHANGE_RATES holds the last rates that were published, as Rates.
const RatesKey = "ecb"

// Rates are what one euro was worth on a day, as the European Central Bank publishes it.
type Rates struct {
	Date   string            `json:"date"`    // 2026-11-20
	PerEUR map[string]string `json:"per_eur"` // ISO 4217 -> decimal
}

// RateOf is the rate of a currency to the dollar; nil where the rates lack one of both.
func (r Rates) RateOf(currency string) *Rate {
	unit := r.PerEUR[currency]
	if currency == "EUR" {
		unit = "1"
	}
	return Rate{Currency: currency, Date: r.Date, PerEUR: unit, USDPerEUR: r.PerEUR["USD"]}.validate()
}

// A Rate is the European Central Bank's reference rate of a currency to the dollar on a
// day: by way of the euro, as the bank states it, or else as a quote has worked it out.
type Rate struct {
	Currency  string `json:"currency"`              // ISO 4217
	Date      string `json:"date"`                  // of publication, 2026-11-20
	PerEUR    string `json:"per_eur,omitempty"`     // units of Currency for one euro
	USDPerEUR string `json:"usd_per_eur,omitempty"` // dollars for one euro
	PerUSD    string `json:"per_usd,omitempty"`     // units of Currency for one dollar, where the others are not known
}

// RateOfQuote is the rate that a quote shows its total by; nil where it shows none or another source's.
func RateOfQuote(p *CurrencyPrice) *Rate {
	if p == nil || p.Source != "ECB" {
		return nil
	}
	return Rate{Currency: p.Currency, Date: p.RateDate, PerUSD: p.Rate}.validate()
}

// validate gives the rate, or nil where it cannot be worked with.
func (r Rate) validate() *Rate {
	if _, err := time.Parse(time.DateOnly, r.Date); err != nil || r.Currency == "" || r.unitsPerDollar().Sign() <= 0 {
		return nil
	}
	return &r
}

// unitsPerDollar is how many units of the currency one dollar is worth; zero where that is not known.
func (r Rate) unitsPerDollar() decimal.Decimal {
	if r.PerUSD != "" {
		rate, _ := decimal.NewFromString(r.PerUSD)
		return rate
	}
	unit, err1 := decimal.NewFromString(r.PerEUR)
	dollar, err2 := decimal.NewFromString(r.USDPerEUR)
	if err1 != nil || err2 != nil || !unit.IsPositive() || !dollar.IsPositive() {
		return decimal.Zero
	}
	return unit.DivRound(dollar, 18)
}

// RoundRate rounds a rate to six significant digits: no more than the source states.
func RoundRate(rate decimal.Decimal) decimal.Decimal {
	places := int32(6 - (rate.NumDigits() + int(rate.Exponent())))
	return rate.RoundBank(max(0, places))
}

// Hundredths is what cents are worth in hundredths of the currency, rounded half to even.
func (r Rate) Hundredths(cents int64) int64 {
	return decimal.NewFromInt(cents).Mul(r.unitsPerDollar()).RoundBank(0).IntPart()
}
