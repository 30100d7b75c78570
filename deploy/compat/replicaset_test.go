package compat_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/deploy/compat/peers"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/mongo"
	"boardorder/pkg/projection/projectiontest"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

const lease = 200 * time.Millisecond

func openStore(t *testing.T, url string) *mongo.Store {
	t.Helper()
	store, err := mongo.Open(url, mongo.Lease(lease))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// The projection on three servers that ask for passwords, as production has it.
func TestProjectionOnReplicaSet(t *testing.T) {
	t.Parallel()
	set := peers.StartReplicaSet(t)
	projectiontest.Run(t, func(t *testing.T) func() projection.Store {
		url := peers.NewDatabase(t, set.URL("root", set.RootPassword, "admin", ""))
		return func() projection.Store {
			store, err := mongo.Open(url, mongo.Lease(lease))
			if err != nil {
				t.Fatalf("Open = %v", err)
			}
			return store
		}
	})
}

// recovery is how long readers and writers may be without an answer when a primary
// goes. It bounds a wait: what takes longer fails.
const recovery = 12 * time.Second

// Whoever writes and reads while the primary steps down, or dies, gets no wrong
// answer, loses nothing that was acknowledged, and goes on.
func TestPrimaryGoes(t *testing.T) {
	t.Parallel()
	for name, disturb := range map[string]func(*testing.T, *peers.ReplicaSet, *driver.Client){
		"steps down": func(t *testing.T, set *peers.ReplicaSet, root *driver.Client) {
			err := root.Database("admin").RunCommand(t.Context(), bson.D{{Key: "replSetStepDown", Value: 30}, {Key: "secondaryCatchUpPeriodSecs", Value: 10}}).Err()
			if err != nil && !driver.IsNetworkError(err) {
				t.Errorf("step down: %v", err)
			}
		},
		"is killed": func(t *testing.T, set *peers.ReplicaSet, root *driver.Client) {
			primary, err := set.Primary(t.Context(), root)
			if err != nil {
				t.Errorf("primary: %v", err)
				return
			}
			primary.Kill()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := peers.StartReplicaSet(t)
			root := set.Root(t)
			store := openStore(t, set.URL("root", set.RootPassword, "admin", "boardorder"))
			w := &writer{store: store}
			w.writeUntil(t, 50)
			stop := make(chan struct{})
			done := make(chan struct{})
			go func() {
				defer close(done)
				w.run(t, stop)
			}()
			disturb(t, set, root)
			w.await(t, w.acknowledged.Load()+200)
			close(stop)
			<-done
			w.verify(t)
		})
	}
}

// A writer gives one document ever newer sequences, and reads each back.
type writer struct {
	store        projection.Store
	acknowledged atomic.Uint64
}

func (w *writer) writeUntil(t *testing.T, last uint64) {
	t.Helper()
	for w.acknowledged.Load() < last {
		if !w.step(t) {
			return
		}
	}
}

func (w *writer) run(t *testing.T, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
			if !w.step(t) {
				return
			}
		}
	}
}

// step writes until it is acknowledged, as the projector does, for at most recovery.
func (w *writer) step(t *testing.T) bool {
	ctx, cancel := context.WithTimeout(t.Context(), recovery)
	defer cancel()
	next := w.acknowledged.Load() + 1
	doc := projection.Document{Kind: "quote", ID: "a", Seq: next, At: time.Unix(int64(next), 0).UTC(), Keys: map[string]string{"account": "x"}, Body: fmt.Appendf(nil, `{"n":%d}`, next)}
	if err := retry(ctx, func() error { return w.store.Put(ctx, doc) }); err != nil {
		t.Errorf("Put of %d: %v", next, err)
		return false
	}
	w.acknowledged.Store(next)
	var got projection.Document
	err := retry(ctx, func() (err error) { got, err = w.store.Get(ctx, "quote", "a"); return err })
	if err != nil || got.Seq != next {
		t.Errorf("Get after Put of %d = %d, %v", next, got.Seq, err)
		return false
	}
	return true
}

// retry repeats what failed because the server was away.
func retry(ctx context.Context, call func() error) error {
	for {
		err := call()
		if err == nil || !errors.Is(err, projection.ErrUnavailable) || ctx.Err() != nil {
			return err
		}
	}
}

func (w *writer) await(t *testing.T, n uint64) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for w.acknowledged.Load() < n && !t.Failed() {
		<-tick.C
	}
}

func (w *writer) verify(t *testing.T) {
	t.Helper()
	want := w.acknowledged.Load()
	docs, _, err := w.store.List(t.Context(), "quote", "account", "x", projection.Page{})
	if err != nil || len(docs) != 1 || docs[0].Seq != want {
		t.Errorf("List = %d documents, %v; want one of sequence %d", len(docs), err, want)
	}
	if n, err := w.store.Count(t.Context(), "quote", "account", "x"); err != nil || n != 1 {
		t.Errorf("Count = %d, %v; want 1", n, err)
	}
}

// Every request of the adapter is answered by an index: none scans a collection or
// sorts in memory, whatever it asks for.
func TestEveryRequestUsesAnIndex(t *testing.T) {
	t.Parallel()
	set := peers.StartReplicaSet(t)
	root := set.Root(t)
	db := root.Database("boardorder")
	store := openStore(t, set.URL("root", set.RootPassword, "admin", db.Name()))
	fill(t, store)
	if err := db.RunCommand(t.Context(), bson.D{{Key: "profile", Value: 2}}).Err(); err != nil {
		t.Fatal(err)
	}
	ask(t, store)
	found, err := db.Collection("system.profile").Find(t.Context(), bson.D{{Key: "ns", Value: bson.D{{Key: "$regex", Value: `^boardorder\.(g|generations)`}}}})
	if err != nil {
		t.Fatal(err)
	}
	var profiled []struct {
		NS, PlanSummary string
		HasSortStage    bool
		KeysExamined    int
		DocsExamined    int
		Command         bson.Raw
	}
	if err := found.All(t.Context(), &profiled); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, p := range profiled {
		if p.PlanSummary == "" {
			continue // no search, such as an insertion
		}
		seen++
		if strings.Contains(p.PlanSummary, "COLLSCAN") || p.HasSortStage {
			t.Errorf("%s: plan %s, sort in memory %t; want an index, false: %s", p.NS, p.PlanSummary, p.HasSortStage, p.Command)
		}
	}
	if seen < 15 {
		t.Errorf("the profile shows %d searches, want 15 at least", seen)
	}
}

const filled = 2000

func fill(t *testing.T, store projection.Store) {
	t.Helper()
	docs := make([]projection.Document, filled)
	for i := range docs {
		docs[i] = projection.Document{
			Kind: "quote", ID: fmt.Sprintf("q%05d", i), Seq: 1, At: time.Unix(int64(1_700_000_000+i), 0).UTC(),
			Keys: map[string]string{"account": fmt.Sprint("a", i%7), "status": fmt.Sprint("s", i%3)}, Terms: []string{fmt.Sprintf("bo-%05d", i)},
			Body: []byte(`{"x":1}`), Until: time.Now().Add(time.Hour),
		}
	}
	if err := store.Put(t.Context(), docs...); err != nil {
		t.Fatal(err)
	}
}

// ask makes every kind of request.
func ask(t *testing.T, store projection.Store) {
	t.Helper()
	ctx := t.Context()
	check := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := store.Get(ctx, "quote", "q00007")
	check("Get", err)
	for _, by := range [][2]string{{}, {"account", "a3"}, {"status", "s1"}} {
		_, next, err := store.List(ctx, "quote", by[0], by[1], projection.Page{Limit: 20})
		check("List", err)
		_, _, err = store.List(ctx, "quote", by[0], by[1], projection.Page{Limit: 20, Cursor: next})
		check("List on", err)
		_, _, err = store.List(ctx, "quote", by[0], by[1], projection.Page{Limit: 20, Before: time.Unix(1_700_000_500, 0)})
		check("List before", err)
		_, err = store.Count(ctx, "quote", by[0], by[1])
		check("Count", err)
	}
	_, err = store.Find(ctx, "quote", "bo-0012", 10)
	check("Find", err)
	older := projection.Document{Kind: "quote", ID: "q00007", Seq: 1, At: time.Unix(1, 0).UTC(), Body: []byte(`{}`)}
	check("Put of what is there", store.Put(ctx, older))
	older.Seq = 2
	check("Put of what is newer", store.Put(ctx, older))
	check("Ping", store.Ping(ctx))
}
