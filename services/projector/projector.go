// Package projector keeps the projection: it puts the state that each event
// carries where the edge, the pages and the console read it, then wakes those
// who wait. It decides nothing.
package projector

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/pkg/run"
	"boardorder/services/projector/internal/view"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Config of the projector: it needs none.
type Config struct{}

// Projector follows every aggregate's stream.
type Projector struct {
	bus  *bus.Bus
	docs projection.Store
	log  *zap.Logger
}

// New makes a projector.
func New(_ Config, d run.Deps) *Projector {
	if d.Metrics != nil {
		d.Metrics.MustRegister(newGauges(d.Bus, d.Docs, d.Log))
	}
	return &Projector{bus: d.Bus, docs: d.Docs, log: d.Log}
}

// Build makes the projector as a process runs it, once the store has its indexes.
func Build(ctx context.Context, cfg Config, d run.Deps) (run.Service, error) {
	p := New(cfg, d)
	return p, p.ensureIndexes(ctx)
}

// indexTimeout bounds the look at the store's indexes. A process that finds some
// missing ends, and is started again.
const indexTimeout = 30 * time.Second

// ensureIndexes holds that what this version projects can be read by an index:
// making one over millions of documents is not for a start or a write to wait for.
func (p *Projector) ensureIndexes(ctx context.Context) error {
	store, ok := p.docs.(projection.Indexer)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, indexTimeout)
	defer cancel()
	missing, err := store.EnsureIndexes(ctx, view.Shapes())
	if errors.Is(err, projection.ErrUnavailable) {
		p.log.Warn("indexes cannot be verified now", zap.Error(err))
		return nil // what is missing is found with the first write
	}
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("indexes are missing: %s; run the job that makes them (projector -indexes)", strings.Join(missing, ", "))
	}
	return err
}

// MakeIndexes makes the indexes that this version needs, beside whatever runs.
func (p *Projector) MakeIndexes(ctx context.Context) error {
	store, ok := p.docs.(projection.Indexer)
	if !ok {
		return errors.New("this store has no indexes to be made")
	}
	return store.MakeIndexes(ctx, view.Shapes())
}

// Run projects, and turns what falls due into commands, until ctx ends.
func (p *Projector) Run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return p.bus.RunTimers(ctx) })
	for _, a := range contract.Aggregates() {
		group.Go(func() error { return p.bus.Follow(ctx, contract.ProjectorConsumer, a, p.project) })
	}
	return group.Wait()
}

// project stores first and wakes second: who is woken finds what it waits for.
func (p *Projector) project(ctx context.Context, events []contract.Event) error {
	if err := p.put(ctx, p.docs, events); err != nil {
		return err
	}
	for _, e := range events {
		if err := p.wake(e); err != nil {
			return err
		}
	}
	return nil
}

func (p *Projector) wake(e contract.Event) error {
	if err := p.bus.Wake(e.Aggregate, e.AggregateID); err != nil {
		return err
	}
	if e.Operation == "" || e.Aggregate == contract.OperationAggregate {
		return nil
	}
	return p.bus.Wake(contract.OperationAggregate, e.Operation)
}

// put stores what events lead to. An event that cannot be read, or whose
// document the store will never take, is set aside, so that one does not stop all
// that come after it.
func (p *Projector) put(ctx context.Context, store projection.Store, events []contract.Event) error {
	var docs, outcomes []projection.Document // outcomes are written last: whoever reads one reads what it names as it left it
	from := map[name]contract.Event{}
	for _, e := range events {
		made, err := view.Documents(e)
		if err != nil {
			if err := p.setAside(ctx, e, err); err != nil {
				return err
			}
			continue
		}
		for _, d := range made {
			from[name{d.Kind, d.ID, d.Seq}] = e
			if d.Kind == string(contract.OperationAggregate) {
				outcomes = append(outcomes, d)
			} else {
				docs = append(docs, d)
			}
		}
	}
	if len(docs)+len(outcomes) == 0 {
		return nil
	}
	err := store.Put(ctx, append(docs, outcomes...)...)
	refused, ok := errors.AsType[*projection.RefusedError](err)
	if !ok {
		return err
	}
	for _, r := range refused.Refusals {
		if err := p.setAside(ctx, from[name{r.Kind, r.ID, r.Seq}], r.Err); err != nil {
			return err
		}
	}
	return nil
}

// name is what a document is named by.
type name struct {
	kind, id string
	seq      uint64
}

func (p *Projector) setAside(ctx context.Context, e contract.Event, why error) error {
	p.log.Error("event cannot be projected", zap.String("event", e.ID), zap.Error(why))
	return p.bus.DeadLetterEvent(ctx, contract.ProjectorConsumer, e, why)
}

// Rebuild makes all documents anew from the streams, beside the live ones, and
// swaps them in. Live projectors go on meanwhile; they write to both.
func (p *Projector) Rebuild(ctx context.Context) error {
	r, ok := p.docs.(projection.Rebuilder)
	if !ok {
		return errors.New("this store cannot be rebuilt")
	}
	fresh, err := r.Rebuild(ctx)
	if err != nil {
		return fmt.Errorf("begin rebuild: %w", err)
	}
	defer fresh.Close() //nolint:errcheck // it was swapped in, or discarded below
	if err := p.fill(ctx, fresh); err != nil {
		return errors.Join(err, fresh.Discard(ctx))
	}
	if err := fresh.Swap(ctx); err != nil {
		return fmt.Errorf("swap: %w", err)
	}
	return nil
}

// fill reads all streams at the same time.
func (p *Projector) fill(ctx context.Context, store projection.Store) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, a := range contract.Aggregates() {
		group.Go(func() error {
			unread, err := p.bus.ReplayEvents(ctx, a, func(events []contract.Event) error { return p.put(ctx, store, events) })
			if err != nil {
				return fmt.Errorf("rebuild %s: %w", a, err)
			}
			if unread > 0 {
				p.log.Error("events were left out of the rebuild", zap.String("aggregate", string(a)), zap.Int("events", unread))
			}
			return nil
		})
	}
	return group.Wait()
}
