package refunds

import (
	"context"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/payments"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// loadReturns reads what the processor says of a payment's way back.
func (s *Refunds) loadReturns(ctx context.Context, on saga.Mode, intent string) (r order.Returns, err error) {
	of := card.Lookup{PaymentIntent: intent}
	if r.Refunds, err = on.Cards.Refunds(ctx, of); err != nil {
		return r, err
	}
	r.Disputes, err = on.Cards.Disputes(ctx, of)
	return r, err
}

// Settle asks the processor about refunds and disputes of an order, and goes on
// with refunds that it does not know yet.
func (s *Refunds) Settle(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[orders.SettleMoneyData](c)
	if err != nil {
		return err
	}
	return s.Reconcile(ctx, c, data)
}

// Reconcile makes an order what the processor says of its refunds and disputes, and
// gives the refunds that are due. It asks on by a timer while the processor cannot be
// reached.
func (s *Refunds) Reconcile(ctx context.Context, c contract.Command, data orders.SettleMoneyData) error {
	err := s.lookAtReturns(ctx, c, data)
	if !payments.IsUnanswered(err) {
		return err
	}
	s.Log.Warn("cannot read refunds from the card processor", zap.String("quote", data.Quote), zap.Error(err), trace.ID(ctx))
	data.Poll++
	return s.moneyAfter(ctx, c, data)
}

func (s *Refunds) lookAtReturns(ctx context.Context, c contract.Command, data orders.SettleMoneyData) error {
	quote, err := s.quoteOf(ctx, data)
	if err != nil || quote == "" {
		return err
	}
	o, err := s.orderOf(ctx, c, quote, data.Intent)
	if err != nil || !o.Exists() || data.Intent != "" && data.Intent != o.State.Payment.Intent {
		return err // none of ours, or a second payment, which is given back anyway
	}
	c.Account = o.State.Account
	returns, err := s.loadReturns(ctx, s.ModeOf(o.State.Account), o.State.Payment.Intent)
	if err != nil {
		return err
	}
	if o, err = s.record(ctx, c, o, "refunds", func(now orders.Order) (orders.Order, contract.EventName) {
		return order.TakeRefunds(now, returns.Refunds, s.Now())
	}); err != nil {
		return err
	}
	if o, err = s.record(ctx, c, o, "disputes", func(now orders.Order) (orders.Order, contract.EventName) {
		return order.TakeDisputes(now, returns.Disputes, s.Now())
	}); err != nil {
		return err
	}
	if err := s.Invoices.Send(ctx, c, o.State); err != nil {
		return err
	}
	return s.give(ctx, c, o, data.Poll)
}

// quoteOf finds what a payment is for; empty for other programs' payments. Notices
// of disputes name the payment only.
func (s *Refunds) quoteOf(ctx context.Context, data orders.SettleMoneyData) (string, error) {
	quote := data.Quote
	if quote == "" && data.Intent != "" {
		p, _, err := s.Payments.Find(ctx, "", data.Intent)
		if card.KindOf(err) == card.Refused {
			s.Log.Error("the card processor does not know a payment", zap.String("intent", data.Intent), zap.Error(err), trace.ID(ctx))
			return "", nil
		}
		if err != nil {
			return "", err
		}
		quote = checkout.Reference(p)
	}
	if !checkout.IsOurs(quote) {
		return "", nil
	}
	return quote, nil
}

// orderOf loads the order, after making it where its payment is not known yet:
// notices come in any order.
func (s *Refunds) orderOf(ctx context.Context, c contract.Command, quote, intent string) (saga.OrderSnapshot, error) {
	o, err := s.Order(quote).Load(ctx)
	if err != nil || o.Exists() || intent == "" {
		return o, err
	}
	if err := s.Payments.LookAtPayment(ctx, c, quote, intent); err != nil {
		return o, err
	}
	return s.Order(quote).Load(ctx)
}
