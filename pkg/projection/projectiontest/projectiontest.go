// Package projectiontest is the suite that every projection store passes.
package projectiontest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"boardorder/pkg/projection"
)

// A Backend makes an empty place for documents and returns what opens a store
// on it: each call another store, as another process would.
type Backend func(t *testing.T) (open func() projection.Store)

// Run tests the stores of a backend. It closes what it opens.
func Run(t *testing.T, backend Backend) {
	t.Helper()
	s := suite{backend: backend}
	for _, test := range []struct {
		name string
		run  func(t *testing.T)
	}{
		{"round trip", s.roundTrip},
		{"not found", s.absentDocuments},
		{"refused documents", s.invalidDocuments},
		{"guard", s.guard},
		{"any order folds equal", s.permuteHistory},
		{"keys follow the document", s.keysFollow},
		{"greatest document", s.greatest},
		{"documents leave", s.leave},
		{"documents leave in time", s.leaveInTime},
		{"count", s.count},
		{"list pages", s.pages},
		{"list cursor", s.cursor},
		{"list before a time", s.listBefore},
		{"find", s.find},
		{"find in a rebuild", s.findFresh},
		{"concurrent writers", s.concurrent},
		{"concurrent first writes", s.initialWrites},
		{"kinds in order", s.kindsInOrder},
		{"rebuild and swap", s.swap},
		{"rebuild and discard", s.discard},
		{"rebuild abandoned", s.abandonRebuild},
		{"rebuild alone", s.exclusiveRebuild},
		{"rebuild in parallel", s.rebuildInParallel},
		{"rebuild under load", s.rebuildUnderLoad},
		{"reopen", s.reopen},
		{"ended context", s.contextEnd},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t)
		})
	}
}

type suite struct{ backend Backend }

// store opens one store on a place of its own.
func (s suite) store(t *testing.T) projection.Store {
	t.Helper()
	return s.opener(t)()
}

func (s suite) opener(t *testing.T) func() projection.Store {
	t.Helper()
	open := s.backend(t)
	return func() projection.Store {
		t.Helper()
		store := open()
		t.Cleanup(func() {
			if err := store.Close(); err != nil {
				t.Errorf("Close() = %v", err)
			}
		})
		return store
	}
}

var start = time.Date(2026, 3, 4, 5, 6, 7, 123456789, time.UTC)

// doc is a document of kind quote whose body holds its sequence.
func doc(id string, seq uint64, keys ...string) projection.Document {
	d := projection.Document{
		Kind: "quote", ID: id, Seq: seq, At: start,
		Body: fmt.Appendf(nil, `{"id":%q,"seq":%d}`, id, seq),
	}
	for i := 0; i < len(keys); i += 2 {
		if d.Keys == nil {
			d.Keys = map[string]string{}
		}
		d.Keys[keys[i]] = keys[i+1]
	}
	return d
}

func put(t *testing.T, s projection.Store, docs ...projection.Document) {
	t.Helper()
	if err := s.Put(t.Context(), docs...); err != nil {
		t.Fatalf("Put(%s) = %v", names(docs), err)
	}
}

func wantDoc(t *testing.T, s projection.Store, want projection.Document) {
	t.Helper()
	got, err := s.Get(t.Context(), want.Kind, want.ID)
	if err != nil {
		t.Errorf("Get(%s, %s) = %v", want.Kind, want.ID, err)
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("Get(%s, %s) differs (-want +got):\n%s", want.Kind, want.ID, diff)
	}
}

func wantError(t *testing.T, call string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s = %v, want %v", call, got, want)
	}
}

// wantIDs lists everything that the key selects, page by page.
func wantIDs(t *testing.T, s projection.Store, key, value string, limit int, want ...string) {
	t.Helper()
	var got []string
	page := projection.Page{Limit: limit}
	for {
		docs, next, err := s.List(t.Context(), "quote", key, value, page)
		if err != nil {
			t.Fatalf("List(%s=%q, %+v) = %v", key, value, page, err)
		}
		if len(docs) > limit || next != "" && len(docs) < limit {
			t.Errorf("List(%s=%q, %+v) returned %d documents, next %q", key, value, page, len(docs), next)
		}
		for _, d := range docs {
			got = append(got, d.ID)
		}
		if next == "" || len(got) > 2*len(want)+2 {
			break
		}
		page.Cursor = next
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("List(%s=%q) by %d differs (-want +got):\n%s", key, value, limit, diff)
	}
	if n, err := s.Count(t.Context(), "quote", key, value); n != len(want) || err != nil {
		t.Errorf("Count(%s=%q) = %d, %v; want %d", key, value, n, err, len(want))
	}
}

func names(docs []projection.Document) []string {
	var all []string
	for _, d := range docs[:min(len(docs), 20)] {
		all = append(all, fmt.Sprintf("%s/%s@%d", d.Kind, d.ID, d.Seq))
	}
	return all
}
