package edge_test

import (
	"testing"

	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/secret"

	"github.com/google/go-cmp/cmp"
)

// TestWhoSeesOffers: what other fabricators said is told to accounts that were allowed to see
// it, in every reply with the quote, and to no other.
func TestWhoSeesOffers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what         string
		sees, chosen bool
		want         bool
	}{
		{"allowed", true, true, true},
		{"not allowed", false, true, false},
		{"nothing was chosen", true, false, false},
	} {
		w := start(t)
		if tt.chosen {
			w.set(func() {
				w.choice = &quotes.FabricatorChoice{Rule: "cheapest", Why: "near_by costs least, delivered.", Offers: []quotes.FabricatorOffer{
					{Fabricator: "far_east", Status: quotes.OfferSlow, Why: "It did not answer in time."},
					{Fabricator: "near_by", Status: quotes.OfferChosen, TotalCents: 12345, DaysMin: 5, DaysMax: 7},
				}}
			})
		}
		key := secret.NewAPIKey(true)
		if err := w.write(accounts.KeyDocumentKind, key.ID, accounts.KeyDocument{Account: account, SeesOffers: tt.sees, Key: accounts.APIKey{
			ID: key.ID, Prefix: key.Prefix(), Hash: key.Hash(), Scopes: accounts.DefaultScopes(), Live: true,
		}}); err != nil {
			t.Fatal(err)
		}
		made := w.post("/v1/quotes", quoteBody(w.uploadID(), ""), "X-API-Key", key.Text)
		m := made.json(t)
		choice, told := m["fabricator_choice"].(map[string]any)
		if made.status != 201 || told != tt.want {
			t.Fatalf("%s: %d %s, told: %t, want %t", tt.what, made.status, made.body, told, tt.want)
		}
		if told && (choice["rule"] != "cheapest" || len(choice["offers"].([]any)) != 2) {
			t.Errorf("%s: %v, want the rule and both offers", tt.what, choice)
		}
		polled := w.do("GET", "/v1/quote-requests/"+m["request_id"].(string), nil, "X-API-Key", key.Text)
		if diff := cmp.Diff(string(made.body), string(polled.body)); diff != "" {
			t.Errorf("%s: asked for again (-first +again)\n%s", tt.what, diff)
		}
		if other := w.get("/v1/quote-requests/" + m["request_id"].(string)).json(t)["fabricator_choice"]; other != nil {
			t.Errorf("%s: a key whose account was not allowed is told %v, want nothing", tt.what, other)
		}
	}
}
