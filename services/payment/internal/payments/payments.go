// Package payments makes what the card processor says of a payment count: the first
// payment of a quote leads to its order, any other is given back.
package payments

import (
	"context"
	"strconv"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/fulfilment"
	"boardorder/services/payment/internal/payers"
	"boardorder/services/payment/internal/saga"
)

// Payments are the payments of checkouts.
type Payments struct {
	*saga.Env
	Customers *payers.Customers
	Orders    *fulfilment.Orders
	Settle    saga.Backoff // between looks at an open page
}

// Close records that an attempt cannot be paid any more.
func (s *Payments) Close(ctx context.Context, c contract.Command, attempt checkouts.Checkout) error {
	_, err := s.Checkout(attempt.Quote).Step(ctx, c, "closed:"+strconv.Itoa(attempt.Attempt), s.Now(),
		func(now saga.CheckoutSnapshot) (*saga.CheckoutChange, error) {
			next, ok := checkout.CloseAttempt(now.State, attempt.Attempt)
			if !ok {
				return nil, nil
			}
			return &saga.CheckoutChange{Event: checkouts.EventClosed, State: next}, nil
		})
	return err
}

// Complete ends a request with the checkout as it is.
func (s *Payments) Complete(ctx context.Context, c contract.Command, quote string) error {
	return s.Checkout(quote).Complete(ctx, c, s.Now())
}

// CancelUnpaid finds out whether a session that is complete without being paid will
// stay so: its bank said no in the end. Its payment is cancelled, so that it
// cannot succeed after all.
func (s *Payments) CancelUnpaid(ctx context.Context, on saga.Mode, session card.Session) (bool, error) {
	if session.Status != card.SessionComplete || session.Paid || session.PaymentIntent == "" {
		return false, nil
	}
	p, err := on.Cards.Payment(ctx, session.PaymentIntent)
	if err != nil || p.Status == card.PaymentProcessing || p.Status == card.PaymentSucceeded {
		return false, err
	}
	if p.Status == card.PaymentOpen {
		_, err = on.Cards.CancelPayment(ctx, p.ID)
	}
	return err == nil, err
}

// Watch asks the processor by and by until the page's time is over, so that a
// lost notice costs minutes and not the order.
func (s *Payments) Watch(ctx context.Context, c contract.Command, state checkouts.Checkout, poll int) error {
	if state.Status != checkouts.Open && len(state.Others) == 0 || state.Status == checkouts.Paid {
		return nil
	}
	at := s.Now()
	due := at.Add(s.Settle.Delay(poll))
	if end := state.ExpiresAt.Add(time.Minute); due.After(end) {
		due = end
	}
	if soonest := at.Add(min(s.Settle.First, time.Minute)); due.Before(soonest) {
		due = soonest
	}
	return s.Schedule(ctx, c, checkouts.Settle, checkouts.SettleData{Quote: state.Quote, Poll: poll + 1}, contract.Timer{
		Aggregate: contract.CheckoutAggregate, AggregateID: state.Quote, What: "settle", Due: due,
	})
}
