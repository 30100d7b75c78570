package aggregate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
)

// Refuse records a refusal as the outcome of the command's request: on the
// aggregate that it is about, whose state stays as it is, or as an operation of
// its own. A request that has its outcome keeps it. A command that answers no
// request needs no record.
func Refuse(ctx context.Context, log Log, c contract.Command, r *contract.Refusal, at time.Time) error {
	if c.Completes() == "" {
		return nil
	}
	if a, id, ok := registry.AggregateOf(c); ok {
		return At[json.RawMessage](log, a, id).settle(ctx, c, contract.RequestRefused, r, at)
	}
	return operation(ctx, log, c, at, contract.OperationRefused, contract.Operation{Refusal: r})
}

// settle appends an outcome that leaves the aggregate's state as it is.
func (r Ref[S]) settle(ctx context.Context, c contract.Command, name contract.EventName, refusal *contract.Refusal, at time.Time) error {
	for range conflicts {
		now, err := r.Load(ctx)
		if err != nil || now.Did(c.ID) {
			return err
		}
		e := r.event(c, name, now, at)
		e.Operation, e.Labels = c.Completes(), now.Event.Labels.Union(registry.LabelsOf(c))
		b := now.body
		b.Applied, b.Refusal = remember(b.Applied, c.ID), refusal
		if refusal != nil {
			b.Refused = remember(b.Refused, c.ID)
		}
		err = store(ctx, r.log, &e, b, now.Seq)
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("settle %s on %s %s: %w %d times", c.Name, r.kind, r.id, ErrConflict, conflicts)
}

// Complete records that a command's request ended with the present state of an
// aggregate that it did not have to change.
func (r Ref[S]) Complete(ctx context.Context, c contract.Command, at time.Time) error {
	if c.Completes() == "" {
		return nil
	}
	if of, about, ok := registry.AggregateOf(c); ok && of == r.kind && about == r.id {
		return r.settle(ctx, c, contract.RequestCompleted, nil, at)
	}
	return operation(ctx, r.log, c, at, contract.OperationCompleted, contract.Operation{Aggregate: r.kind, ID: r.id})
}

func operation(ctx context.Context, log Log, c contract.Command, at time.Time, name contract.EventName, op contract.Operation) error {
	request := c.Completes()
	if request == "" {
		return nil
	}
	op.Request, op.Account, op.At = request, c.Account, at
	_, err := At[contract.Operation](log, contract.OperationAggregate, request).Execute(ctx, c, at,
		func(now Snapshot[contract.Operation]) (*Change[contract.Operation], error) {
			if now.Exists() { // one request, one outcome
				return nil, nil
			}
			return &Change[contract.Operation]{Event: name, State: op}, nil
		})
	return err
}
