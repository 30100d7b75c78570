package payments

import (
	"context"
	"fmt"
	"strconv"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// Accept makes a payment count, or gives it back when another one does. The
// payment is written down first, then the order, then the order is sent on its
// way; whoever comes again goes on from where that ended.
func (s *Payments) Accept(ctx context.Context, c contract.Command, on saga.Mode, r checkout.Receipt) error {
	before, err := s.Checkout(r.Quote).Load(ctx)
	if err != nil {
		return err
	}
	if !before.Exists() {
		s.Log.Error("a payment came for a quote that is not known", zap.String("quote", r.Quote), zap.String("intent", r.Intent), trace.ID(ctx))
	} else if s.IsOtherMode(on, r.Quote, before.State.Account) {
		return nil
	}
	c.Account = before.State.Account
	now, err := s.Checkout(r.Quote).Step(ctx, c, "paid:"+r.Intent, s.Now(),
		func(now saga.CheckoutSnapshot) (*saga.CheckoutChange, error) {
			if checkout.Judge(now.State, r) != checkout.Accept {
				return nil, nil
			}
			return &saga.CheckoutChange{Event: checkouts.EventPaid, State: checkout.MarkPaid(now.State, r, s.Now())}, nil
		})
	if err != nil {
		return err
	}
	switch checkout.Judge(now.State, r) {
	case checkout.Known:
		s.retireOthers(ctx, before.State, r)
		if err := s.Customers.Keep(ctx, c, now.State); err != nil {
			return err
		}
		return s.Orders.Ensure(ctx, c, now.State)
	case checkout.Double:
		if err := s.giveBack(ctx, c, on, r); err != nil {
			return err
		}
		if now.State.Payment == nil { // the quote was withdrawn
			return nil
		}
		return s.Orders.Ensure(ctx, c, now.State)
	default:
		return nil
	}
}

// retireOthers closes the pages that were open while one was paid. Should that not work,
// what is paid there is given back.
func (s *Payments) retireOthers(ctx context.Context, before checkouts.Checkout, r checkout.Receipt) {
	if r.Session == "" && r.Attempt == "" {
		return
	}
	for _, page := range checkout.Pages(before) {
		if page.Status != checkouts.Open || page.SessionID == r.Session || strconv.Itoa(page.Attempt) == r.Attempt {
			continue
		}
		if _, err := s.ModeOf(before.Account).Cards.ExpireSession(ctx, page.SessionID); err != nil {
			s.Log.Warn("a second page stays open", zap.String("session", page.SessionID), zap.Error(err), trace.ID(ctx))
		}
	}
}

// giveBack refunds a second payment, once: the key names the payment.
func (s *Payments) giveBack(ctx context.Context, c contract.Command, on saga.Mode, r checkout.Receipt) error {
	if left := r.Cents - r.Returned; left > 0 {
		_, err := on.Cards.Refund(ctx, card.RefundRequest{
			PaymentIntent: r.Intent, Cents: left, Reason: "payment of " + r.Quote + " that does not count",
			IdempotencyKey: fmt.Sprintf("refund:%s:%d", r.Intent, left),
		})
		switch {
		case card.IsCode(err, "charge_already_refunded"):
		case card.KindOf(err) == card.Refused:
			return flow.Permanent(fmt.Errorf("give %s back: %w", r.Intent, err)) // people have to
		case err != nil:
			return fmt.Errorf("give %s back: %w", r.Intent, err)
		}
	}
	s.Log.Warn("a payment that does not count was refunded", zap.String("quote", r.Quote), zap.String("intent", r.Intent), trace.ID(ctx))
	_, err := s.Checkout(r.Quote).Step(ctx, c, "doubled:"+r.Intent, s.Now(),
		func(now saga.CheckoutSnapshot) (*saga.CheckoutChange, error) {
			if checkout.Judge(now.State, r) != checkout.Double {
				return nil, nil
			}
			return &saga.CheckoutChange{Event: checkouts.EventDoubled, State: checkout.AddRefund(now.State, r, s.Now())}, nil
		})
	return err
}
