package prices_test

import (
	"testing"

	"boardorder/pkg/contract/prices"
)

var friday = prices.Rates{Date: "2026-11-20", PerEUR: map[string]string{"USD": "1.25", "CZK": "24.215", "SEK": "-1"}}

// TestRateTurnsCentsIntoHundredths: by way of the euro, and half to even.
func TestRateTurnsCentsIntoHundredths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rate        *prices.Rate
		cents, want int64
	}{
		{friday.RateOf("EUR"), 1000, 800},
		{friday.RateOf("EUR"), -1000, -800},
		{prices.RateOfQuote(&prices.CurrencyPrice{Currency: "EUR", Source: "ECB", RateDate: "2026-11-20", Rate: "0.5"}), 101, 50}, // 50.5
		{prices.RateOfQuote(&prices.CurrencyPrice{Currency: "EUR", Source: "ECB", RateDate: "2026-11-20", Rate: "0.5"}), 103, 52}, // 51.5
		{prices.RateOfQuote(&prices.CurrencyPrice{Currency: "EUR", Source: "ECB", RateDate: "2026-11-20", Rate: "0.5"}), -103, -52},
		{friday.RateOf("CZK"), 798, 15459}, // 798 × 24.215 / 1.25 = 15458.856
		{&prices.Rate{}, 798, 0},
	} {
		if got := tt.rate.Hundredths(tt.cents); got != tt.want {
			t.Errorf("%+v: %d cents are %d, want %d", tt.rate, tt.cents, got, tt.want)
		}
	}
}

// TestUnusableRatesAreNone: nothing is stated by a rate that is missing or wrong.
func TestUnusableRatesAreNone(t *testing.T) {
	t.Parallel()
	for name, got := range map[string]*prices.Rate{
		"a currency that is not listed": friday.RateOf("PLN"),
		"a rate below zero":             friday.RateOf("SEK"),
		"no rates":                      prices.Rates{}.RateOf("EUR"),
		"rates without the dollar":      prices.Rates{Date: "2026-11-20"}.RateOf("EUR"),
		"rates without a day":           prices.Rates{PerEUR: friday.PerEUR}.RateOf("EUR"),
		"a quote that shows none":       prices.RateOfQuote(nil),
		"a peg":                         prices.RateOfQuote(&prices.CurrencyPrice{Currency: "SAR", Source: "Saudi Central Bank (peg)", RateDate: "2026-11-20", Rate: "3.75"}),
	} {
		if got != nil {
			t.Errorf("%s: %+v, want none", name, *got)
		}
	}
}
