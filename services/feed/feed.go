// Package feed publishes what accounts are told of: it follows the stored events, derives
// the public ones (package contract/feed) and puts each where its owner's are read, once and
// in order within its object. It decides nothing and keeps nothing of its own: what was
// published is known from the stream itself, what lies between from the stored events.
package feed

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	feedcontract "boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/run"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// consumer is the service's name, by which the contract declares what it follows.
const consumer = "feed"

// Config of the feed service.
type Config struct {
	Parallel int `env:"FEED_PARALLEL" envDefault:"16"` // objects whose events are published at once
}

// Events is what the service reads and publishes; a [*bus.Bus] is one.
type Events interface {
	// Last gives the last event of an aggregate, or aggregate.ErrNone.
	Last(ctx context.Context, a contract.Aggregate, id string) (contract.Event, error)
	// EventAfter gives the first event of an aggregate after a sequence, or aggregate.ErrNone.
	EventAfter(ctx context.Context, a contract.Aggregate, id string, after uint64) (contract.Event, error)
	// LatestPublic gives the last public event of an owner's object, or aggregate.ErrNone.
	LatestPublic(ctx context.Context, owner, key string) (feedcontract.Entry, error)
	// PublishPublic stores one that follows the one at after; else aggregate.ErrConflict.
	PublishPublic(ctx context.Context, e feedcontract.Entry, after uint64) (uint64, error)
	// WakeFeed makes who waits for an owner's events look.
	WakeFeed(owner string) error
	// DeadLetterEvent keeps for people what cannot be read.
	DeadLetterEvent(ctx context.Context, consumer string, e contract.Event, why error) error
}

// Service is the feed service.
type Service struct {
	cfg    Config
	events Events
	log    *zap.Logger
	now    func() time.Time
}

// New makes the service.
func New(cfg Config, events Events, log *zap.Logger, now func() time.Time) *Service {
	cfg.Parallel = cmp.Or(max(cfg.Parallel, 0), 16)
	return &Service{cfg: cfg, events: events, log: log, now: now}
}

// Build makes the service as a process runs it.
func Build(_ context.Context, cfg Config, d run.Deps) (run.Service, error) {
	s := New(cfg, d.Bus, d.Log, d.Now)
	return run.Func(func(ctx context.Context) error { return s.Serve(ctx, d.Bus) }), nil
}

// Serve publishes until ctx ends.
func (s *Service) Serve(ctx context.Context, b *bus.Bus) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, a := range registry.Subscriptions(consumer) {
		group.Go(func() error { return b.Follow(ctx, consumer, a, s.HandleEvents) })
	}
	group.Go(func() error {
		return b.FollowAgain(ctx, feedcontract.ExpiryConsumer, contract.QuoteAggregate, s.HandleExpiries)
	})
	return group.Wait()
}

// name is an aggregate's.
type name struct {
	of contract.Aggregate
	id string
}

// HandleEvents publishes what follows from stored events. Events that come again, or late,
// or in another order, lead to nothing more and nothing else.
func (s *Service) HandleEvents(ctx context.Context, events []contract.Event) error {
	byName := map[name][]contract.Event{}
	for _, e := range events {
		if feedcontract.MayDerive(e) {
			at := name{e.Aggregate, e.AggregateID}
			byName[at] = append(byName[at], e)
		}
	}
	if len(byName) == 1 { // as a rule
		for _, of := range byName {
			return s.publishAll(ctx, of)
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.cfg.Parallel)
	for _, of := range slices.Collect(maps.Values(byName)) {
		group.Go(func() error { return s.publishAll(ctx, of) })
	}
	return group.Wait()
}

// publishAll publishes what follows from some events of one aggregate.
func (s *Service) publishAll(ctx context.Context, events []contract.Event) error {
	slices.SortFunc(events, func(a, b contract.Event) int { return cmp.Compare(a.Version, b.Version) })
	for _, e := range events {
		derived, err := feedcontract.Derive(e)
		if err != nil { // it will never be readable, and others wait behind it
			if err := s.events.DeadLetterEvent(ctx, consumer, e, err); err != nil {
				return fmt.Errorf("set an event aside: %w", err)
			}
			continue
		}
		if len(derived) == 0 || s.isOld(e) {
			continue
		}
		if err := s.publish(ctx, e, derived); err != nil {
			return fmt.Errorf("publish what follows from %s %s version %d: %w", e.Aggregate, e.AggregateID, e.Version, err)
		}
	}
	return nil
}
