package bus_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/registry"
)

// eventNames are the names of an aggregate's events, oldest first.
func eventNames(t *testing.T, b *bus.Bus, a contract.Aggregate, id string) (names []contract.EventName) {
	t.Helper()
	events, err := b.History(t.Context(), a, id, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		names = append(names, e.Name)
	}
	return names
}

// appendEvents stores events of these names after what an aggregate has.
func appendEvents(t *testing.T, b *bus.Bus, a contract.Aggregate, id string, names ...contract.EventName) {
	t.Helper()
	for i, name := range names {
		c := contract.Command{ID: contract.NewID("cmd_", time.Now()), Account: "acc"}
		_, err := aggregate.At[map[string]int](b, a, id).Step(t.Context(), c, string(name), time.Now(),
			func(aggregate.Snapshot[map[string]int]) (*aggregate.Change[map[string]int], error) {
				return &aggregate.Change[map[string]int]{Event: name, State: map[string]int{"n": i}}, nil
			})
		if err != nil {
			t.Fatalf("append event %d of %v to %s: %v", i, names, a, err)
		}
	}
}

// TestWhatFollowersActOnStays: of an aggregate that gets more events than are kept
// what no follower acts on makes way first, the oldest of it; where followers act on
// all, the oldest does. The last, which has the state, never does.
func TestWhatFollowersActOnStays(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	for _, a := range registry.Aggregates() {
		if len(a.Followers) == 0 || !registry.Overwrites(a.Name) {
			continue
		}
		acts, other := a.Followers[0].ActsOn[0], contract.RequestRefused
		repeat := func(name contract.EventName, n int) []contract.EventName {
			return slices.Repeat([]contract.EventName{name}, n)
		}
		for _, c := range []struct {
			rule           string
			appended, want []contract.EventName
		}{
			{"repeated at will", slices.Concat(repeat(acts, 2), repeat(other, 2*a.Versions)), slices.Concat(repeat(acts, 2), repeat(other, a.Versions-2))},
			{"of the others the oldest", slices.Concat([]contract.EventName{other, acts}, repeat(other, a.Versions-2), []contract.EventName{acts}),
				slices.Concat([]contract.EventName{acts}, repeat(other, a.Versions-2), []contract.EventName{acts})},
			{"nothing but such", repeat(acts, a.Versions+1), repeat(acts, a.Versions)},
			{"full of such, then others", slices.Concat(repeat(acts, a.Versions), repeat(other, a.Versions)), slices.Concat(repeat(acts, a.Versions-2), repeat(other, 2))},
		} {
			id := contract.DeriveID(string(a.Name), c.rule)
			appendEvents(t, b, a.Name, id, c.appended...)
			if got := eventNames(t, b, a.Name, id); !slices.Equal(got, c.want) {
				t.Errorf("%s of %s, which keeps %d, after %v:\ngot  %v\nwant %v", c.rule, a.Name, a.Versions, c.appended, got, c.want)
			}
		}
	}
}

// TestRoomIsMadeByManyAtOnce: requests that are refused at the same moment on an
// aggregate that is full have one outcome each, and what a follower acts on stays.
func TestRoomIsMadeByManyAtOnce(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(t *testing.T) *bus.Bus{
		"one node":    func(t *testing.T) *bus.Bus { return bustest.Start(t) },
		"three nodes": func(t *testing.T) *bus.Bus { return bustest.Connect(t, bustest.Cluster(t, topology.Config{})[0]) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refuseManyAtOnce(t, start(t))
		})
	}
}

func refuseManyAtOnce(t *testing.T, b *bus.Bus) {
	a := registry.Aggregates()[slices.IndexFunc(registry.Aggregates(), func(a registry.Aggregate) bool { return a.Name == contract.OrderAggregate })]
	appendEvents(t, b, a.Name, "A", slices.Concat(a.Followers[0].ActsOn[:1], slices.Repeat([]contract.EventName{contract.RequestRefused}, a.Versions-1))...)
	before, err := b.Last(t.Context(), a.Name, "A")
	if err != nil {
		t.Fatal(err)
	}
	const requests = 12
	var all sync.WaitGroup
	for i := range requests {
		c := contract.Command{ID: fmt.Sprint("cmd_", i), Name: orders.Cancel, Request: fmt.Sprint("req_", i), Account: "acc", Data: []byte(`{"quote":"A"}`)}
		for range 2 { // each is delivered twice
			all.Go(func() {
				if err := aggregate.Refuse(t.Context(), b, c, contract.Refuse(contract.NotFound, "no"), time.Now()); err != nil {
					t.Errorf("refuse %s: %v", c.ID, err)
				}
			})
		}
	}
	all.Wait()
	last, err := b.Last(t.Context(), a.Name, "A")
	if err != nil || last.Version != before.Version+requests {
		t.Fatalf("the last event has version %d, %v; want %d", last.Version, err, before.Version+requests)
	}
	var events []bus.Headline
	bustest.WaitFor(t, "all events", func() bool { // maybe of a replica that is behind
		events, err = b.History(t.Context(), a.Name, "A", 0, 1000)
		return err == nil && len(events) > 0 && events[len(events)-1].Version == last.Version
	})
	outcomes := map[string]int{}
	for _, e := range events {
		outcomes[e.Operation]++
	}
	for i := range requests {
		if n := outcomes[fmt.Sprint("req_", i)]; n != 1 {
			t.Errorf("req_%d has %d outcomes, want 1: %v", i, n, outcomes)
		}
	}
	if events[0].Name != a.Followers[0].ActsOn[0] {
		t.Errorf("the first event is %s, want %s", events[0].Name, a.Followers[0].ActsOn[0])
	}
}
