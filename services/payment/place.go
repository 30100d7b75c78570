package payment

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/exportcontrol"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/flow"
	"boardorder/pkg/retention"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/order"

	"go.uber.org/zap"
)

type (
	orderNow    = aggregate.Snapshot[orders.Order]
	orderChange = aggregate.Change[orders.Order]
)

// ensureOrder makes the order of a checkout that was paid, and sends it on its
// way. Done again it finds what is there.
func (s *Service) ensureOrder(ctx context.Context, c contract.Command, paid checkouts.Checkout) error {
	// Before the commit: an order of these files is entered under them in any case.
	if err := s.noteEqual(ctx, paid); err != nil {
		return err
	}
	now, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, paid.Quote).Step(ctx, c, "order", s.now(),
		func(now orderNow) (*orderChange, error) {
			if now.Exists() {
				return nil, nil
			}
			o, event := order.New(paid)
			return &orderChange{Event: event, State: o}, nil
		})
	if err != nil {
		return err
	}
	if now.State.Status != orders.Paid {
		return nil
	}
	// Should they have gone already, placing finds it out and people look.
	_, err = retention.Need(ctx, s.events, paid.Digest, c, "order", now.State.PaidAt.Add(s.cfg.OrderKept), s.now())
	if err != nil && !errors.Is(err, retention.ErrGone) {
		return err
	}
	// First the timer, which would send it too, then the command itself.
	if err := s.followAfter(ctx, c, now.State, s.cfg.MaxPoll, 0); err != nil {
		return err
	}
	return s.sendPlace(ctx, c, now.State, "first", 0)
}

func (s *Service) sendPlace(ctx context.Context, c contract.Command, o orders.Order, key string, poll int) error {
	place, err := c.Follow(orders.Place, key, s.now(), orders.Data{Quote: o.Quote, Poll: poll})
	if err != nil {
		return err
	}
	if key == "first" { // the same whatever led to it
		place.ID = contract.DeriveID(o.ID, orders.Place.String(), key)
	}
	return s.events.Send(ctx, place)
}

// place has an order built. The fabricator knows no idempotency key, so what it
// was asked is written down first, and whenever that is all that is known, the
// order is looked for before it is asked again.
func (s *Service) place(ctx context.Context, c contract.Command) error {
	data, o, err := s.order(ctx, c)
	if err != nil {
		return err
	}
	c.Account = o.State.Account
	next := order.ChooseStep(o.State)
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

// holdDoubted holds an order until an operator has looked at it: of files that its own or
// another account declared ITAR-controlled before it was paid, or that speak of such control.
func (s *Service) holdDoubted(ctx context.Context, c contract.Command, o orderNow) (held bool, err error) {
	if o.State.Sold.Upload == "" || o.State.Report != nil {
		return false, nil
	}
	if slices.ContainsFunc(o.State.Sold.Reply.BoardFindings, func(f contract.Finding) bool { return f.Check == exportcontrol.Check }) {
		return true, s.hold(ctx, c, o, "the design's files, or the customer's words, speak of ITAR export control: to be looked at before it goes on")
	}
	u, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, o.State.Sold.Upload).Load(ctx)
	switch {
	case err != nil:
		return false, err
	case u.State.IsDeclaredFor(o.State.Account):
		return true, s.hold(ctx, c, o, accountDeclared)
	case u.State.Doubted != nil:
		return true, s.hold(ctx, c, o, equalDeclared)
	}
	return false, nil
}

// Why an order of files is held that another account declared, or its own did without
// having them deleted.
const (
	equalDeclared   = "another customer declared the same files ITAR-controlled: to be looked at before it goes on"
	accountDeclared = "the account that it was ordered through declared its files ITAR-controlled: to be looked at before it goes on"
)

// handReason says why an order is the team's to place.
func handReason(o orders.Order) string {
	if o.Terms != nil {
		return "to be placed by hand: the boards are assembled; the assembly's package holds its list, placements and choices"
	}
	return "to be placed by hand: our team priced it"
}

func (s *Service) order(ctx context.Context, c contract.Command) (orders.Data, orderNow, error) {
	data, err := flow.Decode[orders.Data](c)
	if err != nil {
		return data, orderNow{}, err
	}
	now, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, data.Quote).Load(ctx)
	if err == nil && !now.Exists() {
		err = flow.Permanent(fmt.Errorf("%s: there is no order of quote %s", c.Name, data.Quote))
	}
	return data, now, err
}

// lookUp finds out what became of an order that the fabricator was asked for.
func (s *Service) lookUp(ctx context.Context, c contract.Command, o orderNow, poll int) error {
	left := s.settling.TimeLeft(o.State.Quote, o.State.Fabricator.Attempt, s.now()) // before looking: what arrives after it would be missed
	placed, err := s.sideOf(o.State.Account).fab.FindOrder(ctx, order.Reference(o.State))
	switch {
	case err == nil:
		next, event, used := order.Reconcile(o.State, placed, s.now())
		if used {
			return s.send(ctx, c, o, next, poll)
		}
		return s.commit(ctx, c, o, event, next)
	case fabricator.KindOf(err) != fabricator.NotFound:
		s.log.Warn("the fabricator cannot tell about an order", zap.String("order", o.State.ID), zap.Error(err), trace.ID(ctx))
		return s.placeAfter(ctx, c, o.State, growing(s.cfg.RetryFirst, s.cfg.MaxRetry, poll), poll+1)
	}
	if left > 0 {
		// A delay, which the broker counts, not a timer, whose time two clocks share.
		return flow.Snooze(left, fmt.Errorf("order %s: a request may be under way", o.State.ID))
	}
	return s.send(ctx, c, o, o.State, poll)
}

// send asks the fabricator to build an order: o is what was loaded, wanted the
// same with the reference to use.
func (s *Service) send(ctx context.Context, c contract.Command, o orderNow, wanted orders.Order, poll int) error {
	key, err := s.upload(ctx, wanted)
	if err != nil {
		return s.handleNotSent(ctx, c, o, err, poll)
	}
	began := s.now()
	asked, won, err := s.intend(ctx, c, o, wanted)
	if err != nil || !won {
		return err
	}
	s.settling.Began(asked.State.Quote, asked.State.Fabricator.Attempt, began)
	request, err := order.Request(asked.State, key)
	if err != nil {
		return s.hold(ctx, c, asked, err.Error())
	}
	// Past half of the settling time the request must not leave any more: after
	// all of it another replica may take its absence for a fact.
	limited, cancel := context.WithTimeout(ctx, s.cfg.PlaceSettle/2-s.now().Sub(began))
	defer cancel()
	placed, err := s.sideOf(asked.State.Account).fab.Place(limited, request)
	if err != nil {
		return s.handleNotSent(ctx, c, asked, err, poll)
	}
	return s.commit(ctx, c, asked, orders.EventPlaced, order.MarkPlaced(asked.State, placed, s.now()))
}

// intend writes down that the fabricator is about to be asked. Only the one
// delivery whose event is stored may ask: each has an id of its own, so that
// the stream cannot take two replicas' events for one.
func (s *Service) intend(ctx context.Context, c contract.Command, o orderNow, wanted orders.Order) (asked orderNow, won bool, err error) {
	asked, err = aggregate.At[orders.Order](s.events, contract.OrderAggregate, wanted.Quote).Step(ctx, c, "placing:"+rand.Text(), s.now(),
		func(now orderNow) (*orderChange, error) {
			if won = now.Seq == o.Seq; !won {
				return nil, nil
			}
			return &orderChange{Event: orders.EventPlacing, State: order.Placing(wanted, s.sideOf(wanted.Account).adapter, s.now())}, nil
		})
	return asked, won, err
}

// handleNotSent goes on after an order was not placed, or not for certain.
func (s *Service) handleNotSent(ctx context.Context, c contract.Command, o orderNow, why error, poll int) error {
	if hold := order.HoldReason(why); hold != "" {
		return s.hold(ctx, c, o, hold)
	}
	if errors.Is(why, errNoFiles) {
		return s.hold(ctx, c, o, "the design files are not kept any more")
	}
	if fabricator.KindOf(why) == fabricator.Internal && poll >= tries {
		return s.hold(ctx, c, o, fmt.Sprintf("it cannot be placed, tried %d times: %v", poll, why))
	}
	s.log.Warn("an order could not be placed yet", zap.String("order", o.State.ID), zap.Int("poll", poll), zap.Error(why), trace.ID(ctx))
	return s.placeAfter(ctx, c, o.State, growing(s.cfg.RetryFirst, s.cfg.MaxRetry, poll), poll+1)
}

// tries is how often our own mistake is tried again before people look; a
// fabricator that is unreachable is waited for without an end.
const tries = 20

var errNoFiles = errors.New("the design files are not there")

// upload gives the fabricator the design files. Doing it twice is harmless.
func (s *Service) upload(ctx context.Context, o orders.Order) (string, error) {
	read, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, o.Digest).Load(ctx)
	if err != nil {
		return "", err
	}
	if read.State.Gone || o.Package == "" { // forgotten, such as for a declaration that came late
		return "", errNoFiles
	}
	zip, _, err := s.files.Get(ctx, o.Package)
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
	return s.sideOf(o.Account).fab.Upload(ctx, o.Ref+".zip", zip)
}

// commit records what became of an order, unless it moved on; then the command
// comes again and looks anew.
func (s *Service) commit(ctx context.Context, c contract.Command, o orderNow, event contract.EventName, next orders.Order) error {
	moved := false
	now, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, next.Quote).Step(ctx, c, string(event)+":"+strconv.FormatUint(o.Seq, 10), s.now(),
		func(now orderNow) (*orderChange, error) {
			if moved = now.Seq != o.Seq; moved {
				return nil, nil
			}
			return &orderChange{Event: event, State: next}, nil
		})
	if err != nil {
		return err
	}
	if moved {
		return fmt.Errorf("order %s moved on meanwhile", next.ID)
	}
	if err := s.sendInvoices(ctx, c, now.State); err != nil {
		return err
	}
	if order.ChooseStep(now.State) == order.FollowUp {
		return s.followAfter(ctx, c, now.State, s.pace(now.State, 0), 0)
	}
	return nil
}

func (s *Service) hold(ctx context.Context, c contract.Command, o orderNow, why string) error {
	s.log.Warn("an order is held", zap.String("order", o.State.ID), zap.String("why", why), trace.ID(ctx))
	return s.commit(ctx, c, o, orders.EventHeld, order.Hold(o.State, why))
}

// placeAfter has the order looked at again: a timer, not a retry, because a
// fabricator may be unreachable for days.
func (s *Service) placeAfter(ctx context.Context, c contract.Command, o orders.Order, after time.Duration, poll int) error {
	return s.scheduleOrder(ctx, c, orders.Place, "place", o, after, poll)
}

func (s *Service) followAfter(ctx context.Context, c contract.Command, o orders.Order, after time.Duration, poll int) error {
	return s.scheduleOrder(ctx, c, orders.Follow, "follow", o, after, poll)
}

func (s *Service) scheduleOrder(ctx context.Context, c contract.Command, name contract.CommandName, what string, o orders.Order, after time.Duration, poll int) error {
	return s.schedule(ctx, c, name, orders.Data{Quote: o.Quote, Poll: poll}, contract.Timer{
		Aggregate: contract.OrderAggregate, AggregateID: o.Quote, What: what, Due: s.now().Add(after),
	})
}

// schedule sets a timer. The command's id holds the time: a command that comes
// again sets a timer that is its own, not one that was sent before and would be
// taken for a repetition.
func (s *Service) schedule(ctx context.Context, c contract.Command, name contract.CommandName, data any, t contract.Timer) error {
	next, err := c.Follow(name, t.What+":"+strconv.FormatInt(t.Due.UnixNano(), 36), s.now(), data)
	if err != nil {
		return err
	}
	t.Command = next
	return s.events.Schedule(ctx, t)
}
