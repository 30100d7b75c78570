package aggregate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
)

type counter struct{ N int }

func add(now aggregate.Snapshot[counter]) (*aggregate.Change[counter], error) {
	return &aggregate.Change[counter]{Event: "added", State: counter{now.State.N + 1}}, nil
}

// commandAbout gives a command whose request is about quote q.
func commandAbout(id string) contract.Command {
	return contract.Command{ID: id, Name: quotes.ChooseDelivery, Request: "req_" + id, Account: "acc", Data: json.RawMessage(`{"quote":"q"}`)}
}

func execute(t *testing.T, sim *simbus.Sim, id string, d aggregate.Decision[counter]) aggregate.Snapshot[counter] {
	t.Helper()
	s, err := aggregate.At[counter](sim, contract.QuoteAggregate, "q").Execute(t.Context(), commandAbout(id), sim.Now(), d)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestACommandCountsOnce(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	for range 3 {
		execute(t, sim, "a", add)
	}
	if s := execute(t, sim, "b", add); s.State.N != 2 || s.Version != 2 || !s.Did("a") || !s.Did("b") || s.Event.Operation != "req_b" {
		t.Errorf("after two commands: %+v, want 2, version 2, a and b done, the event of req_b", s)
	}
}

// Another command that wins the race makes a decision be made again, on what
// the winner left.
func TestDecidesAgainAfterAConflict(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	raced := false
	s := execute(t, sim, "slow", func(now aggregate.Snapshot[counter]) (*aggregate.Change[counter], error) {
		if !raced {
			raced = true
			execute(t, sim, "fast", add)
		}
		return add(now)
	})
	if s.State.N != 2 || s.Seq != 2 {
		t.Errorf("after a race: %+v, want 2 at sequence 2", s)
	}
}

func TestRemembersTheLastCommands(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	var s aggregate.Snapshot[counter]
	for i := range 100 {
		s = execute(t, sim, fmt.Sprint(i), add)
	}
	if s.State.N != 100 || !s.Did("99") || s.Did("0") {
		t.Errorf("after 100 commands: %+v, want 100, the last remembered, the first not", s)
	}
}

func TestCreateFindsItsOwn(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	for range 2 {
		if err := aggregate.At[counter](sim, contract.QuoteAggregate, "q").Create(t.Context(), commandAbout("c"), sim.Now(), aggregate.Change[counter]{Event: "made", State: counter{1}}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(sim.Events(contract.QuoteAggregate)); n != 1 {
		t.Errorf("%d events, want 1", n)
	}
}

// A request is about one aggregate: what another one would complete is a mistake
// of the program, found at once.
func TestOnlyItsOwnAggregateCompletesARequest(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	if _, err := aggregate.At[counter](sim, contract.QuoteAggregate, "other").Execute(t.Context(), commandAbout("a"), sim.Now(), add); err == nil {
		t.Error("a request about quote q was completed by another quote")
	}
	if n := len(sim.Events(contract.QuoteAggregate)); n != 0 {
		t.Errorf("%d events were stored, want none", n)
	}
}

// Of a grant and a refusal of one request that are under way at the same time,
// the one that is stored first is the outcome.
func TestOneOutcomeUnderConcurrentRedelivery(t *testing.T) {
	t.Parallel()
	no := contract.Refuse(contract.NotFound, "no")
	for name, tt := range map[string]struct{ grantFirst bool }{"grant first": {true}, "refusal first": {false}} {
		sim := simbus.New(1, simbus.Faults{})
		refuse := func() {
			if err := aggregate.Refuse(t.Context(), sim, commandAbout("c"), no, sim.Now()); err != nil {
				t.Fatal(err)
			}
		}
		raced := false
		_, err := aggregate.At[counter](sim, contract.QuoteAggregate, "q").Execute(t.Context(), commandAbout("c"), sim.Now(),
			func(now aggregate.Snapshot[counter]) (*aggregate.Change[counter], error) {
				if !raced && !tt.grantFirst { // between this delivery's load and its commit
					raced = true
					refuse()
				}
				return add(now)
			})
		if tt.grantFirst {
			refuse()
		}
		if wantErr := !tt.grantFirst; errors.Is(err, aggregate.ErrSettled) != wantErr {
			t.Errorf("%s: %v, want %v: %v", name, err, aggregate.ErrSettled, wantErr)
		}
		outcomes := 0
		for _, e := range append(sim.Events(contract.QuoteAggregate), sim.Events(contract.OperationAggregate)...) {
			if e.Operation == "req_c" {
				outcomes++
			}
		}
		if outcomes != 1 {
			t.Errorf("%s: %d outcomes, want 1", name, outcomes)
		}
	}
}

func TestOutcomesThatChangeNothing(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	execute(t, sim, "first", add)
	if err := aggregate.At[quotes.Quote](sim, contract.QuoteAggregate, "q").Complete(t.Context(), commandAbout("c"), sim.Now()); err != nil {
		t.Fatal(err)
	}
	if err := aggregate.Refuse(t.Context(), sim, commandAbout("c"), contract.Refuse(contract.NotFound, "no"), sim.Now()); err != nil {
		t.Fatal(err)
	}
	s, err := aggregate.At[counter](sim, contract.QuoteAggregate, "q").Load(t.Context())
	if err != nil || s.State.N != 1 || s.Version != 2 || s.Event.Name != contract.RequestCompleted || s.HasRefused("c") {
		t.Errorf("after a request that changed nothing: %+v, %v", s, err)
	}
}

// What exists only as a refusal does not exist.
func TestRefusedBeforeItExisted(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	if err := aggregate.Refuse(t.Context(), sim, commandAbout("c"), contract.Refuse(contract.NotFound, "no"), sim.Now()); err != nil {
		t.Fatal(err)
	}
	s, err := aggregate.At[counter](sim, contract.QuoteAggregate, "q").Load(t.Context())
	if err != nil || s.Exists() || !s.HasRefused("c") || s.Seq == 0 {
		t.Errorf("Load after a refusal alone = %+v, %v; want nothing that exists, command c refused, and its sequence", s, err)
	}
	made := aggregate.Change[counter]{Event: "made", State: counter{1}}
	if err := aggregate.At[counter](sim, contract.QuoteAggregate, "q").Create(t.Context(), commandAbout("c"), sim.Now(), made); !errors.Is(err, aggregate.ErrSettled) {
		t.Errorf("the refused command was carried out: %v", err)
	}
	again := commandAbout("replayed")
	again.Replay = true
	if err := aggregate.At[counter](sim, contract.QuoteAggregate, "q").Create(t.Context(), again, sim.Now(), made); err != nil {
		t.Fatal(err)
	}
	if s = execute(t, sim, "later", add); s.State.N != 2 || s.Version != 3 {
		t.Errorf("after a replay: %+v, want 2, version 3", s)
	}
}

// Two deliveries of one command that run at once and decide differently, as by
// the clock, both go on with what was committed.
func TestADeliveryFindsWhatAnotherCommitted(t *testing.T) {
	t.Parallel()
	decide := func(n int) aggregate.Decision[counter] {
		return func(aggregate.Snapshot[counter]) (*aggregate.Change[counter], error) {
			return &aggregate.Change[counter]{Event: "set", State: counter{n}}, nil
		}
	}
	sim := simbus.New(1, simbus.Faults{})
	raced := false
	s := execute(t, sim, "c", func(now aggregate.Snapshot[counter]) (*aggregate.Change[counter], error) {
		if !raced {
			raced = true
			execute(t, sim, "c", decide(1))
		}
		return decide(2)(now)
	})
	if s.State.N != 1 || len(sim.Events(contract.QuoteAggregate)) != 1 {
		t.Errorf("goes on with %d after %d events, want 1 after 1", s.State.N, len(sim.Events(contract.QuoteAggregate)))
	}
}
