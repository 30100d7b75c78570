package customer

import (
	"testing"

	"boardorder/pkg/contract"
)

// TestStatusOfASavedPayment: a quote that was paid otherwise was paid already, and
// nothing is called declined or placed that is not known to be.
func TestStatusOfASavedPayment(t *testing.T) {
	t.Parallel()
	saved := func(nonce, intent string, o contract.SavedOutcome) *contract.SavedPayment {
		return &contract.SavedPayment{Nonce: nonce, Intent: intent, Outcome: o}
	}
	for name, tt := range map[string]struct {
		paying contract.Checkout
		want   string
	}{
		"nothing is known":              {contract.Checkout{}, unsettled},
		"charged by this code":          {contract.Checkout{Payment: &contract.Payment{Nonce: "mine"}}, "placed"},
		"found at the processor":        {contract.Checkout{Payment: &contract.Payment{Intent: "pi_1"}, Saved: saved("mine", "pi_1", "")}, "placed"},
		"paid at checkout":              {contract.Checkout{Payment: &contract.Payment{Session: "cs_1"}}, "already_paid"},
		"paid at checkout, then a code": {contract.Checkout{Payment: &contract.Payment{Intent: "pi_2"}, Saved: saved("mine", "pi_1", "")}, "already_paid"},
		"paid by another code":          {contract.Checkout{Payment: &contract.Payment{Nonce: "other"}, Saved: saved("other", "pi_1", "")}, "already_paid"},
		"the bank decides":              {contract.Checkout{Saved: saved("mine", "pi_1", contract.SavedProcessing)}, "processing"},
		"another's bank decides":        {contract.Checkout{Saved: saved("other", "pi_1", contract.SavedProcessing)}, unsettled},
		"declined":                      {contract.Checkout{Saved: saved("mine", "pi_1", ""), Status: contract.CheckoutClosedNow}, declined},
		"another's was declined":        {contract.Checkout{Saved: saved("other", "pi_1", ""), Status: contract.CheckoutClosedNow}, unsettled},
	} {
		if got := statusOf(tt.paying, "mine"); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
