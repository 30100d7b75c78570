package contract_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract"
)

func TestStanding(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	instant := contract.Quote{Status: contract.StatusQuoteReady, ExpiresAt: now.Add(time.Hour)}
	asked := contract.Quote{Status: contract.StatusSourcingRequested, ExpiresAt: now.Add(time.Hour)}
	late := instant
	late.ExpiresAt = now
	checkout := func(s contract.CheckoutStatus) *contract.Checkout { return &contract.Checkout{Status: s} }
	order := func(s contract.OrderStatus) *contract.Order { return &contract.Order{Status: s} }
	for name, tt := range map[string]struct {
		quote  contract.Quote
		paying *contract.Checkout
		order  *contract.Order
		want   contract.QuoteStatus
	}{
		"instant":              {instant, nil, nil, contract.StatusQuoteReady},
		"review to ask for":    {contract.Quote{Status: contract.StatusSourcingReady, ExpiresAt: asked.ExpiresAt}, nil, nil, contract.StatusSourcingReady},
		"review priced":        {contract.Quote{Status: contract.StatusSourcingQuoted, ExpiresAt: asked.ExpiresAt}, nil, nil, contract.StatusSourcingQuoted},
		"review too late":      {contract.Quote{Status: contract.StatusSourcingQuoted, ExpiresAt: now}, nil, nil, contract.StatusExpired},
		"review asked for":     {asked, nil, nil, contract.StatusSourcingRequested},
		"checkout begun":       {instant, checkout(contract.CheckoutStarting), nil, contract.StatusAwaitingPayment},
		"payment page open":    {instant, checkout(contract.CheckoutOpen), nil, contract.StatusAwaitingPayment},
		"payment page closed":  {instant, checkout(contract.CheckoutClosedNow), nil, contract.StatusAwaitingPayment},
		"expired":              {late, nil, nil, contract.StatusExpired},
		"expired while paying": {late, checkout(contract.CheckoutOpen), nil, contract.StatusExpired},
		"paid, no order yet":   {late, checkout(contract.CheckoutComplete), nil, contract.StatusOrdered},
		"order paid":           {late, checkout(contract.CheckoutComplete), order(contract.OrderStatusPaid), contract.StatusOrdered},
		"order held":           {late, nil, order(contract.OrderStatusHeld), contract.StatusOrdered},
		"order in production":  {late, nil, order(contract.OrderStatusInProduction), contract.StatusInProduction},
		"order shipped":        {late, nil, order(contract.OrderStatusShipped), contract.StatusShipped},
	} {
		if got := contract.StandingOf(tt.quote, tt.paying, tt.order, now); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
