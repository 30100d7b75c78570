package quotes_test

import (
	"testing"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

// TestLaterChoice: only what differs from what is paid for, and came after it, is told.
func TestLaterChoice(t *testing.T) {
	t.Parallel()
	quote := func(version, quantity int, way string) quotes.Quote {
		total := int64(quantity * 100)
		return quotes.Quote{Version: version, Delivery: &shipments.Delivery{ShippingID: way}, Reply: quotes.Reply{Quantity: quantity, TotalCents: &total}}
	}
	sold, unpriced := quote(2, 10, "post"), quote(3, 50, "post")
	unpriced.Reply.TotalCents = nil
	for name, tt := range map[string]struct {
		now  quotes.Quote
		want string
	}{
		"the same":                {sold, ""},
		"priced anew, and equal":  {quote(3, 10, "post"), ""},
		"more boards":             {quote(3, 50, "post"), "50 boards for $50.00"},
		"another way":             {quote(3, 10, "air"), "10 boards for $10.00"},
		"older than what is sold": {quote(1, 50, "post"), ""},
		"gone":                    {quotes.Quote{}, ""},
		"without a price":         {unpriced, ""},
	} {
		if got := quotes.ChoiceAfterPayment(sold, tt.now); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
