package projectiontest

import (
	"fmt"
	"testing"
	"time"

	"boardorder/pkg/projection"
)

// docAt is a document of an account, made the given minutes after start.
func docAt(id string, minutes int, account string) projection.Document {
	d := doc(id, 1, "account", account)
	d.At = start.Add(time.Duration(minutes) * time.Minute)
	return d
}

func (s suite) pages(t *testing.T) {
	store := s.store(t)
	docs := []projection.Document{
		docAt("m", 3, "acc_1"), docAt("c", 1, "acc_1"), docAt("a", 1, "acc_1"), docAt("b", 1, "acc_1"),
		docAt("x", 2, "acc_2"), docAt("z", 5, "acc_1"), docAt("y", 0, "acc_1"), docAt("w", 9, ""),
	}
	docs[6].At = time.Time{}
	nano := docAt("n", 3, "acc_1")
	nano.At = nano.At.Add(time.Nanosecond)
	other := docAt("o", 4, "acc_1")
	other.Kind = "order"
	put(t, store, append(docs, nano, other)...)
	for limit := 1; limit <= 9; limit++ {
		wantIDs(t, store, "account", "acc_1", limit, "z", "n", "m", "a", "b", "c", "y")
		wantIDs(t, store, "account", "acc_2", limit, "x")
		wantIDs(t, store, "", "", limit, "w", "z", "n", "m", "x", "a", "b", "c", "y")
	}
	got, _, err := store.List(t.Context(), "quote", "account", "acc_2", projection.Page{})
	if err != nil || len(got) != 1 || string(got[0].Body) != `{"id":"x","seq":1}` || got[0].Keys["account"] != "acc_2" || got[0].Seq != 1 {
		t.Errorf("List(account=acc_2) = %+v, %v; want the whole document", got, err)
	}
}

// listBefore begins a list in the past, and goes on from there.
func (s suite) listBefore(t *testing.T) {
	store := s.store(t)
	put(t, store, docAt("a", 1, "acc_1"), docAt("b", 2, "acc_1"), docAt("c", 2, "acc_1"), docAt("d", 3, "acc_1"), docAt("x", 2, "acc_2"))
	page := projection.Page{Limit: 2, Before: start.Add(2 * time.Minute)}
	first, next, err := store.List(t.Context(), "quote", "account", "acc_1", page)
	if err != nil || fmt.Sprint(names(first)) != "[quote/b@1 quote/c@1]" || next == "" {
		t.Fatalf("List before a time = %s, %q, %v; want b c and a cursor", names(first), next, err)
	}
	page.Cursor = next
	rest, next, err := store.List(t.Context(), "quote", "account", "acc_1", page)
	if err != nil || fmt.Sprint(names(rest)) != "[quote/a@1]" || next != "" {
		t.Errorf("List of the page after = %s, %q, %v; want a", names(rest), next, err)
	}
}

func (s suite) cursor(t *testing.T) {
	store := s.store(t)
	var docs []projection.Document
	for i := range projection.DefaultLimit + 5 {
		docs = append(docs, docAt(fmt.Sprintf("d%02d", i), i, "acc_1"))
	}
	put(t, store, docs...)
	first, next, err := store.List(t.Context(), "quote", "account", "acc_1", projection.Page{})
	if err != nil || len(first) != projection.DefaultLimit || next == "" {
		t.Fatalf("List of the first page = %d documents, %q, %v; want %d and a cursor", len(first), next, err, projection.DefaultLimit)
	}
	put(t, store, docAt("new", 999, "acc_1"))
	rest, end, err := store.List(t.Context(), "quote", "account", "acc_1", projection.Page{Limit: projection.MaxLimit + 1, Cursor: next})
	if err != nil || len(rest) != 5 || end != "" || rest[0].ID != "d04" {
		t.Errorf("List of the second page = %s, %q, %v; want d04 to d00", names(rest), end, err)
	}
	for _, bad := range []string{"x", "!", next + "x", next[1:], " " + next, "LzE"} {
		_, _, err := store.List(t.Context(), "quote", "account", "acc_1", projection.Page{Cursor: bad})
		wantError(t, fmt.Sprintf("List with cursor %q", bad), err, projection.ErrCursor)
	}
}
