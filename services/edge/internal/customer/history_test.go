package customer

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/problem"

	"github.com/google/go-cmp/cmp"
)

// TestHistoryTokenEnds: it opens a customer's orders for an hour, for the account
// that it was given to.
func TestHistoryTokenEnds(t *testing.T) {
	t.Parallel()
	keys, err := secret.New(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	k := &Customers{Client: &dispatch.Client{Secrets: keys, Now: func() time.Time { return now }}}
	token := keys.Link(historyLink("acc_1"), "customer", now.Add(confirmations.HistoryTTL))
	for _, tt := range []struct {
		after   time.Duration
		account string
		want    contract.Code
	}{{59 * time.Minute, "acc_1", ""}, {61 * time.Minute, "acc_1", contract.LinkExpired}, {0, "acc_2", contract.LinkInvalid}} {
		k.Now = func() time.Time { return now.Add(tt.after) }
		customer, _, err := k.OpenHistory(tt.account, token)
		got := contract.Code("")
		if p, ok := errors.AsType[*problem.Problem](err); ok {
			got = p.Refusal.Code
		}
		if got != tt.want || tt.want == "" && customer != "customer" {
			t.Errorf("after %s for %s: %q, %v", tt.after, tt.account, customer, err)
		}
	}
}

// TestChosenAtCheckout: the way and the faster build that an order was paid with are
// chosen again; the standard build of then is not asked for by its hours.
func TestChosenAtCheckout(t *testing.T) {
	t.Parallel()
	sold := quotes.Quote{Reply: quotes.Reply{ShippingOptions: []quotes.ShippingOption{{ID: "exp", Carrier: "DHL", Service: "DHL Express"}}}}
	hurried := []prices.Line{{Label: "Boards", Cents: 900}, {Label: prices.FasterLine + "24 hours", Cents: 3000}}
	for name, tt := range map[string]struct {
		earlier Earlier
		want    *quotes.Chosen
	}{
		"paid":                {Earlier{Quote: sold, Order: &orders.Order{ShippingID: "exp", BuildHours: 72, Lines: hurried[:1]}}, &quotes.Chosen{ShippingID: "exp", Shipping: "DHL Express"}},
		"paid, faster":        {Earlier{Quote: sold, Order: &orders.Order{ShippingID: "exp", BuildHours: 24, Lines: hurried}}, &quotes.Chosen{ShippingID: "exp", Shipping: "DHL Express", BuildHours: 24}},
		"a name that is lost": {Earlier{Order: &orders.Order{ShippingID: "sea"}}, &quotes.Chosen{ShippingID: "sea", Shipping: "sea"}},
		"priced by the team":  {Earlier{Quote: sold, Order: &orders.Order{}}, nil},
		"asked for":           {Earlier{Quote: quotes.Quote{Delivery: &shipments.Delivery{ShipTo: shipments.ShipTo{Country: "DE"}}}}, nil},
	} {
		if diff := cmp.Diff(tt.want, tt.earlier.Choice()); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}
