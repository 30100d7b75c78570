package bus_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// A stream without room is no fault of the commands that write to it: they wait,
// however often they have to try, and go on once there is room.
func TestAFullStreamMakesNoDeadLetter(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{})
	b := bustest.Connect(t, s)
	_, js := raw(t, s)
	stream, err := js.Stream(t.Context(), contract.EventStream(contract.UploadAggregate))
	if err != nil {
		t.Fatal(err)
	}
	roomy := stream.CachedInfo().Config
	full := roomy
	full.MaxBytes = 1
	if _, err := js.UpdateStream(t.Context(), full); err != nil {
		t.Fatal(err)
	}
	var runs atomic.Int64
	done := make(chan struct{})
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{
			Service: "upload", Parallel: 1, Policy: flow.Policy{Failures: 3, Unfinished: 3, First: time.Millisecond, MaxDelay: 10 * time.Millisecond},
			Handlers: flow.Handlers{name: func(ctx context.Context, _ contract.Command) error {
				runs.Add(1)
				_, err := b.Append(ctx, event("full", 1), 0)
				if err == nil {
					close(done)
				}
				return err
			}},
		})
	})
	if err := b.Send(t.Context(), command("waits")); err != nil {
		t.Fatal(err)
	}
	bustest.WaitFor(t, "more runs than a command may fail", func() bool { return runs.Load() > 5 })
	if n := letters(t, b); n != 0 {
		t.Fatalf("%d dead letters, want none", n)
	}
	if _, err := js.UpdateStream(t.Context(), roomy); err != nil {
		t.Fatal(err)
	}
	<-done
}

// Without a majority of the broker's nodes neither a load nor a commit says anything
// about the aggregate; a caller that has no time left says nothing about the broker.
func TestWithoutAMajorityTheBrokerIsAway(t *testing.T) {
	t.Parallel()
	servers := bustest.Cluster(t, topology.Config{})
	b := bustest.Connect(t, servers[0])
	if _, err := b.Append(t.Context(), event("kept", 1), 0); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Last(ended, contract.UploadAggregate, "kept"); err == nil || errors.Is(err, flow.ErrUnavailable) {
		t.Errorf("a load whose caller has gone = %v", err)
	}
	for _, s := range servers[1:] {
		s.Shutdown()
	}
	bustest.WaitFor(t, "the leader to notice", func() bool {
		_, err := b.Append(t.Context(), event("lost", 1), 0)
		return errors.Is(err, flow.ErrUnavailable)
	})
}
