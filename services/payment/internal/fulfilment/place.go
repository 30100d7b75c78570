package fulfilment

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// Place has an order built. The fabricator knows no idempotency key, so what it
// was asked is written down first, and whenever that is all that is known, the
// order is looked for before it is asked again.
func (s *Orders) Place(ctx context.Context, c contract.Command) error {
	data, o, err := s.LoadOrder(ctx, c)
	if err != nil {
		return err
	}
	c.Account = o.State.Account
	next := order.ChooseStep(o.State)
	if (next == order.Place || next == order.LookUp) && s.Builder(o.State) == nil {
		return s.Hold(ctx, c, o, order.ReasonGone(o.State))
	}
	if next == order.Place || next == order.ByHand {
		if held, err := s.holdDoubted(ctx, c, o); held || err != nil {
			return err
		}
		var stop bool
		if o, stop, err = s.screen(ctx, c, data, o); stop || err != nil {
			return err
		}
	}
	switch next {
	case order.ByHand:
		return s.commit(ctx, c, o, orders.EventHeld, order.HoldByHand(o.State, handReason(o.State)))
	case order.Place:
		return s.send(ctx, c, o, o.State, data.Poll)
	case order.LookUp:
		return s.lookUp(ctx, c, o, data.Poll)
	case order.FollowUp: // it was placed, but perhaps nobody said so to the timer
		return s.followAfter(ctx, c, o.State, s.pace(o.State, 0), 0)
	}
	return nil
}

// handReason says why an order is the team's to place.
func handReason(o orders.Order) string {
	if o.Terms != nil {
		return "to be placed by hand: the boards are assembled; the assembly's package holds its list, placements and choices"
	}
	return "to be placed by hand: our team priced it"
}

// lookUp finds out what became of an order that the fabricator was asked for.
func (s *Orders) lookUp(ctx context.Context, c contract.Command, o saga.OrderSnapshot, poll int) error {
	left := s.Settling.TimeLeft(o.State.Quote, o.State.Fabricator.Attempt, s.Now()) // before looking: what arrives after it would be missed
	placed, err := s.Builder(o.State).FindOrder(ctx, order.Reference(o.State))
	switch {
	case err == nil:
		next, event, used := order.Reconcile(o.State, placed, s.Now())
		if used {
			return s.send(ctx, c, o, next, poll)
		}
		return s.commit(ctx, c, o, event, next)
	case fabricator.KindOf(err) != fabricator.NotFound:
		s.Log.Warn("cannot find out whether the fabricator has an order", zap.String("order", o.State.ID), zap.Error(err), trace.ID(ctx))
		return s.postpone(ctx, c, o, err, poll)
	}
	if left > 0 {
		// A delay, which the broker counts, not a timer, whose time two clocks share.
		return flow.Snooze(left, fmt.Errorf("order %s: a request may be under way", o.State.ID))
	}
	return s.send(ctx, c, o, o.State, poll)
}

// send asks the fabricator to build an order: o is what was loaded, wanted the
// same with the reference to use.
func (s *Orders) send(ctx context.Context, c contract.Command, o saga.OrderSnapshot, wanted orders.Order, poll int) error {
	key, err := s.upload(ctx, wanted)
	if err != nil {
		return s.handleNotSent(ctx, c, o, err, poll)
	}
	began := s.Now()
	requested, won, err := s.intend(ctx, c, o, wanted)
	if err != nil || !won {
		return err
	}
	s.Settling.Began(requested.State.Quote, requested.State.Fabricator.Attempt, began)
	request, err := order.Request(requested.State, key)
	if err != nil {
		return s.Hold(ctx, c, requested, err.Error())
	}
	// Past half of the settling time the request must not leave any more: after
	// all of it another replica may take its absence for a fact.
	limited, cancel := context.WithTimeout(ctx, s.Settling.Time/2-s.Now().Sub(began))
	defer cancel()
	placed, err := s.Builder(requested.State).Place(limited, request)
	if err != nil {
		return s.handleNotSent(ctx, c, requested, err, poll)
	}
	return s.commit(ctx, c, requested, orders.EventPlaced, order.MarkPlaced(requested.State, placed, s.Now()))
}

// intend writes down that the fabricator is about to be asked. Only the one
// delivery whose event is stored may ask: each has an id of its own, so that
// the stream cannot take two replicas' events for one.
func (s *Orders) intend(ctx context.Context, c contract.Command, o saga.OrderSnapshot, wanted orders.Order) (requested saga.OrderSnapshot, won bool, err error) {
	requested, err = s.Order(wanted.Quote).Step(ctx, c, "placing:"+rand.Text(), s.Now(),
		func(now saga.OrderSnapshot) (*saga.OrderChange, error) {
			if won = now.Seq == o.Seq; !won {
				return nil, nil
			}
			return &saga.OrderChange{Event: orders.EventPlacing, State: order.Placing(wanted, s.Now())}, nil
		})
	return requested, won, err
}

// handleNotSent goes on after an order was not placed, or not for certain.
func (s *Orders) handleNotSent(ctx context.Context, c contract.Command, o saga.OrderSnapshot, why error, poll int) error {
	if hold := order.HoldReason(why); hold != "" {
		return s.Hold(ctx, c, o, hold)
	}
	if errors.Is(why, errNoFiles) {
		return s.Hold(ctx, c, o, "the design files are no longer kept")
	}
	if fabricator.KindOf(why) == fabricator.Internal && poll >= tries {
		return s.Hold(ctx, c, o, fmt.Sprintf("it cannot be placed, tried %d times: %v", poll, why))
	}
	s.Log.Warn("an order could not be placed yet", zap.String("order", o.State.ID), zap.Int("poll", poll), zap.Error(why), trace.ID(ctx))
	return s.postpone(ctx, c, o, why, poll)
}

// postpone writes down that an order waits for its fabricator, and tries again later.
func (s *Orders) postpone(ctx context.Context, c contract.Command, o saga.OrderSnapshot, why error, poll int) error {
	wait := s.Retry.Delay(poll)
	if next, changed := order.Postpone(o.State, why.Error(), wait, s.Now()); changed {
		if err := s.commit(ctx, c, o, orders.EventPostponed, next); err != nil {
			return err
		}
	}
	return s.placeAfter(ctx, c, o.State, wait, poll+1)
}

// tries is how often our own mistake is tried again before people look; a
// fabricator that is unreachable is waited for without an end.
const tries = 20

var errNoFiles = errors.New("the design files are not there")

// upload gives the fabricator the design files. Doing it twice is harmless.
func (s *Orders) upload(ctx context.Context, o orders.Order) (string, error) {
	read, err := aggregate.At[boards.ReadFiles](s.Events, contract.BoardAggregate, o.Digest).Load(ctx)
	if err != nil {
		return "", err
	}
	if read.State.Gone || o.Package == "" { // forgotten, such as for a declaration that came late
		return "", errNoFiles
	}
	zip, _, err := s.Files.Get(ctx, o.Package)
	if errors.Is(err, blob.ErrNotFound) && read.State.Rest != boards.RestMade {
		return "", errors.New("the design files are not packed yet")
	}
	if errors.Is(err, blob.ErrNotFound) {
		return "", errNoFiles
	}
	if err != nil {
		return "", fmt.Errorf("read the design files: %w", err)
	}
	defer zip.Close()
	return s.Builder(o).Upload(ctx, o.Ref+".zip", zip)
}
