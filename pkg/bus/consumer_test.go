package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/zap"
)

// raw gives the broker as somebody with all rights has it.
func raw(t *testing.T, s *server.Server) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return nc, js
}

// A consumer that disappears is noticed: the process is not ready and says so in
// its metrics; once the consumer is there again it is used.
func TestDeletedConsumerIsNoticedAndComesBack(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{})
	registry := prometheus.NewRegistry()
	b, err := bus.Connect(t.Context(), bus.Config{InProcess: s, Name: "test", Log: zap.NewNop(), Metrics: registry})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	seen := make(chan string, 10)
	bustest.Go(t, func(ctx context.Context) error {
		return b.Follow(ctx, contract.ProjectorConsumer, contract.UploadAggregate, func(_ context.Context, events []contract.Event) error {
			for _, e := range events {
				seen <- e.AggregateID
			}
			return nil
		})
	})
	append1 := func(id string) {
		t.Helper()
		if _, err := b.Append(t.Context(), event(id, 1), 0); err != nil {
			t.Fatal(err)
		}
	}
	append1("before")
	<-seen
	if err := b.Ready(t.Context()); err != nil {
		t.Errorf("ready: %v", err)
	}
	_, js := raw(t, s)
	if err := js.DeleteConsumer(t.Context(), "EVENTS_UPLOAD", contract.ProjectorConsumer); err != nil {
		t.Fatal(err)
	}
	bustest.WaitFor(t, "the process not to be ready", func() bool { return b.Ready(t.Context()) != nil })
	expected := "# HELP boardorder_consumer_running 1 while this process consumes from a consumer, 0 while it cannot.\n" +
		"# TYPE boardorder_consumer_running gauge\nboardorder_consumer_running{consumer=\"projector\",stream=\"EVENTS_UPLOAD\"} 0\n"
	if err := testutil.GatherAndCompare(registry, strings.NewReader(expected), "boardorder_consumer_running"); err != nil {
		t.Errorf("the consumer that has stopped: %v", err)
	}
	if err := topology.Ensure(t.Context(), bus.Config{InProcess: s, Log: zap.NewNop()}, topology.Config{}); err != nil {
		t.Fatal(err)
	}
	append1("after")
	for id := range seen {
		if id == "after" { // all come again: the new consumer begins at the beginning
			break
		}
	}
	bustest.WaitFor(t, "the process to be ready", func() bool { return b.Ready(t.Context()) == nil })
}

// What is no event does not stop those that come after it, live or in a rebuild.
func TestMalformedEventsAreSetAside(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{})
	b := bustest.Connect(t, s)
	_, js := raw(t, s)
	if _, err := js.Publish(t.Context(), contract.EventSubject(contract.UploadAggregate, "odd"), []byte("no event")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Append(t.Context(), event("good", 1), 0); err != nil {
		t.Fatal(err)
	}
	seen := make(chan string, 10)
	bustest.Go(t, func(ctx context.Context) error {
		return b.Follow(ctx, contract.ProjectorConsumer, contract.UploadAggregate, func(_ context.Context, events []contract.Event) error {
			for _, e := range events {
				seen <- e.AggregateID
			}
			return nil
		})
	})
	if id := <-seen; id != "good" {
		t.Errorf("followed %s, want good", id)
	}
	bustest.WaitFor(t, "the dead letter", func() bool {
		dead, err := b.DeadLetters(t.Context(), 1, 10)
		return err == nil && len(dead) == 1 && strings.HasPrefix(dead[0].Origin, "evt.upload.") && dead[0].Reason != ""
	})
	n := 0
	unread, err := b.ReplayEvents(t.Context(), contract.UploadAggregate, func(events []contract.Event) error { n += len(events); return nil })
	if err != nil || n != 1 || unread != 1 {
		t.Errorf("replayed %d, %d unread, %v", n, unread, err)
	}
}

// A quote's dead letter can be sent again: it keeps its request, whose outcome
// stays as it was.
func TestReplayKeepsTheRequest(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	var broken atomic.Bool
	broken.Store(true)
	done := make(chan contract.Command, 1)
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "pricing", Handlers: flow.Handlers{quotes.Price: func(ctx context.Context, c contract.Command) error {
			if broken.Load() {
				return flow.Permanent(errors.New("bug"))
			}
			err := aggregate.At[int](b, contract.QuoteAggregate, "q").Create(ctx, c, time.Now(), aggregate.Change[int]{Event: quotes.EventPriced, State: 1})
			done <- c
			return err
		}}})
	})
	c := contract.Command{ID: "req_1", Request: "req_1", Name: quotes.Price, At: time.Now(), Data: json.RawMessage(`{"quote":"q"}`)}
	if err := b.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	var dead []bus.DeadLetter
	bustest.WaitFor(t, "the dead letter", func() bool {
		dead, _ = b.DeadLetters(t.Context(), 1, 10)
		return len(dead) == 1
	})
	before, err := b.Last(t.Context(), contract.QuoteAggregate, "q")
	if err != nil || before.Name != contract.RequestRefused || before.Operation != "req_1" {
		t.Fatalf("the client's answer: %+v, %v", before, err)
	}
	broken.Store(false)
	if err := b.Replay(t.Context(), dead[0].Seq); err != nil {
		t.Fatal(err)
	}
	if again := <-done; again.Request != "req_1" || !again.Replay || again.ID == "req_1" {
		t.Errorf("replayed as %+v, want a replay for req_1 with another id", again)
	}
	bustest.WaitFor(t, "the quote", func() bool {
		now, err := aggregate.At[int](b, contract.QuoteAggregate, "q").Load(t.Context())
		return err == nil && now.Exists() && now.Event.Operation == "" && now.Version == 2
	})
}

// A command that only replicas of another version know is left to them.
func TestUnknownCommandIsLeftToOthers(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{})
	old, b := bustest.Connect(t, s), bustest.Connect(t, s)
	bustest.Go(t, func(ctx context.Context) error {
		return old.Serve(ctx, bus.Work{Service: "upload", Parallel: 4, Handlers: flow.Handlers{}})
	})
	if err := b.Send(t.Context(), command("new")); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Parallel: 4, Handlers: flow.Handlers{name: func(context.Context, contract.Command) error {
			close(done)
			return nil
		}}})
	})
	<-done
	if dead, err := b.DeadLetters(t.Context(), 1, 10); err != nil || len(dead) > 0 {
		t.Errorf("%d dead letters, %v", len(dead), err)
	}
}

// Who needs an event's name only is not sent its state.
func TestHeadersOnly(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	for a, want := range map[contract.Aggregate]string{contract.QuoteAggregate: "", contract.OrderAggregate: `{"state":{}}`} {
		e := contract.Event{ID: "e-" + string(a), Aggregate: a, AggregateID: "x", Name: "named", Format: 1, Version: 1, At: time.Now().UTC(), Data: json.RawMessage(`{"state":{}}`)}
		if _, err := b.Append(t.Context(), e, 0); err != nil {
			t.Fatal(err)
		}
		got := make(chan contract.Event, 1)
		bustest.Go(t, func(ctx context.Context) error {
			return b.Follow(ctx, "notify", a, func(_ context.Context, events []contract.Event) error {
				got <- events[0]
				return nil
			})
		})
		if e := <-got; e.Name != "named" || e.AggregateID != "x" || string(e.Data) != want {
			t.Errorf("notify gets %s of %s with %q, want %q", e.Name, a, e.Data, want)
		}
	}
}
