package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
)

func event(id string, seq int) contract.Event {
	return contract.Event{
		ID: fmt.Sprintf("e-%s-%d", id, seq), Aggregate: contract.UploadAggregate, AggregateID: id,
		Name: uploads.EventFilesAdded, Version: uint64(seq), At: time.Now(), Data: json.RawMessage(`{"state":{}}`),
	}
}

func TestAppendGuardsTheAggregate(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	ctx := t.Context()
	if _, err := b.Last(ctx, contract.UploadAggregate, "a"); !errors.Is(err, aggregate.ErrNone) {
		t.Fatalf("Last of nothing = %v, want ErrNone", err)
	}
	first, err := b.Append(ctx, event("a", 1), 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Append(ctx, event("b", 1), 0); err != nil {
		t.Fatalf("another aggregate: %v", err)
	}
	if _, err := b.Append(ctx, event("a", 2), 0); !errors.Is(err, aggregate.ErrConflict) {
		t.Fatalf("append after 0 = %v, want ErrConflict", err)
	}
	if again, err := b.Append(ctx, event("a", 1), 0); err != nil || again != first {
		t.Fatalf("the same event again = %d, %v; want %d", again, err, first)
	}
	other := event("a", 1)
	other.Data = json.RawMessage(`{"state":{"ref":"decided otherwise"}}`)
	if _, err := b.Append(ctx, other, 0); !errors.Is(err, aggregate.ErrConflict) {
		t.Fatalf("the same id with other data = %v, want ErrConflict", err)
	}
	second, err := b.Append(ctx, event("a", 2), first)
	if err != nil {
		t.Fatal(err)
	}
	last, err := b.Last(ctx, contract.UploadAggregate, "a")
	if err != nil || last.Seq != second || last.ID != "e-a-2" || last.Name != uploads.EventFilesAdded {
		t.Fatalf("Last = %+v, %v", last, err)
	}
}

var name = contract.CommandName{Service: "upload", Verb: "create"}

func command(id string) contract.Command {
	return contract.Command{ID: id, Name: name, At: time.Now(), Data: json.RawMessage(`{}`)}
}

func TestServe(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	var mu sync.Mutex
	seen := map[string]int{}
	finished := make(chan string, 10)
	handle := func(ctx context.Context, c contract.Command) error {
		mu.Lock()
		seen[c.ID]++
		n := seen[c.ID]
		mu.Unlock()
		switch {
		case c.ID == "panics":
			panic("a bug")
		case c.ID == "hopeless":
			return flow.Permanent(errors.New("cannot be read"))
		case c.ID == "second-time" && n == 1:
			return errors.New("store is unreachable")
		case c.ID == "waits" && n < 4:
			return flow.Snooze(time.Millisecond, errors.New("not yet"))
		case c.ID == "req_refused":
			return contract.Refuse(contract.NoFiles, "no files")
		}
		finished <- c.ID
		return nil
	}
	ended := map[string]bool{}
	note := func(_ context.Context, c contract.Command) error {
		mu.Lock()
		defer mu.Unlock()
		ended[c.ID] = true
		return nil
	}
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{
			Service: "upload", Parallel: 2, Handlers: flow.Handlers{name: handle}, GiveUp: flow.Handlers{name: note},
			Policy: flow.Policy{Failures: 3, Unfinished: 3, First: time.Millisecond, MaxDelay: 5 * time.Millisecond},
		})
	})
	refused := command("req_refused")
	refused.Request = "req_refused"
	for _, c := range []contract.Command{command("plain"), command("second-time"), command("waits"), command("panics"), command("hopeless"), refused} {
		if err := b.Send(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	done := map[string]bool{}
	for len(done) < 3 {
		done[<-finished] = true
	}
	bustest.WaitFor(t, "two dead letters and a refusal", func() bool {
		dead, err := b.DeadLetters(t.Context(), 1, 10)
		op, opErr := aggregate.At[contract.Operation](b, contract.OperationAggregate, "req_refused").Load(t.Context())
		return err == nil && len(dead) == 2 && opErr == nil && op.Exists() && op.State.Refusal.Code == contract.NoFiles
	})
	dead, _ := b.DeadLetters(t.Context(), 1, 10)
	for _, d := range dead {
		mu.Lock()
		if !ended[d.Command.ID] {
			t.Errorf("dead letter %s: the service did not end what it began", d.Command.ID)
		}
		mu.Unlock()
		want := map[string]int{"panics": 3}[d.Command.ID]
		if d.Failed != want || d.Reason == "" {
			t.Errorf("dead letter %s: %d failures, reason %q; want %d failures and a reason", d.Command.ID, d.Failed, d.Reason, want)
		}
	}
}

func TestReplayIsANewCommand(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	var broken atomic.Bool
	broken.Store(true)
	ids := make(chan string, 1)
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Handlers: flow.Handlers{name: func(_ context.Context, c contract.Command) error {
			if broken.Load() {
				return flow.Permanent(errors.New("bug"))
			}
			ids <- c.ID
			return nil
		}}})
	})
	if err := b.Send(t.Context(), command("one")); err != nil {
		t.Fatal(err)
	}
	var dead []bus.DeadLetter
	bustest.WaitFor(t, "a dead letter", func() bool {
		dead, _ = b.DeadLetters(t.Context(), 1, 10)
		return len(dead) == 1
	})
	broken.Store(false)
	if err := b.Replay(t.Context(), dead[0].Seq); err != nil {
		t.Fatal(err)
	}
	if id := <-ids; id == "one" {
		t.Errorf("replayed under its old id %q, want another", id)
	}
	if left, err := b.DeadLetters(t.Context(), 1, 10); err != nil || len(left) != 0 {
		t.Errorf("dead letters after replay = %v, %v", left, err)
	}
}

// expiry is a command that timers of uploads carry.
func expiry(id string) contract.Command {
	c := command(id)
	c.Name = uploads.Expire
	return c
}

func TestTimersFireOnceDue(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	fired := make(chan time.Time, 2)
	bustest.Go(t, b.RunTimers)
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Handlers: flow.Handlers{uploads.Expire: func(context.Context, contract.Command) error {
			fired <- time.Now()
			return nil
		}}})
	})
	due := time.Now().Add(1500 * time.Millisecond)
	timer := contract.Timer{Aggregate: contract.UploadAggregate, AggregateID: "a", What: "expire", Due: time.Now().Add(time.Hour), Command: expiry("never")}
	if err := b.Schedule(t.Context(), timer); err != nil {
		t.Fatal(err)
	}
	timer.Due, timer.Command = due, expiry("now") // replaces the one before
	if err := b.Schedule(t.Context(), timer); err != nil {
		t.Fatal(err)
	}
	if at := <-fired; at.Before(due) {
		t.Errorf("fired %s early", due.Sub(at))
	}
}

func TestFollowAndReplayed(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	for i := range 600 {
		if _, err := b.Append(t.Context(), event(fmt.Sprint("u", i), 1), 0); err != nil {
			t.Fatal(err)
		}
	}
	var got atomic.Int64
	var failed atomic.Bool
	bustest.Go(t, func(ctx context.Context) error {
		return b.Follow(ctx, contract.ProjectorConsumer, contract.UploadAggregate, func(_ context.Context, events []contract.Event) error {
			if failed.CompareAndSwap(false, true) {
				return errors.New("store is unreachable")
			}
			got.Add(int64(len(events)))
			return nil
		})
	})
	bustest.WaitFor(t, "all events", func() bool { return got.Load() == 600 })
	n := 0
	if _, err := b.ReplayEvents(t.Context(), contract.UploadAggregate, func(events []contract.Event) error {
		n += len(events)
		return nil
	}); err != nil || n != 600 {
		t.Errorf("replayed %d events, %v; want 600", n, err)
	}
	if _, err := b.ReplayEvents(t.Context(), contract.OrderAggregate, nil); err != nil {
		t.Errorf("replay of an empty stream: %v", err)
	}
}

// TestBucketListsItsKeys: all of them, whatever was written how often.
func TestBucketListsItsKeys(t *testing.T) {
	t.Parallel()
	k, err := bustest.Start(t).Bucket(t.Context(), contract.ProviderHealthBucket)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]string{{}, {"card.a"}, {"card.a", "mail.a.b"}, {"card.a", "mail.a.b"}} {
		for _, key := range want {
			if err := k.Put(t.Context(), key, []byte("v")); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := k.Keys(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("Keys = %q, %v; want %q", got, err, want)
		}
	}
}

func TestBucketIsAtomic(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	k, err := b.Bucket(t.Context(), contract.ConsoleLinksBucket)
	if err != nil {
		t.Fatal(err)
	}
	var winners atomic.Int64
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			switch _, err := k.Create(t.Context(), "key", []byte("v")); {
			case err == nil:
				winners.Add(1)
			case !errors.Is(err, bus.ErrWrongRevision):
				t.Errorf("create: %v", err)
			}
		})
	}
	wg.Wait()
	if winners.Load() != 1 {
		t.Errorf("%d winners, want 1", winners.Load())
	}
	_, rev, err := k.Get(t.Context(), "key")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Update(t.Context(), "key", []byte("w"), rev); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Update(t.Context(), "key", []byte("x"), rev); !errors.Is(err, bus.ErrWrongRevision) {
		t.Errorf("update at an old revision = %v, want ErrWrongRevision", err)
	}
	if _, _, err := k.Get(t.Context(), "none"); !errors.Is(err, bus.ErrNoKey) {
		t.Errorf("get of nothing = %v, want ErrNoKey", err)
	}
}

func TestClaimIsHeldByOne(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	name := contract.CommandName{Service: "pricing", Verb: "quote"}
	claim := func(id string, after uint64) error {
		return b.Claim(t.Context(), bus.Claim{
			Command: contract.Command{ID: id, Name: name, Request: id, Account: "acc_" + id, At: time.Now().UTC(), Data: json.RawMessage(`{}`)},
			Key:     "k", Note: "note of " + id, Seq: after,
		})
	}
	if _, err := b.LatestClaim(t.Context(), name, "k"); !errors.Is(err, bus.ErrNoKey) {
		t.Errorf("claim of nobody: %v", err)
	}
	if err := claim("a", 0); err != nil {
		t.Fatal(err)
	}
	if err := claim("b", 0); !errors.Is(err, bus.ErrWrongRevision) {
		t.Errorf("a second claim = %v, want ErrWrongRevision", err)
	}
	if err := claim("a", 0); !errors.Is(err, bus.ErrWrongRevision) {
		t.Errorf("an equal claim of somebody else = %v, want ErrWrongRevision", err)
	}
	// Carried out, it is held all the same.
	done := make(chan string, 4)
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "pricing", Claims: true, Handlers: flow.Handlers{
			name: func(_ context.Context, c contract.Command) error { done <- c.ID + " " + c.Account; return nil },
		}})
	})
	if got, want := <-done, "a acc_a"; got != want {
		t.Errorf("carried out: %q, want %q", got, want)
	}
	held, err := b.LatestClaim(t.Context(), name, "k")
	if err != nil || held.ID != "a" || held.Note != "note of a" || held.Account != "acc_a" {
		t.Errorf("last claim = %+v, %v", held, err)
	}
	// A new claim takes its place, once.
	if err := claim("c", held.Seq); err != nil {
		t.Fatal(err)
	}
	if err := claim("d", held.Seq); !errors.Is(err, bus.ErrWrongRevision) {
		t.Errorf("a claim of the place of one that is gone = %v, want ErrWrongRevision", err)
	}
	if got, want := <-done, "c acc_c"; got != want {
		t.Errorf("carried out: %q, want %q", got, want)
	}
	if err := b.Claim(t.Context(), bus.Claim{Command: contract.Command{ID: "e", Name: name}, Key: "a.b"}); err == nil {
		t.Error("a key of two tokens was taken")
	}
}

// Who waits for a request is handed the event that completes it, and nothing that
// only looks like one.
func TestOutcomesAreHandedOver(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t, topology.Config{})
	b := bustest.Connect(t, server)
	got := make(chan *contract.Event, 100)
	stop, err := b.WatchChange(contract.OperationAggregate, "req_1", func(e *contract.Event) { got <- e })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	e := contract.Event{
		ID: "e1", Aggregate: contract.QuoteAggregate, AggregateID: "q", Name: quotes.EventPriced, Format: contract.FormatOf(contract.QuoteAggregate),
		Version: 1, Operation: "req_1", Account: "acc", Cause: "c", Correlation: "c", At: time.Now().UTC(), Data: []byte(`{"state":{"ref":"q"}}`),
	}
	if e.Seq, err = b.Append(t.Context(), e, 0); err != nil {
		t.Fatal(err)
	}
	event := <-got
	if diff := cmp.Diff(&e, event); diff != "" {
		t.Errorf("handed over (-want +got):\n%s", diff)
	}
	if _, err := b.Append(t.Context(), e, 0); err != nil { // its answer was lost
		t.Fatal(err)
	}
	if event := <-got; event == nil || event.ID != e.ID {
		t.Errorf("told of an event that was there already: %+v, want %s", event, e.ID)
	}
	conn, err := nats.Connect("", nats.InProcessServer(server))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	header := nats.Header{
		"ce-id": {"e2"}, "ce-type": {e.Type()}, "ce-subject": {"quote/q"}, "ce-time": {e.At.Format(time.RFC3339Nano)},
		"ce-aggregateversion": {"1"}, "ce-sequence": {"7"},
	}
	for what, change := range map[string]func(*nats.Msg){
		"of another request":   func(m *nats.Msg) { m.Header.Set("ce-operation", "req_2") },
		"that wants an answer": func(m *nats.Msg) { m.Header.Set("ce-operation", "req_1"); m.Reply = "x.y" },
		"never stored":         func(m *nats.Msg) { m.Header.Set("ce-operation", "req_1"); m.Header.Del("ce-sequence") },
	} {
		m := &nats.Msg{Subject: contract.WakeSubject(contract.OperationAggregate, "req_1"), Header: maps.Clone(header), Data: e.Data}
		change(m)
		if err := errors.Join(conn.PublishMsg(m), conn.Flush()); err != nil {
			t.Fatal(err)
		}
		if event := <-got; event != nil {
			t.Errorf("an event %s was handed over: %+v", what, event)
		}
	}
}

func TestChangesReachThoseWhoWait(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	called, other := make(chan struct{}, 100), make(chan struct{}, 100)
	stop, err := b.WatchChange(contract.QuoteAggregate, "q", func(*contract.Event) { called <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	stopOther, err := b.WatchChange(contract.QuoteAggregate, "r", func(*contract.Event) { other <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	defer stopOther()
	bustest.WaitFor(t, "a call", func() bool {
		if err := b.Wake(contract.QuoteAggregate, "q"); err != nil {
			t.Fatal(err)
		}
		return len(called) > 0
	})
	stop()
	if len(other) > 0 {
		t.Error("a change of another aggregate was reported")
	}
	every := make(chan string, 100)
	bustest.Go(t, func(ctx context.Context) error {
		return b.WatchChanges(ctx, contract.AccountAggregate, func(id string) { every <- id })
	})
	bustest.WaitFor(t, "a call for any account", func() bool {
		if err := b.Wake(contract.AccountAggregate, "acc_1"); err != nil {
			t.Fatal(err)
		}
		select {
		case id := <-every:
			return id == "acc_1"
		default:
			return false
		}
	})
}
