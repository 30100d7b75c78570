package edge_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"

	"encoding/json"
)

// TestKeyEvents: a partner reads what the team did to its own keys, page by page,
// and nothing of others or of who it was.
func TestKeyEvents(t *testing.T) {
	t.Parallel()
	w := start(t)
	test := secret.NewAPIKey(false)
	w.putKey(test, account, accounts.DefaultScopes(), nil)
	if a := w.get("/v1/key-events", "X-API-Key", test.Text); a.status != 403 || a.code(t) != "forbidden" {
		t.Errorf("to a test key: %d %s, want 403: live keys are named", a.status, a.body)
	}
	if a := w.get("/v1/key-events"); a.status != 200 || string(a.body) == "" || a.json(t)["has_more"] != false {
		t.Errorf("none: %d %s, want 200 and nothing more", a.status, a.body)
	}
	var last audits.Entry
	for i, of := range []string{account, "acc_other", account, account} {
		entry, err := audits.NewEntry(last, audits.Record{
			At: time.Now().Add(time.Duration(i) * time.Second), Operator: "ann", Action: "created a key", Kind: "key", ID: "k", Key: "k", Account: of, Outcome: "done",
			After: map[string]string{"name": "robot"}, From: "10.0.0.1",
		})
		if err != nil {
			t.Fatal(err)
		}
		body, _ := json.Marshal(entry)
		err = w.docs.Put(context.Background(), projection.Document{Kind: audits.DocumentKind, ID: audits.DocumentID(entry.N), Seq: 1,
			At: time.Now().Add(time.Duration(i) * time.Second), Body: body, Keys: map[string]string{"partner": of}})
		if err != nil {
			t.Fatal(err)
		}
		last = entry
	}
	var seen []float64
	links := map[float64]map[string]any{}
	for path := "/v1/key-events?limit=2"; path != ""; {
		a := w.get(path)
		reply := a.json(t)
		for _, e := range reply["events"].([]any) {
			event := e.(map[string]any)
			seen = append(seen, event["n"].(float64))
			links[event["n"].(float64)] = event
			if event["operator"] != nil || event["from"] != nil || event["hash"] == "" || event["action"] != "created a key" {
				t.Errorf("event %v, want a created key with its hash, nobody's name and address", event)
			}
		}
		next, _ := reply["next_cursor"].(string)
		if path = ""; next != "" {
			path = "/v1/key-events?limit=2&cursor=" + next
		}
	}
	if fmt.Sprint(seen) != "[3 2 1]" {
		t.Errorf("entries %v, want 3 2 1: the account's own, and no count of others", seen)
	}
	// The steps that the description of the interface gives.
	prev := ""
	for n := 1.0; n <= 3; n++ {
		e := links[n]
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%s", int(n), prev, e["record"]))
		if e["prev"] != prev || e["hash"] != hex.EncodeToString(sum[:]) {
			t.Errorf("event %v does not follow from %q, by its record %s", e, prev, hex.EncodeToString(sum[:]))
		}
		var record map[string]any
		if err := json.Unmarshal([]byte(e["record"].(string)), &record); err != nil {
			t.Fatal(err)
		}
		for name, value := range record {
			if fmt.Sprint(e[name]) != fmt.Sprint(value) {
				t.Errorf("event %v says of %s what is not hashed: %v, want %v", n, name, value, e[name])
			}
		}
		prev = e["hash"].(string)
	}
	for _, wrong := range []string{"limit=0", "limit=101", "limit=x", "cursor=x", "cursor=0", "cursor=-1"} {
		if a := w.get("/v1/key-events?" + wrong); a.status != 422 {
			t.Errorf("GET /v1/key-events?%s: %d %s, want 422", wrong, a.status, a.body)
		}
	}
}
