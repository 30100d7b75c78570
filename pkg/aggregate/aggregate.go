// Package aggregate commits decisions: load the last state of one aggregate
// from its stream, decide, append the event with the expected last sequence.
// The append is the commit; on a conflict it loads and decides again.
//
// It knows no broker. Log, Sender and Timers are what it and the services'
// handlers need of one; package bus implements them over JetStream, package
// simbus in memory with every fault a broker can have.
package aggregate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/contract"
)

// ErrNone says that an aggregate has no event yet.
var ErrNone = errors.New("no such aggregate")

// ErrConflict says that an aggregate moved on since it was loaded.
var ErrConflict = errors.New("aggregate moved on")

// A Log keeps events.
type Log interface {
	// Last gives the last event of an aggregate, or ErrNone.
	Last(ctx context.Context, a contract.Aggregate, id string) (contract.Event, error)
	// Append stores e if the aggregate's last event is at sequence after (0 = it
	// has none), and gives its sequence. Otherwise ErrConflict. Appending an event
	// that is already the last one, by its id, succeeds.
	Append(ctx context.Context, e contract.Event, after uint64) (uint64, error)
}

// A Sender sends commands. Sending the same id twice within ten minutes is
// usually, not always, one delivery.
type Sender interface {
	Send(ctx context.Context, c contract.Command) error
}

// Timers send commands later: not before half a second of Due, at least once.
// Setting a timer again replaces it.
type Timers interface {
	Schedule(ctx context.Context, t contract.Timer) error
}

// Core is all that a handler may do to the event system.
type Core interface {
	Log
	Sender
	Timers
}

// Snapshot is an aggregate at one moment.
type Snapshot[S any] struct {
	State   S
	Seq     uint64 // 0: it does not exist yet
	Applied []string
	Event   contract.Event // the last one
}

// Exists tells whether the aggregate has any event.
func (s Snapshot[S]) Exists() bool { return s.Seq > 0 }

// Did tells whether the command was already carried out on this aggregate.
func (s Snapshot[S]) Did(command string) bool { return slices.Contains(s.Applied, command) }

// Load reads an aggregate; one that does not exist is an empty snapshot.
func Load[S any](ctx context.Context, log Log, a contract.Aggregate, id string) (Snapshot[S], error) {
	e, err := log.Last(ctx, a, id)
	if errors.Is(err, ErrNone) {
		return Snapshot[S]{}, nil
	}
	if err != nil {
		return Snapshot[S]{}, fmt.Errorf("load %s %s: %w", a, id, err)
	}
	var body contract.Body[S]
	if err := json.Unmarshal(e.Data, &body); err != nil {
		return Snapshot[S]{}, fmt.Errorf("decode %s %s at %d: %w", a, id, e.Seq, err)
	}
	return Snapshot[S]{State: body.State, Seq: e.Seq, Applied: body.Applied, Event: e}, nil
}

// A Change is what a decision brings about: one event and the state after it.
type Change[S any] struct {
	Event contract.EventName
	State S
}

// A Decision looks at an aggregate and says what changes: nil for nothing, a
// *contract.Refusal for "no". It is pure; it may be asked more than once.
type Decision[S any] func(now Snapshot[S]) (*Change[S], error)

const (
	// conflicts bounds how often one command decides again. Each conflict means
	// that another command won, so the system as a whole goes on.
	conflicts = 30
	// remembered is how many commands an aggregate remembers. A command is
	// redelivered within minutes; an aggregate sees few commands in that time.
	remembered = 24
)

// Execute carries out one command on one aggregate and gives its state after it.
// A command that was carried out before changes nothing. The event completes
// the command's request, if it has one.
func Execute[S any](ctx context.Context, log Log, a contract.Aggregate, id string, c contract.Command, at time.Time, decide Decision[S]) (Snapshot[S], error) {
	return commit(ctx, log, a, id, c, c.Request, at, decide)
}

// Step is Execute for an event that is only a step: the request goes on.
func Step[S any](ctx context.Context, log Log, a contract.Aggregate, id string, c contract.Command, step string, at time.Time, decide Decision[S]) (Snapshot[S], error) {
	c.ID = contract.DeriveID(c.ID, step)
	return commit(ctx, log, a, id, c, "", at, decide)
}

// Outcome tells whether a request's outcome is on record.
type Outcome struct{ Known bool }

type outcomeKey struct{}

// Watch gives a context in which commits tell whether they, or an earlier
// delivery, completed the request: whoever gives up later must not answer it twice.
func Watch(ctx context.Context) (context.Context, *Outcome) {
	o := &Outcome{}
	return context.WithValue(ctx, outcomeKey{}, o), o
}

func completed(ctx context.Context, request string) {
	if o, ok := ctx.Value(outcomeKey{}).(*Outcome); ok && request != "" {
		o.Known = true
	}
}

func commit[S any](ctx context.Context, log Log, a contract.Aggregate, id string, c contract.Command, completes string, at time.Time, decide Decision[S]) (Snapshot[S], error) {
	for range conflicts {
		now, err := Load[S](ctx, log, a, id)
		if err == nil && now.Did(c.ID) {
			completed(ctx, completes)
		}
		if err != nil || now.Did(c.ID) {
			return now, err
		}
		change, err := decide(now)
		if err != nil || change == nil {
			return now, err
		}
		next, err := apply(ctx, log, a, id, c, completes, at, now, *change)
		if !errors.Is(err, ErrConflict) {
			return next, err
		}
	}
	return Snapshot[S]{}, fmt.Errorf("decide %s on %s %s: %w %d times", c.Name, a, id, ErrConflict, conflicts)
}

func apply[S any](ctx context.Context, log Log, a contract.Aggregate, id string, c contract.Command, completes string, at time.Time, now Snapshot[S], change Change[S]) (Snapshot[S], error) {
	applied := append(slices.Clone(now.Applied), c.ID)
	if extra := len(applied) - remembered; extra > 0 {
		applied = applied[extra:]
	}
	data, err := encode(change.State, applied)
	if err != nil {
		return now, fmt.Errorf("encode %s %s: %w", a, id, err)
	}
	e := contract.Event{
		ID:        contract.DeriveID(c.ID, string(a), id, string(change.Event)),
		Aggregate: a, AggregateID: id, Name: change.Event, Operation: completes,
		Account: c.Account, Cause: c.ID, Correlation: c.Correlation, At: at, Data: data,
	}
	seq, err := log.Append(ctx, e, now.Seq)
	if err != nil {
		return now, fmt.Errorf("commit %s of %s %s: %w", change.Event, a, id, err)
	}
	completed(ctx, completes)
	e.Seq = seq
	return Snapshot[S]{State: change.State, Seq: seq, Applied: applied, Event: e}, nil
}

// encode gives the JSON of a contract.Body. A state that writes itself need not
// be read again by the encoder, as the text of a json.Marshaler is.
func encode[S any](state S, applied []string) ([]byte, error) {
	own, ok := any(state).(interface {
		AppendJSON(b []byte) ([]byte, error)
	})
	if !ok {
		return json.Marshal(contract.Body[S]{State: state, Applied: applied})
	}
	ids, err := json.Marshal(applied)
	if err != nil {
		return nil, err
	}
	data, err := own.AppendJSON(append(make([]byte, 0, 8<<10), `{"state":`...))
	if err != nil {
		return nil, err
	}
	return append(append(append(data, `,"applied":`...), ids...), '}'), nil
}

// Create is Execute for an aggregate that the command makes and whose id is the
// command's own: it is committed without looking first, and found if it is there.
func Create[S any](ctx context.Context, log Log, a contract.Aggregate, id string, c contract.Command, at time.Time, change Change[S]) error {
	_, err := apply(ctx, log, a, id, c, c.Request, at, Snapshot[S]{}, change)
	if errors.Is(err, ErrConflict) {
		completed(ctx, c.Request)
		return nil
	}
	return err
}

// Refuse records a refusal as the outcome of the command's request. A command
// that answers no request needs no record.
func Refuse(ctx context.Context, log Log, c contract.Command, r *contract.Refusal, at time.Time) error {
	return outcome(ctx, log, c, at, contract.OperationRefused, contract.Operation{Refusal: r})
}

// Complete records that a command's request ended with the present state of an
// aggregate that it did not have to change.
func Complete(ctx context.Context, log Log, c contract.Command, a contract.Aggregate, id string, at time.Time) error {
	return outcome(ctx, log, c, at, contract.OperationCompleted, contract.Operation{Aggregate: a, ID: id})
}

func outcome(ctx context.Context, log Log, c contract.Command, at time.Time, name contract.EventName, op contract.Operation) error {
	if c.Request == "" {
		return nil
	}
	op.Request, op.Account, op.At = c.Request, c.Account, at
	_, err := Execute(ctx, log, contract.OperationAggregate, c.Request, c, at,
		func(now Snapshot[contract.Operation]) (*Change[contract.Operation], error) {
			if now.Exists() { // one request, one outcome
				return nil, nil
			}
			return &Change[contract.Operation]{Event: name, State: op}, nil
		})
	return err
}
