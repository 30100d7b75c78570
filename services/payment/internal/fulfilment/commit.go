package fulfilment

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// commit records what became of an order, unless it moved on; then the command
// comes again and looks anew.
func (s *Orders) commit(ctx context.Context, c contract.Command, o saga.OrderSnapshot, event contract.EventName, next orders.Order) error {
	moved := false
	now, err := s.Order(next.Quote).Step(ctx, c, string(event)+":"+strconv.FormatUint(o.Seq, 10), s.Now(),
		func(now saga.OrderSnapshot) (*saga.OrderChange, error) {
			if moved = now.Seq != o.Seq; moved {
				return nil, nil
			}
			return &saga.OrderChange{Event: event, State: next}, nil
		})
	if err != nil {
		return err
	}
	if moved {
		return fmt.Errorf("order %s moved on meanwhile", next.ID)
	}
	if err := s.Invoices.Send(ctx, c, now.State); err != nil {
		return err
	}
	if order.ChooseStep(now.State) == order.FollowUp {
		return s.followAfter(ctx, c, now.State, s.pace(now.State, 0), 0)
	}
	return nil
}

// Hold has people look at an order.
func (s *Orders) Hold(ctx context.Context, c contract.Command, o saga.OrderSnapshot, why string) error {
	s.Log.Warn("an order is held", zap.String("order", o.State.ID), zap.String("why", why), trace.ID(ctx))
	return s.commit(ctx, c, o, orders.EventHeld, order.Hold(o.State, why))
}

// placeAfter has the order looked at again: a timer, not a retry, because a
// fabricator may be unreachable for days.
func (s *Orders) placeAfter(ctx context.Context, c contract.Command, o orders.Order, after time.Duration, poll int) error {
	return s.scheduleOrder(ctx, c, orders.Place, "place", o, after, poll)
}

func (s *Orders) followAfter(ctx context.Context, c contract.Command, o orders.Order, after time.Duration, poll int) error {
	return s.scheduleOrder(ctx, c, orders.Follow, "follow", o, after, poll)
}

func (s *Orders) scheduleOrder(ctx context.Context, c contract.Command, name contract.CommandName, what string, o orders.Order, after time.Duration, poll int) error {
	return s.Schedule(ctx, c, name, orders.Data{Quote: o.Quote, Poll: poll}, contract.Timer{
		Aggregate: contract.OrderAggregate, AggregateID: o.Quote, What: what, Due: s.Now().Add(after),
	})
}
