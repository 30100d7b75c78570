package projectiontest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"boardorder/pkg/projection"
)

func rebuild(t *testing.T, s projection.Store) projection.Fresh {
	t.Helper()
	rebuilder, ok := s.(projection.Rebuilder)
	if !ok {
		t.Fatalf("%T is not a projection.Rebuilder", s)
	}
	fresh, err := rebuilder.Rebuild(t.Context())
	if err != nil {
		t.Fatalf("Rebuild() = %v", err)
	}
	t.Cleanup(func() {
		if err := fresh.Close(); err != nil {
			t.Errorf("Close() of the fresh generation = %v", err)
		}
	})
	return fresh
}

func do(t *testing.T, name string, call func(context.Context) error) {
	t.Helper()
	if err := call(t.Context()); err != nil {
		t.Fatalf("%s() = %v", name, err)
	}
}

func (s suite) swap(t *testing.T) {
	open := s.opener(t)
	store, neighbour := open(), open()
	put(t, store, doc("a", 5, "account", "old"), doc("stray", 1, "account", "old"))
	put(t, neighbour, doc("b", 1, "account", "old"))

	fresh := rebuild(t, store)
	wantIDs(t, fresh, "", "", 5)
	put(t, fresh, doc("a", 2, "account", "new"))
	put(t, fresh, doc("b", 4, "account", "new"))
	put(t, neighbour, doc("c", 6, "account", "new"))
	put(t, store, doc("a", 1, "account", "older"), doc("b", 5, "account", "both"), doc("stray", 1))
	put(t, fresh, doc("c", 3, "account", "stale"))
	wantDoc(t, fresh, doc("stray", 1))
	wantDoc(t, fresh, doc("a", 2, "account", "new"))

	for _, live := range []projection.Store{store, neighbour} {
		wantDoc(t, live, doc("a", 5, "account", "old"))
		wantIDs(t, live, "", "", 5, "a", "b", "c", "stray")
	}
	wantIDs(t, fresh, "", "", 2, "a", "b", "c", "stray")
	wantIDs(t, fresh, "account", "both", 2, "b")
	if err := fresh.Ping(t.Context()); err != nil {
		t.Errorf("Ping() of the fresh generation = %v", err)
	}

	do(t, "Swap", fresh.Swap)
	for _, live := range []projection.Store{store, neighbour, open()} {
		wantDoc(t, live, doc("a", 2, "account", "new"))
		wantDoc(t, live, doc("b", 5, "account", "both"))
		wantIDs(t, live, "", "", 5, "a", "b", "c", "stray")
		wantIDs(t, live, "account", "old", 5)
	}
	put(t, neighbour, doc("d", 1))
	wantDoc(t, store, doc("d", 1))
	wantError(t, "Put after Swap", fresh.Put(t.Context(), doc("e", 1)), projection.ErrSuperseded)
	wantError(t, "Swap after Swap", fresh.Swap(t.Context()), projection.ErrSuperseded)
	wantError(t, "Discard after Swap", fresh.Discard(t.Context()), projection.ErrSuperseded)
	wantIDs(t, store, "", "", 5, "a", "b", "c", "d", "stray")
}

func (s suite) discard(t *testing.T) {
	store := s.store(t)
	put(t, store, doc("a", 5))
	fresh := rebuild(t, store)
	put(t, fresh, doc("x", 1))
	do(t, "Discard", fresh.Discard)
	put(t, store, doc("b", 1))
	wantIDs(t, store, "", "", 5, "a", "b")
	wantError(t, "Put after Discard", fresh.Put(t.Context(), doc("y", 1)), projection.ErrSuperseded)
	wantError(t, "Swap after Discard", fresh.Swap(t.Context()), projection.ErrSuperseded)
	again := rebuild(t, store)
	wantIDs(t, again, "", "", 5)
	put(t, again, doc("z", 1))
	do(t, "Swap", again.Swap)
	wantIDs(t, store, "", "", 5, "z")
}

// abandonRebuild leaves a rebuild as a crash does: the live documents stay as they
// are, and the next rebuild starts anew.
func (s suite) abandonRebuild(t *testing.T) {
	open := s.opener(t)
	store, neighbour := open(), open()
	put(t, store, doc("a", 1))
	abandoned := rebuild(t, store)
	put(t, abandoned, doc("x", 1))
	do(t, "Close", func(context.Context) error { return abandoned.Close() })
	put(t, store, doc("a", 2))
	wantIDs(t, neighbour, "", "", 5, "a")

	fresh := rebuild(t, neighbour)
	wantIDs(t, fresh, "", "", 5)
	wantError(t, "Put", abandoned.Put(t.Context(), doc("y", 1)), projection.ErrSuperseded)
	wantError(t, "Swap", abandoned.Swap(t.Context()), projection.ErrSuperseded)
	put(t, fresh, doc("a", 1), doc("b", 1))
	do(t, "Swap", fresh.Swap)
	wantIDs(t, store, "", "", 5, "a", "b")
}

// exclusiveRebuild: of several rebuilds that begin, one goes on, and the others change
// nothing.
func (s suite) exclusiveRebuild(t *testing.T) {
	open := s.opener(t)
	store, neighbour := open(), open()
	put(t, store, doc("old", 1))
	fresh := rebuild(t, store)
	put(t, fresh, doc("new", 1))
	for _, other := range []projection.Store{store, neighbour} {
		_, err := other.(projection.Rebuilder).Rebuild(t.Context())
		wantError(t, "a second Rebuild", err, projection.ErrRebuilding)
	}
	put(t, fresh, doc("new", 2))
	do(t, "Swap", fresh.Swap)
	wantIDs(t, neighbour, "", "", 5, "new")
	do(t, "Discard", rebuild(t, neighbour).Discard)
	wantIDs(t, store, "", "", 5, "new")
}

// rebuildInParallel replays several kinds at once while writers put newer
// versions and readers read; then both hold the same.
func (s suite) rebuildInParallel(t *testing.T) {
	open := s.opener(t)
	store := open()
	const kinds, documents, versions = 4, 12, 3
	version := func(kind, n, seq int) projection.Document {
		d := doc(fmt.Sprint("d", n), uint64(seq), "status", fmt.Sprint("s", seq), "account", fmt.Sprint(n%3))
		d.Kind = fmt.Sprint("kind-", kind)
		return d
	}
	each := func(store projection.Store, seq int) {
		var wait sync.WaitGroup
		for kind := range kinds {
			wait.Go(func() {
				for n := range documents {
					if err := store.Put(t.Context(), version(kind, n, seq)); err != nil {
						t.Errorf("Put = %v", err)
					}
				}
			})
		}
		wait.Wait()
	}
	each(store, 1)
	fresh := rebuild(t, store)
	live, reader := open(), open()
	var wait sync.WaitGroup
	wait.Go(func() { each(fresh, 1) })
	wait.Go(func() {
		for seq := 2; seq <= versions; seq++ {
			each(live, seq)
		}
	})
	wait.Go(func() {
		for n := range documents {
			if _, err := reader.Get(t.Context(), "kind-0", fmt.Sprint("d", n)); err != nil {
				t.Errorf("Get while rebuilding = %v", err)
			}
		}
	})
	wait.Wait()
	for _, from := range []projection.Store{store, fresh} {
		wantVersions(t, from, kinds, documents, func(kind, n int) projection.Document { return version(kind, n, versions) })
	}
	do(t, "Swap", fresh.Swap)
	wantVersions(t, reader, kinds, documents, func(kind, n int) projection.Document { return version(kind, n, versions) })
}

func wantVersions(t *testing.T, s projection.Store, kinds, documents int, want func(kind, n int) projection.Document) {
	t.Helper()
	for kind := range kinds {
		for n := range documents {
			wantDoc(t, s, want(kind, n))
		}
		d := want(kind, 0)
		if n, err := s.Count(t.Context(), d.Kind, "status", d.Keys["status"]); n != documents || err != nil {
			t.Errorf("Count(%s) = %d, %v; want %d", d.Kind, n, err, documents)
		}
	}
}

// rebuildUnderLoad swaps while writers of other stores go on: every document
// that a Put acknowledged is there, at its newest state.
func (s suite) rebuildUnderLoad(t *testing.T) {
	open := s.opener(t)
	store := open()
	var (
		wait sync.WaitGroup
		stop = make(chan struct{})
		done = make([]uint64, 3) // the newest state that each writer has put
	)
	for w := range done {
		writer := open()
		wait.Go(func() {
			for seq := uint64(1); ; seq++ {
				select {
				case <-stop:
					return
				default:
				}
				if err := writer.Put(t.Context(), doc(fmt.Sprint("d", w), seq)); err != nil {
					t.Errorf("Put(d%d, %d) = %v", w, seq, err)
					return
				}
				done[w] = seq
			}
		})
	}
	for range 2 {
		fresh := rebuild(t, store)
		for w := range done {
			if d, err := store.Get(t.Context(), "quote", fmt.Sprint("d", w)); err == nil {
				put(t, fresh, d) // what a replay up to here would yield
			}
		}
		do(t, "Swap", fresh.Swap)
	}
	close(stop)
	wait.Wait()
	for w, seq := range done {
		if seq > 0 {
			wantDoc(t, store, doc(fmt.Sprint("d", w), seq))
		}
	}
}
