package aggregate_test

import (
	"fmt"
	"testing"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
)

type counter struct{ N int }

func add(now aggregate.Snapshot[counter]) (*aggregate.Change[counter], error) {
	return &aggregate.Change[counter]{Event: "added", State: counter{now.State.N + 1}}, nil
}

func decide(t *testing.T, sim *simbus.Sim, id string, d aggregate.Decision[counter]) aggregate.Snapshot[counter] {
	t.Helper()
	s, err := aggregate.Execute(t.Context(), sim, contract.QuoteAggregate, "q", contract.Command{ID: id, Request: "req_" + id}, sim.Now(), d)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestACommandCountsOnce(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	for range 3 {
		decide(t, sim, "a", add)
	}
	if s := decide(t, sim, "b", add); s.State.N != 2 || !s.Did("a") || !s.Did("b") || s.Event.Operation != "req_b" {
		t.Errorf("after two commands: %+v", s)
	}
}

// Another command that wins the race makes a decision be made again, on what
// the winner left.
func TestDecidesAgainAfterAConflict(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	raced := false
	s := decide(t, sim, "slow", func(now aggregate.Snapshot[counter]) (*aggregate.Change[counter], error) {
		if !raced {
			raced = true
			decide(t, sim, "fast", add)
		}
		return add(now)
	})
	if s.State.N != 2 || s.Seq != 2 {
		t.Errorf("after a race: %+v", s)
	}
}

func TestRemembersTheLastCommands(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	var s aggregate.Snapshot[counter]
	for i := range 100 {
		s = decide(t, sim, fmt.Sprint(i), add)
	}
	if s.State.N != 100 || !s.Did("99") || s.Did("0") || len(s.Applied) > 50 {
		t.Errorf("remembers %d commands", len(s.Applied))
	}
}

func TestCreateFindsItsOwn(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	for range 2 {
		c := contract.Command{ID: "c", Request: "req_c"}
		if err := aggregate.Create(t.Context(), sim, contract.QuoteAggregate, "q", c, sim.Now(), aggregate.Change[counter]{Event: "made", State: counter{1}}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(sim.Events(contract.QuoteAggregate)); n != 1 {
		t.Errorf("%d events, want 1", n)
	}
}

func TestCompleteAndRefuseAreOneOutcome(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	c := contract.Command{ID: "c", Request: "req_c", Account: "acc"}
	if err := aggregate.Complete(t.Context(), sim, c, contract.QuoteAggregate, "q", sim.Now()); err != nil {
		t.Fatal(err)
	}
	if err := aggregate.Refuse(t.Context(), sim, c, contract.Refuse(contract.NotFound, "no"), sim.Now()); err != nil {
		t.Fatal(err)
	}
	op, err := aggregate.Load[contract.Operation](t.Context(), sim, contract.OperationAggregate, "req_c")
	if err != nil || op.State.Refusal != nil || op.State.ID != "q" || op.State.Account != "acc" {
		t.Errorf("operation %+v, %v", op.State, err)
	}
}
