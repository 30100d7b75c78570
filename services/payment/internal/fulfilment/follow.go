package fulfilment

import (
	"context"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// lostAfter is how long a fabricator may not know an order that it took.
const lostAfter = time.Hour

// watched is about how often an order was tried when the watch over it ends
// for the first time.
const watched = 8

// Follow asks how an order comes along, and sets the time of the next look. An
// order that nobody placed yet is sent on its way again.
func (s *Orders) Follow(ctx context.Context, c contract.Command) error {
	data, o, err := s.LoadOrder(ctx, c)
	if err != nil {
		return err
	}
	c.Account = o.State.Account
	switch order.ChooseStep(o.State) {
	case order.Nothing:
		return nil
	case order.FollowUp:
	default:
		// Long ago, so with long waits between further tries.
		if err := s.sendPlace(ctx, c, o.State, "again", watched+data.Poll); err != nil {
			return err
		}
		return s.followAfter(ctx, c, o.State, s.Poll.Max, data.Poll+1)
	}
	if o.State.Fabricator.Reference == "" {
		return nil // placed by hand: the team reports its progress
	}
	fab := s.Builder(o.State)
	if fab == nil {
		return s.Hold(ctx, c, o, order.ReasonGone(o.State))
	}
	p, err := fab.Progress(ctx, order.Ask(o.State))
	if err != nil {
		return s.handleNoProgress(ctx, c, o, err, data.Poll)
	}
	next, event := order.Advance(o.State, p, s.Now())
	if event == "" {
		return s.followAfter(ctx, c, o.State, s.pace(o.State, data.Poll), data.Poll+1)
	}
	return s.commit(ctx, c, o, event, next)
}

// pace is how long after a look at an order the next one follows.
func (s *Orders) pace(o orders.Order, poll int) time.Duration {
	if every := s.ModeOf(o.Account).Poll; every > 0 && s.Now().Sub(o.PaidAt) < quick {
		return every
	}
	return s.Poll.Delay(poll)
}

// quick is how long a test order is looked at every few seconds: one that was
// asked to stay where it is does so for good.
const quick = 5 * time.Minute

func (s *Orders) handleNoProgress(ctx context.Context, c contract.Command, o saga.OrderSnapshot, why error, poll int) error {
	if fabricator.KindOf(why) == fabricator.NotFound && o.State.PlacedAt != nil && s.Now().Sub(*o.State.PlacedAt) > lostAfter {
		return s.commit(ctx, c, o, orders.EventHeld, order.MarkLost(o.State))
	}
	s.Log.Warn("cannot read an order from the fabricator", zap.String("order", o.State.ID), zap.Int("poll", poll), zap.Error(why), trace.ID(ctx))
	return s.followAfter(ctx, c, o.State, s.pace(o.State, poll), poll+1)
}

// Report takes in an operator's word on an order.
func (s *Orders) Report(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[orders.ReportStatusData](c)
	if err != nil {
		return err
	}
	now, err := s.Order(data.Quote).Execute(ctx, c, s.Now(),
		func(now saga.OrderSnapshot) (*saga.OrderChange, error) {
			if !now.Exists() {
				return nil, contract.Refuse(contract.NotFound, "There is no such order.")
			}
			next, event, err := order.Report(now.State, data, s.Now())
			if err != nil {
				return nil, err
			}
			return &saga.OrderChange{Event: event, State: next}, nil
		})
	if err != nil {
		return err
	}
	c.Account = now.State.Account
	switch order.ChooseStep(now.State) {
	case order.Nothing:
		return nil
	case order.FollowUp:
		return s.followAfter(ctx, c, now.State, s.pace(now.State, 0), 0)
	}
	if err := s.followAfter(ctx, c, now.State, s.Poll.Max, 0); err != nil {
		return err
	}
	return s.sendPlace(ctx, c, now.State, "report", 0)
}
