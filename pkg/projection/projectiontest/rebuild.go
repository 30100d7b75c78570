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
	put(t, store, unique(doc("a", 5, "account", "old"), "ref", "wrong"), doc("stray", 1, "account", "old"))
	put(t, neighbour, doc("b", 1, "account", "old"))

	fresh := rebuild(t, store)
	wantIDs(t, fresh, "", "", 5)
	put(t, fresh, unique(doc("a", 2, "account", "new"), "ref", "r"))
	put(t, fresh, doc("b", 4, "account", "new"))
	put(t, neighbour, unique(doc("c", 6, "account", "new"), "ref", "c"))
	put(t, store, doc("a", 1, "account", "older"), doc("b", 5, "account", "both"), doc("stray", 1))
	put(t, fresh, doc("c", 3, "account", "stale"))
	wantDoc(t, fresh, doc("stray", 1))
	wantDoc(t, fresh, unique(doc("a", 2, "account", "new"), "ref", "r"))

	for _, live := range []projection.Store{store, neighbour} {
		wantDoc(t, live, unique(doc("a", 5, "account", "old"), "ref", "wrong"))
		wantIDs(t, live, "", "", 5, "a", "b", "c", "stray")
	}
	wantIDs(t, fresh, "", "", 2, "a", "b", "c", "stray")
	wantIDs(t, fresh, "account", "both", 2, "b")
	if d, err := fresh.Lookup(t.Context(), "quote", "ref", "c"); d.ID != "c" || err != nil {
		t.Errorf("Lookup(c) in the fresh generation = %q, %v; want c", d.ID, err)
	}
	if err := fresh.Ping(t.Context()); err != nil {
		t.Errorf("Ping() of the fresh generation = %v", err)
	}

	do(t, "Swap", fresh.Swap)
	for _, live := range []projection.Store{store, neighbour, open()} {
		wantDoc(t, live, unique(doc("a", 2, "account", "new"), "ref", "r"))
		wantDoc(t, live, doc("b", 5, "account", "both"))
		wantIDs(t, live, "", "", 5, "a", "b", "c", "stray")
		wantIDs(t, live, "account", "old", 5)
		_, err := live.Lookup(t.Context(), "quote", "ref", "wrong")
		wantError(t, "Lookup(wrong)", err, projection.ErrNotFound)
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

func (s suite) superseded(t *testing.T) {
	open := s.opener(t)
	store, neighbour := open(), open()
	put(t, store, doc("a", 1))
	abandoned := rebuild(t, store)
	put(t, abandoned, doc("x", 1))
	fresh := rebuild(t, neighbour)
	wantError(t, "Put", abandoned.Put(t.Context(), doc("y", 1)), projection.ErrSuperseded)
	wantError(t, "Swap", abandoned.Swap(t.Context()), projection.ErrSuperseded)
	put(t, fresh, doc("a", 1), doc("b", 1))
	do(t, "Swap", fresh.Swap)
	wantIDs(t, store, "", "", 5, "a", "b")
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
