package bus_test

import (
	"testing"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/flow"
)

// Two replicas run the same command at once: what one writes down does not undo
// what the other did.
func TestAttemptsOfTwoReplicas(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t, topology.Config{})
	one, other := bustest.Connect(t, server), bustest.Connect(t, server)
	policy := flow.DefaultPolicy()
	begin := policy.Begin
	end := func(a flow.Attempts) (flow.Attempts, error) {
		a, _ = policy.End(a, true, flow.Verdict{Kind: flow.Done})
		return a, nil
	}
	update := func(b *bus.Bus, change func(flow.Attempts) (flow.Attempts, error)) {
		t.Helper()
		if _, err := b.UpdateAttempts(t.Context(), "c", change); err != nil {
			t.Fatal(err)
		}
	}
	raced := false
	update(one, func(a flow.Attempts) (flow.Attempts, error) { // the other begins meanwhile
		if !raced {
			raced = true
			update(other, begin)
		}
		return begin(a)
	})
	if a, err := one.Attempts(t.Context(), "c"); err != nil || a.Unfinished != 2 {
		t.Fatalf("two have begun: %+v, %v", a, err)
	}
	update(other, end)
	update(one, end)
	if a, err := one.Attempts(t.Context(), "c"); err != nil || a != (flow.Attempts{}) {
		t.Errorf("both have ended: %+v, %v", a, err)
	}
}
