package projectiontest

import (
	"fmt"
	"testing"
	"time"

	"boardorder/pkg/projection"
)

// docUntil is a document of an account that leaves at a time.
func docUntil(id string, seq uint64, at time.Time) projection.Document {
	d := doc(id, seq, "account", "acc_1")
	d.Until = at.UTC().Truncate(time.Millisecond)
	return d
}

func (s suite) leave(t *testing.T) {
	store := s.store(t)
	past, future := time.Now().Add(-2*projection.Retention), time.Now().Add(time.Hour)
	put(t, store, docUntil("gone", 5, past), docUntil("stays", 1, future), docUntil("never", 1, time.Time{}), docUntil("more", 1, past))
	for limit := 1; limit <= 3; limit++ {
		wantIDs(t, store, "account", "acc_1", limit, "never", "stays")
		wantIDs(t, store, "", "", limit, "never", "stays")
	}
	wantDoc(t, store, docUntil("stays", 1, future))
	_, err := store.Get(t.Context(), "quote", "gone")
	wantError(t, "Get of one that left", err, projection.ErrNotFound)

	// A newer version brings its own time, in both directions.
	put(t, store, docUntil("gone", 6, future), docUntil("stays", 2, past), docUntil("more", 2, time.Time{}), docUntil("never", 2, past))
	wantDoc(t, store, docUntil("gone", 6, future))
	wantDoc(t, store, docUntil("more", 2, time.Time{}))
	wantIDs(t, store, "account", "acc_1", 5, "gone", "more")
	put(t, store, docUntil("gone", 5, past))
	wantIDs(t, store, "", "", 5, "gone", "more")
}

// leaveInTime waits for a document to leave.
func (s suite) leaveInTime(t *testing.T) {
	store := s.store(t)
	end := time.Now().Add(300 * time.Millisecond)
	put(t, store, docUntil("a", 1, end), docUntil("b", 1, time.Time{}))
	for {
		_, err := store.Get(t.Context(), "quote", "a")
		now := time.Now()
		if err != nil {
			wantError(t, "Get of one that left", err, projection.ErrNotFound)
			if now.Before(end.Truncate(time.Millisecond)) {
				t.Errorf("the document left %v before its time", end.Sub(now))
			}
			break
		}
		if now.After(end.Add(time.Minute)) {
			t.Fatal("the document does not leave")
		}
	}
	wantIDs(t, store, "account", "acc_1", 5, "b")
}

func (s suite) count(t *testing.T) {
	store := s.store(t)
	const many = 3 * projection.DefaultLimit // more than a page
	docs := make([]projection.Document, many)
	for i := range docs {
		docs[i] = doc(fmt.Sprint("d", i), 1, "status", fmt.Sprint("s", i%2), "account", "acc_1")
	}
	put(t, store, docs...)
	put(t, store, doc("d0", 2, "status", "s1"))
	for _, c := range []struct {
		kind, key, value string
		want             int
	}{
		{"quote", "", "", many}, {"quote", "status", "s0", many/2 - 1}, {"quote", "status", "s1", many/2 + 1},
		{"quote", "account", "acc_1", many - 1}, {"quote", "status", "s2", 0}, {"quote", "$where", "1", 0}, {"order", "", "", 0},
		{"no such kind!", "", "", 0},
	} {
		if n, err := store.Count(t.Context(), c.kind, c.key, c.value); n != c.want || err != nil {
			t.Errorf("Count(%s, %s=%q) = %d, %v; want %d", c.kind, c.key, c.value, n, err, c.want)
		}
	}
}
