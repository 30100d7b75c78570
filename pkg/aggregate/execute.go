package aggregate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
)

// A Change is what a decision brings about: one event and the state after it.
type Change[S any] struct {
	Event contract.EventName
	State S
	// Forget leaves nothing of the state before, not even what this program does
	// not know.
	Forget bool
	// Requests, of an erasure, are those whose outcomes go with the events before.
	Requests []string
}

// A Decision looks at an aggregate and says what changes: nil for nothing, a
// *contract.Refusal for "no". It is pure; it may be called more than once.
type Decision[S any] func(now Snapshot[S]) (*Change[S], error)

const (
	// conflicts bounds how often one command decides again. Each conflict means
	// that another command won, so the system as a whole goes on.
	conflicts = 30
	// remembered is how many commands an aggregate remembers. A command is
	// redelivered within minutes; an aggregate sees few commands in that time.
	remembered = 24
)

// Execute carries out one command on one aggregate and gives its state after
// it. A command that was carried out before changes nothing; one that was
// refused gives ErrSettled. The event completes the command's request, if it has
// one: the aggregate is the one that registry.AggregateOf names.
func (r Ref[S]) Execute(ctx context.Context, c contract.Command, at time.Time, decide Decision[S]) (Snapshot[S], error) {
	if err := r.mustBeAbout(c); err != nil {
		return Snapshot[S]{}, err
	}
	return r.commit(ctx, c, at, decide)
}

// mustBeAbout holds that grants and refusals of a request meet on one subject.
func (r Ref[S]) mustBeAbout(c contract.Command) error {
	if c.Completes() == "" || r.kind == contract.OperationAggregate {
		return nil
	}
	if of, about, ok := registry.AggregateOf(c); !ok || of != r.kind || about != r.id {
		return fmt.Errorf("request %s of %s is about %s %s, so %s %s cannot complete it", c.Request, c.Name, of, about, r.kind, r.id)
	}
	return nil
}

// Step is Execute for an event that is only a step: the request goes on.
func (r Ref[S]) Step(ctx context.Context, c contract.Command, step string, at time.Time, decide Decision[S]) (Snapshot[S], error) {
	c.ID, c.Request = contract.DeriveID(c.ID, step), ""
	return r.commit(ctx, c, at, decide)
}

func (r Ref[S]) commit(ctx context.Context, c contract.Command, at time.Time, decide Decision[S]) (Snapshot[S], error) {
	for range conflicts {
		now, err := r.Load(ctx)
		switch {
		case err != nil:
			return now, err
		case now.HasRefused(c.ID):
			return now, ErrSettled
		case now.Did(c.ID):
			return now, nil
		}
		change, err := decide(now)
		if err != nil || change == nil {
			return now, err
		}
		next, err := r.apply(ctx, c, at, now, *change)
		if !errors.Is(err, ErrConflict) {
			return next, err
		}
	}
	return Snapshot[S]{}, fmt.Errorf("execute %s on %s %s: %w %d times", c.Name, r.kind, r.id, ErrConflict, conflicts)
}

func (r Ref[S]) apply(ctx context.Context, c contract.Command, at time.Time, now Snapshot[S], change Change[S]) (Snapshot[S], error) {
	next := body{Applied: remember(now.body.Applied, c.ID), Refused: now.body.Refused, Erased: change.Requests}
	var err error
	if next.State, err = encodeState(change, now); err != nil {
		return now, fmt.Errorf("encode %s %s: %w", r.kind, r.id, err)
	}
	e := r.event(c, change.Event, now, at)
	e.Operation, e.Labels = c.Completes(), registry.LabelsOf(c).Union(labelsOf(change.State))
	if err := store(ctx, r.log, &e, next, now.Seq); err != nil {
		return now, fmt.Errorf("commit %s of %s %s: %w", change.Event, r.kind, r.id, err)
	}
	return Snapshot[S]{State: change.State, Seq: e.Seq, Version: e.Version, Event: e, body: next}, nil
}

// event is the next one of an aggregate, less its body.
func (r Ref[S]) event(c contract.Command, name contract.EventName, now Snapshot[S], at time.Time) contract.Event {
	return contract.Event{
		ID:        contract.DeriveID(c.ID, string(r.kind), r.id, string(name)),
		Aggregate: r.kind, AggregateID: r.id, Name: name, Format: max(contract.FormatOf(r.kind), now.Event.Format), Version: now.Version + 1,
		Account: c.Account, Cause: c.ID, Correlation: c.Correlation, At: at,
	}
}

func store(ctx context.Context, log Log, e *contract.Event, b body, after uint64) (err error) {
	if e.Data, err = encodeBody(b); err != nil {
		return err
	}
	e.Seq, err = log.Append(ctx, *e, after)
	return err
}

// remember adds a command to those that an aggregate knows.
func remember(applied []string, id string) []string {
	applied = append(slices.Clone(applied), id)
	return applied[max(len(applied)-remembered, 0):]
}

// labelsOf says whose data a state holds.
func labelsOf(state any) contract.Labels {
	if s, ok := state.(interface{ Labels() contract.Labels }); ok {
		return s.Labels()
	}
	return nil
}

// encodeState gives a state's JSON with the fields of the state before that
// this program does not know.
func encodeState[S any](change Change[S], now Snapshot[S]) (json.RawMessage, error) {
	data, err := json.Marshal(change.State)
	if err != nil || !now.Exists() || change.Forget {
		return data, err
	}
	known, err := json.Marshal(now.State)
	if err != nil {
		return nil, err
	}
	return preserve(now.body.State, known, data)
}

func encodeBody(b body) ([]byte, error) {
	state := b.State
	if state == nil {
		state = json.RawMessage("null")
	}
	b.State = nil
	rest, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	// The state is put in place of its own null, not read once more.
	out := append(make([]byte, 0, len(state)+len(rest)), `{"state":`...)
	return append(append(out, state...), rest[len(`{"state":null`):]...), nil
}

// Create is Execute for an aggregate that the command makes and whose id
// follows from the request: it is committed without a look, and found if it is
// there.
func (r Ref[S]) Create(ctx context.Context, c contract.Command, at time.Time, change Change[S]) error {
	err := r.mustBeAbout(c)
	if err != nil {
		return err
	}
	_, err = r.apply(ctx, c, at, Snapshot[S]{}, change)
	if !errors.Is(err, ErrConflict) {
		return err
	}
	_, err = r.Execute(ctx, c, at, func(now Snapshot[S]) (*Change[S], error) {
		if now.Exists() || !c.Replay {
			return nil, nil
		}
		return &change, nil // an operator wants after all what was refused
	})
	return err
}
