package view_test

import (
	"encoding/json"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/services/projector/internal/view"
)

// TestAuditEntries: each entry has a document of its own, and what was done to an
// API key is found by its partner.
func TestAuditEntries(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	for key, partner := range map[string]string{"k1": "acc_1", "": ""} {
		entry, err := audits.NewEntry(audits.Entry{N: 6}, audits.Record{At: at, Operator: "ann", Action: "look", ID: "q", Account: "acc_1", Key: key, Outcome: "done"})
		if err != nil {
			t.Fatal(err)
		}
		state, _ := json.Marshal(map[string]any{"state": entry})
		docs, err := view.Documents(contract.Event{Aggregate: contract.AuditAggregate, AggregateID: audits.Chain, Name: audits.EventRecorded, Version: 7, At: at, Data: state})
		if err != nil || len(docs) != 2 {
			t.Fatalf("Documents = %+v, %v", docs, err)
		}
		d := docs[1]
		if d.Kind != audits.DocumentKind || d.ID != "000000000007" || d.Seq != 1 || !d.At.Equal(at) || d.Keys["partner"] != partner || d.Keys["operator"] != "ann" || d.Keys["about"] != "q" {
			t.Errorf("document %+v, want 000000000007 of %s at %s, listed by partner %s, operator ann, about q", d, audits.DocumentKind, at, partner)
		}
	}
}
