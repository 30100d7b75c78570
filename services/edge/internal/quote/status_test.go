package quote

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/dispatch"
)

func TestEveryStatusSaysWhatIsNext(t *testing.T) {
	t.Parallel()
	for _, s := range []quotes.Status{
		quotes.Ready, quotes.SourcingReady, quotes.SourcingRequested, quotes.SourcingQuoted,
		quotes.AwaitingPayment, quotes.Expired, quotes.Ordered, quotes.InProduction, quotes.Shipped,
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
		status quotes.Status
		out    []string
		says   bool
	}{
		{quotes.SourcingQuoted, []string{"Shipping to you"}, true},
		{quotes.AwaitingPayment, []string{"Shipping to you"}, true},
		{quotes.SourcingQuoted, nil, false},
		{quotes.Expired, []string{"Shipping to you"}, false},
	} {
		q := quotes.Quote{Mode: quotes.ModeReview, Reply: quotes.Reply{NotIncluded: tt.out}}
		if got := advice(tt.status, q, nil); strings.Contains(got, "not_included") != tt.says {
			t.Errorf("%s without %q: next is %q, want not_included in it: %t", tt.status, tt.out, got, tt.says)
		}
	}
	q := quotes.Quote{Reply: quotes.Reply{NotIncluded: []string{"Shipping to you"}}}
	if got := (&Quotes{Client: &dispatch.Client{Now: time.Now}}).statusReply("id", q, nil, nil).NotIncluded; len(got) != 1 {
		t.Errorf("where a quote stands: not_included %q, want one", got)
	}
}

// TestStatusTellsWhatSoldOut: as long as it is to be paid a quote says which of its parts were
// sold out or scarce, and only of those that cannot be bought that it is not simply paid.
func TestStatusTellsWhatSoldOut(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		short   bool
		expires time.Duration
		lines   int
		next    string
	}{
		"sold out":              {true, time.Hour, 1, "A part was sold out"},
		"scarce":                {false, time.Hour, 1, "Send the customer to checkout_url"},
		"sold out, and expired": {true, -time.Hour, 0, "The quote has expired"},
	} {
		q := quotes.Quote{Ref: "q1", Status: quotes.Ready, Mode: quotes.ModeInstant, ExpiresAt: at.Add(tt.expires)}
		q.Watched = &quotes.WatchedParts{At: at, Low: []quotes.LowPart{{Line: 2, Reference: "R1", MPN: "TEST-SELLS-OUT", Needed: 15, At: at, Short: tt.short}}}
		s := (&Quotes{Client: &dispatch.Client{Now: func() time.Time { return at }}}).statusReply("id", q, nil, nil)
		if len(s.LowParts) != tt.lines || !strings.HasPrefix(s.Next, tt.next) {
			t.Errorf("%s: low_parts %+v, next %q; want %d lines and %q", name, s.LowParts, s.Next, tt.lines, tt.next)
		}
		if tt.lines == 1 && len(s.LowParts) == 1 && (s.LowParts[0].Short != tt.short || s.LowParts[0].Line != 2 || !s.LowParts[0].AsOf.Equal(at)) {
			t.Errorf("%s: %+v, want line 2 as of %s, short %t", name, s.LowParts[0], at, tt.short)
		}
	}
}

// TestDeclaredOrderSaysHowItIs: nobody looks at boards that are with the carrier.
func TestDeclaredOrderSaysHowItIs(t *testing.T) {
	t.Parallel()
	for status, want := range map[orders.Status]string{
		orders.Shipped: "after the boards were shipped", orders.Held: "looked at by our team", orders.Cancelled: "was cancelled",
	} {
		drilled := []orders.Step{{Name: "Drilling", At: time.Now()}}
		s := (&Quotes{Client: &dispatch.Client{Now: time.Now}}).withdrawalStatus("id", orders.Order{Status: status, Withdrawn: true, Steps: drilled})
		if s.ProductionSteps != nil {
			t.Errorf("%s: steps %+v of a design of which nothing is shown", status, s.ProductionSteps)
		}
		if !strings.Contains(s.Next, want) || status == orders.Shipped && strings.Contains(s.Next, "our team") {
			t.Errorf("%s: next is %q, want %q", status, s.Next, want)
		}
	}
}

// TestStatusHasTheStepsOfTheBuild: as the fabricator reports them, in their order.
func TestStatusHasTheStepsOfTheBuild(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	steps := []orders.Step{{Name: "Drilling", At: at}, {Name: "Solder mask", At: at.Add(time.Hour)}}
	order := orders.Order{Status: orders.InProduction, Steps: steps}
	if got := (&Quotes{Client: &dispatch.Client{Now: time.Now}}).statusReply("id", quotes.Quote{}, nil, &order).ProductionSteps; !slices.Equal(got, steps) {
		t.Errorf("an order of the steps %+v has %+v", steps, got)
	}
}
