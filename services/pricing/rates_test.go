package pricing

import (
	"testing"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/prices"
	"boardorder/services/pricing/internal/exchange"
)

// TestRatesArePublished: the latest of all that any process fetched, whatever lay there.
func TestRatesArePublished(t *testing.T) {
	t.Parallel()
	bucket, err := bustest.Start(t).Bucket(t.Context(), contract.RatesBucket)
	if err != nil {
		t.Fatal(err)
	}
	p := publisher{bucket}
	for _, tt := range []struct{ there, date, want string }{
		{"", "2026-11-20", "2026-11-20"},
		{"", "2026-11-23", "2026-11-23"},
		{"", "2026-11-20", "2026-11-23"}, // a cache on the way that is behind
		{"{", "2026-11-20", "2026-11-20"},
	} {
		if tt.there != "" {
			if err := bucket.Put(t.Context(), prices.RatesKey, []byte(tt.there)); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.publish(t.Context(), exchange.Rates{Date: tt.date, PerEUR: map[string]string{"USD": "1.25"}}); err != nil {
			t.Fatal(err)
		}
		value, _, err := bucket.Get(t.Context(), prices.RatesKey)
		if want := `{"date":"` + tt.want + `","per_eur":{"USD":"1.25"}}`; err != nil || string(value) != want {
			t.Errorf("after rates of %s: %s, %v; want %s", tt.date, value, err, want)
		}
	}
}
