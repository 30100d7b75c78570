package orders_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
)

func TestStanding(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	instant := quotes.Quote{Status: quotes.Ready, ExpiresAt: now.Add(time.Hour)}
	quote := quotes.Quote{Status: quotes.SourcingRequested, ExpiresAt: now.Add(time.Hour)}
	late := instant
	late.ExpiresAt = now
	checkout := func(s checkouts.Status) *checkouts.Checkout { return &checkouts.Checkout{Status: s} }
	order := func(s orders.Status) *orders.Order { return &orders.Order{Status: s} }
	for name, tt := range map[string]struct {
		quote  quotes.Quote
		paying *checkouts.Checkout
		order  *orders.Order
		want   quotes.Status
	}{
		"instant":              {instant, nil, nil, quotes.Ready},
		"review to ask for":    {quotes.Quote{Status: quotes.SourcingReady, ExpiresAt: quote.ExpiresAt}, nil, nil, quotes.SourcingReady},
		"review priced":        {quotes.Quote{Status: quotes.SourcingQuoted, ExpiresAt: quote.ExpiresAt}, nil, nil, quotes.SourcingQuoted},
		"review too late":      {quotes.Quote{Status: quotes.SourcingQuoted, ExpiresAt: now}, nil, nil, quotes.Expired},
		"review asked for":     {quote, nil, nil, quotes.SourcingRequested},
		"checkout begun":       {instant, checkout(checkouts.Starting), nil, quotes.AwaitingPayment},
		"payment page open":    {instant, checkout(checkouts.Open), nil, quotes.AwaitingPayment},
		"payment page closed":  {instant, checkout(checkouts.Closed), nil, quotes.AwaitingPayment},
		"expired":              {late, nil, nil, quotes.Expired},
		"expired while paying": {late, checkout(checkouts.Open), nil, quotes.Expired},
		"paid, no order yet":   {late, checkout(checkouts.Paid), nil, quotes.Ordered},
		"order paid":           {late, checkout(checkouts.Paid), order(orders.Paid), quotes.Ordered},
		"order held":           {late, nil, order(orders.Held), quotes.Ordered},
		"order in production":  {late, nil, order(orders.InProduction), quotes.InProduction},
		"order shipped":        {late, nil, order(orders.Shipped), quotes.Shipped},
	} {
		if got := orders.StatusOf(tt.quote, tt.paying, tt.order, now); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
