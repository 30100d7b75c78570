package access

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/flow"
)

// Everything that a program does according to the table, it can do, through the
// package that all of them use.
func TestProgramsCanDoWhatTheyAreThereFor(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, p := range Services() {
		conn := b.bus(t, p.Name)
		for _, a := range p.Commits {
			commits(t, p.Name, conn, a)
		}
		for _, a := range p.Times {
			times(t, p.Name, conn, a)
		}
		for _, a := range p.Loads {
			if _, err := conn.Last(t.Context(), a, "nothing-there"); !errors.Is(err, aggregate.ErrNone) {
				t.Errorf("%s loads %s: %v", p.Name, a, err)
			}
		}
		for _, service := range p.Sends {
			if service == Any {
				service = "payment"
			}
			if err := conn.Send(t.Context(), command(t, service, "of-"+p.Name)); err != nil {
				t.Errorf("%s sends to %s: %v", p.Name, service, err)
			}
		}
		for _, a := range contract.Aggregates() {
			if slices.Contains(p.Forgets, duplicates.Bucket(a)) {
				enters(t, p.Name, conn, a)
			}
		}
		for _, a := range p.Waits {
			wakes(t, p.Name, conn, b.bus(t, "projector"), a)
		}
		if p.Wakes {
			if err := conn.Wake(contract.QuoteAggregate, "x"); err != nil {
				t.Errorf("%s wakes a quote: %v", p.Name, err)
			}
		}
	}
}

func (b broker) bus(t *testing.T, user string) *bus.Bus {
	t.Helper()
	conn, err := bus.Connect(t.Context(), b.Config(user))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	if err := conn.Verify(t.Context()); err != nil {
		t.Fatalf("%s verifies the topology: %v", user, err)
	}
	return conn
}

// wakes lets a command of a program wait for what the projector says has changed.
func wakes(t *testing.T, user string, conn, projector *bus.Bus, a contract.Aggregate) {
	t.Helper()
	woken := make(chan struct{}, 1000)
	stop, err := conn.WatchChange(a, "x", func(*contract.Event) { woken <- struct{}{} })
	if err != nil {
		t.Errorf("%s waits for %s: %v", user, a, err)
		return
	}
	defer stop()
	bustest.WaitFor(t, fmt.Sprintf("%s to be woken by %s", user, a), func() bool {
		if err := projector.Wake(a, "x"); err != nil {
			t.Fatal(err)
		}
		return len(woken) > 0
	})
}

func command(t *testing.T, service, request string) contract.Command {
	t.Helper()
	c, err := contract.NewCommand(contract.CommandName{Service: service, Verb: "try"}, request, "", time.Now(), struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// enters finds an aggregate by what its files hold, and forgets it.
func enters(t *testing.T, user string, conn *bus.Bus, a contract.Aggregate) {
	t.Helper()
	err := errors.Join(conn.BeginDuplicates(t.Context(), a), conn.NoteDuplicate(t.Context(), a, "key", "of-"+user))
	ids, _, found := conn.Duplicates(t.Context(), a, "key")
	if err := errors.Join(err, found, conn.ForgetDuplicate(t.Context(), a, "key", "of-"+user)); err != nil || len(ids) != 1 {
		t.Errorf("%s enters %s: %v, %v", user, a, ids, err)
	}
	if ids, _, err := conn.Duplicates(t.Context(), a, "key"); err != nil || len(ids) != 0 {
		t.Errorf("%s forgets %s: %v, %v", user, a, ids, err)
	}
}

// commits appends an event and loads it.
func commits(t *testing.T, user string, conn *bus.Bus, a contract.Aggregate) {
	t.Helper()
	id := "of-" + user
	e := contract.Event{ID: contract.DeriveID(user, string(a)), Aggregate: a, AggregateID: id, Name: "tried", Version: 1, At: time.Now().UTC(), Data: []byte(`{}`)}
	if _, err := conn.Append(t.Context(), e, 0); err != nil {
		t.Errorf("%s commits to %s: %v", user, a, err)
		return
	}
	if got, err := conn.Last(t.Context(), a, id); err != nil || got.ID != e.ID {
		t.Errorf("%s loads %s: %v, %v", user, a, got.ID, err)
	}
}

// times sets a timer.
func times(t *testing.T, user string, conn *bus.Bus, a contract.Aggregate) {
	t.Helper()
	c := command(t, user, "timer-of-"+user)
	c.Name = registry.TimerCommands(a)[0]
	timer := contract.Timer{Aggregate: a, AggregateID: "of-" + user, What: "try", Due: time.Now().Add(time.Hour), Command: c}
	if err := conn.Schedule(t.Context(), timer); err != nil {
		t.Errorf("%s sets a timer of %s: %v", user, a, err)
	}
}

// Commands arrive with their services, and what fails for good becomes a dead
// letter, which the console sees and sends again.
func TestServicesHandleCommandsWithTheirUsers(t *testing.T) {
	t.Parallel()
	b := start(t)
	console, projector := b.bus(t, "console"), b.bus(t, "projector")
	for _, service := range registry.Services() {
		worker := b.bus(t, service)
		name := contract.CommandName{Service: service, Verb: "try"}
		bustest.Go(t, func(ctx context.Context) error {
			return worker.Serve(ctx, bus.Work{Service: service, Claims: service == quotes.Price.Service, Parallel: 1, Handlers: flow.Handlers{
				name: func(context.Context, contract.Command) error { return flow.Permanent(errors.New("for good")) },
			}})
		})
		if err := projector.Send(t.Context(), command(t, service, "req-"+service)); err != nil {
			t.Fatal(err)
		}
	}
	var letters []bus.DeadLetter
	bustest.WaitFor(t, "a dead letter of each service", func() bool {
		var err error
		letters, err = console.DeadLetters(t.Context(), 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		return len(letters) == len(registry.Services())
	})
	if err := console.Discard(t.Context(), letters[0].Seq); err != nil {
		t.Errorf("discard dead letter %d: %v", letters[0].Seq, err)
	}
	if err := console.Replay(t.Context(), letters[1].Seq); err != nil {
		t.Errorf("send dead letter %d again: %v", letters[1].Seq, err)
	}
}

// The projector and notify follow their streams, and a rebuild reads one from its start.
func TestStreamsAreFollowedWithTheirUsers(t *testing.T) {
	t.Parallel()
	b := start(t)
	commits(t, "pricing", b.bus(t, "pricing"), contract.QuoteAggregate)
	for _, name := range []string{contract.ProjectorConsumer, emails.Send.Service} {
		follower, arrived := b.bus(t, name), make(chan struct{}, 10)
		bustest.Go(t, func(ctx context.Context) error {
			return follower.Follow(ctx, name, contract.QuoteAggregate, func(context.Context, []contract.Event) error {
				arrived <- struct{}{}
				return nil
			})
		})
		select {
		case <-arrived:
		case <-time.After(30 * time.Second):
			t.Errorf("%s follows nothing", name)
		}
	}
	read := 0
	if unread, err := b.bus(t, "projector").ReplayEvents(t.Context(), contract.QuoteAggregate, func(events []contract.Event) error {
		read += len(events)
		return nil
	}); err != nil || unread != 0 || read != 1 {
		t.Errorf("a rebuild reads %d events, %d it cannot: %v", read, unread, err)
	}
	if found, err := b.bus(t, "console").History(t.Context(), contract.QuoteAggregate, "of-pricing", 0, 10); err != nil || len(found) != 1 {
		t.Errorf("the console sees %v: %v", found, err)
	}
}
