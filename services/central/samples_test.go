package central_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/shipments"
)

var update = flag.Bool("update", false, "write samples of the events and commands that are missing to pkg/contract/testdata")

// TestWriteSamples goes through the life of orders and keeps a sample of each event and
// command of which there is none: one that there is stands for what an earlier release wrote.
func TestWriteSamples(t *testing.T) {
	if !*update {
		t.Skip("writes files; run with -update")
	}
	w := newWorld(t)
	keep := func(name string, s bus.Stored) {
		file := filepath.Join("../../pkg/contract/testdata", filepath.FromSlash(name))
		if _, err := os.Stat(file); err == nil {
			return
		}
		data, err := json.MarshalIndent(s, "", "\t")
		if err == nil {
			err = os.MkdirAll(filepath.Dir(file), 0o755)
		}
		if err == nil {
			err = os.WriteFile(file, append(data, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.carried = func(c contract.Command) {
		keep(fmt.Sprintf("commands/%s/v1/%s.json", c.Name.Service, c.Name.Verb), bus.EncodeCommand("sample", c))
		keys, err := w.bus.Find(t.Context(), contract.FormalAggregate, func(contract.Event) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			e, err := w.bus.Last(t.Context(), contract.FormalAggregate, key)
			if err != nil {
				t.Fatal(err)
			}
			keep(fmt.Sprintf("events/%s/v%d/%s.json", e.Aggregate, e.Format, e.Name), bus.EncodeEvent("sample", e))
		}
	}
	w.life()
}

// life is what can happen to orders, once each.
func (w *world) life() {
	w.t.Helper()
	must := func(name contract.CommandName, data any) {
		if code := w.do(name, data); code != "" {
			w.t.Fatalf("%s of %+v: %s, want it granted", name, data, code)
		}
	}
	key := w.submitOrder("po-1")
	say := formal.MoveData{Order: key, Operator: "ann"}
	to := func(status formal.Status) {
		say.Status = status
		must(formal.Move, say)
	}
	to(formal.InReview)
	must(formal.RecordReview, formal.RecordReviewData{Order: key, Operator: "ann", Findings: []formal.Finding{{Level: "warning", What: "Move the fiducial."}}})
	must(formal.Ask, formal.AskData{Order: key, Operator: "ann", Text: "Which stackup?"})
	must(formal.Answer, formal.AnswerData{Order: key, Question: w.order(key).OpenQuestion().ID, Text: "That of the drawing."})
	w.pass(3 * time.Hour) // nobody reads the files
	if err := w.try(w.checking(key)); err != nil {
		w.t.Fatal(err)
	}
	must(formal.IssueQuote, quoteOf(key, 1000, w.currentTime().Add(time.Hour)))
	must(formal.AcceptQuote, acceptOf(w.order(key)))
	to(formal.InProduction)
	say.Status, say.EstimatedShip, say.Note = "", "2026-12-01", "On its way through the factory."
	must(formal.Move, say)
	say.Tracking = &shipments.Tracking{Carrier: "UPS", Number: "1Z999", URL: "https://example.com/1Z999"}
	to(formal.Shipped)
	to(formal.Delivered)
	must(formal.Move, formal.MoveData{Order: w.submitOrder("po-2"), Operator: "ann", Status: formal.Cancelled})
	w.pass(400 * 24 * time.Hour)
	must(formal.Erase, erasures.Data{Person: contract.PersonRef("ada@example.com")})
}

// TestLife goes through all of it.
func TestTTL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.life()
	if o := w.order(formal.Key(account, "po-1")); o.Status != formal.Delivered || o.Dates.Delivered == nil || o.Dates.EstimatedShip != "2026-12-01" {
		t.Errorf("order %+v, want it %s with when, to ship on 2026-12-01", o, formal.Delivered)
	}
}
