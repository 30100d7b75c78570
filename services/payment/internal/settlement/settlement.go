// Package settlement finds out at the card processor how payments stand: after its
// notices, after a customer came back, and when a page's time is over.
package settlement

import (
	"context"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/charges"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/payments"
	"boardorder/services/payment/internal/refunds"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// Settlement asks the processor about payments.
type Settlement struct {
	*saga.Env
	Payments *payments.Payments
	Charges  *charges.Charges
	Refunds  *refunds.Refunds
}

// CardEvent takes a notice of the processor for a hint, and asks.
func (s *Settlement) CardEvent(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[checkouts.CardEventData](c)
	if err != nil {
		return err
	}
	switch {
	case concernsReturns(data.Type):
		return s.Refunds.Reconcile(ctx, c, orders.SettleMoneyData{Quote: data.Quote, Intent: data.Intent})
	case !strings.HasPrefix(data.Type, "checkout.session.") && data.Type != "payment_intent.succeeded" && data.Type != "payment_intent.payment_failed":
		return nil // nothing that changes an order or a checkout
	}
	ask := checkouts.SettleData{Quote: data.Quote, Session: data.Session, Intent: data.Intent}
	if ask.Session == "" && ask.Intent == "" {
		return nil
	}
	return s.ask(ctx, c, ask)
}

// Settle asks the processor how a payment stands: after a customer came back,
// when a page's time is over, when reconciliation finds one missing.
func (s *Settlement) Settle(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[checkouts.SettleData](c)
	if err != nil {
		return err
	}
	if data.Session != "" || data.Intent != "" {
		return s.ask(ctx, c, data)
	}
	if err := s.settleOwn(ctx, c, data); err != nil {
		return err
	}
	return s.Payments.Complete(ctx, c, data.Quote)
}

// settleOwn asks about the checkout's own pages.
func (s *Settlement) settleOwn(ctx context.Context, c contract.Command, data checkouts.SettleData) error {
	now, err := s.Checkout(data.Quote).Load(ctx)
	if err != nil {
		return err
	}
	if !now.Exists() {
		return contract.Refuse(contract.NotFound, "No payment was begun for this quote.")
	}
	c.Account = now.State.Account
	switch now.State.Status {
	case checkouts.Paid:
		return s.Payments.Orders.Ensure(ctx, c, now.State)
	case checkouts.Charging:
		_, err := s.Charges.Finish(ctx, c, now.State, data.Poll)
		return err
	case checkouts.Open, checkouts.Starting:
		if err := s.lookAtPages(ctx, c, now.State); err != nil {
			return err
		}
		if data.Poll == 0 {
			return nil // the timer that runs goes on
		}
		if now, err = s.Checkout(data.Quote).Load(ctx); err != nil {
			return err
		}
		return s.Payments.Watch(ctx, c, now.State, data.Poll)
	}
	return nil
}

// lookAtPages asks about each page of a checkout that is open.
func (s *Settlement) lookAtPages(ctx context.Context, c contract.Command, state checkouts.Checkout) error {
	for _, page := range checkout.Pages(state) {
		if page.SessionID == "" {
			continue
		}
		if err := s.Payments.Look(ctx, c, checkouts.SettleData{Quote: state.Quote, Session: page.SessionID}); payments.IsUnanswered(err) {
			s.Log.Warn("cannot read a payment from the card processor", zap.String("quote", state.Quote), zap.Error(err), trace.ID(ctx))
		} else if err != nil {
			return err
		}
	}
	return nil
}

// ask asks about one session or payment. While the processor cannot be reached
// a timer asks on, so that no command dies of it.
func (s *Settlement) ask(ctx context.Context, c contract.Command, data checkouts.SettleData) error {
	err := s.Payments.Look(ctx, c, data)
	if !payments.IsUnanswered(err) {
		return err
	}
	s.Log.Warn("cannot read a payment from the card processor", zap.String("quote", data.Quote), zap.Error(err), trace.ID(ctx))
	wait := s.Retry.Delay(data.Poll)
	data.Poll++
	about := contract.DeriveID(data.Session, data.Intent)
	return s.Schedule(ctx, c, checkouts.Settle, data, contract.Timer{
		Aggregate: contract.CheckoutAggregate, AggregateID: about, What: "ask", Due: s.Now().Add(wait),
	})
}

// concernsReturns reports whether a notice of the processor is about a refund or a dispute.
func concernsReturns(notice string) bool {
	return notice == "charge.refunded" || notice == "charge.refund.updated" ||
		strings.HasPrefix(notice, "refund.") || strings.HasPrefix(notice, "charge.dispute.")
}
