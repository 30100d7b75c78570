package console_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

const (
	formalRef     = "ffffffffffffffffffffffffff"
	controlledRef = "gggggggggggggggggggggggggg"
)

// furnishCentral makes a formal order, and one that is ITAR-controlled, and carries out
// what the console asks about them.
func (w *world) furnishCentral() {
	w.t.Helper()
	now := time.Now().UTC()
	w.put("central/"+formalRef+"/x/0", []byte("PK gerbers"))
	o := contract.CentralOrder{
		Key: formalRef, ID: "ord_formal", Ref: "CO-FORMAL", Account: account, Status: contract.CentralStatusSubmitted, CreatedAt: now,
		CentralForm: contract.CentralForm{Name: foreign, Qty: 50, Services: contract.CentralServices{Fabrication: true}, BoardLayers: ptr(4), Email: "grace@example.com", Notes: "Mind the gap."},
		Files:       []contract.CentralFile{{Role: "gerbers", Name: foreign + ".zip", Size: 10, Key: "central/" + formalRef + "/x/0"}},
		Check:       &contract.CentralCheck{Status: contract.CheckMustFix, Digest: boardRef, Board: "blinker", Findings: []contract.CentralFinding{{Level: "must_fix", What: "The outline is open."}}, At: now},
		Timeline:    []contract.CentralMoment{{What: contract.CentralSubmitted, At: now}},
	}
	commit(w, contract.CentralAggregate, formalRef, contract.CentralSubmitted, account, o)
	o.Key, o.ID, o.Ref, o.Name, o.ITAR, o.BoardOrigin, o.Check = controlledRef, "ord_controlled", "CO-CONTROLLED", "stealthwing", true, contract.USOrigin, nil
	commit(w, contract.CentralAggregate, controlledRef, contract.CentralSubmitted, account, o)
	bustest.Go(w.t, func(ctx context.Context) error {
		return w.bus.Serve(ctx, bus.Work{Service: "central", Parallel: 1, Handlers: flow.Handlers{
			contract.QuoteCentral: w.changeCentral(contract.CentralQuoted), contract.MoveCentral: w.changeCentral(contract.CentralInReview),
			contract.ReviewCentral: w.changeCentral(contract.CentralReviewed),
		}})
	})
}

// changeCentral stands in for the central service.
func (w *world) changeCentral(event contract.EventName) flow.Handler {
	return func(ctx context.Context, c contract.Command) error {
		var data struct {
			contract.QuoteCentralData
			Status   contract.CentralStatus
			Findings []contract.CentralFinding
		}
		if err := json.Unmarshal(c.Data, &data); err != nil {
			return flow.Permanent(err)
		}
		_, err := aggregate.Execute(ctx, w.bus, contract.CentralAggregate, data.Order, c, time.Now(),
			func(now aggregate.Snapshot[contract.CentralOrder]) (*aggregate.Change[contract.CentralOrder], error) {
				o := now.State
				switch event {
				case contract.CentralQuoted:
					if data.Note == "refuse" {
						return nil, contract.Refuse(contract.Conflict, "This order is accepted.")
					}
					o.Status = contract.CentralStatusQuoted
					o.Quote = &contract.CentralQuote{Number: "CO-FORMAL-Q1", Operator: data.Operator, ValidUntil: data.ValidUntil, Options: data.Options, Note: data.Email}
				case contract.CentralInReview:
					o.Status = data.Status
				default:
					o.Review = &contract.CentralReview{Operator: data.Operator, Findings: data.Findings}
				}
				return &aggregate.Change[contract.CentralOrder]{Event: event, State: o}, nil
			})
		return err
	}
}

func formalOf(w *world) contract.CentralOrder {
	w.t.Helper()
	now, err := aggregate.Load[contract.CentralOrder](w.t.Context(), w.bus, contract.CentralAggregate, formalRef)
	if err != nil {
		w.t.Fatal(err)
	}
	return now.State
}

// TestFormalOrderIsQuoted: several options, added up and issued; what is wrong stands at
// its field, and a refusal on the page.
func TestFormalOrderIsQuoted(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishCentral()
	pia, page := w.as("pia"), "/central/"+formalRef
	pia.get("/central").wants(t, http.StatusOK, "CO-FORMAL", "Demo account")
	pia.get(page).wants(t, http.StatusOK, "The outline is open.", "/central/"+formalRef+"/picture/top", "Mind the gap.", "grace@example.com")
	until := time.Now().AddDate(0, 1, 0).UTC().Format(time.DateOnly)
	fill := func(action, lines, note string) answer {
		form := pia.form(page, page+"/quote")
		for name, values := range map[string][]string{
			"fabricator": {"Example Circuits", "Other & Sons", ""}, "description": {"4 layers, ENIG", "", ""}, "days": {"15", "5", ""},
			"lines": {lines, "Boards 2,000.00", ""}, "until": {until}, "email": {"grace@example.com"}, "note": {note}, "action": {action},
		} {
			form[name] = values
		}
		return pia.post(page+"/quote", form)
	}
	fill("issue", "Boards twelve", "").wants(t, http.StatusUnprocessableEntity, "then an amount like 1234.50")
	fill("add", "Boards: 1200.00\nShipping 34.50\nDiscount -10", "").wants(t, http.StatusOK, "$1,224.50", "$2,000.00")
	if o := formalOf(w); o.Quote != nil {
		t.Fatalf("issued by adding up: %+v", o.Quote)
	}
	fill("issue", "Boards 1200.00", "refuse").wants(t, http.StatusUnprocessableEntity, "This order is accepted.")
	fill("issue", "Boards: 1200.00\nShipping 34.50", "").wants(t, http.StatusOK, "The quote is issued", "CO-FORMAL-Q1", "$1,234.50")
	q := formalOf(w).Quote
	if q == nil || len(q.Options) != 2 || q.Options[0].TotalCents != 123450 || len(q.Options[0].Lines) != 2 || q.Options[0].Lines[0].Label != "Boards" || q.Options[1].LeadTimeDays != 5 ||
		q.Operator != "pia" || q.Note != "grace@example.com" || q.ValidUntil.Format(time.RFC3339) != until+"T23:59:59Z" {
		t.Errorf("quote %+v", q)
	}
	pia.fill(page, page+"/review", "findings", "the outline is open").wants(t, http.StatusUnprocessableEntity, "must_fix, warning or note, a colon")
	pia.fill(page, page+"/review", "findings", "must fix: The outline is open.\nnote: Nice board.").wants(t, http.StatusOK, "The review is recorded")
	if r := formalOf(w).Review; r == nil || len(r.Findings) != 2 || r.Findings[0].Level != "must_fix" {
		t.Errorf("review %+v", r)
	}
	fin := w.as("fin")
	fin.fill(page, page+"/move", "status", "delivered").wants(t, http.StatusUnprocessableEntity, "Choose what becomes of the order.")
	fin.fill(page, page+"/move", "status", "in_review", "ship", "2026-12-24", "carrier", "DHL").wants(t, http.StatusUnprocessableEntity, "Say how the parcel is found.")
	fin.fill(page, page+"/move", "status", "in_review").wants(t, http.StatusOK, "The order has been changed")
	if n := len(w.trail("issued a formal quote")); n < 2 {
		t.Errorf("%d entries in the trail", n)
	}
}

// TestFilesOfFormalOrders are for those who may see designs, and only to keep.
func TestFilesOfFormalOrders(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishCentral()
	a := w.as("pia").get("/central/" + formalRef + "/files/gerbers")
	if a.status != http.StatusOK || a.body != "PK gerbers" || !strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment") || a.header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("%d %v", a.status, a.header)
	}
	if a := w.as("fin").get("/central/" + formalRef + "/files/gerbers"); a.status != http.StatusForbidden {
		t.Errorf("without the role: %d", a.status)
	}
	if a := w.as("pia").get("/central/" + formalRef + "/files/bom"); a.status != http.StatusNotFound {
		t.Errorf("a file that there is not: %d", a.status)
	}
	if n := len(w.trail("downloaded a customer's file")); n != 1 {
		t.Errorf("%d downloads in the trail", n)
	}
}

// TestControlledOrdersAreForUSPersons: for others they are not there, in lists, pages,
// files, forms and events alike.
func TestControlledOrdersAreForUSPersons(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishCentral()
	ann, con := w.as("ann"), w.as("con") // the second is a US person
	if a := ann.get("/central"); strings.Contains(a.body, "CONTROLLED") || strings.Contains(a.body, "stealthwing") {
		t.Error("the list shows it to anybody")
	}
	con.get("/central").wants(t, http.StatusOK, "CO-CONTROLLED", "stealthwing")
	for _, path := range []string{"", "/files/gerbers", "/picture/top"} {
		if a := ann.get("/central/" + controlledRef + path); a.status != http.StatusNotFound || strings.Contains(a.body, "stealthwing") {
			t.Errorf("%q: %d", path, a.status)
		}
	}
	form := ann.form("/central/"+formalRef, "/central/"+formalRef+"/move")
	form.Set("status", "in_review")
	if a := ann.post("/central/"+controlledRef+"/move", form); a.status != http.StatusNotFound {
		t.Errorf("moved by anybody: %d", a.status)
	}
	con.get("/central/"+controlledRef).wants(t, http.StatusOK, "stealthwing")
	if n := len(w.trail("opened a controlled order")); n != 1 {
		t.Errorf("%d openings in the trail", n)
	}
	events, err := w.bus.Latest(t.Context(), contract.CentralAggregate, nil, 1)
	if err != nil || len(events) != 1 || !events[0].Marks.Controlled() {
		t.Fatalf("last event %+v, %v", events, err)
	}
	at := events[0].Position.String()
	if a := ann.get("/event/central-order/" + at); a.status != http.StatusNotFound {
		t.Errorf("its event, for anybody: %d", a.status)
	}
	con.get("/event/central-order/"+at).wants(t, http.StatusOK, "stealthwing")
}
