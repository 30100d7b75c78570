package bus_test

import (
	"context"
	"errors"
	"fmt"
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
)

// However often a connection breaks, each message is delivered to somebody who
// handles it: none goes to an inbox that nobody reads any more, and none is left
// at the broker.
func TestReconnectsStrandNothing(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{AckWait: time.Hour})
	b, sender := bustest.Connect(t, s), bustest.Connect(t, s)
	var done atomic.Int64
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Parallel: 8, Handlers: flow.Handlers{
			name: func(context.Context, contract.Command) error { done.Add(1); return nil },
		}})
	})
	bustest.Go(t, func(ctx context.Context) error {
		return b.Follow(ctx, contract.ProjectorConsumer, contract.UploadAggregate, func(context.Context, []contract.Event) error { return nil })
	})
	inboxes := inboxesOf(t, s)
	const rounds, each = 5, 20
	for round := range rounds {
		disconnect(t, s)
		for i := range each {
			id := fmt.Sprint("c", round, "-", i)
			bustest.WaitFor(t, "the sender to be connected", func() bool { return sender.Send(t.Context(), command(id)) == nil })
		}
		bustest.WaitFor(t, fmt.Sprintf("the commands of round %d", round), func() bool { return done.Load() >= int64((round+1)*each) })
	}
	if now := inboxesOf(t, s); now != inboxes {
		t.Errorf("%d inboxes after %d reconnects, want as before, %d", now, rounds, inboxes)
	}
}

// inboxesOf is how many inboxes the broker knows of the consumers of this test.
func inboxesOf(t *testing.T, s *server.Server) (n int) {
	t.Helper()
	count := func() (n int) {
		all, err := s.Connz(&server.ConnzOptions{Subscriptions: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all.Conns {
			for _, subject := range c.Subs {
				if strings.HasPrefix(subject, "_INBOX.") && !strings.HasSuffix(subject, ".*") { // those for replies
					n++
				}
			}
		}
		return n
	}
	bustest.WaitFor(t, "the consumers' inboxes", func() bool { n = count(); return n >= 2 })
	return n
}

// A command that is to run again is asked for once there is a connection: it does
// not wait until the broker gives up on its process.
func TestRetriesOutliveAReconnect(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{AckWait: time.Hour})
	b := bustest.Connect(t, s)
	var runs atomic.Int64
	done := make(chan struct{})
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Parallel: 1, Handlers: flow.Handlers{name: func(context.Context, contract.Command) error {
			if runs.Add(1) > 3 {
				close(done)
				return nil
			}
			disconnect(t, s)
			return errors.New("try again")
		}}})
	})
	if err := b.Send(t.Context(), command("retried")); err != nil {
		t.Fatal(err)
	}
	<-done
}

// What is asked of the broker when the connection breaks is asked again, or looked
// up, at once: nobody waits for an answer that was lost.
func TestAppendsOutliveAReconnect(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{})
	b := bustest.Connect(t, s)
	broken := make(chan struct{})
	go func() {
		defer close(broken)
		for range 5 {
			disconnect(t, s)
			bustest.WaitFor(t, "the connection", func() bool { return b.Ready(t.Context()) == nil })
		}
	}()
	pace := time.NewTicker(2 * time.Millisecond) // appends without a pause would take a processor for seconds
	defer pace.Stop()
	for i := 0; ; i++ {
		<-pace.C
		id := fmt.Sprint("a", i)
		if _, err := b.Append(t.Context(), event(id, 1), 0); err != nil {
			t.Fatalf("append %d: %v", i, err)
		}
		if got, err := b.Last(t.Context(), contract.UploadAggregate, id); err != nil || got.AggregateID != id {
			t.Fatalf("load %d = %+v, %v", i, got, err)
		}
		select {
		case <-broken:
			return
		default:
		}
	}
}

// What a caller has given up on is not sent once there is a connection again.
func TestAbandonedPublishesAreNotSent(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{})
	b := bustest.Connect(t, s)
	release := b.BreakLink()
	ctx, giveUp := context.WithCancel(t.Context())
	failed := make(chan error)
	const n = 50 // more than are under way at once
	for i := range n {
		go func() {
			failed <- b.Send(ctx, command(fmt.Sprint("abandoned", i)))
		}()
	}
	bustest.WaitFor(t, "all to wait", func() bool { return b.Posts(contract.CommandStream) >= n-8 })
	giveUp()
	for range n - 8 {
		if err := <-failed; err == nil {
			t.Error("sent without a connection")
		}
	}
	release()
	for range 8 {
		if err := <-failed; err == nil {
			t.Error("sent though its caller had gone")
		}
	}
	if err := b.Send(t.Context(), command("living")); err != nil {
		t.Fatal(err)
	}
	states, err := b.States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, state := range states {
		if state.Name == contract.CommandStream && state.Messages != 1 {
			t.Errorf("%d commands are stored, want the living one", state.Messages)
		}
	}
}

// What is in hand is listed while it runs and while it waits, and not afterwards.
func TestInHand(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	run := make(chan error)
	defer close(run)
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Parallel: 1, Handlers: flow.Handlers{name: func(ctx context.Context, _ contract.Command) error {
			select {
			case err := <-run:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}}})
	})
	c := command("held")
	c.Request = "req"
	if err := b.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	state := func(want string, runs int) func() bool {
		return func() bool {
			all := b.CommandsInHand()
			return len(all) == 1 && all[0].State == want && all[0].Runs == runs && all[0].ID == "held" && all[0].Command == name.String() && all[0].Delivery == 1
		}
	}
	bustest.WaitFor(t, "it to run", state("running", 1))
	run <- flow.SnoozeUntil(contract.BoardAggregate, "b", time.Millisecond, errors.New("not yet"))
	bustest.WaitFor(t, "it to run again", state("running", 2))
	run <- flow.SnoozeUntil(contract.BoardAggregate, "b", time.Hour, errors.New("not yet"))
	bustest.WaitFor(t, "it to wait", state("waiting", 2))
	if got := b.CommandsInHand()[0]; got.WaitsFor != "board/b" || got.Until.Before(got.Since) {
		t.Errorf("in hand: %+v, want it to wait for board/b until a time after it began", got)
	}
	bustest.WaitFor(t, "it to run once more", func() bool {
		if err := b.Wake(contract.BoardAggregate, "b"); err != nil {
			t.Fatal(err)
		}
		return state("running", 3)()
	})
	run <- nil
	bustest.WaitFor(t, "the hand to be empty", func() bool { return len(b.CommandsInHand()) == 0 })
}
