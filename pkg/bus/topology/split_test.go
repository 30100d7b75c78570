package topology_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/quotes"
)

// followers are the consumers of quotes.
var followers = []string{contract.ProjectorConsumer, emails.Send.Service, "feed", feed.ExpiryConsumer, quotes.WatchConsumer}

// followQuotes has all consumers of quotes take events until stop, which gives the
// ids of what came.
func followQuotes(t *testing.T, b *bus.Bus, want int) (stop func() []string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	seen, ended := make(chan string, 10000), make(chan error, len(followers))
	for _, consumer := range followers {
		go func() {
			ended <- b.Follow(ctx, consumer, contract.QuoteAggregate, func(_ context.Context, events []contract.Event) error {
				for _, e := range events {
					seen <- e.ID
				}
				return nil
			})
		}()
	}
	return func() (ids []string) {
		for range len(followers) * want {
			ids = append(ids, <-seen)
		}
		awaitTaken(t, b)
		cancel()
		for range followers {
			if err := <-ended; err != nil {
				t.Errorf("end: %v", err)
			}
		}
		return ids
	}
}

// awaitTaken waits until the consumers of quotes have taken all that there is.
func awaitTaken(t *testing.T, b *bus.Bus) {
	t.Helper()
	bustest.WaitFor(t, "nothing to be pending", func() bool {
		states, err := b.States(t.Context())
		for _, s := range states {
			if s.Stream != "EVENTS_QUOTE" {
				continue
			}
			for _, c := range s.Consumers {
				if c.Pending > 0 || c.AckPending > 0 {
					return false
				}
			}
		}
		return err == nil
	})
}

// A stream that holds messages is split while its services are stopped, however
// often the split is cut off: nothing is lost, nothing is taken twice.
func TestSplitOfAStreamThatHoldsMessages(t *testing.T) {
	t.Parallel()
	s := broker(t)
	apply(t, open(t, s, topology.Config{}))
	before := bustest.Connect(t, s)
	for i := range 150 {
		commit(t, before, fmt.Sprint("q", i))
	}
	o := open(t, s, topology.Config{Parts: map[string]int{"EVENTS_QUOTE": 4}})
	stop := followQuotes(t, before, 150)
	awaitTaken(t, before) // and more is asked for
	if err := o.Apply(t.Context(), plan(t, o), false); err == nil || !strings.Contains(err.Error(), "services are at work") {
		t.Errorf("a split beside who takes messages: %v", err)
	}
	stop()
	for i := range 50 { // that nobody takes before
		commit(t, before, fmt.Sprint("q", 150+i))
	}
	before.Close()

	cuts := 0
	for most := time.Millisecond; ; most += most / 2 {
		ctx, cancel := context.WithTimeout(t.Context(), most)
		p, err := o.Plan(ctx)
		if err == nil {
			err = o.Apply(ctx, p, false)
		}
		cancel()
		if err == nil {
			break
		}
		cuts++
		if most > 30*time.Second {
			t.Fatal(err)
		}
	}
	apply(t, o) // what the split leaves to be made
	if p := plan(t, o); len(p) > 0 || cuts < 3 {
		t.Errorf("cut off %d times, want 3 at least; the plan after it was applied, want none:\n%s", cuts, text(p))
	}

	after := bustest.Connect(t, s)
	for i := range 200 {
		e, err := after.Last(t.Context(), contract.QuoteAggregate, fmt.Sprint("q", i))
		if err != nil {
			t.Fatal(err)
		}
		next := contract.Event{
			ID: fmt.Sprint("next", i), Aggregate: contract.QuoteAggregate, AggregateID: e.AggregateID, Name: quotes.EventPriced, Version: 2, At: time.Now(), Data: json.RawMessage(`{"state":{}}`),
		}
		if seq, err := after.Append(t.Context(), next, e.Seq); err != nil || seq <= e.Seq {
			t.Fatalf("%s: sequence %d after %d, %v", e.AggregateID, seq, e.Seq, err)
		}
	}
	stop = followQuotes(t, after, 250)
	times := map[string]int{}
	for _, id := range stop() {
		times[id]++
	}
	for i := range 200 {
		first, want := fmt.Sprint("q", i), 0
		if i >= 150 {
			want = len(followers)
		}
		if next := fmt.Sprint("next", i); times[first] != want || times[next] != len(followers) {
			t.Errorf("%s was taken %d times after the split, want %d; %s %d times, want %d", first, times[first], want, next, times[next], len(followers))
		}
	}
	states, err := after.States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range states {
		if st.Stream == "EVENTS_QUOTE" && (st.Messages < 50 || st.Messages > 200) {
			t.Errorf("%s holds %d of 400 events, want 50 to 200", st.Name, st.Messages)
		}
	}
	if _, err := open(t, s, topology.Config{Parts: map[string]int{"EVENTS_QUOTE": 8}}).Plan(t.Context()); !errors.Is(err, topology.ErrParts) {
		t.Errorf("a second split: %v", err)
	}
}
