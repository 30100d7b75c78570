// Package aggregate commits decisions: load the last state of one aggregate
// from its stream, decide, append the event with the expected last sequence.
// The append is the commit; on a conflict it loads and decides again.
//
// A request has one outcome: the event that completes it, or the refusal, is
// appended to the one subject of the aggregate that the request is about, so of
// two deliveries that run at once only one commits and the other finds it.
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

	"boardorder/pkg/contract"
)

// ErrNone says that an aggregate has no event yet.
var ErrNone = errors.New("no such aggregate")

// ErrTooLarge says that an event or a command is more than one message of the event
// system can hold. It never will fit.
var ErrTooLarge = errors.New("more than one message can hold")

// ErrConflict says that an aggregate moved on since it was loaded.
var ErrConflict = errors.New("aggregate moved on")

// ErrSettled says that the command was refused before: its request has its
// outcome and nothing else may follow from it.
var ErrSettled = errors.New("the command was refused before")

// A Log keeps events.
type Log interface {
	// Last gives the last event of an aggregate, or ErrNone. It sees every append
	// that was acknowledged before it was called.
	Last(ctx context.Context, a contract.Aggregate, id string) (contract.Event, error)
	// Append stores e if the aggregate's last event is at sequence after (0 = it
	// has none), and gives its sequence. Otherwise ErrConflict. Appending an event
	// that is already the last one, by its id and its data, succeeds.
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

// A History is what is stored beyond the last events.
type History interface {
	// Find gives the ids of the aggregates that have an event like this, whatever
	// came after it. is sees events without their data.
	Find(ctx context.Context, a contract.Aggregate, is func(contract.Event) bool) ([]string, error)
	// Completed gives the requests that an aggregate's events complete.
	RequestsOf(ctx context.Context, a contract.Aggregate, id string) ([]string, error)
	// PurgeHistory removes all events of an aggregate but the last.
	PurgeHistory(ctx context.Context, a contract.Aggregate, id string) error
	// DropLabelled removes what clients asked for and what became a dead letter, where
	// it has one of the labels, and gives how many of each stream.
	DropLabelled(ctx context.Context, labels contract.Labels) (map[string]int, error)
}

// DuplicateIndex finds aggregates of the same files without reading a stream.
type DuplicateIndex interface {
	// NoteDuplicate enters an aggregate under what its files hold. Again it changes nothing.
	NoteDuplicate(ctx context.Context, a contract.Aggregate, key, id string) error
	// Duplicates gives the ids that are entered under one of the keys. It sees each entry
	// that was acknowledged before. whole is false while there may be older aggregates
	// that were not entered.
	Duplicates(ctx context.Context, a contract.Aggregate, keys ...string) (ids []string, whole bool, err error)
	// ForgetDuplicate removes an entry and leaves nothing of it.
	ForgetDuplicate(ctx context.Context, a contract.Aggregate, key, id string) error
}

// Core is all that a handler may do to the event system.
type Core interface {
	Log
	Sender
	Timers
	History
	DuplicateIndex
}

// Snapshot is an aggregate at one moment.
type Snapshot[S any] struct {
	State   S
	Seq     uint64         // of the last event, for the guard of the next; 0: there is none
	Version uint64         // how many events there were
	Event   contract.Event // the last one

	body body
}

// body is a contract.Body whose state is not decoded.
type body = contract.Body[json.RawMessage]

// Exists reports whether the aggregate has a state. One that was only ever
// asked for in vain has events but none.
func (s Snapshot[S]) Exists() bool { return hasState(s.body.State) }

func hasState(state json.RawMessage) bool { return len(state) > 0 && string(state) != "null" }

// Did reports whether the command was already carried out on this aggregate, or
// refused.
func (s Snapshot[S]) Did(command string) bool { return slices.Contains(s.body.Applied, command) }

// HasRefused reports whether the command was refused.
func (s Snapshot[S]) HasRefused(command string) bool { return slices.Contains(s.body.Refused, command) }

// A Ref names one aggregate, whose states are S.
type Ref[S any] struct {
	log  Log
	kind contract.Aggregate
	id   string
}

// At gives the aggregate of a kind with an id. It reads nothing yet.
func At[S any](log Log, kind contract.Aggregate, id string) Ref[S] { return Ref[S]{log, kind, id} }

// Load reads an aggregate as it was committed; one that does not exist is an
// empty snapshot.
func (r Ref[S]) Load(ctx context.Context) (Snapshot[S], error) {
	e, err := r.log.Last(ctx, r.kind, r.id)
	if errors.Is(err, ErrNone) {
		return Snapshot[S]{}, nil
	}
	if err != nil {
		return Snapshot[S]{}, fmt.Errorf("load %s %s: %w", r.kind, r.id, err)
	}
	return Decode[S](e)
}

// Decode reads the state that an event holds, of whatever format.
func Decode[S any](e contract.Event) (Snapshot[S], error) {
	s := Snapshot[S]{Seq: e.Seq, Version: e.Version, Event: e}
	if err := json.Unmarshal(e.Data, &s.body); err != nil {
		return Snapshot[S]{}, fmt.Errorf("decode %s %s version %d: %w", e.Aggregate, e.AggregateID, e.Version, err)
	}
	if !hasState(s.body.State) {
		return s, nil
	}
	state, err := contract.Upgrade(e.Aggregate, e.Format, s.body.State)
	if err == nil {
		err = json.Unmarshal(state, &s.State)
	}
	if err != nil {
		return Snapshot[S]{}, fmt.Errorf("decode state of %s %s version %d: %w", e.Aggregate, e.AggregateID, e.Version, err)
	}
	s.body.State = state
	return s, nil
}
