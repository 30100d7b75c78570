package prices_test

import (
	"testing"

	"boardorder/pkg/contract/prices"

	"github.com/shopspring/decimal"
)

func show(code, rate string) *prices.CurrencyPrice {
	return &prices.CurrencyPrice{Currency: code, Rate: rate, Source: "ECB", RateDate: "2026-11-20"}
}

// TestNewCharge: the bank's rate and the margin, in what the processor counts a currency in.
func TestNewCharge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		shown   *prices.CurrencyPrice
		cents   int64
		percent string
		want    string
		rate    string
	}{
		{show("EUR", "0.860437"), 5000, "2", "EUR 43.88", "0.877646"}, // 0.86043700 × 1.02 = 0.87764574
		{show("EUR", "0.860437"), 5000, "0", "EUR 43.02", "0.860437"},
		{show("JPY", "156.548"), 5000, "2", "JPY 7,984", "159.679"},
		{show("KRW", "1471.5"), 5000, "2.5", "KRW 75,414", "1508.29"},
		{show("ISK", "126.5"), 5000, "2", "ISK 6,452.00", "129.03"}, // 6451.5 to the whole króna, half to even
		{show("HUF", "331.2"), 5000, "2", "HUF 16,891.20", "337.824"},
	} {
		percent := decimal.RequireFromString(tt.percent)
		got := prices.NewCharge(tt.shown, tt.cents, percent)
		if got == nil || got.Words() != tt.want || got.Rate != tt.rate || got.Bank != tt.shown.Rate || got.Date != "2026-11-20" || got.Percent != tt.percent || got.Cents != tt.cents {
			t.Errorf("%d cents in %s at %s and %s %%: %+v, want %s at %s", tt.cents, tt.shown.Currency, tt.shown.Rate, tt.percent, got, tt.want, tt.rate)
		}
	}
}

// TestNotCharged: what the processor does not charge, or nobody publishes a rate of.
func TestNotCharged(t *testing.T) {
	t.Parallel()
	peg := show("SAR", "3.75")
	peg.Source = "Saudi Central Bank (peg)"
	for name, tt := range map[string]struct {
		shown *prices.CurrencyPrice
		cents int64
	}{
		"nothing shown": {nil, 5000}, "a peg": {peg, 5000}, "another one": {show("INR", "88"), 5000}, "too little": {show("EUR", "0.86"), 199},
		"too much": {show("KRW", "1471.5"), 10_000_000}, "no rate": {show("EUR", "x"), 5000},
	} {
		if got := prices.NewCharge(tt.shown, tt.cents, decimal.NewFromInt(2)); got != nil {
			t.Errorf("%s: %+v, want none", name, *got)
		}
	}
}

// TestSharesAddUp: however a total is parted, its shares are all of what was charged.
func TestSharesAddUp(t *testing.T) {
	t.Parallel()
	for _, whole := range []prices.Charged{{Currency: "EUR", Minor: 4388, Digits: 2}, {Currency: "JPY", Minor: 7984}, {Currency: "ISK", Minor: 645200, Digits: 2}} {
		for _, parts := range [][]int64{{5000}, {1, 4999}, {1667, 1667, 1666}, {2500, 2500}, {4999, 1}, {33, 33, 33, 4901}} {
			left, cents, sum := whole, int64(5000), int64(0)
			for _, part := range parts {
				share := left.Share(part, cents)
				if share.Minor < 1 && left.Minor > 0 || whole.Currency == "ISK" && share.Minor%100 != 0 {
					t.Errorf("%s, %v: a share of %d", whole.Words(), parts, share.Minor)
				}
				left.Minor, cents, sum = left.Minor-share.Minor, cents-part, sum+share.Minor
			}
			if sum != whole.Minor {
				t.Errorf("%s in %v: shares of %d, want all", whole.Words(), parts, sum)
			}
		}
	}
	euro := prices.Charged{Currency: "EUR", Minor: 4388, Digits: 2}
	for minor, want := range map[int64]int64{4388: 5000, 5000: 5000, 2194: 2500, 1: 1, 439: 500} {
		if got := euro.CentsOf(minor, 5000); got != want {
			t.Errorf("%d of 4388 are %d cents of 5000, want %d", minor, got, want)
		}
	}
}
