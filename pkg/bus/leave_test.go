package bus_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/zap"
)

// A node that is restarted in an orderly way takes nothing with it: whatever part of it
// led, and whoever was connected to it, each message is handled without the broker
// having to give up on a process.
func TestALeavingNodeStrandsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("a node takes half a minute to leave, under as much load as there is room for")
	}
	t.Parallel()
	servers := bustest.Cluster(t, topology.Config{AckWait: time.Hour})
	var done, followed atomic.Int64
	var all []*bus.Bus
	for _, s := range servers {
		b, err := bus.Connect(t.Context(), bus.Config{URL: s.ClientURL(), Name: "test", Log: zap.NewNop()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		if err := b.Verify(t.Context()); err != nil {
			t.Fatal(err)
		}
		bustest.Go(t, func(ctx context.Context) error {
			return b.Serve(ctx, bus.Work{Service: "upload", Parallel: 4, Handlers: flow.Handlers{
				name: func(context.Context, contract.Command) error { done.Add(1); return nil },
			}})
		})
		bustest.Go(t, func(ctx context.Context) error {
			return b.Follow(ctx, contract.ProjectorConsumer, contract.UploadAggregate, func(_ context.Context, events []contract.Event) error {
				followed.Add(int64(len(events)))
				return nil
			})
		})
		all = append(all, b)
	}
	left := make(chan struct{})
	go func() { defer close(left); servers[0].LameDuckShutdown() }()
	sent := int64(0)
	for over := false; !over; sent++ {
		id := fmt.Sprint("c", sent)
		via := all[sent%int64(len(all))]
		bustest.WaitFor(t, "a command and an event to be stored", func() bool {
			_, err := via.Append(t.Context(), event(id, 1), 0)
			return err == nil && via.Send(t.Context(), command(id)) == nil
		})
		select {
		case <-left:
			over = true
		default:
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("of %d commands %d were carried out, of as many events %d followed", sent, done.Load(), followed.Load())
		}
	})
	bustest.WaitFor(t, "all to be handled", func() bool { return done.Load() >= sent && followed.Load() >= sent })
	for i, b := range all {
		bustest.WaitFor(t, fmt.Sprintf("process %d to be ready", i), func() bool { return b.Ready(t.Context()) == nil })
	}
	put, err := servers[0].Connz(&server.ConnzOptions{State: server.ConnClosed})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range put.Conns {
		if c.Name == "test" && c.Reason == server.ServerShutdown.String() {
			t.Errorf("a process stayed until the node ended it: %+v", c)
		}
	}
	served := []string{"upload", contract.ProjectorConsumer}
	var busy []string
	t.Cleanup(func() {
		if len(busy) > 0 {
			t.Logf("all %d are done, but %s", sent, strings.Join(busy, "; "))
		}
	})
	bustest.WaitFor(t, "the consumers to have nothing in hand", func() bool { // the last answers are under way still
		states, err := all[1].States(t.Context())
		if err != nil {
			return false
		}
		busy = nil
		for _, s := range states {
			for _, c := range s.Consumers {
				if slices.Contains(served, c.Name) && (c.AckPending > 0 || c.Pending > 0) {
					busy = append(busy, fmt.Sprintf("%s of %s: %d in hand and %d before it", c.Name, s.Name, c.AckPending, c.Pending))
				}
			}
		}
		return len(busy) == 0
	})
}

// What is published while nobody leads its stream is stored once somebody does.
func TestPublishesWaitForALeader(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{})
	b := bustest.Connect(t, s)
	_, js := raw(t, s)
	for _, tt := range []struct {
		stream  string
		publish func() error
	}{
		{contract.CommandStream, func() error { return b.Send(t.Context(), command("waits")) }},
		{contract.EventStream(contract.UploadAggregate), func() error {
			_, err := b.Append(t.Context(), event("waits", 1), 0)
			return err
		}},
		{contract.RequestStream, func() error { return b.Claim(t.Context(), bus.Claim{Command: command("claims"), Key: "waits"}) }},
	} {
		stream, err := js.Stream(t.Context(), tt.stream)
		if err != nil {
			t.Fatal(err)
		}
		if err := js.DeleteStream(t.Context(), tt.stream); err != nil { // as without a leader, nobody listens
			t.Fatal(err)
		}
		stored := make(chan error, 1) // it takes a few tries until the stream is there again
		go func() { stored <- tt.publish() }()
		before := countReceived(t, s)
		bustest.WaitFor(t, "the publish to find nobody", func() bool { return countReceived(t, s) > before+2 })
		if _, err := js.CreateStream(t.Context(), stream.CachedInfo().Config); err != nil {
			t.Fatal(err)
		}
		if err := <-stored; err != nil {
			t.Errorf("publish to %s = %v", tt.stream, err)
		}
	}
}

// countReceived is how many messages came to a broker.
func countReceived(t *testing.T, s *server.Server) int64 {
	t.Helper()
	v, err := s.Varz(nil)
	if err != nil {
		t.Fatal(err)
	}
	return v.InMsgs
}
