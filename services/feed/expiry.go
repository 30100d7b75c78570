package feed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	feedcontract "boardorder/pkg/contract/feed"
)

const (
	// grace is how long after its time a quote is looked at: what was paid in the last moment
	// is on record by then.
	grace = time.Minute
	// payingPause is between looks at a quote whose payment began in time and has yet to end.
	payingPause = time.Hour
)

// HandleExpiries tells of quotes whose time is over. For each event it gives after how long it
// shall come again; 0 = never. Nothing is stored for a quote before: the broker keeps the
// events that wait, and as quotes expire in the order in which they were priced, few do.
func (s *Service) HandleExpiries(ctx context.Context, events []contract.Event) (again []time.Duration, err error) {
	again = make([]time.Duration, len(events))
	for i, e := range events {
		if again[i], err = s.handleExpiry(ctx, e); err != nil {
			return nil, fmt.Errorf("tell whether %s %s version %d has expired: %w", e.Aggregate, e.AggregateID, e.Version, err)
		}
	}
	return again, nil
}

func (s *Service) handleExpiry(ctx context.Context, e contract.Event) (again time.Duration, err error) {
	if wait := feedcontract.ExpiryOf(e).Add(grace).Sub(s.now()); wait > 0 {
		return wait, nil
	}
	expiry, err := feedcontract.DeriveExpiry(e)
	if err != nil {
		return 0, s.events.DeadLetterEvent(ctx, feedcontract.ExpiryConsumer, e, err)
	}
	if expiry == nil || s.now().Sub(expiry.Timestamp) > oldest {
		return 0, nil
	}
	last, err := s.events.Last(ctx, e.Aggregate, e.AggregateID)
	if errors.Is(err, aggregate.ErrNone) || err == nil && last.Version != e.Version { // the last one decides
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	paid, paying, err := s.payment(ctx, e.AggregateID)
	switch {
	case err != nil || paid:
		return 0, err
	case paying:
		return payingPause, nil
	}
	return 0, s.publish(ctx, e, []feedcontract.Entry{*expiry})
}

// payment tells whether a quote is paid, or may be yet.
func (s *Service) payment(ctx context.Context, quote string) (paid, paying bool, err error) {
	_, err = s.events.Last(ctx, contract.OrderAggregate, quote)
	if !errors.Is(err, aggregate.ErrNone) {
		return err == nil, false, err
	}
	e, err := s.events.Last(ctx, contract.CheckoutAggregate, quote)
	if errors.Is(err, aggregate.ErrNone) {
		return false, false, nil
	}
	if err != nil {
		return false, false, err
	}
	checkout, err := aggregate.Decode[checkouts.Checkout](e)
	if err != nil {
		return false, false, err
	}
	return false, checkout.Exists() && checkout.State.Status != checkouts.Closed, nil
}
