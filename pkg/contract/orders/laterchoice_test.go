package orders_test

import (
	"testing"

	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

// TestLaterChoice: only what differs from what is paid for, and came after it, is told.
func TestLaterChoice(t *testing.T) {
	t.Parallel()
	quote := func(version, quantity int, way string) quotes.Quote {
		total := int64(quantity * 100)
		return quotes.Quote{
			Version: version, Delivery: &shipments.Delivery{ShippingID: way, BuildHours: 48, ShipTo: shipments.ShipTo{City: "Rome"}},
			Reply: quotes.Reply{Quantity: quantity, TotalCents: &total},
		}
	}
	order := orders.Order{Quantity: 10, ShippingID: "post", BuildHours: 48, ShipTo: shipments.ShipTo{City: "Rome"}, Sold: quotes.Quote{Ref: "q", Version: 2}}
	change := func(change func(*quotes.Quote)) quotes.Quote {
		q := quote(3, 10, "post")
		change(&q)
		return q
	}
	for name, tt := range map[string]struct {
		now  quotes.Quote
		want string
	}{
		"the same":                {quote(2, 10, "post"), ""},
		"priced anew, and equal":  {quote(3, 10, "post"), ""},
		"more boards":             {quote(3, 50, "post"), "50 boards for $50.00"},
		"another way":             {quote(3, 10, "air"), "10 boards for $10.00"},
		"another build":           {change(func(q *quotes.Quote) { q.Delivery.BuildHours = 24 }), "10 boards for $10.00"},
		"another address":         {change(func(q *quotes.Quote) { q.Delivery.ShipTo.City = "Bari" }), "10 boards for $10.00"},
		"older than what is sold": {quote(1, 50, "post"), ""},
		"gone":                    {quotes.Quote{}, ""},
		"without a price":         {change(func(q *quotes.Quote) { q.Reply.Quantity, q.Reply.TotalCents = 50, nil }), ""},
	} {
		if got := order.ChoiceAfterPayment(tt.now); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	if got := order.Withdraw().ChoiceAfterPayment(quote(3, 50, "post")); got != "" {
		t.Errorf("of an order that keeps no quote: %q, want nothing", got)
	}
}
