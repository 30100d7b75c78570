package batch

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/projection"
)

func TestOf(t *testing.T) {
	t.Parallel()
	doc := func(kind, id string, seq uint64, keys map[string]string) projection.Document {
		return projection.Document{Kind: kind, ID: id, Seq: seq, Keys: keys, Body: json.RawMessage(`{}`)}
	}
	got, refused := Compact([]projection.Document{
		doc("quote", "a", 2, map[string]string{"account": "", "status": "new"}), doc("order", "a", 1, nil),
		doc("quote", "b", 1, map[string]string{"account": ""}), doc("quote", "a", 5, nil), doc("quote", "a", 3, nil),
	})
	want := []projection.Document{doc("quote", "a", 5, nil), doc("order", "a", 1, nil), doc("quote", "b", 1, nil)}
	if diff := cmp.Diff(want, got); diff != "" || len(refused) != 0 {
		t.Errorf("Of refuses %v, differs (-want +got):\n%s", refused, diff)
	}
	got, refused = Compact([]projection.Document{doc("quote", "", 2, nil), doc("quote", "a", 1, nil), doc("no kind", "a", 3, nil)})
	if len(got) != 1 || got[0].ID != "a" || len(refused) != 2 || refused[0].Seq != 2 || refused[1].Kind != "no kind" || refused[1].Err == nil {
		t.Errorf("Of = %v, refuses %v; want one of three", got, refused)
	}
}

func TestKeysInvertsText(t *testing.T) {
	t.Parallel()
	for _, keys := range []map[string]string{nil, {"a": `"<x>"`}, {"b": "ü", "a": "1"}} {
		got, err := Keys(Text(keys))
		if diff := cmp.Diff(keys, got); diff != "" || err != nil {
			t.Errorf("Keys(Text(%v)) = %v, %v", keys, got, err)
		}
	}
}
