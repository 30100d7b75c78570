package aggregate

import (
	"context"
	"encoding/json"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/erasures"
)

// An Eraser removes what has one of its labels, for one command.
type Eraser struct {
	Core    Core
	Command contract.Command
	Labels  contract.Labels
	At      time.Time
}

// Find gives the aggregates of a kind that have an event with one of the labels.
func (e Eraser) Find(ctx context.Context, kind contract.Aggregate) ([]string, error) {
	return e.Core.Find(ctx, kind, func(of contract.Event) bool { return of.Labels.HasAny(e.Labels) })
}

// Erase appends to an aggregate the state that redact makes, unless its last event
// has no such label, and then removes the events before. Done again it goes on where
// it ended.
func Erase[S any](ctx context.Context, e Eraser, kind contract.Aggregate, id string, redact func(S) S) error {
	requests, err := e.Core.RequestsOf(ctx, kind, id)
	if err != nil {
		return err
	}
	_, err = At[S](e.Core, kind, id).Step(ctx, e.Command, "erase "+id, e.At, func(now Snapshot[S]) (*Change[S], error) {
		if !now.Event.Labels.HasAny(e.Labels) {
			return nil, nil
		}
		return &Change[S]{Event: contract.Erased, State: redact(now.State), Forget: true, Requests: requests}, nil
	})
	if err != nil {
		return err
	}
	return e.Core.PurgeHistory(ctx, kind, id)
}

// Remove is Erase that leaves no state: the aggregate is as if it had never been.
func (e Eraser) Remove(ctx context.Context, kind contract.Aggregate, id string) error {
	return Erase(ctx, e, kind, id, func(json.RawMessage) json.RawMessage { return json.RawMessage("null") })
}

// Redact is Erase for an aggregate that may have no state: such a one leaves none.
func Redact[S any](ctx context.Context, e Eraser, kind contract.Aggregate, id string, redact func(S) S) error {
	now, err := At[S](e.Core, kind, id).Load(ctx)
	if err != nil {
		return err
	}
	if !now.Exists() {
		return e.Remove(ctx, kind, id)
	}
	return Erase(ctx, e, kind, id, redact)
}

// Record writes down that a service went through what it keeps of a person: how
// many of each kind it erased, and how many orders wait until they are shipped.
func (e Eraser) Record(ctx context.Context, person string, erased map[contract.Aggregate]int, waiting int) error {
	_, err := At[erasures.Erasure](e.Core, contract.ErasureAggregate, person).Step(ctx, e.Command, "passed", e.At,
		func(now Snapshot[erasures.Erasure]) (*Change[erasures.Erasure], error) {
			return &Change[erasures.Erasure]{Event: erasures.EventPassed, State: now.State.AddPass(erased, waiting, e.Command.Name, e.At)}, nil
		})
	return err
}
