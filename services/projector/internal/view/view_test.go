package view_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/projector/internal/view"
)

// TestErased: without a state the document leaves, with one it stays; outcomes
// of the requests that went leave in both cases.
func TestErased(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		data string
		left []string // kind/id of documents that have left
		live int
	}{
		"redacted": {`{"state":{"ref":"q"},"erased":["req_1","req_2"]}`, []string{"operation/req_1", "operation/req_2"}, 1},
		"removed":  {`{"state":null,"erased":["req_1"]}`, []string{"quote/q", "operation/req_1"}, 0},
		"alone":    {`{"state":null}`, []string{"quote/q"}, 0},
	} {
		docs, err := view.Documents(contract.Event{
			Aggregate: contract.QuoteAggregate, AggregateID: "q", Name: contract.Erased, Version: 7, At: at, StoredAt: at, Data: json.RawMessage(tt.data),
		})
		if err != nil {
			t.Fatalf("%s: documents of %s: %v", name, tt.data, err)
		}
		var left []string
		live := 0
		for _, d := range docs {
			switch {
			case d.Until.IsZero() || d.Until.After(at):
				live++
			case string(d.Body) != "{}" || d.Seq < 2:
				t.Errorf("%s: %+v is over, want it empty and of sequence 2 at least", name, d)
			default:
				left = append(left, d.Kind+"/"+d.ID)
			}
		}
		if len(left) != len(tt.left) || live != tt.live {
			t.Errorf("%s: left %v, want %v; %d live, want %d", name, left, tt.left, live, tt.live)
		}
		for i := range min(len(left), len(tt.left)) {
			if left[i] != tt.left[i] {
				t.Errorf("%s: left %v, want %v", name, left, tt.left)
			}
		}
	}
}

// TestARequestIsATermOnce: of the quote that it led to, or else of its outcome.
func TestARequestIsATermOnce(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		a    contract.Aggregate
		name contract.EventName
		data string
		want string // the kind that has the term
	}{
		"priced":               {contract.QuoteAggregate, quotes.EventPriced, `{"state":{"ref":"q","request_id":"req_1"}}`, "quote"},
		"another on a quote":   {contract.QuoteAggregate, quotes.EventPriced, `{"state":{"ref":"q","request_id":"req_0"}}`, "operation"},
		"refused":              {contract.QuoteAggregate, contract.RequestRefused, `{"state":null,"refusal":{"error":"not_found","message":"x"}}`, "operation"},
		"about something else": {contract.UploadAggregate, "uploaded", `{"state":{"request":"req_1"}}`, "operation"},
	} {
		docs, err := view.Documents(contract.Event{
			ID: "e", Aggregate: tt.a, AggregateID: "q", Name: tt.name, Operation: "req_1", Version: 7, At: at, StoredAt: at, Data: json.RawMessage(tt.data),
		})
		if err != nil {
			t.Fatalf("%s: documents of %s: %v", name, tt.data, err)
		}
		var have []string
		for _, d := range docs {
			if slices.Contains(d.Terms, "req_1") {
				have = append(have, d.Kind)
			}
		}
		if !slices.Equal(have, []string{tt.want}) {
			t.Errorf("%s: req_1 is a term of %v, want %s", name, have, tt.want)
		}
	}
}

// TestTestIsListedApart: whoever lists work by its status gets live alone.
func TestTestIsListedApart(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	for owner, want := range map[string]string{"acc_1": "held open", "acc_1~test": "held~test open~test"} {
		docs, err := view.Documents(contract.Event{
			Aggregate: contract.OrderAggregate, AggregateID: "q", Name: orders.EventHeld, Version: 1, At: at, StoredAt: at, Account: owner,
			Data: json.RawMessage(`{"state":{"ref":"BO-1","account":"` + owner + `","status":"held","money":"open"}}`),
		})
		if err != nil || len(docs) != 1 {
			t.Fatalf("an order of %s has the documents %+v, %v; want one", owner, docs, err)
		}
		keys := docs[0].Keys
		if got := keys["status"] + " " + keys["money"]; got != want || keys["account"] != owner || keys["order_ref"] != "BO-1" || (keys["mode"] == "test") != contract.IsTest(owner) {
			t.Errorf("%s: %v, want %s", owner, keys, want)
		}
	}
}
