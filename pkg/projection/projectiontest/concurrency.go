package projectiontest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/projection"
)

// concurrent lets several stores put shuffled states of the same documents;
// the newest of each must be what remains.
func (s suite) concurrent(t *testing.T) {
	open := s.opener(t)
	stores := []projection.Store{open(), open()}
	const documents, states = 5, 12
	var wait sync.WaitGroup
	for w := range 4 {
		store := stores[w%len(stores)]
		wait.Go(func() {
			order := rand.New(rand.NewPCG(uint64(w), 1)).Perm(documents * states)
			for _, n := range order {
				id, seq := fmt.Sprint("d", n%documents), uint64(n/documents+1)
				if err := store.Put(t.Context(), doc(id, seq, "state", fmt.Sprint(seq))); err != nil {
					t.Errorf("Put(%s, %d) = %v", id, seq, err)
				}
			}
		})
	}
	wait.Wait()
	for i := range documents {
		wantDoc(t, stores[0], doc(fmt.Sprint("d", i), states, "state", fmt.Sprint(states)))
	}
	wantIDs(t, stores[1], "state", fmt.Sprint(states), 3, "d0", "d1", "d2", "d3", "d4")
	wantIDs(t, stores[1], "state", "1", 3)
}

// initialWrites lets the first states of a document arrive at once: the race in
// which a store must not take "just inserted by another" for "stale".
func (s suite) initialWrites(t *testing.T) {
	open := s.opener(t)
	stores := []projection.Store{open(), open()}
	const writers = 6
	for round := range 5 {
		id := fmt.Sprint("d", round)
		var wait sync.WaitGroup
		ready := make(chan struct{})
		for w := range writers {
			wait.Go(func() {
				<-ready
				if err := stores[w%2].Put(t.Context(), doc(id, uint64(w+1))); err != nil {
					t.Errorf("Put(%s, %d) = %v", id, w+1, err)
				}
			})
		}
		close(ready)
		wait.Wait()
		wantDoc(t, stores[0], doc(id, writers))
	}
}

// kindsInOrder: whoever has read a document of a later kind reads the earlier kind
// at its state of the same call.
func (s suite) kindsInOrder(t *testing.T) {
	for _, order := range [][2]string{{"a", "b"}, {"b", "a"}} {
		t.Run(order[0]+" before "+order[1], func(t *testing.T) {
			t.Parallel()
			open := s.opener(t)
			writer, reader := open(), open()
			const states = 100
			var wait sync.WaitGroup
			wait.Go(func() {
				for seq := range uint64(states) {
					earlier, later := doc("d", seq+1), doc("d", seq+1)
					earlier.Kind, later.Kind = order[0], order[1]
					if err := writer.Put(t.Context(), earlier, later); err != nil {
						t.Errorf("Put(%s, %s at %d) = %v", order[0], order[1], seq+1, err)
						return
					}
				}
			})
			for seen := uint64(0); seen < states && !t.Failed(); {
				later, err := reader.Get(t.Context(), order[1], "d")
				if errors.Is(err, projection.ErrNotFound) {
					continue
				}
				if err != nil {
					t.Errorf("Get(%s) = %v", order[1], err)
					break
				}
				earlier, err := reader.Get(t.Context(), order[0], "d")
				if err != nil || earlier.Seq < later.Seq {
					t.Errorf("after %s at %d Get(%s) = %d, %v", order[1], later.Seq, order[0], earlier.Seq, err)
				}
				seen = later.Seq
			}
			wait.Wait()
		})
	}
}

func (s suite) reopen(t *testing.T) {
	open := s.backend(t)
	first := open()
	put(t, first, doc("a", 1, "account", "acc_1"))
	if err := first.Ping(t.Context()); err != nil {
		t.Errorf("Ping() = %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatalf("Close() = %v", err)
	}
	wantError(t, "Ping after Close", first.Ping(t.Context()), projection.ErrUnavailable)
	wantError(t, "Put after Close", first.Put(t.Context(), doc("a", 2)), projection.ErrUnavailable)
	_, err := first.Get(t.Context(), "quote", "a")
	wantError(t, "Get after Close", err, projection.ErrUnavailable)
	second := open()
	defer second.Close()
	wantDoc(t, second, doc("a", 1, "account", "acc_1"))
	put(t, second, doc("a", 2))
	wantDoc(t, second, doc("a", 2))
}

func (s suite) contextEnd(t *testing.T) {
	store := s.store(t)
	put(t, store, doc("a", 1))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, "Put", store.Put(ended, doc("a", 2)), context.Canceled)
	_, err := store.Get(ended, "quote", "a")
	wantError(t, "Get", err, context.Canceled)
	_, _, err = store.List(ended, "quote", "", "", projection.Page{})
	wantError(t, "List", err, context.Canceled)
	_, err = store.Count(ended, "quote", "", "")
	wantError(t, "Count", err, context.Canceled)
	if errors.Is(err, projection.ErrUnavailable) {
		t.Errorf("Count = %v: the store is there", err)
	}
	late, cancelLate := context.WithDeadline(t.Context(), time.Now())
	defer cancelLate()
	_, err = store.Get(late, "quote", "a")
	wantError(t, "Get too late", err, projection.ErrUnavailable)
	wantError(t, "Get too late", err, context.DeadlineExceeded)
	wantDoc(t, store, doc("a", 1))
}
