package bus_test

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// A run whose end cannot be written down at once does not count as one that
// stopped its process: this process lives, and writes it down later.
func TestARunThatEndedWhileTheBrokerWasAwayIsNoDeath(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{})
	b := bustest.Connect(t, s)
	_, js := raw(t, s)
	stream, err := js.Stream(t.Context(), "KV_ATTEMPTS")
	if err != nil {
		t.Fatal(err)
	}
	roomy := stream.CachedInfo().Config
	full := roomy
	full.MaxMsgSize = 1
	for i, verdict := range []error{nil, errors.New("unreachable")} {
		id := strconv.Itoa(i)
		ran := make(chan error, 1)
		var once sync.Once // a run that comes later finds room
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() {
			served <- b.Serve(ctx, bus.Work{
				Service: "upload", Parallel: 1, Risky: []contract.CommandName{name}, Policy: flow.Policy{Failures: 3, Unfinished: 3, First: time.Millisecond, MaxDelay: time.Hour},
				Handlers: flow.Handlers{name: func(ctx context.Context, _ contract.Command) error {
					once.Do(func() {
						_, err := js.UpdateStream(ctx, full)
						ran <- err
					})
					return verdict
				}},
			})
		}()
		if err := b.Send(t.Context(), command(id)); err != nil {
			t.Fatal(err)
		}
		if err := <-ran; err != nil {
			t.Fatal(err)
		}
		if a, err := b.Attempts(t.Context(), id); err != nil || len(a.Unfinished) != 1 {
			t.Fatalf("before there is room: %+v, %v", a, err)
		}
		if _, err := js.UpdateStream(t.Context(), roomy); err != nil {
			t.Fatal(err)
		}
		bustest.WaitFor(t, "the end to be noted", func() bool {
			a, err := b.Attempts(t.Context(), id)
			return err == nil && len(a.Unfinished) == 0
		})
		stop()
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
	}
}

// Two replicas run the same command at once: what one writes down does not undo
// what the other did.
func TestAttemptsOfTwoReplicas(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t, topology.Config{})
	one, other := bustest.Connect(t, server), bustest.Connect(t, server)
	policy := flow.DefaultPolicy()
	begin := func(run string) func(flow.Attempts) (flow.Attempts, error) {
		return func(a flow.Attempts) (flow.Attempts, error) { return policy.Begin(a, run) }
	}
	end := func(run string) func(flow.Attempts) (flow.Attempts, error) {
		return func(a flow.Attempts) (flow.Attempts, error) {
			a, _ = policy.End(a, run, flow.Verdict{Kind: flow.Done})
			return a, nil
		}
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
			update(other, begin("other"))
		}
		return begin("one")(a)
	})
	if a, err := one.Attempts(t.Context(), "c"); err != nil || len(a.Unfinished) != 2 {
		t.Fatalf("two have begun: %+v, %v", a, err)
	}
	update(other, end("other"))
	update(one, end("one"))
	if a, err := one.Attempts(t.Context(), "c"); err != nil || !reflect.DeepEqual(a, flow.Attempts{}) {
		t.Errorf("both have ended: %+v, %v", a, err)
	}
}
