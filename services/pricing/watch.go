package pricing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/pricing/internal/offer"
	"boardorder/services/pricing/internal/watched"

	"github.com/tidwall/gjson"
	"go.uber.org/zap"
)

const (
	// watchWait is how long suppliers are waited for; what they have not answered by then is
	// asked for the next time.
	watchWait = 5 * time.Minute
	watchPoll = 5 * time.Second
	// testWatchedAfter is when the parts of a test key's quote are asked about for the first time.
	testWatchedAfter = time.Minute
	// maxSteps bounds what is recorded of one quote at a time; the rest is the next time.
	maxSteps = 40
)

var errAskingAgain = errors.New("suppliers are asked again about the parts of a quote")

// watch has suppliers asked again about the parts of a quote, and records what changed.
func (s *Service) watch(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[quotes.WatchData](c)
	if err != nil {
		return err
	}
	now, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.Quote).Load(ctx)
	if err != nil {
		return err
	}
	if open, err := s.isOpen(ctx, now); err != nil || !open {
		return err
	}
	ask := now.State.Recheck()
	ask.Sparing = true
	id, err := partchecks.ID(now.State.Account, ask)
	if err != nil {
		return err
	}
	ask.Check, ask.Since = id, data.Since
	found, err := aggregate.At[partchecks.PartCheck](s.events, contract.PartCheckAggregate, id).Load(ctx)
	if err != nil {
		return fmt.Errorf("load check of parts %s: %w", id, err)
	}
	check := found.State
	switch recent := !check.StartedAt.Before(data.Since); {
	case recent && check.Status == partchecks.Ended && check.Report != nil:
		return s.recordWatch(ctx, c, data.Quote, *check.Report, check.StartedAt)
	case recent && check.Status == partchecks.Refused, s.now().Sub(c.At) >= watchWait:
		return nil
	}
	if !check.Running(s.now()) {
		send, err := c.Follow(partchecks.Check, id+":"+strconv.Itoa(check.Attempt), s.now(), ask)
		if err != nil {
			return err
		}
		send.Account = now.State.Account
		if err := s.events.Send(ctx, send); err != nil {
			return err
		}
	}
	return flow.SnoozeUntil(contract.PartCheckAggregate, id, watchPoll, errAskingAgain)
}

// isOpen reports whether the parts of a quote are asked about again.
func (s *Service) isOpen(ctx context.Context, now aggregate.Snapshot[quotes.Quote]) (bool, error) {
	if !now.Exists() || !now.State.IsWatched(s.now()) {
		return false, nil
	}
	_, err := s.events.Last(ctx, contract.OrderAggregate, now.State.Ref)
	if errors.Is(err, aggregate.ErrNone) {
		return true, nil
	}
	return false, err
}

// recordWatch records what a report says that is new: an event for each thing that is told.
func (s *Service) recordWatch(ctx context.Context, c contract.Command, quote string, r partchecks.Report, asked time.Time) error {
	for i := range maxSteps {
		step := "watch-" + strconv.Itoa(i)
		now, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, quote).Step(ctx, c, step, s.now(),
			func(now aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
				q := now.State
				if !now.Exists() || !q.IsWatched(s.now()) {
					return nil, nil
				}
				event, next, err := watched.Next(q, r, asked, s.partsPricer(ctx, q))
				if err != nil || event == "" {
					return nil, err
				}
				q.Watched = next
				return &aggregate.Change[quotes.Quote]{Event: event, State: q}, nil
			})
		if err != nil || !now.Did(contract.DeriveID(c.ID, step)) {
			return err
		}
	}
	return nil
}

// partsPricer prices a quote with its parts at another cost: boards, work, freight, duty, tax and
// rates are those that it was priced with. nil where people made its price, or it cannot be made
// any more.
func (s *Service) partsPricer(ctx context.Context, q quotes.Quote) watched.Pricer {
	if q.Mode != quotes.ModeInstant {
		return nil
	}
	stored, err := s.loadPricing(&q)
	if err != nil {
		s.log.Warn("a quote cannot be priced with its parts at their prices now", zap.String("quote", q.Ref), zap.Error(err), trace.ID(ctx))
		return nil
	}
	var to shipments.ShipTo
	if q.Delivery != nil {
		to = q.Delivery.ShipTo
	}
	place, _ := s.tables.Places.Resolve(&to, s.cfg.DefaultCountry)
	choice := offer.Choice{Place: place, ShippingID: q.Terms.Shipping, BuildHours: stored.spec.BuildHours}
	return func(partsCents int64) (int64, error) {
		b := stored.basis
		b.Assembly.Lines = slices.DeleteFunc(slices.Clone(b.Assembly.Lines), func(l prices.Line) bool { return l.Label == prices.PartsLabel })
		if partsCents > 0 {
			b.Assembly.Lines = append(b.Assembly.Lines, prices.Line{Label: prices.PartsLabel, Cents: partsCents})
		}
		o, err := s.tables.Price(b, choice)
		return o.TotalCents, err
	}
}

// A deadLetterer sets aside events that nobody can read.
type deadLetterer interface {
	DeadLetterEvent(ctx context.Context, consumer string, e contract.Event, why error) error
}

// A Watcher has the parts of open quotes asked about again. It keeps nothing: the broker gives it
// a quote's last event again when it is time.
type Watcher struct {
	service *Service
	aside   deadLetterer
}

// NewWatcher makes the watcher of a service.
func NewWatcher(s *Service, aside deadLetterer) *Watcher { return &Watcher{s, aside} }

// HandleEvents sends a command for each quote whose time has come, and gives after how long each
// event shall come again; 0 = never.
func (w *Watcher) HandleEvents(ctx context.Context, events []contract.Event) (again []time.Duration, err error) {
	again = make([]time.Duration, len(events))
	for i, e := range events {
		if again[i], err = w.handle(ctx, e); err != nil {
			return nil, fmt.Errorf("watch %s %s version %d: %w", e.Aggregate, e.AggregateID, e.Version, err)
		}
	}
	return again, nil
}

func (w *Watcher) handle(ctx context.Context, e contract.Event) (again time.Duration, err error) {
	s := w.service
	if s.cfg.WatchEvery <= 0 || !gjson.GetBytes(e.Data, "state.assembly").IsObject() { // most are of bare boards
		return 0, nil
	}
	now, err := aggregate.Decode[quotes.Quote](e)
	if err != nil {
		return 0, w.aside.DeadLetterEvent(ctx, quotes.WatchConsumer, e, err)
	}
	open, err := s.isOpen(ctx, now)
	if err != nil || !open {
		return 0, err
	}
	last, err := s.events.Last(ctx, e.Aggregate, e.AggregateID)
	if errors.Is(err, aggregate.ErrNone) || err == nil && last.Version != e.Version { // the last one decides
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	since, next := s.watchTimes(now.State)
	if !since.IsZero() {
		c, err := contract.NewCommand(quotes.Watch, "", now.State.Account, s.now(), quotes.WatchData{Quote: e.AggregateID, Since: since})
		if err != nil {
			return 0, err
		}
		c.ID = contract.DeriveID("watch", e.AggregateID, since.UTC().Format(time.RFC3339Nano))
		if err := s.events.Send(ctx, c); err != nil {
			return 0, err
		}
	}
	if !next.Before(now.State.ExpiresAt) {
		return 0, nil
	}
	return next.Sub(s.now()), nil
}

// watchTimes are when suppliers were to be asked about a quote's parts the last time, zero if it
// never was, and when they are the next time. They lie at whole intervals from when they were
// asked first, so quotes share the day.
func (s *Service) watchTimes(q quotes.Quote) (last, next time.Time) {
	from, every := q.Assembly.At, s.cfg.WatchEvery
	if first := from.Add(testWatchedAfter); contract.IsTest(q.Account) && s.now().Before(from.Add(every)) {
		if s.now().Before(first) {
			return time.Time{}, first
		}
		return first, from.Add(every)
	}
	n := s.now().Sub(from) / every
	if n > 0 {
		last = from.Add(n * every)
	}
	return last, from.Add((max(n, 0) + 1) * every)
}
