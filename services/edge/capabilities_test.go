package edge_test

import (
	"testing"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/stackups"
)

func TestCapabilitiesListStackups(t *testing.T) {
	t.Parallel()
	w := start(t)
	bucket, err := w.bus.Bucket(t.Context(), contract.StackupsBucket)
	if err != nil {
		t.Fatal(err)
	}
	const four = `[{"code":"ST04-7628","name":"Standard","material":"FR-4","layers":4,"thickness_mm":1.6,"copper_oz":1,"inner_copper_oz":0.5,"sheets":[{"kind":"copper","content":"L1"}]}]`
	if err := bucket.Put(t.Context(), stackups.Key(4), []byte(four)); err != nil {
		t.Fatal(err)
	}
	listed := func() []any {
		list, _ := w.get("/v1/capabilities").json(t)["fab_stackups"].([]any)
		return list
	}
	waitFor(t, "the stackups", func() bool { return len(listed()) == 1 })
	if code := listed()[0].(map[string]any)["code"]; code != "ST04-7628" {
		t.Errorf("listed is %v, want ST04-7628", code)
	}
	if err := bucket.Put(t.Context(), stackups.Key(6), []byte(`[{"code":"ST06","name":"","material":"FR-4","layers":6,"thickness_mm":1.6,"copper_oz":1,"inner_copper_oz":0.5,"sheets":[]}]`)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the next ones", func() bool { return len(listed()) == 2 })
}

// TestCapabilitiesSayWhatTheyLack: until the fabricator was asked for all stackups the
// reply says so; an edge that starts later has them from its first answer on.
func TestCapabilitiesSayWhatTheyLack(t *testing.T) {
	t.Parallel()
	w := start(t)
	complete := func() bool { return w.get("/v1/capabilities").json(t)["fab_stackups_complete"] == true }
	if a := w.get("/v1/capabilities"); complete() || a.header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("nothing was asked for yet: complete %v, %q; want false, private, no-cache", complete(), a.header.Get("Cache-Control"))
	}
	recordNoStackups(w)
	w.open()
	if a := w.get("/v1/capabilities"); !complete() || a.header.Get("Cache-Control") != "private, max-age=300" {
		t.Errorf("the first answer of another edge: complete %v, %q; want true, private for 300 s", complete(), a.header.Get("Cache-Control"))
	}
}

// recordNoStackups records that the fabricator was asked for its stackups, and has none.
func recordNoStackups(w *world) {
	w.t.Helper()
	bucket, err := w.bus.Bucket(w.t.Context(), contract.StackupsBucket)
	if err != nil {
		w.t.Fatal(err)
	}
	fab, err := catalog.Load()
	if err != nil {
		w.t.Fatal(err)
	}
	for _, layers := range fab.StackupLayers() {
		if err := bucket.Put(w.t.Context(), stackups.Key(layers), []byte("[]")); err != nil {
			w.t.Fatal(err)
		}
	}
}
