package pricing_test

import (
	"context"
	"testing"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/pricing"
	"boardorder/services/pricing/internal/exchange"

	"go.uber.org/zap"
)

// daily has rates of one day.
type daily struct{}

func (daily) Rates(context.Context) exchange.Rates {
	return exchange.Rates{Date: "2026-11-20", PerEUR: map[string]string{"USD": "1.25", "JPY": "180", "GBP": "0.85"}}
}

// TestChargeInTheShoppersCurrency: a quote holds what it costs in the currency of its
// country until it is priced again, and none where the operator charges in dollars alone.
func TestChargeInTheShoppersCurrency(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ margin, country, currency, rate string }{
		{"2", "DE", "EUR", "0.816"}, {"2", "JP", "JPY", "146.88"}, {"0", "DE", "EUR", "0.8"},
		{"off", "DE", "", ""}, {"", "DE", "", ""}, {"2", "US", "", ""}, {"2", "SA", "", ""},
	} {
		d := setup(t)
		s, err := pricing.New(pricing.Config{DefaultCountry: "US", Margin: tt.margin}, d.Sim, d.keys,
			pricing.Ports{Fabricators: d.fabricators(), Stackups: &d.stock, Rates: daily{}}, zap.NewNop(), d.Now)
		if err != nil {
			t.Fatal(err)
		}
		d.Handle(s.Handlers())
		d.reads(t, twoLayers("b"))
		request, refused := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.ShipTo = &shipments.ShipTo{Country: tt.country} }))
		if refused != nil {
			t.Fatalf("%s: %v", tt.country, refused)
		}
		q := d.quote(t, request)
		if tt.currency == "" {
			if q.Charge != nil {
				t.Errorf("margin %q, %s: %+v, want no charge but in dollars", tt.margin, tt.country, *q.Charge)
			}
			continue
		}
		if c := q.Charge; c == nil || c.Currency != tt.currency || c.Rate != tt.rate || c.Cents != *q.Reply.TotalCents || c.Bank != q.Reply.InYourCurrency.Rate || c.Minor <= 0 {
			t.Errorf("margin %q, %s: %+v, want %s at %s of %d cents", tt.margin, tt.country, c, tt.currency, tt.rate, *q.Reply.TotalCents)
		}
	}
}

// TestEstimateHoldsTheCharge: what is priced beside a quote, for a country that was chosen at
// checkout, has the amount in that country's currency too.
func TestEstimateHoldsTheCharge(t *testing.T) {
	t.Parallel()
	d := setup(t)
	s, err := pricing.New(pricing.Config{DefaultCountry: "US", Margin: "2"}, d.Sim, d.keys,
		pricing.Ports{Fabricators: d.fabricators(), Stackups: &d.stock, Rates: daily{}}, zap.NewNop(), d.Now)
	if err != nil {
		t.Fatal(err)
	}
	d.Handle(s.Handlers())
	d.reads(t, twoLayers("b"))
	request, refused := d.do(t, quotes.Price, standard(nil))
	if refused != nil {
		t.Fatal(refused)
	}
	for country, want := range map[string]string{"JP": "JPY", "DE": "EUR", "US": ""} {
		data := quotes.ChooseDeliveryData{Quote: d.quote(t, request).Ref, Estimate: true, ShipTo: shipments.ShipTo{Country: country}}
		if _, refused := d.do(t, quotes.ChooseDelivery, data); refused != nil {
			t.Fatalf("%s: %v", country, refused)
		}
		q, got := d.quote(t, request).ApplyEstimate(), ""
		if q.Charge != nil && q.Charge.Cents == *q.Reply.TotalCents {
			got = q.Charge.Currency
		}
		if got != want {
			t.Errorf("an estimate for %s of %d cents: %+v, want a charge in %q", country, *q.Reply.TotalCents, q.Charge, want)
		}
	}
}
