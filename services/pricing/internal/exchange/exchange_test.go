package exchange_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/destination"
	"boardorder/services/pricing/internal/exchange"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"
)

var rates = exchange.Rates{Date: "2026-11-20", PerEUR: map[string]string{
	"USD": "1.1600", "JPY": "180.55", "GBP": "0.8800", "CHF": "0.9300", "ISK": "147.00",
}}

func table(t *testing.T) *exchange.Table {
	t.Helper()
	tab, err := exchange.Load()
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func TestShow(t *testing.T) {
	t.Parallel()
	tab := table(t)
	for _, tt := range []struct {
		code  string
		cents int64
		want  exchange.Shown
	}{
		{"EUR", 11600, exchange.Shown{Currency: "EUR", Text: "EUR 100.00", Minor: 10000, Rate: "0.862069", Date: "2026-11-20", Source: exchange.Source}},
		{"JPY", 1000, exchange.Shown{Currency: "JPY", Text: "JPY 1,556", Minor: 1556, Rate: "155.647", Date: "2026-11-20", Source: exchange.Source}},
		{"AED", 10000, exchange.Shown{Currency: "AED", Text: "AED 367.25", Minor: 36725, Rate: "3.6725", Date: "2026-11-20", Source: "Central Bank of the UAE (peg)"}},
		{"BHD", 10000, exchange.Shown{Currency: "BHD", Text: "BHD 37.600", Minor: 37600, Rate: "0.376", Date: "2026-11-20", Source: "Central Bank of Bahrain (peg)"}},
	} {
		got, err := tab.Show(rates, tt.code, tt.cents)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("Show(%s, %d): %v (-want +got)\n%s", tt.code, tt.cents, err, diff)
		}
	}
	for _, code := range []string{"KWD", "TWD", "XXX"} {
		if _, err := tab.Show(rates, code, 100); !errors.Is(err, exchange.ErrNoRate) {
			t.Errorf("Show(%s) without a rate: %v", code, err)
		}
	}
}

// TestShownRateGivesShownAmount: who multiplies what is printed gets what is printed.
func TestShownRateGivesShownAmount(t *testing.T) {
	t.Parallel()
	tab := table(t)
	digits := map[string]int32{"EUR": 2, "JPY": 0, "CHF": 2, "ISK": 0, "BHD": 3, "AED": 2}
	for code, places := range digits {
		for _, cents := range []int64{1, 99, 51221, 7769, 100000000} {
			got, err := tab.Show(rates, code, cents)
			if err != nil {
				t.Fatal(err)
			}
			product := decimal.New(cents, places-2).Mul(decimal.RequireFromString(got.Rate)).RoundBank(0)
			if product.IntPart() != got.Minor {
				t.Errorf("%d cents at %s are %s in minor units of %s, shown %d", cents, got.Rate, product, code, got.Minor)
			}
		}
	}
}

func TestCentsAndShowAgree(t *testing.T) {
	t.Parallel()
	tab := table(t)
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		hundredths := r.Int64N(1e5) // beyond that the six digits of the rate that is shown count
		cents, err := tab.Cents(rates, "EUR", hundredths)
		if err != nil {
			t.Fatal(err)
		}
		back, err := tab.Show(rates, "EUR", cents)
		if off := back.Minor - hundredths; err != nil || off < -1 || off > 1 {
			t.Fatalf("%d hundredths of a euro are %d cents, which are %d: %v", hundredths, cents, back.Minor, err)
		}
	}
}

// Every country's currency must be known, or nobody there ever sees a price in it.
func TestEveryCountrysCurrencyIsKnown(t *testing.T) {
	t.Parallel()
	book, err := destination.Load()
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Join(table(t).Codes(), " ")
	for _, code := range book.Codes() {
		if c, _ := book.Country(code); !strings.Contains(known, c.Currency) {
			t.Errorf("%s: the currency %s has no row", code, c.Currency)
		}
	}
}

const daily = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject>
<Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.1600'/><Cube currency='JPY' rate='180.55'/></Cube></Cube>
</gesmes:Envelope>`

func TestParseECB(t *testing.T) {
	t.Parallel()
	got, err := exchange.ParseECB([]byte(daily))
	want := exchange.Rates{Date: "2026-11-20", PerEUR: map[string]string{"USD": "1.1600", "JPY": "180.55"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	for name, text := range map[string]string{
		"empty": "", "a web page": "<html></html>", "no dollar": strings.Replace(daily, "USD", "XAU", 1),
		"no day": strings.Replace(daily, "2026-11-20", "soon", 1), "a negative rate": strings.Replace(daily, "1.1600", "-1", 1),
		"a rate of zero": strings.Replace(daily, "1.1600", "0", 1), "no number": strings.Replace(daily, "180.55", "N/A", 1),
	} {
		if got, err := exchange.ParseECB([]byte(text)); err == nil {
			t.Errorf("%s: read as %v, want an error", name, got)
		}
	}
}

func TestAge(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	if got := rates.Age(now); got != 3 {
		t.Errorf("Age = %d, want 3", got)
	}
	if got := (exchange.Rates{}).Age(now); got < 10000 {
		t.Errorf("rates without a date are %d days old, want 10000 at least", got)
	}
}

func FuzzParseECB(f *testing.F) {
	f.Add([]byte(daily))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := exchange.ParseECB(data)
		if err == nil && (r.Date == "" || r.PerEUR["USD"] == "") {
			t.Errorf("accepted rates without a day or a dollar: %v", r)
		}
	})
}
