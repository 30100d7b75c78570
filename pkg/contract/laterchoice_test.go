package contract_test

import (
	"testing"

	"boardorder/pkg/contract"
)

// TestLaterChoice: only what differs from what is paid for, and came after it, is told.
func TestLaterChoice(t *testing.T) {
	t.Parallel()
	quote := func(version, quantity int, way string) contract.Quote {
		total := int64(quantity * 100)
		return contract.Quote{Version: version, Delivery: &contract.Delivery{ShippingID: way}, Reply: contract.QuoteReply{Quantity: quantity, TotalCents: &total}}
	}
	sold, unpriced := quote(2, 10, "post"), quote(3, 50, "post")
	unpriced.Reply.TotalCents = nil
	for name, tt := range map[string]struct {
		now  contract.Quote
		want string
	}{
		"the same":                {sold, ""},
		"priced anew, and equal":  {quote(3, 10, "post"), ""},
		"more boards":             {quote(3, 50, "post"), "50 boards for $50.00"},
		"another way":             {quote(3, 10, "air"), "10 boards for $10.00"},
		"older than what is sold": {quote(1, 50, "post"), ""},
		"gone":                    {contract.Quote{}, ""},
		"without a price":         {unpriced, ""},
	} {
		if got := contract.ChoiceAfterPayment(sold, tt.now); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
