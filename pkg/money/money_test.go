package money_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"boardorder/pkg/money"
)

func TestDivideRoundsHalfToEven(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ n, d, want int64 }{
		{5, 2, 2}, {7, 2, 4}, {-5, 2, -2}, {-7, 2, -4}, {10, 3, 3}, {11, 3, 4}, {0, 7, 0}, {1, 2, 0}, {3, 2, 2},
		{100, 1, 100}, {25, 10, 2}, {26, 10, 3}, {35, 10, 4},
	} {
		if got := money.Divide(tt.n, tt.d); got != tt.want {
			t.Errorf("Divide(%d, %d) = %d, want %d", tt.n, tt.d, got, tt.want)
		}
	}
}

func TestRateOfAgreesWithExactArithmetic(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		cents, rate := r.Int64N(1e13)-5e12, money.Rate(r.Int64N(2_000_000))
		if got, want := rate.ShareOf(cents), exactHalfEven(cents, int64(rate)); got != want {
			t.Fatalf("Rate(%d).ShareOf(%d) = %d, want %d", rate, cents, got, want)
		}
	}
}

// exactHalfEven does the same sum over rationals: the floor, then the fraction
// compared with one half.
func exactHalfEven(cents, rate int64) int64 {
	exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(cents), big.NewInt(rate)), big.NewInt(1_000_000))
	floor := new(big.Int).Div(exact.Num(), exact.Denom())
	rest := new(big.Rat).Sub(exact, new(big.Rat).SetInt(floor))
	c := rest.Cmp(big.NewRat(1, 2))
	if c > 0 || c == 0 && floor.Bit(0) == 1 {
		floor.Add(floor, big.NewInt(1))
	}
	return floor.Int64()
}

func TestParsePercent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		want money.Rate
		text string
	}{{"25", 250_000, "25 %"}, {"9.975", 99_750, "9.975 %"}, {"0", 0, "0 %"}, {"8.1", 81_000, "8.1 %"}, {"0.3464", 3464, "0.3464 %"}} {
		got, err := money.ParsePercent(tt.in)
		if err != nil || got != tt.want || got.String() != tt.text {
			t.Errorf("ParsePercent(%q) = %d (%s), %v; want %d (%s)", tt.in, got, got, err, tt.want, tt.text)
		}
	}
	for _, bad := range []string{"", "-1", "+1", "1.", ".5", "1,5", "25 %", "1.23456", "1001", "1.-2", "x"} {
		if got, err := money.ParsePercent(bad); err == nil {
			t.Errorf("ParsePercent(%q) = %d, want an error", bad, got)
		}
	}
}

func TestAmountsInWords(t *testing.T) {
	t.Parallel()
	for cents, want := range map[int64]string{
		0: "$0.00", 5: "$0.05", 1234: "$12.34", 123456: "$1,234.56", 100_000_000: "$1,000,000.00", -250: "-$2.50",
	} {
		if got := money.Dollars(cents); got != want {
			t.Errorf("Dollars(%d) = %q, want %q", cents, got, want)
		}
	}
	for _, tt := range []struct {
		minor  int64
		digits int
		want   string
	}{{1234567, 0, "1,234,567"}, {1234567, 3, "1,234.567"}, {7, 3, "0.007"}, {0, 0, "0"}} {
		if got := money.Decimal(tt.minor, tt.digits); got != tt.want {
			t.Errorf("Decimal(%d, %d) = %q, want %q", tt.minor, tt.digits, got, tt.want)
		}
	}
}

func FuzzParsePercent(f *testing.F) {
	for _, s := range []string{"25", "9.975", "", "1.", "-1", "999.9999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := money.ParsePercent(s)
		if err == nil && (r < 0 || r > 10_010_000) {
			t.Errorf("ParsePercent(%q) = %d, want 0 to 10010000", s, r)
		}
	})
}

func TestAmount(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cents    int64
		currency string
		want     string
	}{
		{0, "USD", "$0.00"}, {123456, "", "$1,234.56"}, {-1250, "USD", "-$12.50"}, {99999, "EUR", "EUR 999.99"}, {-5, "GBP", "-GBP 0.05"},
		{-1 << 63, "USD", "-$92,233,720,368,547,758.08"},
	} {
		if got := money.Amount(tt.cents, tt.currency); got != tt.want {
			t.Errorf("Amount(%d, %q) = %q, want %q", tt.cents, tt.currency, got, tt.want)
		}
	}
}
