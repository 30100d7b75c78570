// Package refunds gives money back: what the team decides, and what the card
// processor says of refunds and disputes.
package refunds

import (
	"context"
	"fmt"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/fulfilment"
	"boardorder/services/payment/internal/invoicing"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/payments"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// Refunds are the refunds and disputes of orders.
type Refunds struct {
	*saga.Env
	Payments *payments.Payments
	Orders   *fulfilment.Orders
	Invoices *invoicing.Invoices
}

// Refund gives money back that the team wants to. It is written down first, which
// completes the team's request; then the processor is asked, however long it takes.
func (s *Refunds) Refund(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[orders.IssueRefundData](c)
	if err != nil {
		return err
	}
	err = s.decideAfterReturns(ctx, c, data.Quote, func(o orders.Order) (orders.Order, contract.EventName, error) {
		next, err := order.Refund(o, data, refundID(c), s.Now())
		return next, orders.EventRefundBegun, err
	})
	if err != nil {
		return err
	}
	return s.Reconcile(ctx, c, orders.SettleMoneyData{Quote: data.Quote})
}

// refundID names the refund that a command leads to, for ever.
func refundID(c contract.Command) string { return "rf_" + contract.DeriveID(c.ID, "refund") }

// Cancel calls an order off, as long as the fabricator does not have it.
func (s *Refunds) Cancel(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[orders.CancelData](c)
	if err != nil {
		return err
	}
	before, err := s.Order(data.Quote).Load(ctx)
	if err != nil {
		return err
	}
	there, err := s.Orders.Presence(ctx, before)
	if err != nil {
		return err
	}
	err = s.decideAfterReturns(ctx, c, data.Quote, func(o orders.Order) (orders.Order, contract.EventName, error) {
		if o.Fabricator.Attempt != before.State.Fabricator.Attempt { // it may be at the fabricator by now
			return o, "", fmt.Errorf("order %s moved on meanwhile", o.ID)
		}
		next, err := order.Cancel(o, there, data, refundID(c), s.Now())
		return next, orders.EventCancelled, err
	})
	if err != nil {
		return err
	}
	return s.Reconcile(ctx, c, orders.SettleMoneyData{Quote: data.Quote})
}

// decideAfterReturns carries out a command of the team on an order whose refunds are
// as the processor says.
func (s *Refunds) decideAfterReturns(ctx context.Context, c contract.Command, quote string, decide func(orders.Order) (orders.Order, contract.EventName, error)) error {
	o, err := s.Order(quote).Load(ctx)
	if err != nil {
		return err
	}
	if !o.Exists() {
		return contract.Refuse(contract.NotFound, "There is no such order.")
	}
	c.Account = o.State.Account
	returns, err := s.loadReturns(ctx, s.ModeOf(o.State.Account), o.State.Payment.Intent)
	if err != nil && !o.Did(c.ID) {
		s.Log.Warn("cannot read refunds from the card processor", zap.Error(err), trace.ID(ctx))
		return checkout.RefuseUnavailable("The card processor cannot be reached at the moment. Nothing was changed; please try again in a minute.")
	}
	_, err = s.Order(quote).Execute(ctx, c, s.Now(), func(now saga.OrderSnapshot) (*saga.OrderChange, error) {
		next, event, err := decide(returns.ApplyTo(now.State, s.Now()))
		if err != nil {
			return nil, err
		}
		return &saga.OrderChange{Event: event, State: next}, nil
	})
	return err
}
