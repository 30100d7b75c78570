package edge_test

import (
	"context"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/projection"

	"encoding/json"
)

// TestKeyEvents: a partner reads what the team did to its own keys, page by page,
// and nothing of others or of who it was.
func TestKeyEvents(t *testing.T) {
	t.Parallel()
	w := start(t)
	if a := w.get("/v1/key-events"); a.status != 200 || string(a.body) == "" || a.json(t)["has_more"] != false {
		t.Errorf("none: %d %s", a.status, a.body)
	}
	var last contract.AuditEntry
	for i, of := range []string{account, "acc_other", account, account} {
		entry, err := contract.NextAudit(last, contract.AuditRecord{
			At: time.Now().Add(time.Duration(i) * time.Second), Operator: "ann", Action: "created a key", Kind: "key", ID: "k", Key: "k", Account: of, Outcome: "done",
			After: map[string]string{"name": "robot"}, From: "10.0.0.1",
		})
		if err != nil {
			t.Fatal(err)
		}
		body, _ := json.Marshal(entry)
		err = w.docs.Put(context.Background(), projection.Document{Kind: contract.AuditDocumentKind, ID: contract.AuditDocumentID(entry.N), Seq: 1,
			At: time.Now().Add(time.Duration(i) * time.Second), Body: body, Keys: map[string]string{"partner": of}})
		if err != nil {
			t.Fatal(err)
		}
		last = entry
	}
	var seen []float64
	for path := "/v1/key-events?limit=2"; path != ""; {
		a := w.get(path)
		reply := a.json(t)
		for _, e := range reply["events"].([]any) {
			event := e.(map[string]any)
			seen = append(seen, event["n"].(float64))
			if event["operator"] != nil || event["from"] != nil || event["hash"] == "" || event["action"] != "created a key" {
				t.Errorf("event %v", event)
			}
		}
		next, _ := reply["next_cursor"].(string)
		if path = ""; next != "" {
			path = "/v1/key-events?limit=2&cursor=" + next
		}
	}
	if len(seen) != 3 || seen[0] != 4 || seen[1] != 3 || seen[2] != 1 {
		t.Errorf("entries %v, want 4 3 1", seen)
	}
	for _, wrong := range []string{"limit=0", "limit=101", "limit=x", "cursor=x"} {
		if a := w.get("/v1/key-events?" + wrong); a.status != 422 {
			t.Errorf("%s: %d %s", wrong, a.status, a.body)
		}
	}
}
