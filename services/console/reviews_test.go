package console_test

import (
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/quotes"
	"net/http"
	"strings"
	"testing"
)

func TestPriceReview(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	pia, at := w.signInAs("pia"), "/reviews/"+reviewRef
	pia.fill(at, at, "label", "Boards", "amount", "12,", "action", "price").wants(t, http.StatusUnprocessableEntity, "“12,” is not an amount of “Boards”. Write it like 1234.50.")
	pia.fill(at, at, "label", "Boards", "amount", "1200.5", "tax", "99.50", "action", "add").wants(t, http.StatusOK, "$1,300.00")
	if q := quoteOf(w, reviewRef); q.Status != quotes.SourcingRequested {
		t.Errorf("adding up changed the quote to %s, want %s", q.Status, quotes.SourcingRequested)
	}
	pia.fill(at, at, "label", "Boards", "for", "boards", "amount", "1200.5", "tax", "99.50", "action", "price").
		wants(t, http.StatusUnprocessableEntity, "There is nothing for shipping.", "has no price: say what becomes of it.", "Say how long it takes to build.", "Say how long the parcel takes")
	pia.fill(at, at, priceFields("amount", "1", "out-shipping", "yes", "words-shipping", "")...).wants(t, http.StatusUnprocessableEntity, "Describe it: the customer reads this.")
	pia.fill(at, at, priceFields("amount", "1200.5", "tax", "99.50")...).wants(t, http.StatusUnprocessableEntity, "The price holds $99.50 for tax, which is said to be left out.")
	pia.fill(at, at, priceFields("amount", "1", "build_days", "99")...).wants(t, http.StatusUnprocessableEntity, "Nobody waits that long.", "Too long.")
	pia.fill(at, at, priceFields("amount", "1200.5", "tax", "99.50", "out-tax", "no", "build_days", "12")...).
		wants(t, http.StatusOK, "The price is set", "$1,300.00", "sourcing quoted")
	if q := quoteOf(w, reviewRef); q.Version != 2 || len(q.Reply.Lines) != 2 || q.Reply.Lines[0].Cents != 120050 {
		t.Errorf("priced quote: %+v, want version 2 of two lines, the first of 120050 cents", q)
	}
	w.awaitAudit("pia", "set a price")
}

// TestReviewIsTakenAskedAndRefused is what the team can do beside pricing.
func TestReviewIsTakenAskedAndRefused(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	pia, at := w.signInAs("pia"), "/reviews/"+reviewRef
	take := "/cases/" + reviewRef + "/take"
	pia.fill(at, take, "action", "take").wants(t, http.StatusOK, "Assigned to pia", "Release")
	bustest.WaitFor(t, "the queue to say who has it", func() bool { return strings.Contains(pia.get("/reviews").body, ">pia</td>") })
	w.signInAs("ann").fill(at, take, "action", "take").wants(t, http.StatusOK, "Assigned to ann")
	pia.fill(at, at+"/ask", "text", " ").wants(t, http.StatusUnprocessableEntity, "Please write to the customer")
	pia.fill(at, at+"/ask", "text", "On which side?").wants(t, http.StatusOK, "The question goes to the customer", "On which side?", "has not answered yet")
	pia.fill(at, at+"/refuse", "why", "No such mask").wants(t, http.StatusUnprocessableEntity, "tick the box")
	pia.fill(at, at+"/refuse", "why", "No such mask", "sure", "yes").wants(t, http.StatusOK, "The review is refused", "No such mask", "expired")
	ben := w.signInAs("ben")
	for _, path := range []string{at + "/ask", at + "/refuse", take, "/cases/" + reviewRef + "/approvals/x"} {
		form := ben.form("/", "/sign-out")
		ben.post(path, form).wants(t, http.StatusForbidden, "Your roles do not let you")
	}
	for _, action := range []string{"took a case", "asked the customer", "refused a review"} {
		if len(w.trail(action)) == 0 {
			t.Errorf("the trail does not say: %s", action)
		}
	}
}

// TestReviewsAreAssignedTogether: each that is chosen, with a record of its own; not by whoever
// takes no cases, and nothing where nothing is chosen.
func TestReviewsAreAssignedTogether(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	pia, ben := w.signInAs("pia"), w.signInAs("ben")
	pia.fill("/reviews", "/reviews").wants(t, http.StatusUnprocessableEntity, "choose the reviews first")
	ben.get("/reviews").lacks(t, "Assign the selected")
	form := pia.form("/reviews", "/reviews")
	form.Add("review", reviewRef)
	form.Add("review", instantRef)
	pia.post("/reviews", form).wants(t, http.StatusOK, "Who has this case has changed", ">pia</td>")
	for _, ref := range []string{reviewRef, instantRef} {
		pia.get("/quotes/"+ref).wants(t, http.StatusOK, "Assigned to pia")
	}
	pia.get("/").wants(t, http.StatusOK, ">pia</td>")
	w.awaitAudit("pia", "took a case")
}
