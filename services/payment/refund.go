package payment

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/order"

	"go.uber.org/zap"
)

// refund gives money back that the team wants to. It is written down first, which
// completes the team's request; then the processor is asked, however long it takes.
func (s *Service) refund(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[orders.IssueRefundData](c)
	if err != nil {
		return err
	}
	err = s.decideWithBooks(ctx, c, data.Quote, func(o orders.Order) (orders.Order, contract.EventName, error) {
		next, err := order.Refund(o, data, refundID(c), s.now())
		return next, orders.EventRefundBegun, err
	})
	if err != nil {
		return err
	}
	return s.askReturns(ctx, c, orders.SettleMoneyData{Quote: data.Quote})
}

// refundID names the refund that a command leads to, for ever.
func refundID(c contract.Command) string { return "rf_" + contract.DeriveID(c.ID, "refund") }

// cancel calls an order off, as long as the fabricator does not have it.
func (s *Service) cancel(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[orders.CancelData](c)
	if err != nil {
		return err
	}
	before, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, data.Quote).Load(ctx)
	if err != nil {
		return err
	}
	there, err := s.presence(ctx, before)
	if err != nil {
		return err
	}
	err = s.decideWithBooks(ctx, c, data.Quote, func(o orders.Order) (orders.Order, contract.EventName, error) {
		if o.Fabricator.Attempt != before.State.Fabricator.Attempt { // it may be at the fabricator by now
			return o, "", fmt.Errorf("order %s moved on meanwhile", o.ID)
		}
		next, err := order.Cancel(o, there, data, refundID(c), s.now())
		return next, orders.EventCancelled, err
	})
	if err != nil {
		return err
	}
	return s.askReturns(ctx, c, orders.SettleMoneyData{Quote: data.Quote})
}

// presence finds out whether the fabricator has the order.
func (s *Service) presence(ctx context.Context, o orderNow) (order.Presence, error) {
	if order.ChooseStep(o.State) == order.Nothing && o.State.Status != orders.Held || o.State.Fabricator.Attempt == 0 {
		return order.NeverAsked, nil
	}
	left := s.settling.TimeLeft(o.State.Quote, o.State.Fabricator.Attempt, s.now())
	placed, err := s.sideOf(o.State.Account).fab.FindOrder(ctx, order.Reference(o.State))
	switch {
	case err == nil && placed.Orders > 0:
		return order.Present, nil
	case err == nil:
		return order.Withdrawn, nil
	case fabricator.KindOf(err) != fabricator.NotFound:
		s.log.Warn("the fabricator cannot tell about an order", zap.String("order", o.State.ID), zap.Error(err), trace.ID(ctx))
		r := contract.Refuse(contract.Unavailable, "The fabricator cannot be reached, so it is not known whether it has this order. Please try again in a few minutes.")
		r.RetryAfterS = 300
		return 0, r
	case left > 0:
		r := contract.Refuse(contract.Conflict, "A request for this order may be on its way to the fabricator. Please try again in a few minutes.")
		r.RetryAfterS = int(left.Seconds()) + 1
		return 0, r
	}
	return order.Absent, nil
}

// decideWithBooks carries out a command of the team on an order whose refunds are
// as the processor's books say.
func (s *Service) decideWithBooks(ctx context.Context, c contract.Command, quote string, decide func(orders.Order) (orders.Order, contract.EventName, error)) error {
	o, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, quote).Load(ctx)
	if err != nil {
		return err
	}
	if !o.Exists() {
		return contract.Refuse(contract.NotFound, "There is no such order.")
	}
	c.Account = o.State.Account
	books, err := s.returns(ctx, s.sideOf(o.State.Account), o.State.Payment.Intent)
	if err != nil && !o.Did(c.ID) {
		s.log.Warn("the card processor cannot show its books", zap.Error(err), trace.ID(ctx))
		return unavailable("The card processor cannot be reached at the moment. Nothing was changed; please try again in a minute.")
	}
	_, err = aggregate.At[orders.Order](s.events, contract.OrderAggregate, quote).Execute(ctx, c, s.now(), func(now orderNow) (*orderChange, error) {
		next, event, err := decide(books.applyTo(now.State, s.now()))
		if err != nil {
			return nil, err
		}
		return &orderChange{Event: event, State: next}, nil
	})
	return err
}

// giveRefunds asks the processor for the refunds that were begun and that its
// books do not hold: whoever calls it has looked. Their keys name them, so that
// two who ask at once ask the same.
func (s *Service) giveRefunds(ctx context.Context, c contract.Command, o orderNow, poll int) error {
	c.Account = o.State.Account
	for _, r := range order.RefundsToRequest(o.State) {
		got, err := s.sideOf(o.State.Account).cards.Refund(ctx, card.RefundRequest{
			PaymentIntent: o.State.Payment.Intent, Cents: r.Cents, Name: r.ID, Reason: r.Why, IdempotencyKey: "order-" + r.ID,
		})
		switch card.KindOf(err) {
		case "":
			o, err = s.record(ctx, c, o, "refunded:"+r.ID, func(now orders.Order) (orders.Order, contract.EventName) {
				return order.TakeRefunds(now, []card.Refund{got}, s.now())
			})
		case card.Refused:
			s.log.Error("the card processor refuses a refund", zap.String("order", o.State.ID), zap.String("refund", r.ID), zap.Error(err), trace.ID(ctx))
			o, err = s.record(ctx, c, o, "refund-failed:"+r.ID, func(now orders.Order) (orders.Order, contract.EventName) {
				return order.RefundFailed(now, r.ID, refusal(err), s.now()), orders.EventRefundFailed
			})
		default:
			s.log.Warn("a refund is not known to be given", zap.String("order", o.State.ID), zap.String("refund", r.ID), zap.Error(err), trace.ID(ctx))
			return s.moneyAfter(ctx, c, orders.SettleMoneyData{Quote: o.State.Quote, Poll: poll + 1})
		}
		if err != nil {
			return err
		}
	}
	return s.sendInvoices(ctx, c, o.State)
}

// refusal is the processor's own code for what it refuses, for the team.
func refusal(err error) string {
	if e, ok := errors.AsType[*card.Error](err); ok {
		return "the card processor refuses it: " + e.Code
	}
	return "the card processor refuses it"
}

// record commits a step that follows from what the processor said; nothing where
// that is no change.
func (s *Service) record(ctx context.Context, c contract.Command, o orderNow, step string, take func(orders.Order) (orders.Order, contract.EventName)) (orderNow, error) {
	key := step + ":" + strconv.FormatUint(o.Seq, 10)
	return aggregate.At[orders.Order](s.events, contract.OrderAggregate, o.State.Quote).Step(ctx, c, key, s.now(), func(now orderNow) (*orderChange, error) {
		next, event := take(now.State)
		if event == "" {
			return nil, nil
		}
		return &orderChange{Event: event, State: next}, nil
	})
}

// moneyAfter has the processor asked about an order's money again.
func (s *Service) moneyAfter(ctx context.Context, c contract.Command, data orders.SettleMoneyData) error {
	about := data.Quote
	if about == "" {
		about = contract.DeriveID(data.Intent)
	}
	return s.schedule(ctx, c, orders.SettleMoney, data, contract.Timer{
		Aggregate: contract.OrderAggregate, AggregateID: about, What: "money",
		Due: s.now().Add(growing(s.cfg.RetryFirst, s.cfg.MaxRetry, data.Poll)),
	})
}
