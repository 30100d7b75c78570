package bus_test

import (
	"context"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// patient is a broker that never gives up on a process: what is begun anew was
// handed back.
var patient = topology.Config{AckWait: 24 * time.Hour}

// work is a risky command that does not end by itself, taken by b until stop.
// begun gets a signal for each run.
func work(t *testing.T, b *bus.Bus, begun chan<- struct{}) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() {
		ended <- b.Serve(ctx, bus.Work{Service: "upload", Parallel: 1, Risky: []contract.CommandName{name}, Stop: 100 * time.Millisecond,
			Handlers: flow.Handlers{name: func(ctx context.Context, _ contract.Command) error {
				begun <- struct{}{}
				<-ctx.Done()
				return contract.Refuse(contract.DesignFiles, "cut short, so this is no decision: %v", ctx.Err())
			}}})
	}()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("end: %v", err)
		}
	}
}

func wantNoAttempts(t *testing.T, b *bus.Bus, id string) {
	t.Helper()
	if a, err := b.Attempts(t.Context(), id); err != nil || len(a.Unfinished)+a.Failed > 0 {
		t.Errorf("attempts %+v, %v; want none used up", a, err)
	}
}

// A process that is asked to stop hands the work that it has begun to another
// one at once, and no attempt is used up.
func TestStoppingHandsWorkOn(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, patient)
	first, second := bustest.Connect(t, s), bustest.Connect(t, s)
	begun := make(chan struct{}, 2)
	stop := work(t, first, begun)
	if err := second.Send(t.Context(), command("long")); err != nil {
		t.Fatal(err)
	}
	<-begun
	stop()
	wantNoAttempts(t, second, "long")
	defer work(t, second, begun)()
	<-begun
}

// That work was handed back outlives the broker, too: all stop together on one
// machine, and begin together.
func TestHandedBackOutlivesTheBroker(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func() (*server.Server, *bus.Bus) {
		s, err := embedded.Start(embedded.Config{Dir: dir, Port: -1})
		if err != nil {
			t.Fatal(err)
		}
		if err := topology.Ensure(t.Context(), bus.Config{InProcess: s, Log: zap.NewNop()}, patient); err != nil {
			t.Fatal(err)
		}
		return s, bustest.Connect(t, s)
	}
	s, b := open()
	begun := make(chan struct{}, 2)
	stop := work(t, b, begun)
	if err := b.Send(t.Context(), command("long")); err != nil {
		t.Fatal(err)
	}
	<-begun
	stop()
	b.Close()
	s.Shutdown()
	s.WaitForShutdown()
	s, b = open()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	defer work(t, b, begun)()
	<-begun
}

// An outage is logged when it begins and when it is over.
func TestOutageIsLoggedOnce(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{})
	core, logs := observer.New(zap.InfoLevel)
	b, err := bus.Connect(t.Context(), bus.Config{InProcess: s, Name: "test", Log: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	t.Cleanup(func() {
		if t.Failed() {
			for _, e := range logs.All() {
				t.Logf("logged at %s: %s %v", e.Time.Format(time.TimeOnly), e.Message, e.ContextMap())
			}
		}
	})
	if err := b.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	bustest.Go(t, func(ctx context.Context) error {
		return b.Follow(ctx, contract.ProjectorConsumer, contract.UploadAggregate, func(context.Context, []contract.Event) error { return nil })
	})
	bustest.WaitFor(t, "the consumer to run", func() bool { return b.Ready(t.Context()) == nil })
	_, js := raw(t, s)
	bustest.WaitFor(t, "a pull to be under way", func() bool { // before the first one a missing consumer is taken for an election
		cons, err := js.Consumer(t.Context(), "EVENTS_UPLOAD", contract.ProjectorConsumer)
		return err == nil && cons.CachedInfo().NumWaiting > 0
	})
	if err := js.DeleteConsumer(t.Context(), "EVENTS_UPLOAD", contract.ProjectorConsumer); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(4*time.Second, func() { // several attempts
		for topology.Ensure(t.Context(), bus.Config{InProcess: s, Log: zap.NewNop()}, topology.Config{}) != nil && t.Context().Err() == nil {
		} // on a busy machine it may run out of its time
	})
	bustest.WaitFor(t, "the recovery", func() bool { return logs.FilterMessage("consumer resumed").Len() > 0 })
	if n := logs.FilterMessage("consumer stopped").Len(); n != 1 {
		t.Errorf("logged %d times that it stopped, want once", n)
	}
	again := logs.FilterMessage("consumer resumed").All()
	if n, ok := again[0].ContextMap()["failures"].(int64); len(again) != 1 || !ok || n < 3 {
		t.Errorf("recovery: %v, want one, after 3 failures at least", again)
	}
}
