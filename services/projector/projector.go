// Package projector keeps the projection: it puts the state that each event
// carries where the edge, the pages and the console read it, then wakes those
// who wait. It decides nothing.
package projector

import (
	"context"
	"errors"
	"fmt"

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

// Build makes the projector as a process runs it.
func Build(_ context.Context, cfg Config, d run.Deps) (run.Service, error) { return New(cfg, d), nil }

// durable names the shared consumer. An incompatible change of what is
// projected is a new name.
const durable = "projector-v1"

// Run projects, and turns what falls due into commands, until ctx ends.
func (p *Projector) Run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return p.bus.RunTimers(ctx) })
	for _, a := range contract.Aggregates() {
		group.Go(func() error { return p.bus.Follow(ctx, durable, a, p.project) })
	}
	return group.Wait()
}

// project stores first and wakes second: who is woken finds what it waits for.
func (p *Projector) project(ctx context.Context, events []contract.Event) error {
	if err := put(ctx, p.docs, events, p.log); err != nil {
		return err
	}
	for _, e := range events {
		if err := p.bus.Wake(e.Aggregate, e.AggregateID, e.Seq); err != nil {
			return err
		}
		if e.Operation == "" || e.Aggregate == contract.OperationAggregate {
			continue
		}
		if err := p.bus.Wake(contract.OperationAggregate, e.Operation, e.Seq); err != nil {
			return err
		}
	}
	return nil
}

// put leaves out an event that cannot be read or stored, so that one does not
// stop all that come after it; it stays in its stream and in the log.
func put(ctx context.Context, store projection.Store, events []contract.Event, log *zap.Logger) error {
	docs := make([]projection.Document, 0, 2*len(events))
	for _, e := range events {
		made, err := view.Documents(e)
		if err != nil {
			log.Error("event cannot be projected", zap.String("event", e.ID), zap.Error(err))
			continue
		}
		docs = append(docs, made...)
	}
	if len(docs) == 0 {
		return nil
	}
	err := store.Put(ctx, docs...)
	if err == nil {
		return nil
	}
	fit := make([]projection.Document, 0, len(docs))
	for _, d := range docs {
		if wrong := d.Validate(); wrong != nil {
			log.Error("document cannot be stored", zap.Uint64("seq", d.Seq), zap.Error(wrong))
			continue
		}
		fit = append(fit, d)
	}
	if len(fit) == len(docs) {
		return err
	}
	return store.Put(ctx, fit...)
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
	if err := p.fill(ctx, fresh); err != nil {
		return errors.Join(err, fresh.Discard(ctx))
	}
	if err := fresh.Swap(ctx); err != nil {
		return fmt.Errorf("swap: %w", err)
	}
	return nil
}

func (p *Projector) fill(ctx context.Context, store projection.Store) error {
	for _, a := range contract.Aggregates() {
		err := p.bus.Replayed(ctx, a, func(events []contract.Event) error { return put(ctx, store, events, p.log) })
		if err != nil {
			return fmt.Errorf("rebuild %s: %w", a, err)
		}
	}
	return nil
}
