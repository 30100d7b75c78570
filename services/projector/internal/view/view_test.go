package view_test

import (
	"encoding/json"
	"testing"
	"time"

	"boardorder/pkg/contract"
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
			t.Fatal(name, err)
		}
		var left []string
		live := 0
		for _, d := range docs {
			switch {
			case d.Until.IsZero() || d.Until.After(at):
				live++
			case string(d.Body) != "{}" || d.Seq < 2:
				t.Errorf("%s: %+v", name, d)
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
