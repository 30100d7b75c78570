package checkout_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/prices"
	"boardorder/services/payment/internal/checkout"
)

// TestOnlyWhatWasAgreedCounts: currency and amount have to be the attempt's; else the
// payment is kept as it came, and its order will be held.
func TestOnlyWhatWasAgreedCounts(t *testing.T) {
	t.Parallel()
	agreed := &prices.Charge{Charged: prices.Charged{Currency: "EUR", Minor: 4388, Digits: 2}, Cents: 5000}
	for name, tt := range map[string]struct {
		charge   *prices.Charge
		cents    int64
		currency string
		want     checkouts.Payment
	}{
		"as agreed":             {agreed, 4388, "EUR", checkouts.Payment{Cents: 5000, Currency: "USD", Charged: agreed}},
		"in small letters":      {agreed, 4388, "eur", checkouts.Payment{Cents: 5000, Currency: "USD", Charged: agreed}},
		"another amount":        {agreed, 4387, "EUR", checkouts.Payment{Cents: 4387, Currency: "EUR"}},
		"another currency":      {agreed, 4388, "JPY", checkouts.Payment{Cents: 4388, Currency: "JPY"}},
		"dollars after all":     {agreed, 5000, "USD", checkouts.Payment{Cents: 5000, Currency: "USD"}},
		"euro where none were":  {nil, 4388, "EUR", checkouts.Payment{Cents: 4388, Currency: "EUR"}},
		"the total, but in yen": {agreed, 5000, "JPY", checkouts.Payment{Cents: 5000, Currency: "JPY"}},
	} {
		c := checkouts.Checkout{Quote: "q", TotalCents: 5000, Currency: "USD", Charge: tt.charge}
		got := checkout.MarkPaid(c, checkout.Receipt{Quote: "q", Intent: "pi_1", Cents: tt.cents, Currency: tt.currency}, time.Now()).Payment
		if got.Cents != tt.want.Cents || got.Currency != tt.want.Currency || got.Charged != tt.want.Charged {
			t.Errorf("%s: %d %s, charged %+v; want %d %s, %+v", name, got.Cents, got.Currency, got.Charged, tt.want.Cents, tt.want.Currency, tt.want.Charged)
		}
	}
}

// TestSecondPaymentsGoBackInTheirCurrency: what the customer reads names it.
func TestSecondPaymentsGoBackInTheirCurrency(t *testing.T) {
	t.Parallel()
	c := checkouts.Checkout{Quote: "q", TotalCents: 5000, Currency: "USD", Payment: &checkouts.Payment{Intent: "pi_0", Cents: 5000, Currency: "USD"}}
	for currency, want := range map[string]string{"usd": "", "JPY": "JPY 4,388", "eur": "EUR 43.88"} {
		got := checkout.AddRefund(c, checkout.Receipt{Quote: "q", Intent: "pi_1", Cents: 4388, Currency: currency}, time.Now()).Refunds[0]
		if words := ""; got.Charged != nil {
			if words = got.Charged.Words(); words != want {
				t.Errorf("%s: %s goes back, want %s", currency, words, want)
			}
		} else if want != "" {
			t.Errorf("%s: %+v, want %s", currency, got, want)
		}
	}
}
