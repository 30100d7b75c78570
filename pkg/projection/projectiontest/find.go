package projectiontest

import (
	"slices"
	"testing"

	"boardorder/pkg/projection"
)

// docWithTerms is a version of a document with terms.
func docWithTerms(id string, seq uint64, terms ...string) projection.Document {
	d := doc(id, seq)
	d.Terms = terms
	return d
}

func wantFound(t *testing.T, store projection.Store, kind, prefix string, want ...string) {
	t.Helper()
	docs, err := store.Find(t.Context(), kind, prefix, 0)
	var got []string
	for _, d := range docs {
		got = append(got, d.ID)
	}
	slices.Sort(got)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Find(%s, %q) = %v, %v; want %v", kind, prefix, got, err, want)
	}
}

// find: by the beginning of any term, each document once, of the newest version.
func (s suite) find(t *testing.T) {
	store := s.store(t)
	other := docWithTerms("o", 1, "bo-2345")
	other.Kind = "order"
	put(t, store, docWithTerms("a", 1, "grace", "grace hopper", "grace@example.com"), docWithTerms("b", 1, "ada", "müller", "bo-2345"), docWithTerms("c", 1, "%", "a_b", "axb"), other)
	for prefix, want := range map[string][]string{
		"grace": {"a"}, "gr": {"a"}, "grace@": {"a"}, "hopper": nil, "ad": {"b"}, "mü": {"b"}, "mu": nil, "bo-23": {"b"}, "bo-24": nil,
		"%": {"c"}, "a_": {"c"}, "a": {"b", "c"}, "": {"a", "b", "c"}, "z": nil, "G": nil,
	} {
		wantFound(t, store, "quote", prefix, want...)
	}
	wantFound(t, store, "order", "bo-", "o")
	wantFound(t, store, "nothing", "bo-")
	put(t, store, docWithTerms("a", 3, "grace", "new"), docWithTerms("a", 2, "old"))
	wantFound(t, store, "quote", "grace", "a")
	wantFound(t, store, "quote", "grace@")
	wantFound(t, store, "quote", "old")
	wantFound(t, store, "quote", "new", "a")
	put(t, store, docWithTerms("a", 4))
	wantFound(t, store, "quote", "grace")
	got, err := store.Find(t.Context(), "quote", "", 1)
	if err != nil || len(got) != 1 || string(got[0].Body) == "" {
		t.Errorf("Find with a limit of one = %+v, %v", got, err)
	}
	gone := docWithTerms("gone", 1, "left")
	gone.Until = start
	put(t, store, gone)
	wantFound(t, store, "quote", "left")
}

// findFresh: a generation being built is found in only once it is swapped in.
func (s suite) findFresh(t *testing.T) {
	store := s.store(t)
	put(t, store, docWithTerms("old", 1, "x-old"))
	fresh := rebuild(t, store)
	put(t, fresh, docWithTerms("new", 1, "x-new"))
	wantFound(t, store, "quote", "x-", "old")
	if err := fresh.Swap(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantFound(t, store, "quote", "x-", "new")
}
