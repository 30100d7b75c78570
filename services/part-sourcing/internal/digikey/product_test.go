package digikey

import (
	"encoding/json"
	"testing"

	"boardorder/services/part-sourcing/internal/part"
)

func client(t testing.TB) *Client {
	t.Helper()
	c, err := New(Config{URL: "https://distributor.example", ClientID: "a", ClientSecret: "b", Name: "distributor_a"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// FuzzProduct: whatever a product says of itself, no offer of it has figures that
// cannot be true.
func FuzzProduct(f *testing.F) {
	f.Add([]byte(`{"ManufacturerProductNumber":"A","ProductVariations":[{"MinimumOrderQuantity":-1,"QuantityAvailableforPackageType":-5,"DigiReelFee":7,"PackageType":{"Name":"Tape & Reel (TR)"},"StandardPricing":[{"BreakQuantity":1,"UnitPrice":0.1}]}]}`))
	f.Add([]byte(`{"ManufacturerLeadWeeks":"-3","ProductVariations":[{"MinimumOrderQuantity":4000,"MyPricing":[{"BreakQuantity":9,"UnitPrice":-1}]}],"ProductStatus":{"Status":"Last Time Buy"}}`))
	c := client(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var p product
		if json.Unmarshal(data, &p) != nil {
			return
		}
		for _, o := range c.offers(p) {
			if o.Stock < 0 || o.Minimum < 1 || o.Multiple < 1 || o.Fee < 0 || o.LeadDays < -1 || len(part.ValidBreaks(o.Breaks)) != len(o.Breaks) {
				t.Errorf("offer %+v, want amounts that can be, and prices in order", o)
			}
		}
	})
}

func TestWrongConfiguration(t *testing.T) {
	t.Parallel()
	for _, c := range []Config{{}, {URL: "nowhere", ClientID: "a", ClientSecret: "b"}, {URL: "https://a.example", ClientID: "a"}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}
