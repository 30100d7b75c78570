package feed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	feedcontract "boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/feed"

	"go.uber.org/zap"
)

const owner = "acc_1"

var begin = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

// history stores events of one order, a minute apart, and gives them as a consumer would.
func history(t *testing.T, b *bus.Bus, id string, at time.Time, names ...contract.EventName) []contract.Event {
	t.Helper()
	var out []contract.Event
	var after uint64
	for i, n := range names {
		state, err := json.Marshal(map[string]any{"state": orders.Order{Sold: quotes.Quote{BuyLink: link(id)}, ID: "ord_" + id, Quote: id, Account: owner, Request: "req_" + id, Status: orders.Paid, TotalCents: 100, Steps: []orders.Step{{Name: "Drilling", At: at}}}})
		if err != nil {
			t.Fatal(err)
		}
		e := contract.Event{
			ID: fmt.Sprint(id, "-", i), Aggregate: contract.OrderAggregate, AggregateID: id, Name: n, Version: uint64(i + 1), Account: owner,
			At: at.Add(time.Duration(i) * time.Minute), Data: state,
		}
		if after, err = b.Append(t.Context(), e, after); err != nil {
			t.Fatal(err)
		}
		e.Seq = after
		out = append(out, e)
	}
	return out
}

// link is the buy link of which an order is; "" of most.
func link(id string) string {
	if strings.HasPrefix(id, "bought") {
		return "bl_" + id
	}
	return ""
}

// life is what an order goes through: what is told of it has the versions 1, 4, 5, 6 and 8.
var life = []contract.EventName{
	orders.EventPaid, orders.EventScreened, orders.EventPlacing, orders.EventPlaced, orders.EventInProduction, orders.EventProgressed, orders.EventInvoiced, orders.EventShipped,
}

func lifeSequences() []uint64 { return []uint64{11, 41, 51, 61, 81} }

// readPublished reads all that an owner was told, or of one object.
func readPublished(t *testing.T, b *bus.Bus, key string) (out []feedcontract.Entry) {
	t.Helper()
	for after := uint64(0); ; {
		e, err := b.PublicAfter(t.Context(), owner, key, after)
		if errors.Is(err, aggregate.ErrNone) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out, after = append(out, e), e.Seq
	}
}

// checkChain holds that an object's events have the sequences given, each once, in order, and
// that each names the one before.
func checkChain(t *testing.T, b *bus.Bus, id string, want ...uint64) {
	t.Helper()
	key := feedcontract.KeyOf(contract.OrderAggregate, id)
	got := readPublished(t, b, key)
	var previous uint64
	for i, e := range got {
		if i >= len(want) || e.Sequence != want[i] || e.Previous != previous || e.ID != feedcontract.IDOf(key, e.Sequence) {
			t.Errorf("%s, event %d: %s, %s, sequence %d after %d; want the sequences %v, each after the one before", id, i+1, e.ID, e.Type, e.Sequence, e.Previous, want)
		}
		previous = e.Sequence
	}
	if len(got) != len(want) {
		t.Errorf("%s has %d public events, want %d", id, len(got), len(want))
	}
}

func newService(events feed.Events, at time.Time) *feed.Service {
	return feed.New(feed.Config{}, events, zap.NewNop(), func() time.Time { return at })
}

// newRunningService makes one that goes by the time that it is.
func newRunningService(events feed.Events) *feed.Service {
	return feed.New(feed.Config{}, events, zap.NewNop(), time.Now)
}

// TestEachEventOnceAndInOrder: replicas get events several times, late, in any order and at
// the same moment, and what is told is the same as if each had come once.
func TestEachEventOnceAndInOrder(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{})
	b := bustest.Connect(t, s)
	var all []contract.Event
	const objects = 6
	for i := range objects {
		all = append(all, history(t, b, fmt.Sprint("q", i), begin, life...)...)
	}
	var replicas sync.WaitGroup
	for r := range 3 {
		service := newService(bustest.Connect(t, s), begin.Add(time.Hour))
		rnd := rand.New(rand.NewPCG(uint64(r), 7))
		replicas.Go(func() {
			mine := append(append([]contract.Event{}, all...), all...)
			rnd.Shuffle(len(mine), func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
			for len(mine) > 0 {
				n := min(1+rnd.IntN(9), len(mine))
				if err := service.HandleEvents(t.Context(), mine[:n]); err != nil {
					t.Errorf("HandleEvents: %v", err)
				}
				mine = mine[n:]
			}
		})
	}
	replicas.Wait()
	for i := range objects {
		checkChain(t, b, fmt.Sprint("q", i), lifeSequences()...)
	}
}

// TestLateEventDoesNotGetLost: the last event of an object comes first, and leads to those
// before it.
func TestLateEventDoesNotGetLost(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	all := history(t, b, "q1", begin, life...)
	service := newService(b, begin.Add(time.Hour))
	if err := service.HandleEvents(t.Context(), all[len(all)-1:]); err != nil {
		t.Fatal(err)
	}
	checkChain(t, b, "q1", lifeSequences()...)
}

// TestReplayPublishesNothing: all events come again much later, as when the consumer is made
// anew, and what was published is as it was.
func TestReplayPublishesNothing(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	all := history(t, b, "q1", begin, life...)
	for _, at := range []time.Duration{time.Hour, 24 * time.Hour, 29 * 24 * time.Hour, 31 * 24 * time.Hour, 400 * 24 * time.Hour} {
		if err := newService(b, begin.Add(at)).HandleEvents(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		checkChain(t, b, "q1", lifeSequences()...)
	}
}

// A flaky one stores and says that it did not, as when the process dies between.
type flaky struct {
	*bus.Bus
	every int
	n     int
	mu    sync.Mutex
}

func (f *flaky) PublishPublic(ctx context.Context, e feedcontract.Entry, after uint64) (uint64, error) {
	f.mu.Lock()
	f.n++
	lost, before := f.n%f.every == 0, f.n%f.every == 1
	f.mu.Unlock()
	if before {
		return 0, errors.New("died before")
	}
	seq, err := f.Bus.PublishPublic(ctx, e, after)
	if lost {
		return 0, errors.New("died after")
	}
	return seq, err
}

// TestCrashesBetweenLines: whatever dies before or after it was stored comes again, until all
// is published once.
func TestCrashesBetweenLines(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	var all []contract.Event
	for i := range 4 {
		all = append(all, history(t, b, fmt.Sprint("q", i), begin, life...)...)
		all = append(all, history(t, b, fmt.Sprint("bought", i), begin, life...)...)
	}
	service := newService(&flaky{Bus: b, every: 3}, begin.Add(time.Hour))
	bustest.WaitFor(t, "all to be handled", func() bool { return service.HandleEvents(t.Context(), all) == nil })
	for i := range 4 {
		checkChain(t, b, fmt.Sprint("q", i), lifeSequences()...)
		checkChain(t, b, fmt.Sprint("bought", i), append([]uint64{10}, lifeSequences()...)...)
	}
}

// TestHalfAVersionIsCompleted: of two that follow from one stored event the first was published
// by a process that died; the next event of the object leads to the second.
func TestHalfAVersionIsCompleted(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	all := history(t, b, "bought", begin, life...)
	derived, err := feedcontract.Derive(all[0])
	if err != nil || len(derived) != 2 {
		t.Fatalf("Derive: %+v, %v; want two", derived, err)
	}
	if _, err := b.PublishPublic(t.Context(), derived[0], 0); err != nil {
		t.Fatal(err)
	}
	if err := newService(b, begin.Add(time.Hour)).HandleEvents(t.Context(), all[3:4]); err != nil {
		t.Fatal(err)
	}
	checkChain(t, b, "bought", 10, 11, 41)
}

// TestOldEventsCountButAreNotPublished: of an order that was paid long ago only what is new is
// told, and it names what was before.
func TestOldEventsCountButAreNotPublished(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	all := history(t, b, "q1", begin, orders.EventPaid, orders.EventPlaced)
	late := all[1]
	late.Name, late.Version, late.At, late.ID = orders.EventShipped, 3, begin.Add(40*24*time.Hour), "late"
	if _, err := b.Append(t.Context(), late, all[1].Seq); err != nil {
		t.Fatal(err)
	}
	if err := newService(b, late.At.Add(time.Minute)).HandleEvents(t.Context(), append(all, late)); err != nil {
		t.Fatal(err)
	}
	got := readPublished(t, b, "*")
	if len(got) != 1 || got[0].Sequence != 31 || got[0].Previous != 21 {
		t.Errorf("published %+v, want one with sequence 31 after 21", got)
	}
}

// TestUnreadableEventIsSetAside: what nobody can read stops nothing.
func TestUnreadableEventIsSetAside(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	all := history(t, b, "q1", begin, orders.EventPaid, orders.EventPlaced)
	broken := all[0]
	broken.AggregateID, broken.Data = "q2", json.RawMessage(`{"state":{"id":7}}`)
	if err := newService(b, begin.Add(time.Hour)).HandleEvents(t.Context(), append([]contract.Event{broken}, all...)); err != nil {
		t.Fatal(err)
	}
	checkChain(t, b, "q1", 11, 21)
	dead, err := b.DeadLetters(t.Context(), 0, 10)
	if err != nil || len(dead) != 1 {
		t.Errorf("dead letters: %v, %v; want the one event", dead, err)
	}
}

// TestModesAreApart: what a test key made is told to test keys only.
func TestModesAreApart(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	for _, o := range []string{owner, contract.TestOwner(owner), "acc_2"} {
		data, err := json.Marshal(map[string]any{"state": quotes.Quote{Ref: "q", Account: o, RequestID: "req_" + o, Status: quotes.Ready}})
		if err != nil {
			t.Fatal(err)
		}
		e := contract.Event{ID: o, Aggregate: contract.QuoteAggregate, AggregateID: contract.DeriveID(o), Name: quotes.EventPriced, Version: 1, Account: o, At: begin, Data: data}
		if _, err := b.Append(t.Context(), e, 0); err != nil {
			t.Fatal(err)
		}
	}
	bustest.Go(t, func(ctx context.Context) error { return newService(b, begin.Add(time.Minute)).Serve(ctx, b) })
	for _, o := range []string{owner, contract.TestOwner(owner), "acc_2"} {
		var got feedcontract.Entry
		bustest.WaitFor(t, "the event of "+o, func() (ok bool) {
			var err error
			got, err = b.PublicAfter(t.Context(), o, "*", 0)
			return err == nil
		})
		if got.Owner != o || got.Livemode == contract.IsTest(o) || got.Data.RequestID != "req_"+o {
			t.Errorf("%s is told %+v", o, got)
		}
		if more, err := b.PublicAfter(t.Context(), o, "*", got.Seq); !errors.Is(err, aggregate.ErrNone) {
			t.Errorf("%s is told %+v besides, %v", o, more, err)
		}
	}
}
