package view_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/projection"
	"boardorder/services/projector/internal/view"
)

// TestShapesHoldEveryDocument: what the stored samples of every event make is
// listed, found and removed by nothing that no index is declared for.
func TestShapesHoldEveryDocument(t *testing.T) {
	t.Parallel()
	shapes := map[string]projection.Shape{}
	for _, s := range view.Shapes() {
		shapes[s.Kind] = s
	}
	// Users of the document store have rights by these.
	if got, want := slices.Sorted(maps.Keys(shapes)), slices.Sorted(slices.Values(registry.DocumentKinds())); !slices.Equal(got, want) {
		t.Errorf("kinds that are projected: %v; of the contract: %v", got, want)
	}
	samples, err := filepath.Glob("../../../../pkg/contract/testdata/events/*/v*/*.json")
	if err != nil || len(samples) < 50 {
		t.Fatalf("%d samples: %v", len(samples), err)
	}
	used := map[string]bool{}
	for _, path := range samples {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var sample struct{ Data json.RawMessage }
		if err := json.Unmarshal(text, &sample); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		kind := filepath.Base(filepath.Dir(filepath.Dir(path)))
		docs, err := view.Documents(contract.Event{
			Aggregate: contract.Aggregate(kind), AggregateID: "id", Name: contract.EventName(filepath.Base(path[:len(path)-len(".json")])),
			Version: 2, Account: "acc_1", Data: sample.Data,
		})
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, d := range docs {
			holdShape(t, path, d, shapes[d.Kind])
			used[d.Kind] = true
		}
	}
	if len(used) < 15 {
		t.Errorf("the samples make documents of %d kinds, want 15 at least: %v", len(used), used)
	}
}

func holdShape(t *testing.T, path string, d projection.Document, s projection.Shape) {
	t.Helper()
	for key, value := range d.Keys {
		if value != "" && !slices.Contains(s.Keys, key) {
			t.Errorf("%s: a document of kind %s is listed by %q, want one of those declared, %v", path, d.Kind, key, s.Keys)
		}
	}
	if len(d.Terms) > 0 && !s.Terms || !d.Until.IsZero() && !s.Expires {
		t.Errorf("%s: a document of kind %s has %d terms and leaves at %v, want both only if declared, %+v", path, d.Kind, len(d.Terms), d.Until, s)
	}
}
