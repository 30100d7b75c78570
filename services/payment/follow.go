package payment

import (
	"context"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/order"

	"go.uber.org/zap"
)

// lostAfter is how long a fabricator may not know an order that it took.
const lostAfter = time.Hour

// watched is about how often an order was tried when the watch over it ends
// for the first time.
const watched = 8

// follow asks how an order comes along, and sets the time of the next look. An
// order that nobody placed yet is sent on its way again.
func (s *Service) follow(ctx context.Context, c contract.Command) error {
	data, o, err := s.order(ctx, c)
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
		return s.followAfter(ctx, c, o.State, s.cfg.MaxPoll, data.Poll+1)
	}
	if o.State.Fabricator.Reference == "" {
		return nil // placed by hand: the team reports its progress
	}
	p, err := s.sideOf(o.State.Account).fab.Progress(ctx, order.Ask(o.State))
	if err != nil {
		return s.handleNoNews(ctx, c, o, err, data.Poll)
	}
	next, event := order.Advance(o.State, p, s.now())
	if event == "" {
		return s.followAfter(ctx, c, o.State, s.pace(o.State, data.Poll), data.Poll+1)
	}
	return s.commit(ctx, c, o, event, next)
}

// pace is how long after a look at an order the next one follows.
func (s *Service) pace(o orders.Order, poll int) time.Duration {
	if every := s.sideOf(o.Account).poll; every > 0 && s.now().Sub(o.PaidAt) < quick {
		return every
	}
	return growing(s.cfg.PollFirst, s.cfg.MaxPoll, poll)
}

// quick is how long a test order is looked at every few seconds: one that was
// asked to stay where it is does so for good.
const quick = 5 * time.Minute

func (s *Service) handleNoNews(ctx context.Context, c contract.Command, o orderNow, why error, poll int) error {
	if fabricator.KindOf(why) == fabricator.NotFound && o.State.PlacedAt != nil && s.now().Sub(*o.State.PlacedAt) > lostAfter {
		return s.commit(ctx, c, o, orders.EventHeld, order.MarkLost(o.State))
	}
	s.log.Warn("the fabricator cannot tell about an order", zap.String("order", o.State.ID), zap.Int("poll", poll), zap.Error(why), trace.ID(ctx))
	return s.followAfter(ctx, c, o.State, s.pace(o.State, poll), poll+1)
}

// report takes in an operator's word on an order.
func (s *Service) report(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[orders.ReportStatusData](c)
	if err != nil {
		return err
	}
	now, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, data.Quote).Execute(ctx, c, s.now(),
		func(now orderNow) (*orderChange, error) {
			if !now.Exists() {
				return nil, contract.Refuse(contract.NotFound, "There is no such order.")
			}
			next, event, err := order.Report(now.State, data, s.now())
			if err != nil {
				return nil, err
			}
			return &orderChange{Event: event, State: next}, nil
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
	if err := s.followAfter(ctx, c, now.State, s.cfg.MaxPoll, 0); err != nil {
		return err
	}
	return s.sendPlace(ctx, c, now.State, "report", 0)
}
