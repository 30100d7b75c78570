package customer

import (
	"testing"

	"boardorder/pkg/contract/checkouts"
)

// TestStatusOfASavedPayment: a quote that was paid otherwise was paid already, and
// nothing is called declined or placed that is not known to be.
func TestStatusOfASavedPayment(t *testing.T) {
	t.Parallel()
	saved := func(nonce, intent string, o checkouts.SavedOutcome) *checkouts.SavedPayment {
		return &checkouts.SavedPayment{Nonce: nonce, Intent: intent, Outcome: o}
	}
	for name, tt := range map[string]struct {
		paying checkouts.Checkout
		want   string
	}{
		"nothing is known":              {checkouts.Checkout{}, unsettled},
		"charged by this code":          {checkouts.Checkout{Payment: &checkouts.Payment{Nonce: "mine"}}, "placed"},
		"found at the processor":        {checkouts.Checkout{Payment: &checkouts.Payment{Intent: "pi_1"}, Saved: saved("mine", "pi_1", "")}, "placed"},
		"paid at checkout":              {checkouts.Checkout{Payment: &checkouts.Payment{Session: "cs_1"}}, "already_paid"},
		"paid at checkout, then a code": {checkouts.Checkout{Payment: &checkouts.Payment{Intent: "pi_2"}, Saved: saved("mine", "pi_1", "")}, "already_paid"},
		"paid by another code":          {checkouts.Checkout{Payment: &checkouts.Payment{Nonce: "other"}, Saved: saved("other", "pi_1", "")}, "already_paid"},
		"the bank decides":              {checkouts.Checkout{Saved: saved("mine", "pi_1", checkouts.SavedProcessing)}, "processing"},
		"another's bank decides":        {checkouts.Checkout{Saved: saved("other", "pi_1", checkouts.SavedProcessing)}, unsettled},
		"declined":                      {checkouts.Checkout{Saved: saved("mine", "pi_1", ""), Status: checkouts.Closed}, declined},
		"another's was declined":        {checkouts.Checkout{Saved: saved("other", "pi_1", ""), Status: checkouts.Closed}, unsettled},
	} {
		if got := statusOf(tt.paying, "mine"); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
