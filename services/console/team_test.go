package console_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console"
	"boardorder/services/console/internal/audit"
)

// trail gives what the audit trail holds of an action.
func (w *world) trail(action string) (all []audits.Record) {
	w.t.Helper()
	for _, e := range entriesOf(w.t, w.bus) {
		r, err := e.Read()
		if err != nil {
			w.t.Fatal(err)
		}
		if r.Action == action {
			all = append(all, r)
		}
	}
	return all
}

// TestMoneyNeedsTwo: what one gives back another approves, on the pages.
func TestMoneyNeedsTwo(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *console.Config) { c.RefundLimitCents = 1000 })
	w.furnish()
	fin, ann, page := w.signInAs("fin"), w.signInAs("ann"), "/orders/"+instantRef
	fin.fill(page, page+"/refund", "amount", "12.50", "why", "a scratch on Grace").wants(t, http.StatusOK, "Another operator must approve it first", "fin wants to give money back: $12.50", "Withdraw")
	if o := orderOf(w, instantRef); len(o.Refunds) != 0 {
		t.Fatalf("given back by one: %+v, want none", o.Refunds)
	}
	w.signInAs("ben").get("/approvals").wants(t, http.StatusOK, "give money back", "$12.50", "fin", "a scratch on Grace", "10 boards")
	decide := approvalForm(t, ann.get(page).body)
	fin.fill(page, decide, "action", "approve").wants(t, http.StatusConflict, "Someone else must approve")
	ann.fill(page, decide, "action", "approve").wants(t, http.StatusOK, "It is approved, and the card processor is asked for the refund", "not yet taken by the card processor", "fin, approved by ann", "$12.50", "Decided requests")
	if o := orderOf(w, instantRef); len(o.Refunds) != 1 || o.Refunds[0].Cents != 1250 {
		t.Fatalf("refunds = %+v, want one of 1250 cents", o.Refunds)
	}
	ann.get("/approvals").wants(t, http.StatusOK, "Nothing waits for a second operator")
	fin.fill(page, page+"/refund", "amount", "10").wants(t, http.StatusOK, "The refund is written down") // the limit itself may be given back alone
	fin.fill(page, page+"/cancel", "sure", "yes").wants(t, http.StatusOK, "fin wants to cancel the order")
	fin.fill(page, approvalForm(t, fin.get(page).body), "action", "decline").wants(t, http.StatusOK, "It is declined")
	if o := orderOf(w, instantRef); o.Status == orders.Cancelled {
		t.Errorf("the order is %s, want it as it was before the refund was declined", o.Status)
	}
	for action, outcomes := range map[string]string{
		"asked to give money back": "asked done", "approved to give money back": "asked done", "refunded an order": "asked done", "declined to cancel the order": "asked done",
	} {
		var got []string
		for _, r := range w.trail(action) {
			got = append(got, r.Outcome)
			for _, v := range r.After {
				if strings.Contains(v, "Grace") {
					t.Errorf("the trail holds what was written to a customer: %+v", r)
				}
			}
		}
		if action == "approved to give money back" {
			got = got[max(len(got)-2, 0):] // the first were fin's, refused
		}
		if strings.Join(got, " ") != outcomes {
			t.Errorf("%s: %v, want %s", action, got, outcomes)
		}
	}
	if r, err := audit.Verify(t.Context(), w.bus); err != nil || len(r.Problems) != 0 {
		t.Errorf("the trail: %+v, %v", r, err)
	}
}

// TestWhoAskedMayStillAsk: what was asked for by somebody who was removed since, or lost
// the role, is not approved, and can be declined.
func TestWhoAskedMayStillAsk(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"removed":  {"name: fin,", "name: gone,"},
		"demoted":  {"roles: [finance]", "roles: [viewer]"},
		"promoted": {"roles: [finance]", "roles: [finance, sales]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var file string
			w := start(t, func(c *console.Config) { c.RefundLimitCents, file = 1000, c.OperatorsFile })
			w.furnish()
			page := "/orders/" + instantRef
			w.signInAs("fin").fill(page, page+"/refund", "amount", "12.50").wants(t, http.StatusOK, "fin wants to give money back")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.Replace(string(text), change[0], change[1], 1)
			if changed == string(text) {
				t.Fatalf("%q is not in the file", change[0])
			}
			if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			ann := w.signInAs("ann")
			decide := approvalForm(t, ann.get(page).body)
			if name == "promoted" {
				ann.fill(page, decide, "action", "approve").wants(t, http.StatusOK, "It is approved, and the card processor is asked for the refund")
				return
			}
			ann.fill(page, decide, "action", "approve").wants(t, http.StatusConflict, "fin may not report on orders any more")
			if o := orderOf(w, instantRef); len(o.Refunds) != 0 {
				t.Errorf("given back: %+v, want none", o.Refunds)
			}
			ann.fill(page, decide, "action", "decline").wants(t, http.StatusOK, "It is declined")
		})
	}
}

func approvalForm(t *testing.T, body string) string {
	t.Helper()
	for _, f := range forms.FindAllStringSubmatch(body, -1) {
		if strings.Contains(f[1], "/approvals/") {
			return f[1]
		}
	}
	t.Fatalf("nothing to decide on:\n%s", body)
	return ""
}

func TestHighPricesNeedTwo(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *console.Config) { c.PriceLimitCents = 100_000 })
	w.furnish()
	pia, at := w.signInAs("pia"), "/reviews/"+reviewRef
	pia.fill(at, at, priceFields("amount", "1000.01")...).wants(t, http.StatusOK, "Another operator must approve it", "pia wants to set a price: $1,000.01")
	if q := quoteOf(w, reviewRef); q.Status != quotes.SourcingRequested {
		t.Fatalf("priced by one: %s, want %s", q.Status, quotes.SourcingRequested)
	}
	ann := w.signInAs("ann")
	ann.fill(at, approvalForm(t, ann.get(at).body), "action", "approve").wants(t, http.StatusOK, "It is approved and done", "sourcing quoted")
	if q := quoteOf(w, reviewRef); *q.Reply.TotalCents != 100001 {
		t.Errorf("priced at %d, want 100001", *q.Reply.TotalCents)
	}
	pia.fill(at, at, priceFields("amount", "1000", "valid_days", "31")...).wants(t, http.StatusUnprocessableEntity, "A number of days, 1 to 30.")
	pia.fill(at, at, priceFields("amount", "1000", "valid_days", "3")...).wants(t, http.StatusOK, "The price is set")
	if r := w.trail("set a price"); len(r) != 2 || r[0].Before["total"] != "$1,000.01" || r[0].After["total"] != "$1,000.00" || r[0].Operator != "pia" {
		t.Errorf("the trail: %+v, want two prices of pia, the last $1,000.00 in place of $1,000.01", r)
	}
}

// TestAuditPages: who, what, when, before and after; exported whole; verified.
func TestAuditPages(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	pia, at := w.signInAs("pia"), "/reviews/"+reviewRef
	pia.fill(at, at, priceFields("amount", "1200")...).wants(t, http.StatusOK, "The price is set")
	ann := w.signInAs("ann")
	bustest.WaitFor(t, "the entry on the page", func() bool {
		return strings.Contains(ann.get("/audit").body, "sourcing requested") || strings.Contains(ann.get("/audit").body, "$1,200.00")
	})
	ann.get("/audit?by=operator&value=pia").wants(t, http.StatusOK, "set a price", "$1,200.00", "pia")
	ann.get("/audit?by=operator&value=pia").lacks(t, "<td data-label=\"Operator\">ann")
	ann.get("/audit/verify").wants(t, http.StatusOK, "entries are intact")
	v := audit.NewVerifier()
	for line := range strings.Lines(ann.get("/audit/file/json").body) {
		var e audits.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		v.Add(e)
	}
	if r := v.Report(); r.Entries < 4 || len(r.Problems) != 0 {
		t.Errorf("the file: %+v, want 4 entries at least without problems", r)
	}
	if file := ann.get("/audit/file/csv"); !strings.HasPrefix(file.body, "n,at,operator,action,outcome") || !strings.Contains(file.body, "exported the audit trail") {
		t.Errorf("csv: %s, want the headings, and that it was exported", file.body)
	}
	ann.get("/audit/file/exe").wants(t, http.StatusNotFound)
	pia.get("/audit").wants(t, http.StatusForbidden, "Your roles do not let you")
}
