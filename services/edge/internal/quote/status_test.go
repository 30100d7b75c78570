package quote

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
)

func TestEveryStatusSaysWhatIsNext(t *testing.T) {
	t.Parallel()
	for _, s := range []contract.QuoteStatus{
		contract.StatusQuoteReady, contract.StatusSourcingReady, contract.StatusSourcingRequested, contract.StatusSourcingQuoted,
		contract.StatusAwaitingPayment, contract.StatusExpired, contract.StatusOrdered, contract.StatusInProduction, contract.StatusShipped,
	} {
		if next[s] == "" {
			t.Errorf("%s says nothing", s)
		}
	}
}

// TestNextSaysWhatIsLeftOut: whoever relays a price of the team's learns that it is not
// all that will be paid, as long as it is to be paid.
func TestNextSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status contract.QuoteStatus
		out    []string
		says   bool
	}{
		{contract.StatusSourcingQuoted, []string{"Shipping to you"}, true},
		{contract.StatusAwaitingPayment, []string{"Shipping to you"}, true},
		{contract.StatusSourcingQuoted, nil, false},
		{contract.StatusExpired, []string{"Shipping to you"}, false},
	} {
		q := contract.Quote{Mode: contract.ModeReview, Reply: contract.QuoteReply{NotIncluded: tt.out}}
		if got := advice(tt.status, q, nil); strings.Contains(got, "not_included") != tt.says {
			t.Errorf("%s without %q: next is %q", tt.status, tt.out, got)
		}
	}
	q := contract.Quote{Reply: contract.QuoteReply{NotIncluded: []string{"Shipping to you"}}}
	if got := (&Quotes{Now: time.Now}).standing("id", q, nil, nil).NotIncluded; len(got) != 1 {
		t.Errorf("where a quote stands: not_included %q", got)
	}
}

// TestDeclaredOrderSaysHowItIs: nobody looks at boards that are with the carrier.
func TestDeclaredOrderSaysHowItIs(t *testing.T) {
	t.Parallel()
	for status, want := range map[contract.OrderStatus]string{
		contract.OrderStatusShipped: "after the boards were shipped", contract.OrderStatusHeld: "looked at by our team", contract.OrderStatusCancelled: "was cancelled",
	} {
		s := (&Quotes{Now: time.Now}).withdrawalStanding("id", contract.Order{Status: status, Withdrawn: true})
		if !strings.Contains(s.Next, want) || status == contract.OrderStatusShipped && strings.Contains(s.Next, "our team") {
			t.Errorf("%s: next is %q", status, s.Next)
		}
	}
}
