package fulfilment

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/saga"
	"boardorder/services/payment/internal/screening"

	"go.uber.org/zap"
)

// A Screener looks recipients up on sanctions lists. Asking twice is harmless.
type Screener interface {
	Screen(ctx context.Context, r screening.Request) (screening.Result, error)
}

// screen has an order's recipient looked up once, and holds the order where people
// must look. stop means that the order does not go on now; else now is how it stands.
func (s *Orders) screen(ctx context.Context, c contract.Command, data orders.Data, o saga.OrderSnapshot) (now saga.OrderSnapshot, stop bool, err error) {
	if s.Screener != nil && order.NeedsScreening(o.State) {
		next, err := s.askScreener(ctx, o.State)
		if err != nil {
			return o, true, err
		}
		if next.Screened != o.State.Screened {
			if o, err = s.recordScreened(ctx, c, o, next); err != nil {
				return o, true, err
			}
		}
		if order.NeedsScreening(o.State) {
			return o, true, s.screenAfter(ctx, c, data, *o.State.Screened)
		}
	}
	if why := order.ScreeningReason(o.State); why != "" {
		return o, true, s.Hold(ctx, c, o, why)
	}
	return o, false, nil
}

// askScreener gives the order with what came of it; the error is that the service stops.
func (s *Orders) askScreener(ctx context.Context, o orders.Order) (orders.Order, error) {
	got, err := s.Screener.Screen(ctx, recipient(o))
	switch {
	case err == nil:
		return order.RecordScreening(o, got.Hit, got.Reference, s.Now()), nil
	case ctx.Err() != nil:
		return o, ctx.Err()
	}
	s.Log.Warn("an order could not be screened", zap.String("order", o.ID), zap.Error(err), trace.ID(ctx))
	return order.RecordNoAnswer(o, s.Now()), nil
}

func recipient(o orders.Order) screening.Request {
	to := o.ShipTo
	return screening.Request{
		Reference: o.ID, Name: to.Name, Company: to.Company, Email: to.Email,
		AddressLines: slices.DeleteFunc([]string{to.Line1, to.Line2}, func(line string) bool { return line == "" }),
		City:         to.City, State: to.State, PostalCode: to.PostalCode, Country: to.Country,
	}
}

// screenAfter has the order looked at again: each wait is as long as all before it,
// whatever else led here meanwhile.
func (s *Orders) screenAfter(ctx context.Context, c contract.Command, data orders.Data, sc orders.Screening) error {
	wait := min(max(s.Now().Sub(sc.At), s.Retry.First), s.Retry.Max)
	return s.Schedule(ctx, c, orders.Place, data, contract.Timer{
		Aggregate: contract.OrderAggregate, AggregateID: data.Quote, What: "place", Due: s.Now().Add(wait),
	})
}

// recordScreened writes down what came of it before anything follows from it.
func (s *Orders) recordScreened(ctx context.Context, c contract.Command, o saga.OrderSnapshot, next orders.Order) (saga.OrderSnapshot, error) {
	moved := false
	now, err := s.Order(next.Quote).Step(ctx, c, "screened:"+strconv.FormatUint(o.Seq, 10), s.Now(),
		func(now saga.OrderSnapshot) (*saga.OrderChange, error) {
			if moved = now.Seq != o.Seq; moved {
				return nil, nil
			}
			return &saga.OrderChange{Event: orders.EventScreened, State: next}, nil
		})
	if err == nil && moved {
		err = fmt.Errorf("order %s moved on meanwhile", next.ID)
	}
	return now, err
}
