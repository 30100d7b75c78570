package compat_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/compat/peers"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/mongo"
)

// manyDocuments is more than a write makes an index over.
const manyDocuments = 10_500

// A key that a release adds to a large collection: writes are refused at once and
// name it, what was there is read meanwhile, and the job makes the index.
func TestMongoIndexOfANewKeyIsMadeByAJob(t *testing.T) {
	t.Parallel()
	store := openStore(t, peers.StartMongo(t))
	at := time.Now()
	putMany(t, store, manyDocuments, func(i int) projection.Document {
		return projection.Document{Kind: "quote", ID: fmt.Sprint("q", i), Seq: 1, At: at, Keys: map[string]string{"account": "acc"}, Body: []byte(`{}`)}
	})
	before := []projection.Shape{{Kind: "quote", Keys: []string{"account"}}}
	if missing, err := store.EnsureIndexes(t.Context(), before); err != nil || len(missing) > 0 {
		t.Errorf("EnsureIndexes(%v) = %v, %v; want none", before, missing, err)
	}
	after := []projection.Shape{{Kind: "quote", Keys: []string{"account", "digest"}, Terms: true, Expires: true}, {Kind: "unheard-of", Keys: []string{"x"}}}
	missing, err := store.EnsureIndexes(t.Context(), after)
	if want := []string{"g1.quote keys.digest", "g1.quote terms", "g1.quote until"}; err != nil || !slices.Equal(missing, want) {
		t.Errorf("EnsureIndexes(%v) = %v, %v; want %v", after, missing, err, want)
	}
	d := projection.Document{Kind: "quote", ID: "new", Seq: 1, At: at, Keys: map[string]string{"digest": "d"}, Body: []byte(`{}`)}
	if err := store.Put(t.Context(), d); !errors.Is(err, projection.ErrUnavailable) || !strings.Contains(err.Error(), "keys.digest") {
		t.Errorf("Put of a document with a new key = %v, want ErrUnavailable that names keys.digest", err)
	}
	if docs, _, err := store.List(t.Context(), "quote", "account", "acc", projection.Page{Limit: 1}); err != nil || len(docs) != 1 {
		t.Errorf("List meanwhile = %d documents, %v", len(docs), err)
	}
	// Whoever waits for a write has a deadline; the job has none.
	if err := store.MakeIndexes(context.WithoutCancel(t.Context()), after); err != nil {
		t.Fatalf("MakeIndexes = %v", err)
	}
	if missing, err := store.EnsureIndexes(t.Context(), after); err != nil || len(missing) > 0 {
		t.Errorf("EnsureIndexes after the job = %v, %v; want none", missing, err)
	}
	if err := store.Put(t.Context(), d); err != nil {
		t.Errorf("Put after the job = %v", err)
	}
	if docs, _, err := store.List(t.Context(), "quote", "digest", "d", projection.Page{}); err != nil || len(docs) != 1 {
		t.Errorf("List by the new key = %d documents, %v; want 1", len(docs), err)
	}
}

// A kind that grows slowly has documents before one has each of its keys: a start
// makes the rest of its indexes, and a later start finds nothing to be made.
func TestMongoIndexesOfASmallKindAreMadeAtOnce(t *testing.T) {
	t.Parallel()
	store := openStore(t, peers.StartMongo(t))
	d := projection.Document{Kind: "quote", ID: "q", Seq: 1, At: time.Now(), Keys: map[string]string{"account": "acc"}, Body: []byte(`{}`)}
	if err := store.Put(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	shapes := []projection.Shape{{Kind: "quote", Keys: []string{"account", "digest"}, Terms: true, Expires: true}, {Kind: "unheard-of", Keys: []string{"x"}}}
	if missing, err := store.EnsureIndexes(t.Context(), shapes); err != nil || len(missing) > 0 {
		t.Errorf("EnsureIndexes(%v) over one document = %v, %v; want none", shapes, missing, err)
	}
	putMany(t, store, manyDocuments, func(i int) projection.Document {
		return projection.Document{Kind: "quote", ID: fmt.Sprint("q", i), Seq: 1, At: time.Now(), Keys: map[string]string{"digest": "d"}, Body: []byte(`{}`)}
	})
	if missing, err := store.EnsureIndexes(t.Context(), shapes); err != nil || len(missing) > 0 {
		t.Errorf("EnsureIndexes(%v) over %d documents = %v, %v; want none", shapes, manyDocuments, missing, err)
	}
}

func putMany(t *testing.T, store projection.Store, n int, document func(i int) projection.Document) {
	t.Helper()
	const batch = 500
	for begin := 0; begin < n; begin += batch {
		docs := make([]projection.Document, 0, batch)
		for i := begin; i < min(begin+batch, n); i++ {
			docs = append(docs, document(i))
		}
		if err := store.Put(t.Context(), docs...); err != nil {
			t.Fatalf("put documents from %d on: %v", begin, err)
		}
	}
}

// A wake-up says that something was written; a secondary may not have it yet.
func TestMongoReadsFromThePrimaryAlone(t *testing.T) {
	t.Parallel()
	for preference, opens := range map[string]bool{"": true, "primary": true, "secondaryPreferred": false, "nearest": false, "primaryPreferred": false} {
		url := "mongodb://localhost:1/x"
		if preference != "" {
			url += "?readPreference=" + preference
		}
		store, err := mongo.Open(url)
		if (err == nil) != opens || err != nil && !strings.Contains(err.Error(), "readPreference") {
			t.Errorf("Open(%s) = %v; want it to open: %t", url, err, opens)
		}
		if store != nil {
			_ = store.Close()
		}
	}
}
