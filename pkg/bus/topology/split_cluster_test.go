package topology_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
)

const (
	splitWriters = 3
	atOnce       = 20 // aggregates that a writer goes on with by turns
	rounds       = 6  // and how often, then come others
	writesAfter  = 2 * atOnce
)

// A writer commits version after version, as services do: it loads, appends with
// the guard, and where that fails looks for the streams anew, as a service that is
// started again.
type writer struct {
	bus  *bus.Bus
	name string
	last map[string]uint64 // version acknowledged, by aggregate
	fell int               // how often an append failed
}

func (w *writer) run(ctx context.Context, over <-chan struct{}) {
	for n, left := 0, writesAfter; ctx.Err() == nil && left > 0; n++ {
		select {
		case <-over:
			left--
		default:
		}
		if err := w.write(ctx, w.id(n)); err != nil {
			w.fell++
			again, cancel := context.WithTimeout(ctx, 2*time.Second)
			_ = w.bus.Verify(again) // parts that are being made fail the next append
			cancel()
		}
	}
}

func (w *writer) id(n int) string {
	return fmt.Sprint(w.name, n/(atOnce*rounds), "-", n%atOnce)
}

func (w *writer) write(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	now, err := w.bus.Last(ctx, contract.QuoteAggregate, id)
	if err != nil && !errors.Is(err, aggregate.ErrNone) {
		return err
	}
	next := contract.Event{
		ID: fmt.Sprintf("%s-%d", id, now.Version+1), Aggregate: contract.QuoteAggregate, AggregateID: id, Name: quotes.EventPriced,
		Version: now.Version + 1, At: time.Now(), Data: json.RawMessage(`{"state":{}}`),
	}
	if _, err = w.bus.Append(ctx, next, now.Seq); err == nil {
		w.last[id] = next.Version
	}
	return err
}

// On three replicas a stream is split while writers go on, and consumers are
// behind: what was acknowledged is there once, and each consumer takes it once.
func TestSplitOnThreeReplicasUnderWrites(t *testing.T) {
	t.Parallel()
	servers := bustest.Cluster(t, topology.Config{})
	reader := bustest.Connect(t, servers[0])
	var writers []*writer
	for i := range splitWriters {
		w := &writer{bus: bustest.Connect(t, servers[i]), name: fmt.Sprintf("w%d-", i), last: map[string]uint64{}}
		for n := range atOnce { // what is there before
			if err := w.write(t.Context(), w.id(n)); err != nil {
				t.Fatal(err)
			}
		}
		writers = append(writers, w)
	}
	times := map[string]int{}
	count := func(ids []string) {
		for _, id := range ids {
			times[id]++
		}
	}
	count(followQuotes(t, reader, splitWriters*atOnce)()) // then the consumers fall behind
	reader.Close()

	var writing sync.WaitGroup
	over := make(chan struct{})
	for _, w := range writers {
		writing.Go(func() { w.run(t.Context(), over) })
	}
	o := open(t, servers[1], topology.Config{Replicas: 3, Parts: map[string]int{"EVENTS_QUOTE": 2}})
	splitIn(t, o)
	close(over)
	writing.Wait()

	after := bustest.Connect(t, servers[2])
	versions, stored := versionsOf(t, after)
	count(followQuotes(t, after, stored-splitWriters*atOnce)())
	for _, w := range writers {
		if w.fell == 0 {
			t.Errorf("%s did not notice the split", w.name)
		}
		for id, last := range w.last {
			if n := uint64(len(versions[id])); n < last {
				t.Errorf("%s is stored as %d versions, want the %d that were acknowledged", id, n, last)
			}
		}
	}
	for id, stored := range versions {
		for i, v := range stored {
			if v != uint64(i+1) {
				t.Fatalf("%s is stored as versions %v, want 1 and on without a gap", id, stored)
			}
			if event := fmt.Sprintf("%s-%d", id, v); times[event] != len(followers) {
				t.Errorf("%s was taken %d times, want once by each of %d consumers", event, times[event], len(followers))
			}
		}
	}
	if parts := slices.Collect(maps.Keys(partsWith(t, after))); len(parts) != 2 {
		t.Errorf("the events lie in %v, want 2 parts", parts)
	}
}

// versionsOf gives the versions of each quote that are stored, in their order, and
// how many there are of all.
func versionsOf(t *testing.T, b *bus.Bus) (versions map[string][]uint64, stored int) {
	t.Helper()
	versions = map[string][]uint64{}
	var mu sync.Mutex // parts are read at the same time
	_, err := b.ReplayEvents(t.Context(), contract.QuoteAggregate, func(events []contract.Event) error {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range events {
			versions[e.AggregateID] = append(versions[e.AggregateID], e.Version)
		}
		stored += len(events)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return versions, stored
}

// splitIn applies the topology until nothing is left to do: replicas may say so a
// moment later.
func splitIn(t *testing.T, o *topology.Owner) {
	t.Helper()
	var last error
	bustest.WaitFor(t, "the split to be made", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		p, err := o.Plan(ctx)
		if err == nil && len(p) == 0 {
			return true
		}
		if err == nil {
			err = o.Apply(ctx, p, false)
		}
		if err != nil && (last == nil || err.Error() != last.Error()) {
			t.Log(err)
			last = err
		}
		return false
	})
}

// partsWith gives how many quotes' events each stream holds.
func partsWith(t *testing.T, b *bus.Bus) map[string]uint64 {
	t.Helper()
	states, err := b.States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]uint64{}
	for _, s := range states {
		if s.Stream == "EVENTS_QUOTE" && s.Messages > 0 {
			held[s.Name] = uint64(s.Messages)
		}
	}
	return held
}
