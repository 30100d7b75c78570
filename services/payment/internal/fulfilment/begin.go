package fulfilment

import (
	"context"
	"errors"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/retention"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/saga"
)

// Ensure makes the order of a checkout that was paid, and sends it on its
// way. Done again it finds what is there.
func (s *Orders) Ensure(ctx context.Context, c contract.Command, paid checkouts.Checkout) error {
	// Before the commit: an order of these files is entered under them in any case.
	if err := s.Duplicates.Enter(ctx, paid); err != nil {
		return err
	}
	published := s.loadRates(ctx)
	now, err := s.Order(paid.Quote).Step(ctx, c, "order", s.Now(),
		func(now saga.OrderSnapshot) (*saga.OrderChange, error) {
			if now.Exists() {
				return nil, nil
			}
			o, event := order.New(paid)
			o.TaxRate = order.TaxRate(s.Places, o, published)
			return &saga.OrderChange{Event: event, State: o}, nil
		})
	if err != nil {
		return err
	}
	if now.State.Status != orders.Paid {
		return nil
	}
	// Should they have gone already, placing finds it out and people look.
	_, err = retention.Need(ctx, s.Events, paid.Digest, c, "order", now.State.PaidAt.Add(s.Retention), s.Now())
	if err != nil && !errors.Is(err, retention.ErrGone) {
		return err
	}
	// First the timer, which would send it too, then the command itself.
	if err := s.followAfter(ctx, c, now.State, s.Poll.Max, 0); err != nil {
		return err
	}
	return s.sendPlace(ctx, c, now.State, "first", 0)
}

func (s *Orders) sendPlace(ctx context.Context, c contract.Command, o orders.Order, key string, poll int) error {
	place, err := c.Follow(orders.Place, key, s.Now(), orders.Data{Quote: o.Quote, Poll: poll})
	if err != nil {
		return err
	}
	if key == "first" { // the same whatever led to it
		place.ID = contract.DeriveID(o.ID, orders.Place.String(), key)
	}
	return s.Events.Send(ctx, place)
}
