package console_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/emails"
	formalcontract "boardorder/pkg/contract/formal"
	"boardorder/pkg/flow"
	"boardorder/services/console"
)

const (
	formalRef     = "ffffffffffffffffffffffffff"
	controlledRef = "gggggggggggggggggggggggggg"
)

// furnishFormal makes a formal order, and one that is ITAR-controlled, and carries out
// what the console asks about them.
func (w *world) furnishFormal() {
	w.t.Helper()
	now := time.Now().UTC()
	w.put("central/"+formalRef+"/x/0", []byte("PK gerbers"))
	o := formalcontract.Order{
		Key: formalRef, ID: "ord_formal", Ref: "CO-FORMAL", Account: account, Status: formalcontract.Submitted, CreatedAt: now,
		Form:     formalcontract.Form{Name: foreign, Qty: 50, Services: formalcontract.Services{Fabrication: true}, BoardLayers: ptr(4), Email: "grace@example.com", Notes: "Mind the gap."},
		Files:    []formalcontract.File{{Role: "gerbers", Name: foreign + ".zip", Size: 10, Key: "central/" + formalRef + "/x/0"}},
		Check:    &formalcontract.Check{Status: designchecks.MustFix, Digest: boardRef, Board: "blinker", Findings: []formalcontract.Finding{{Level: "must_fix", What: "The outline is open."}}, At: now},
		Timeline: []formalcontract.Moment{{What: formalcontract.EventSubmitted, At: now}},
	}
	commit(w, contract.FormalAggregate, formalRef, formalcontract.EventSubmitted, account, o)
	o.Key, o.ID, o.Ref, o.Name, o.ITAR, o.BoardOrigin, o.Check = controlledRef, "ord_controlled", "CO-CONTROLLED", "stealthwing", true, formalcontract.USOrigin, nil
	commit(w, contract.FormalAggregate, controlledRef, formalcontract.EventSubmitted, account, o)
	bustest.Go(w.t, func(ctx context.Context) error {
		return w.bus.Serve(ctx, bus.Work{Service: "central", Parallel: 1, Handlers: flow.Handlers{
			formalcontract.IssueQuote: w.changeFormal(formalcontract.EventQuoted), formalcontract.Move: w.changeFormal(formalcontract.EventInReview),
			formalcontract.RecordReview: w.changeFormal(formalcontract.EventReviewed), formalcontract.AcceptQuote: failPermanently, formalcontract.CheckDesign: failPermanently,
		}})
	})
}

// changeFormal stands in for the central service.
func (w *world) changeFormal(event contract.EventName) flow.Handler {
	return func(ctx context.Context, c contract.Command) error {
		var data struct {
			formalcontract.IssueQuoteData
			Status   formalcontract.Status
			Findings []formalcontract.Finding
		}
		if err := json.Unmarshal(c.Data, &data); err != nil {
			return flow.Permanent(err)
		}
		_, err := aggregate.At[formalcontract.Order](w.bus, contract.FormalAggregate, data.Order).Execute(ctx, c, time.Now(),
			func(now aggregate.Snapshot[formalcontract.Order]) (*aggregate.Change[formalcontract.Order], error) {
				o := now.State
				switch event {
				case formalcontract.EventQuoted:
					if data.Note == "refuse" {
						return nil, contract.Refuse(contract.Conflict, "This order is accepted.")
					}
					o.Status = formalcontract.Quoted
					o.Quote = &formalcontract.Quote{Number: "CO-FORMAL-Q1", Operator: data.Operator, ValidUntil: data.ValidUntil, Options: data.Options, Note: data.Email}
				case formalcontract.EventInReview:
					o.Status = data.Status
				default:
					o.Review = &formalcontract.Review{Operator: data.Operator, Findings: data.Findings}
				}
				return &aggregate.Change[formalcontract.Order]{Event: event, State: o}, nil
			})
		return err
	}
}

func formalOf(w *world) formalcontract.Order {
	w.t.Helper()
	now, err := aggregate.At[formalcontract.Order](w.bus, contract.FormalAggregate, formalRef).Load(w.t.Context())
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
	w.furnishFormal()
	pia, page := w.signInAs("pia"), "/central/"+formalRef
	pia.get("/central").wants(t, http.StatusOK, "CO-FORMAL", "Demo account")
	pia.get(page).wants(t, http.StatusOK, "The outline is open.", "/central/"+formalRef+"/picture/top", "Mind the gap.", "grace@example.com")
	until := time.Now().AddDate(0, 1, 0).UTC().Format(time.DateOnly)
	fill := func(action, note string, lines ...string) answer {
		form := pia.form(page, page+"/quote")
		for name, values := range map[string][]string{
			"fabricator": {"Example Circuits", "Other & Sons", ""}, "description": {"4 layers, ENIG", "", ""}, "days": {"15", "5", ""},
			"label-1": {"Boards"}, "amount-1": {"2,000.00"}, "until": {until}, "email": {"grace@example.com"}, "note": {note}, "action": {action},
		} {
			form[name] = values
		}
		for i := 0; i < len(lines); i += 2 {
			form.Add("label-0", lines[i])
			form.Add("amount-0", lines[i+1])
		}
		return pia.post(page+"/quote", form)
	}
	fill("issue", "", "Boards", "twelve", "Shipping", "").wants(t, http.StatusUnprocessableEntity, "“twelve” is not an amount of “Boards”.", "“Shipping” needs an amount such as 1234.50.", "The quote is not issued yet")
	fill("row-0", "", "Boards", "1200.00").wants(t, http.StatusOK, "Line 2")
	fill("add", "", "Boards", "1200.00", "Shipping", "34.50", "Discount", "-10").wants(t, http.StatusOK, "$1,224.50", "$2,000.00")
	if o := formalOf(w); o.Quote != nil {
		t.Fatalf("issued by adding up: %+v, want no quote", o.Quote)
	}
	fill("issue", "refuse", "Boards", "1200.00").wants(t, http.StatusUnprocessableEntity, "This order is accepted.")
	fill("issue", "", "Boards", "1200.00", "Shipping", "34.50").wants(t, http.StatusOK, "The quote is issued", "CO-FORMAL-Q1", "$1,234.50")
	q := formalOf(w).Quote
	if q == nil || len(q.Options) != 2 || q.Options[0].TotalCents != 123450 || len(q.Options[0].Lines) != 2 || q.Options[0].Lines[0].Label != "Boards" || q.Options[1].LeadTimeDays != 5 ||
		q.Operator != "pia" || q.Note != "grace@example.com" || q.ValidUntil.Format(time.RFC3339) != until+"T23:59:59Z" {
		t.Errorf("quote %+v, want two of pia until %s, the first of two lines for 123450 cents, the second in 5 days", q, until)
	}
	if a := pia.get(page + "/quote.pdf"); a.status != http.StatusOK || a.header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(a.body, "%PDF-") {
		t.Errorf("as a document: %d %v, want 200 and a PDF", a.status, a.header)
	}
	pia.fill(page, page+"/review", "findings", "the outline is open").wants(t, http.StatusUnprocessableEntity, "must_fix, warning or note, a colon")
	pia.fill(page, page+"/review", "findings", "must fix: The outline is open.\nnote: Nice board.").wants(t, http.StatusOK, "The review is recorded")
	if r := formalOf(w).Review; r == nil || len(r.Findings) != 2 || r.Findings[0].Level != "must_fix" {
		t.Errorf("review %+v, want two findings, the first must_fix", r)
	}
	fin := w.signInAs("fin")
	fin.fill(page, page+"/move", "status", "delivered").wants(t, http.StatusUnprocessableEntity, "Choose the new status of the order.")
	fin.fill(page, page+"/move", "status", "in_review", "ship", "2026-12-24", "carrier", "DHL").wants(t, http.StatusUnprocessableEntity, "Enter how the parcel can be tracked.")
	if got := fin.form(page, page+"/move").Get("from"); got != string(formalOf(w).Status) {
		t.Errorf("the form says that the order stands %q, want %q", got, formalOf(w).Status)
	}
	fin.fill(page, page+"/move", "status", "in_review").wants(t, http.StatusOK, "The order has been changed")
	if n := len(w.trail("issued a formal quote")); n < 2 {
		t.Errorf("%d entries in the trail, want 2 at least", n)
	}
}

// TestFilesOfFormalOrders are for those who may see designs, and only to keep.
func TestFilesOfFormalOrders(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishFormal()
	a := w.signInAs("pia").get("/central/" + formalRef + "/files/gerbers")
	if a.status != http.StatusOK || a.body != "PK gerbers" || !strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment") || a.header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("the file is %d %v %q, want it as an attachment of bytes", a.status, a.header, a.body)
	}
	if a := w.signInAs("fin").get("/central/" + formalRef + "/files/gerbers"); a.status != http.StatusForbidden {
		t.Errorf("without the role: %d, want 403", a.status)
	}
	if a := w.signInAs("pia").get("/central/" + formalRef + "/files/bom"); a.status != http.StatusNotFound {
		t.Errorf("a file that there is not: %d, want 404", a.status)
	}
	if n := len(w.trail("downloaded a customer's file")); n != 1 {
		t.Errorf("%d downloads in the trail, want 1", n)
	}
}

// TestControlledOrdersAreForUSPersons: for others they are not there, in lists, pages,
// files, forms and events alike.
func TestControlledOrdersAreForUSPersons(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishFormal()
	ann, con := w.signInAs("ann"), w.signInAs("con") // the second is a US person
	if a := ann.get("/central"); strings.Contains(a.body, "CONTROLLED") || strings.Contains(a.body, "stealthwing") {
		t.Error("the list shows it to anybody")
	}
	con.get("/central").wants(t, http.StatusOK, "CO-CONTROLLED", "stealthwing")
	for _, path := range []string{"", "/files/gerbers", "/picture/top", "/quote.pdf"} {
		if a := ann.get("/central/" + controlledRef + path); a.status != http.StatusNotFound || strings.Contains(a.body, "stealthwing") {
			t.Errorf("%q: %d %s, want %d without the project", path, a.status, a.body, http.StatusNotFound)
		}
	}
	form := ann.form("/central/"+formalRef, "/central/"+formalRef+"/move")
	form.Set("status", "in_review")
	if a := ann.post("/central/"+controlledRef+"/move", form); a.status != http.StatusNotFound {
		t.Errorf("moved by anybody: %d, want 404", a.status)
	}
	con.get("/central/"+controlledRef).wants(t, http.StatusOK, "stealthwing")
	if n := len(w.trail("opened a controlled order")); n != 1 {
		t.Errorf("%d openings in the trail, want 1", n)
	}
	events, err := w.bus.Latest(t.Context(), contract.FormalAggregate, nil, 1)
	if err != nil || len(events) != 1 || !events[0].Labels.IsControlled() {
		t.Fatalf("last event %+v, %v", events, err)
	}
	at := events[0].Position.String()
	if a := ann.get("/event/central-order/" + at); a.status != http.StatusNotFound {
		t.Errorf("its event, for anybody: %d, want 404", a.status)
	}
	con.get("/event/central-order/"+at).wants(t, http.StatusOK, "stealthwing")
}

// TestNothingTellsOfAControlledOrder: whoever is no US person finds it nowhere, by
// nothing, and gets the answer of something that there is not. Nor does anything
// tell of what was done to it.
func TestNothingTellsOfAControlledOrder(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *console.Config) { c.PriceLimitCents = 100_000 })
	w.furnish()
	w.furnishFormal()
	con, usa := w.signInAs("con"), w.signInAs("usa")
	page := "/central/" + controlledRef
	con.get(page).wants(t, http.StatusOK, "stealthwing") // leaves an entry in the trail
	// A command about it fails, and the e-mail about it.
	for _, c := range []struct {
		name contract.CommandName
		data any
	}{
		{formalcontract.AcceptQuote, formalcontract.AcceptQuoteData{Order: controlledRef, ITAR: true}},
		{formalcontract.CheckDesign, formalcontract.Data{Order: controlledRef}}, // unmarked, from before it was declared
		{emails.Send, emails.SendData{Kind: emails.FormalTeam, About: controlledRef}},
	} {
		cmd, err := contract.NewCommand(c.name, "", account, time.Now(), c.data)
		if err != nil {
			t.Fatal(err)
		}
		cmd.ID = "cmd_secret_" + c.name.Verb
		if err := w.bus.Send(t.Context(), cmd); err != nil {
			t.Fatal(err)
		}
	}
	bustest.Go(t, func(ctx context.Context) error {
		return w.bus.Serve(ctx, bus.Work{Service: "notify", Parallel: 1, Handlers: flow.Handlers{emails.Send: failPermanently}})
	})
	bustest.WaitFor(t, "three dead letters more", func() bool { return len(w.dead()) == 4 })
	// A price above the limit waits for a second operator.
	sold := w.signInAs("sal")
	form := sold.form(page, page+"/quote")
	for name, values := range map[string][]string{
		"fabricator": {"Stealth Fab"}, "description": {""}, "days": {"15"}, "label-0": {"Boards"}, "amount-0": {"5000.00"}, "until": {time.Now().AddDate(0, 1, 0).UTC().Format(time.DateOnly)}, "action": {"issue"},
	} {
		form[name] = values
	}
	sold.post(page+"/quote", form).wants(t, http.StatusOK, "Another operator must approve it first")
	con.get("/approvals").wants(t, http.StatusOK, "issue a formal quote", "/central/"+controlledRef)

	secrets := []string{controlledRef, "CO-CONTROLLED", "ord_controlled", "stealthwing", "Stealth Fab", "cmd_secret", "$5,000.00", "opened a controlled"}
	events, err := w.bus.History(t.Context(), contract.FormalAggregate, controlledRef, 0, 10)
	if err != nil || len(events) == 0 {
		t.Fatalf("history of %s: %+v, %v; want events", controlledRef, events, err)
	}
	paths := []string{
		"/", "/central", "/central?status=submitted", "/approvals", "/events", "/events?aggregate=central-order", "/events?aggregate=case", "/events?id=" + controlledRef,
		"/events/central-order/" + controlledRef, "/events/case/" + controlledRef, "/quotes/" + controlledRef, "/quotes/" + controlledRef + "/history", page + "/history",
		"/event/central-order/" + events[0].Position.String(), "/dead-letters", "/accounts/" + account, "/streams", "/uploads", "/orders", "/quotes",
		"/audit", "/audit?by=about&value=" + controlledRef, "/audit/file/csv", "/audit/file/json", "/dead-letters/replayed?commands=cmd_secret_accept-quote",
		page, page + "/files/gerbers", page + "/picture/top",
	}
	for _, l := range w.dead() {
		paths = append(paths, fmt.Sprintf("/dead-letters/%d", l.Seq))
	}
	latest, err := w.bus.Latest(t.Context(), contract.AuditAggregate, nil, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range latest {
		paths = append(paths, "/event/audit/"+e.Position.String())
	}
	for _, name := range []string{"ann", "pia", "fin", "ben"} {
		v := w.signInAs(name)
		for _, path := range paths {
			a := v.get(path)
			for _, secret := range secrets {
				if strings.Contains(strings.ReplaceAll(a.body, path, ""), secret) && !strings.Contains(path, secret) {
					t.Errorf("%s sees %q at %s: %d", name, secret, path, a.status)
				}
			}
		}
		unknown := v.fill("/", "/find", "what", "nothing-at-all")
		for _, what := range []string{controlledRef, controlledRef[:10], "CO-CONTROLLED", "co-contr", "ord_controlled", "stealthwing", "stealth"} {
			if a := v.fill("/", "/find", "what", what); a.status != unknown.status || strings.Contains(a.body, "/central/") {
				t.Errorf("%s finds %q: %d, want %d and no order", name, what, a.status, unknown.status)
			}
		}
		formToken := v.form("/", "/sign-out").Get("form_token")
		for _, path := range []string{"/quote", "/move", "/review"} {
			if a := v.post(page+path, url.Values{"form_token": {formToken}, "request": {"req_x"}, "status": {"cancelled"}}); a.status != http.StatusNotFound && a.status != http.StatusForbidden {
				t.Errorf("%s at %s: %d, want 404 or 403", name, path, a.status)
			}
		}
	}
	// A dead letter about it is neither sent again nor discarded.
	ann, n := w.signInAs("ann"), len(w.dead())
	formToken := ann.form("/", "/sign-out").Get("form_token")
	for _, l := range w.dead() {
		if l.Command.ID == "cmd_bad" {
			continue
		}
		for _, act := range []string{"/replay", "/discard"} {
			if a := ann.post(fmt.Sprintf("/dead-letters/%d%s", l.Seq, act), url.Values{"form_token": {formToken}, "sure": {"yes"}}); a.status != http.StatusNotFound {
				t.Errorf("%s of %s: %d, want 404", act, l.Command.ID, a.status)
			}
		}
		ann.post("/dead-letters/replay", url.Values{"form_token": {formToken}, "sure": {"yes"}, "letter": {fmt.Sprint(l.Seq)}})
	}
	if len(w.dead()) != n {
		t.Errorf("%d dead letters are left, want all %d", len(w.dead()), n)
	}
	// US persons have it all.
	for path, want := range map[string]string{"/events/central-order/" + controlledRef: "submitted", "/dead-letters": "central.accept-quote", "/central": "stealthwing"} {
		usa.get(path).wants(t, http.StatusOK, want)
	}
	con.get("/audit?by=action&value=opened+a+controlled+order").wants(t, http.StatusOK, controlledRef[:10])
	con.fill("/", "/find", "what", "CO-CONTR").wants(t, http.StatusOK, "stealthwing")
}

// TestFormalOrdersAreFound by what people know of them.
func TestFormalOrdersAreFound(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishFormal()
	for name, finds := range map[string]map[string]bool{
		"pia": {"CO-FORMAL": true, "co-form": true, formalRef: true, formalRef[:12]: true, "ord_formal": true, "C calc'!a": true},
		"fin": {"CO-FORMAL": true, "ord_form": true},
	} {
		v := w.signInAs(name)
		for what := range finds {
			if a := v.fill("/", "/find", "what", what); !strings.Contains(a.body, "CO-FORMAL") {
				t.Errorf("%s does not find %q: %d", name, what, a.status)
			}
		}
	}
	w.signInAs("pia").fill("/", "/find", "what", "grace@exam").wants(t, http.StatusOK, "CO-FORMAL")
	if a := w.signInAs("ben").fill("/", "/find", "what", "grace@exam"); strings.Contains(a.body, "CO-FORMAL") {
		t.Error("a viewer finds it by its customer")
	}
}

// TestLargeFormalQuoteTakesTwo: a quote of which an option costs more than one may
// set alone is issued once another operator agrees, and by nobody else.
func TestLargeFormalQuoteTakesTwo(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *console.Config) { c.PriceLimitCents = 100_000 })
	w.furnish()
	w.furnishFormal()
	pia, page := w.signInAs("pia"), "/central/"+formalRef
	issue := func(first, second string) answer {
		form := pia.form(page, page+"/quote")
		for name, values := range map[string][]string{
			"fabricator": {"Example Circuits", "Other"}, "description": {"", ""}, "days": {"15", "5"}, "label-0": {"Boards"}, "amount-0": {first}, "label-1": {"Boards"}, "amount-1": {second},
			"until": {time.Now().AddDate(0, 1, 0).UTC().Format(time.DateOnly)}, "email": {"grace@example.com"}, "action": {"issue"},
		} {
			form[name] = values
		}
		return pia.post(page+"/quote", form)
	}
	issue("1000.00", "999.00").wants(t, http.StatusOK, "The quote is issued")
	issue("10.00", "1000.01").wants(t, http.StatusOK, "Another operator must approve it first", "issue a formal quote")
	if q := formalOf(w).Quote; q.Options[0].TotalCents != 100_000 {
		t.Fatalf("issued by one: %+v, want 100000 cents as before", q)
	}
	w.signInAs("fin").get("/approvals").wants(t, http.StatusOK, page, "CO-FORMAL", "$1,000.01")
	w.signInAs("fin").get("/approvals").lacks(t, formalRef[:8]+"</code>")
	w.signInAs("fin").get("/").wants(t, http.StatusOK, `href="/central/`+formalRef+`">CO-FORMAL</a>`)
	c, err := aggregate.At[cases.Case](w.bus, contract.CaseAggregate, formalRef).Load(t.Context())
	if err != nil || len(c.State.Open()) != 1 {
		t.Fatalf("case %+v, %v; want one open approval", c.State, err)
	}
	approve := "/cases/" + formalRef + "/approvals/" + c.State.Open()[0].ID
	token := func(v *visitor) url.Values {
		return url.Values{"form_token": {v.form("/", "/sign-out").Get("form_token")}, "request": {contract.NewID("req_", time.Now())}, "action": {"approve"}}
	}
	for name, want := range map[string]int{"pia": http.StatusConflict, "fin": http.StatusForbidden, "ben": http.StatusForbidden} {
		v := w.signInAs(name)
		if got := v.post(approve, token(v)).status; got != want {
			t.Errorf("approved by %s: %d, want %d", name, got, want)
		}
	}
	if q := formalOf(w).Quote; q.Options[0].TotalCents != 100_000 {
		t.Fatalf("issued before it was approved: %+v, want 100000 cents as before", q)
	}
	ann := w.signInAs("ann")
	ann.post(approve, token(ann)).wants(t, http.StatusOK, "It is approved and done")
	if q := formalOf(w).Quote; len(q.Options) != 2 || q.Options[1].TotalCents != 100_001 || q.Operator != "pia, approved by ann" {
		t.Errorf("after it was approved: %+v, want 100001 cents in the second option, by pia, approved by ann", q)
	}
}

// TestLivePageHidesControlledOrders: its events are neither shown nor counted.
func TestLivePageHidesControlledOrders(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishFormal()
	others, persons := w.signInAs("ann").watch(t.Context(), "/events/live"), w.signInAs("usa").watch(t.Context(), "/events/live?aggregate=central-order")
	secret, formal := formalOf(w), formalOf(w)
	secret.Key, secret.ITAR = controlledRef, true
	seen := map[string]int{}
	reported := func(of <-chan batch, who string) bool {
		for len(of) > 0 {
			b := <-of
			seen[who] += b.Total
			for _, e := range b.Events {
				seen[fmt.Sprint(who, " ", e["id"])]++
			}
		}
		return seen[who+" "+formalRef] > 0 && (who == "others" || seen[who+" "+controlledRef] > 0)
	}
	bustest.WaitFor(t, "both pages to be told", func() bool {
		commit(w, contract.FormalAggregate, controlledRef, formalcontract.EventUpdated, account, secret)
		commit(w, contract.FormalAggregate, formalRef, formalcontract.EventUpdated, account, formal)
		a, b := reported(others, "others"), reported(persons, "persons")
		return a && b
	})
	if seen["others "+controlledRef] > 0 {
		t.Error("it is shown to anybody")
	}
	if shown := seen["others "+formalRef]; seen["others"] < shown || seen["persons "+controlledRef] == 0 {
		t.Errorf("seen %v, want no more than others in all, and controlled orders by US persons", seen)
	}
}
