package payment

import (
	"context"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/order"

	"go.uber.org/zap"
)

// returned is what the processor's books say of one payment that went back, or
// may have to.
type returned struct {
	refunds  []card.Refund
	disputes []card.Dispute
}

func (s *Service) returns(ctx context.Context, on side, intent string) (r returned, err error) {
	of := card.Lookup{PaymentIntent: intent}
	if r.refunds, err = on.cards.Refunds(ctx, of); err != nil {
		return r, err
	}
	r.disputes, err = on.cards.Disputes(ctx, of)
	return r, err
}

// applyTo takes all of it into an order.
func (r returned) applyTo(o orders.Order, now time.Time) orders.Order {
	o, _ = order.TakeRefunds(o, r.refunds, now)
	o, _ = order.TakeDisputes(o, r.disputes, now)
	return o
}

// changes reports whether any of it is new to an order.
func (r returned) changes(o orders.Order, now time.Time) bool {
	_, refund := order.TakeRefunds(o, r.refunds, now)
	_, dispute := order.TakeDisputes(o, r.disputes, now)
	return refund != "" || dispute != ""
}

// concernsReturns reports whether a notice of the processor is about a refund or a dispute.
func concernsReturns(notice string) bool {
	return notice == "charge.refunded" || notice == "charge.refund.updated" ||
		strings.HasPrefix(notice, "refund.") || strings.HasPrefix(notice, "charge.dispute.")
}

// settleMoney asks the processor about refunds and disputes of an order, and goes
// on with refunds that it does not know yet.
func (s *Service) settleMoney(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[orders.SettleMoneyData](c)
	if err != nil {
		return err
	}
	return s.askReturns(ctx, c, data)
}

// askReturns asks on by a timer while the processor cannot be reached.
func (s *Service) askReturns(ctx context.Context, c contract.Command, data orders.SettleMoneyData) error {
	err := s.lookAtReturns(ctx, c, data)
	if !isUnanswered(err) {
		return err
	}
	s.log.Warn("the card processor cannot tell about refunds", zap.String("quote", data.Quote), zap.Error(err), trace.ID(ctx))
	data.Poll++
	return s.moneyAfter(ctx, c, data)
}

func (s *Service) lookAtReturns(ctx context.Context, c contract.Command, data orders.SettleMoneyData) error {
	quote, err := s.quoteOf(ctx, data)
	if err != nil || quote == "" {
		return err
	}
	o, err := s.orderOf(ctx, c, quote, data.Intent)
	if err != nil || !o.Exists() || data.Intent != "" && data.Intent != o.State.Payment.Intent {
		return err // none of ours, or a second payment, which is given back anyway
	}
	c.Account = o.State.Account
	books, err := s.returns(ctx, s.sideOf(o.State.Account), o.State.Payment.Intent)
	if err != nil {
		return err
	}
	if o, err = s.record(ctx, c, o, "refunds", func(now orders.Order) (orders.Order, contract.EventName) {
		return order.TakeRefunds(now, books.refunds, s.now())
	}); err != nil {
		return err
	}
	if o, err = s.record(ctx, c, o, "disputes", func(now orders.Order) (orders.Order, contract.EventName) {
		return order.TakeDisputes(now, books.disputes, s.now())
	}); err != nil {
		return err
	}
	if err := s.sendInvoices(ctx, c, o.State); err != nil {
		return err
	}
	return s.giveRefunds(ctx, c, o, data.Poll)
}

// quoteOf finds what a payment is for; empty for other programs' payments. Notices
// of disputes name the payment only.
func (s *Service) quoteOf(ctx context.Context, data orders.SettleMoneyData) (string, error) {
	quote := data.Quote
	if quote == "" && data.Intent != "" {
		p, _, err := s.payment(ctx, "", data.Intent)
		if card.KindOf(err) == card.Refused {
			s.log.Error("the card processor does not know a payment", zap.String("intent", data.Intent), zap.Error(err), trace.ID(ctx))
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
func (s *Service) orderOf(ctx context.Context, c contract.Command, quote, intent string) (orderNow, error) {
	o, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, quote).Load(ctx)
	if err != nil || o.Exists() || intent == "" {
		return o, err
	}
	if err := s.lookAtPayment(ctx, c, quote, intent); err != nil {
		return o, err
	}
	return aggregate.At[orders.Order](s.events, contract.OrderAggregate, quote).Load(ctx)
}
