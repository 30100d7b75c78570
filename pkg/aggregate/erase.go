package aggregate

import (
	"context"
	"encoding/json"
	"time"

	"boardorder/pkg/contract"
)

// FindMarked finds the aggregates that have an event with one of the marks.
func FindMarked(ctx context.Context, h History, a contract.Aggregate, marks contract.Marks) ([]string, error) {
	return h.Find(ctx, a, func(e contract.Event) bool { return e.Marks.HasAny(marks) })
}

// Erase removes from an aggregate what has one of the marks: it appends the state
// that redact makes, unless the last event has no such mark, and then removes the
// events before. Done again it goes on where it ended.
func Erase[S any](ctx context.Context, core Core, a contract.Aggregate, id string, c contract.Command, marks contract.Marks, at time.Time, redact func(S) S) error {
	requests, err := core.RequestsOf(ctx, a, id)
	if err != nil {
		return err
	}
	_, err = Step(ctx, core, a, id, c, "erase "+id, at, func(now Snapshot[S]) (*Change[S], error) {
		if !now.Event.Marks.HasAny(marks) {
			return nil, nil
		}
		return &Change[S]{Event: contract.Erased, State: redact(now.State), Forget: true, Requests: requests}, nil
	})
	if err != nil {
		return err
	}
	return core.PurgeHistory(ctx, a, id)
}

// Remove is Erase that leaves no state: the aggregate is as if it had never been.
func Remove(ctx context.Context, core Core, a contract.Aggregate, id string, c contract.Command, marks contract.Marks, at time.Time) error {
	return Erase(ctx, core, a, id, c, marks, at, func(json.RawMessage) json.RawMessage { return json.RawMessage("null") })
}

// Redact is Erase for an aggregate that may have no state: such a one leaves none.
func Redact[S any](ctx context.Context, core Core, a contract.Aggregate, id string, c contract.Command, marks contract.Marks, at time.Time, redact func(S) S) error {
	now, err := Load[S](ctx, core, a, id)
	if err != nil {
		return err
	}
	if !now.Exists() {
		return Remove(ctx, core, a, id, c, marks, at)
	}
	return Erase(ctx, core, a, id, c, marks, at, redact)
}

// RecordErasure records that a service went through what it keeps of a person:
// how many of each kind it erased, and how many orders wait until they are shipped.
func RecordErasure(ctx context.Context, log Log, c contract.Command, person string, erased map[contract.Aggregate]int, waiting int, at time.Time) error {
	_, err := Step(ctx, log, contract.ErasureAggregate, person, c, "passed", at,
		func(now Snapshot[contract.Erasure]) (*Change[contract.Erasure], error) {
			return &Change[contract.Erasure]{Event: contract.ErasurePassed, State: now.State.AddPass(erased, waiting, c.Name, at)}, nil
		})
	return err
}
