package edge_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract"
)

func TestCapabilitiesListStackups(t *testing.T) {
	t.Parallel()
	w := start(t)
	shelf, err := w.bus.Bucket(t.Context(), contract.StackupsBucket)
	if err != nil {
		t.Fatal(err)
	}
	const four = `[{"code":"ST04-7628","name":"Standard","material":"FR-4","layers":4,"thickness_mm":1.6,"copper_oz":1,"inner_copper_oz":0.5,"sheets":[{"kind":"copper","content":"L1"}]}]`
	if err := shelf.Put(t.Context(), contract.StackupsKey(4), []byte(four)); err != nil {
		t.Fatal(err)
	}
	a := w.get("/v1/capabilities")
	list, _ := a.json(t)["fab_stackups"].([]any)
	if a.status != 200 || len(list) != 1 || list[0].(map[string]any)["code"] != "ST04-7628" {
		t.Fatalf("capabilities list %v", list)
	}
	if err := shelf.Put(t.Context(), contract.StackupsKey(6), []byte(`[{"code":"ST06","name":"","material":"FR-4","layers":6,"thickness_mm":1.6,"copper_oz":1,"inner_copper_oz":0.5,"sheets":[]}]`)); err != nil {
		t.Fatal(err)
	}
	w.advance(2 * time.Second) // an incomplete list is not kept for long
	if list, _ := w.get("/v1/capabilities").json(t)["fab_stackups"].([]any); len(list) != 2 {
		t.Errorf("capabilities list %v", list)
	}
}
