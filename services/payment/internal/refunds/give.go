package refunds

import (
	"context"
	"errors"
	"strconv"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// give asks the processor for the refunds that were begun and that it
// does not know: whoever calls it has looked. Their keys name them, so that
// two who ask at once ask the same.
func (s *Refunds) give(ctx context.Context, c contract.Command, o saga.OrderSnapshot, poll int) error {
	c.Account = o.State.Account
	for _, r := range order.RefundsToRequest(o.State) {
		got, err := s.ModeOf(o.State.Account).Cards.Refund(ctx, card.RefundRequest{
			PaymentIntent: o.State.Payment.Intent, Cents: order.AmountToReturn(r), Name: r.ID, Reason: r.Why, IdempotencyKey: "order-" + r.ID,
		})
		switch card.KindOf(err) {
		case "":
			o, err = s.record(ctx, c, o, "refunded:"+r.ID, func(now orders.Order) (orders.Order, contract.EventName) {
				return order.TakeRefunds(now, []card.Refund{got}, s.Now())
			})
		case card.Refused:
			s.Log.Error("the card processor refuses a refund", zap.String("order", o.State.ID), zap.String("refund", r.ID), zap.Error(err), trace.ID(ctx))
			o, err = s.record(ctx, c, o, "refund-failed:"+r.ID, func(now orders.Order) (orders.Order, contract.EventName) {
				return order.RefundFailed(now, r.ID, refusal(err), s.Now()), orders.EventRefundFailed
			})
		default:
			s.Log.Warn("it is not known whether a refund was given", zap.String("order", o.State.ID), zap.String("refund", r.ID), zap.Error(err), trace.ID(ctx))
			return s.moneyAfter(ctx, c, orders.SettleMoneyData{Quote: o.State.Quote, Poll: poll + 1})
		}
		if err != nil {
			return err
		}
	}
	return s.Invoices.Send(ctx, c, o.State)
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
func (s *Refunds) record(ctx context.Context, c contract.Command, o saga.OrderSnapshot, step string, take func(orders.Order) (orders.Order, contract.EventName)) (saga.OrderSnapshot, error) {
	key := step + ":" + strconv.FormatUint(o.Seq, 10)
	return s.Order(o.State.Quote).Step(ctx, c, key, s.Now(), func(now saga.OrderSnapshot) (*saga.OrderChange, error) {
		next, event := take(now.State)
		if event == "" {
			return nil, nil
		}
		return &saga.OrderChange{Event: event, State: next}, nil
	})
}

// moneyAfter has the processor asked about an order's money again.
func (s *Refunds) moneyAfter(ctx context.Context, c contract.Command, data orders.SettleMoneyData) error {
	about := data.Quote
	if about == "" {
		about = contract.DeriveID(data.Intent)
	}
	return s.Schedule(ctx, c, orders.SettleMoney, data, contract.Timer{
		Aggregate: contract.OrderAggregate, AggregateID: about, What: "money",
		Due: s.Now().Add(s.Retry.Delay(data.Poll)),
	})
}
