package console_test

import (
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/customers"
)

// caseOf reads the team's case about something.
func (w *world) caseOf(ref string) cases.Case {
	w.t.Helper()
	now, err := aggregate.At[cases.Case](w.bus, contract.CaseAggregate, ref).Load(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return now.State
}

// TestNotes: what an operator notes about an order, a review, a formal order and a customer
// stands on its page, newest first, for those who may see people; the trail tells who
// wrote it, and goes without the words.
func TestNotes(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishFormal()
	customer := customers.Ref(account, "grace@example.com")
	ann, ben := w.signInAs("ann"), w.signInAs("ben")
	for ref, page := range map[string]string{instantRef: "/orders/" + instantRef, reviewRef: "/reviews/" + reviewRef, formalRef: "/central/" + formalRef, customer: "/customers/" + customer} {
		to := "/cases/" + ref + "/notes"
		ann.fill(page, to, "text", "Call in the morning.").wants(t, http.StatusOK, "The note is written down.", "Call in the morning.")
		a := ann.fill(page, to, "text", "She "+foreign)
		if a.wants(t, http.StatusOK, "She <script>alert(1)"); strings.Contains(a.body, "She <script>") {
			t.Errorf("%s: a note is not escaped", page)
		}
		if first, second := strings.Index(a.body, "She "), strings.Index(a.body, "Call in"); first < 0 || first > second {
			t.Errorf("%s: the newest note stands at %d, the other at %d; want it first", page, first, second)
		}
		if c := w.caseOf(ref); len(c.Notes) != 2 || c.Notes[0].Operator != "ann" || c.Notes[0].At.IsZero() || c.Person == "" {
			t.Errorf("%s: case %+v; want two notes of ann's, and whose case it is", page, c)
		}
		ann.fill(page, to, "text", "  ").wants(t, http.StatusUnprocessableEntity, "A note has words.")
		if !strings.HasPrefix(page, "/reviews") {
			ben.get(page).lacks(t, "Call in the morning.", "Write a note for the team")
		}
	}
	form := ann.form("/orders/"+instantRef, "/cases/"+instantRef+"/notes")
	form.Set("text", "Once.")
	for range 2 { // pressed twice
		ann.post("/cases/"+instantRef+"/notes", form)
	}
	if c := w.caseOf(instantRef); len(c.Notes) != 3 {
		t.Errorf("a note that was sent twice: %+v; want it once", c.Notes)
	}
	w.awaitAudit("ann", "wrote a note")
	if trail := ann.get("/audit?by=action&value=wrote+a+note").body; strings.Contains(trail, "Call in") {
		t.Error("the trail holds the words of a note")
	}
}

// TestNotesAreErasedWithTheCustomer, wherever they were written.
func TestNotesAreErasedWithTheCustomer(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	customer := customers.Ref(account, "grace@example.com")
	ann := w.signInAs("ann")
	for ref, page := range map[string]string{instantRef: "/orders/" + instantRef, customer: "/customers/" + customer} {
		ann.fill(page, "/cases/"+ref+"/notes", "text", "Grace is on leave.").wants(t, http.StatusOK, "Grace is on leave.")
	}
	ann.fill("/customers/"+customer, "/customers/"+customer+"/erase", "sure", "yes").wants(t, http.StatusOK, "is being removed")
	for _, ref := range []string{instantRef, customer} {
		bustest.WaitFor(t, "the notes about "+ref+" to be gone", func() bool { c := w.caseOf(ref); return len(c.Notes) == 0 && c.Person == "" })
	}
}
