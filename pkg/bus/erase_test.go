package bus_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/shipments"

	"boardorder/pkg/bus"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/zap"
)

// TestErase: what has a label is found by headers alone, whatever came after it,
// in every part of a split stream, and is overwritten on the broker's disk.
func TestErase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server, err := embedded.Start(embedded.Config{Dir: dir, Port: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	cfg := topology.Config{Parts: map[string]int{contract.EventStream(contract.QuoteAggregate): 4}}
	if err := topology.Ensure(t.Context(), bus.Config{InProcess: server, Name: "topology", Log: zap.NewNop()}, cfg); err != nil {
		t.Fatal(err)
	}
	b := bustest.Connect(t, server)
	store := func(id, command, email string) {
		t.Helper()
		c := contract.Command{ID: command, Name: quotes.ChooseDelivery, At: time.Now()}
		_, err := aggregate.At[quotes.Quote](b, contract.QuoteAggregate, id).Step(t.Context(), c, command, time.Now(),
			func(aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
				return &aggregate.Change[quotes.Quote]{Event: quotes.EventDeliveryChosen, State: quotes.Quote{
					Ref: id, Upload: "u", Delivery: &shipments.Delivery{ShipTo: shipments.ShipTo{Email: email, Country: "US"}},
				}}, nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"one", "two", "three", "four"} {
		store(id, "a", "ada@example.com")
	}
	store("two", "b", "grace@example.com") // another address since
	store("five", "a", "grace@example.com")
	claim := bus.Claim{Key: "k", Command: contract.Command{
		ID: "c", Name: quotes.Price, Request: "r", At: time.Now(), Data: json.RawMessage(`{"request":{"ship_to":{"email":"Ada@example.com"}}}`),
	}}
	if err := b.Claim(t.Context(), claim); err != nil {
		t.Fatal(err)
	}
	labels := contract.NewLabels(contract.PersonLabel("ADA@example.com"))
	for range 2 { // a second time finds it done
		if _, err := b.DropLabelled(t.Context(), labels); err != nil {
			t.Fatal(err)
		}
		ids, err := (aggregate.Eraser{Core: b, Labels: labels}).Find(t.Context(), contract.QuoteAggregate)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			c := contract.Command{ID: "erase", Name: quotes.Erase, At: time.Now()}
			eraser := aggregate.Eraser{Core: b, Command: c, Labels: labels, At: time.Now()}
			err := aggregate.Erase(t.Context(), eraser, contract.QuoteAggregate, id, func(q quotes.Quote) quotes.Quote { return q.Redact(time.Now()) })
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if ids, err := (aggregate.Eraser{Core: b, Labels: labels}).Find(t.Context(), contract.QuoteAggregate); err != nil || len(ids) > 0 {
		t.Errorf("still labelled: %v, %v", ids, err)
	}
	for id, want := range map[string]contract.EventName{"one": contract.Erased, "two": quotes.EventDeliveryChosen, "five": quotes.EventDeliveryChosen} {
		events, err := b.History(t.Context(), contract.QuoteAggregate, id, 0, 10)
		if err != nil || len(events) != 1 || events[0].Name != want {
			t.Errorf("history of %s: %+v, %v; want %s alone", id, events, err, want)
		}
	}
	if countOnDisk(t, dir, "grace@example.com") == 0 {
		t.Error("the test looks in the wrong place")
	}
	bustest.WaitFor(t, "nothing on the disk", func() bool { return countOnDisk(t, dir, "ada@example.com") == 0 })
}

type secretive struct {
	Text string `json:"text"`
}

func (s secretive) Labels() contract.Labels {
	return contract.NewLabels(contract.PersonLabel("ada@example.com"))
}

// TestEveryVersionIsErased: of whatever kind, no earlier state stays on the
// broker's disk, since none was dropped for its number before it was overwritten.
func TestEveryVersionIsErased(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server, err := embedded.Start(embedded.Config{Dir: dir, Port: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	if err := topology.Ensure(t.Context(), bus.Config{InProcess: server, Name: "topology", Log: zap.NewNop()}, topology.Config{}); err != nil {
		t.Fatal(err)
	}
	b := bustest.Connect(t, server)
	usual := map[contract.Aggregate]int{contract.OperationAggregate: 1, contract.QuoteRequestAggregate: 1}
	for _, a := range contract.Aggregates() {
		n, ok := usual[a]
		if !ok {
			n = 6
		}
		for i := range n {
			id := fmt.Sprint(i)
			_, err := aggregate.At[secretive](b, a, "x").Step(t.Context(), contract.Command{ID: id, Name: boards.Read, At: time.Now()}, id, time.Now(),
				func(aggregate.Snapshot[secretive]) (*aggregate.Change[secretive], error) {
					return &aggregate.Change[secretive]{Event: boards.EventRead, State: secretive{"secret of " + string(a) + " " + id}}, nil
				})
			if err != nil {
				t.Fatal(err)
			}
		}
		if countOnDisk(t, dir, "secret of "+string(a)) == 0 {
			t.Errorf("%s: the test looks in the wrong place", a)
		}
		c := contract.Command{ID: "erase", Name: boards.Forget, At: time.Now()}
		if err := (aggregate.Eraser{Core: b, Command: c, Labels: secretive{}.Labels(), At: time.Now()}).Remove(t.Context(), a, "x"); err != nil {
			t.Fatal(err)
		}
	}
	bustest.WaitFor(t, "nothing on the disk", func() bool { return countOnDisk(t, dir, "secret of ") == 0 })
}

var replicas = flag.Bool("replicas", false, "wait the minutes until a replicated stream's own log is empty as well")

// TestStatesBeyondTheLimitAreErased: of an aggregate that got more states than its
// stream keeps, none stays on the disk of any broker, whichever came first.
func TestStatesBeyondTheLimitAreErased(t *testing.T) {
	t.Parallel()
	kinds := []contract.Aggregate{contract.ConfirmationAggregate, contract.QuoteRequestAggregate, contract.CustomerAggregate}
	for name, start := range map[string]func(testing.TB) []*server.Server{
		"one":   func(t testing.TB) []*server.Server { return []*server.Server{brokerWithSync(t)} },
		"three": func(t testing.TB) []*server.Server { return bustest.Cluster(t, topology.Config{}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "three" && !*replicas {
				t.Skip("takes three minutes of waiting: -replicas, or make test-erasure")
			}
			servers := start(t)
			b := bustest.Connect(t, servers[0])
			left := func() (n int) {
				for _, s := range servers {
					n += countOnDisk(t, s.JetStreamConfig().StoreDir, "secret of ")
				}
				return n
			}
			for _, a := range kinds {
				for i := range 27 {
					commitSecret(t, b, a, fmt.Sprint(i))
				}
				bustest.WaitFor(t, "the newest states of "+string(a), func() bool {
					events, err := b.History(t.Context(), a, "x", 0, 100) // maybe of a replica that is behind
					return err == nil && len(events) == versions(a) && events[len(events)-1].Version == 27
				})
			}
			if left() == 0 {
				t.Error("the test looks in the wrong place")
			}
			for _, a := range kinds {
				c := contract.Command{ID: "erase", Name: boards.Forget, At: time.Now()}
				bustest.WaitFor(t, "the erasure of "+string(a), func() bool { // streams have just been made, some have no leader yet
					return (aggregate.Eraser{Core: b, Command: c, Labels: secretive{}.Labels(), At: time.Now()}).Remove(t.Context(), a, "x") == nil
				})
			}
			awaitCompaction(t, func() bool { return left() == 0 })
		})
	}
}

// awaitCompaction waits as long as the handbook says that replicas keep what they
// agreed on: the broker empties that log two to three minutes after it was written.
func awaitCompaction(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatal("it is still on a disk")
}

// brokerWithSync is a broker that syncs each write, as production's do.
func brokerWithSync(t testing.TB) *server.Server {
	t.Helper()
	s, err := embedded.Start(embedded.Config{Dir: t.TempDir(), Port: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if err := topology.Ensure(t.Context(), bus.Config{InProcess: s, Name: "topology", Log: zap.NewNop()}, topology.Config{}); err != nil {
		t.Fatal(err)
	}
	return s
}

func commitSecret(t *testing.T, b *bus.Bus, a contract.Aggregate, id string) {
	t.Helper()
	_, err := aggregate.At[secretive](b, a, "x").Step(t.Context(), contract.Command{ID: id, Name: boards.Read, At: time.Now()}, id, time.Now(),
		func(aggregate.Snapshot[secretive]) (*aggregate.Change[secretive], error) {
			return &aggregate.Change[secretive]{Event: boards.EventRead, State: secretive{"secret of " + string(a) + " " + id}}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
}

func versions(a contract.Aggregate) int {
	for _, s := range registry.Streams() {
		if s.Name == contract.EventStream(a) {
			return s.Versions
		}
	}
	return 0
}

// countOnDisk counts the files below a folder that hold a text.
func countOnDisk(t *testing.T, dir, text string) (n int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // the broker removes files while it runs
		}
		if data, err := os.ReadFile(path); err == nil && bytes.Contains(bytes.ToLower(data), []byte(text)) {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
