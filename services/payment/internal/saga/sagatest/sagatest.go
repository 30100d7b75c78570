// Package sagatest is what tests of single steps of a payment are written with.
package sagatest

import (
	"context"
	"strconv"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
)

// Events is an event system in memory that delivers nothing: it keeps what was sent.
type Events struct {
	*simbus.Sim
	Sent   []contract.Command
	Timers []contract.Timer

	puts int // states that tests committed
}

// NewEvents makes an event system that holds nothing.
func NewEvents() *Events { return &Events{Sim: simbus.New(1, simbus.Faults{})} }

// Send keeps a command.
func (e *Events) Send(_ context.Context, c contract.Command) error {
	e.Sent = append(e.Sent, c)
	return nil
}

// Schedule keeps a timer.
func (e *Events) Schedule(_ context.Context, t contract.Timer) error {
	e.Timers = append(e.Timers, t)
	return nil
}

// Put commits a state as the event of a command of that name.
func Put[S any](t testing.TB, e *Events, kind contract.Aggregate, id string, by contract.CommandName, account string, at time.Time, state S) {
	t.Helper()
	e.puts++
	c := contract.Command{ID: "put-" + strconv.Itoa(e.puts), Name: by, Request: "req", Account: account}
	_, err := aggregate.At[S](e, kind, id).Step(t.Context(), c, "put", at, func(aggregate.Snapshot[S]) (*aggregate.Change[S], error) {
		return &aggregate.Change[S]{Event: "put", State: state}, nil
	})
	if err != nil {
		t.Fatalf("put %s %s: %v", kind, id, err)
	}
}
