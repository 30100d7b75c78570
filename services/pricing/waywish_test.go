package pricing_test

import (
	"testing"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/fabricator"
	"boardorder/services/pricing"

	"go.uber.org/zap"
)

// waysByWeight are those of a fabricator whose post takes few boards, and whose express goes
// to Germany under another id.
func waysByWeight(s fabricator.Spec) []fabricator.Shipping {
	var ways []fabricator.Shipping
	if s.Quantity < 500 {
		ways = append(ways, fabricator.Shipping{ID: "post", Carrier: "Post", Service: "Post", Cents: 900, DaysMin: 8, DaysMax: 12})
	}
	express := fabricator.Shipping{ID: "fast", Carrier: "DHL", Service: "DHL Express", Cents: 2500, DaysMin: 2, DaysMax: 4}
	if s.To.Country == "DE" {
		express.ID = "fast-eu"
	}
	if s.To.Country != "JP" {
		ways = append(ways, express)
	}
	return append(ways, fabricator.Shipping{ID: "cargo", Carrier: "UPS", Service: "UPS Freight", Cents: 9000, DaysMin: 4, DaysMax: 6})
}

// TestWayOfAnotherQuantityOrCountry: a way of shipping that was wanted and is not offered any
// more is named until the customer chooses; it comes back where it is offered again. Whoever was
// shown the usual way of one country has not chosen it for another.
func TestWayOfAnotherQuantityOrCountry(t *testing.T) {
	t.Parallel()
	berlin := shipments.ShipTo{Name: "Ada", Email: "ada@example.com", Phone: "+49 30 1234567", Line1: "Torstrasse 1", City: "Berlin", PostalCode: "10119", Country: "DE"}
	tokyo := shipments.ShipTo{Name: "Ada", Email: "ada@example.com", Phone: "+81 3 1234 5678", Line1: "1-1 Marunouchi", City: "Chiyoda-ku", State: "Tokyo", PostalCode: "100-0005", Country: "JP"}
	type step struct {
		quantity int
		to       shipments.ShipTo
		way      string // chosen
		guess    bool
		want     string
		missing  string // name of the one that is not offered
	}
	for name, steps := range map[string][]step{
		"the usual way, too heavy":       {{700, home, "post", false, "fast", "Post"}},
		"nothing said":                   {{700, home, "", false, "fast", ""}},
		"chosen, and offered":            {{700, home, "fast", false, "fast", ""}},
		"the usual way of the country":   {{10, berlin, "post", false, "post", ""}, {10, home, "post", false, "post", ""}},
		"by name in another country":     {{10, home, "fast", false, "fast", ""}, {10, berlin, "fast", false, "fast-eu", ""}},
		"not there at all":               {{10, home, "fast", false, "fast", ""}, {10, tokyo, "fast", false, "post", "DHL Express"}},
		"it stays said":                  {{700, home, "post", true, "fast", "Post"}, {700, home, "", true, "fast", "Post"}, {700, home, "", false, "fast", "Post"}, {800, home, "", false, "fast", "Post"}},
		"until another is chosen":        {{700, home, "post", false, "fast", "Post"}, {700, home, "cargo", false, "cargo", ""}, {700, home, "cargo", false, "cargo", ""}},
		"until it is offered again":      {{700, home, "post", false, "fast", "Post"}, {20, home, "", false, "post", ""}},
		"an estimate abroad, there back": {{10, home, "fast", false, "fast", ""}, {10, tokyo, "fast", true, "post", "DHL Express"}, {10, home, "", true, "fast", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.fab.ways = waysByWeight
			shop, err := pricing.New(pricing.Config{DefaultCountry: "US"}, d.Sim, d.keys, pricing.Ports{Fabricators: d.fabricators(), Stackups: &d.stock, Rates: daily{}}, zap.NewNop(), d.Now)
			if err != nil {
				t.Fatal(err)
			}
			d.Handle(shop.Handlers())
			d.reads(t, twoLayers("a"))
			request, _ := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.Quantity, r.ShipTo = 10, &shipments.ShipTo{Country: "US"} }))
			for i, s := range steps {
				_, refusal := d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: d.quote(t, request).Ref, ShipTo: s.to, Quantity: s.quantity, ShippingID: s.way, Estimate: s.guess})
				if refusal != nil {
					t.Fatalf("step %d, %d boards to %s by %q: refused %+v, want it granted", i, s.quantity, s.to.Country, s.way, refusal)
				}
				got := d.quote(t, request).ApplyEstimate().Delivery
				missing := ""
				if got.UnofferedWay != nil {
					missing = got.UnofferedWay.Name
				}
				if got.ShippingID != s.want || missing != s.missing {
					t.Errorf("step %d, %d boards to %s by %q: by %s in place of %q; want %s in place of %q", i, s.quantity, s.to.Country, s.way, got.ShippingID, missing, s.want, s.missing)
				}
			}
		})
	}
}
