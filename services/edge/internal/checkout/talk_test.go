package checkout_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"boardorder/pkg/contract/quotes"
)

// askQuestion is a review that waits for the customer's answer.
func askQuestion(q *quotes.Quote) {
	review(q)
	setDelivery(q)
	q.Status = quotes.SourcingRequested
	q.Review = &quotes.Review{Questions: []quotes.ReviewQuestion{{ID: "q1", Operator: "mallory", Text: "On which side?\n<b>Top</b> or bottom?"}}}
}

// TestQuestionIsAnswered: on the quote's own page, once.
func TestQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(askQuestion)
	page := s.get("")
	page.has(t, "We have a question", "On which side?", "&lt;b&gt;Top&lt;/b&gt; or bottom?", "Send the answer")
	page.lacks(t, "<b>Top", "mallory")
	form := url.Values{"do": {"answer"}}
	for _, m := range hidden.FindAllStringSubmatch(page.body, -1) {
		form.Set(m[1], m[2])
	}
	for _, bad := range []string{"", strings.Repeat("x", 5001)} {
		form.Set("answer", bad)
		a := s.post(form)
		if a.status != http.StatusUnprocessableEntity && a.status != http.StatusBadRequest {
			t.Errorf("an answer of %d characters = %d, want 422 or 400", len(bad), a.status)
		}
		a.has(t, "One thing needs your attention", `aria-describedby="f-answer-error"`)
	}
	form.Set("answer", "The top.")
	if a := s.post(form); a.status != http.StatusSeeOther || a.header.Get("Location") != s.path()+"?answered=1" {
		t.Fatalf("answer = %d %s, want 303 with answered=1\n%s", a.status, a.header.Get("Location"), a.body)
	}
	after := s.get("?answered=1")
	after.has(t, "Thank you: your answer is with our team.", "Questions so far", "The top.")
	after.lacks(t, "Send the answer")
	if a := s.post(form); a.status != http.StatusSeeOther || a.header.Get("Location") != s.path() { // from another tab
		t.Errorf("the answer again = %d %s, want 303 to the checkout", a.status, a.header.Get("Location"))
	}
	form.Set("token", "x")
	if a := s.post(form); a.status != http.StatusForbidden {
		t.Errorf("a form of elsewhere = %d, want 403", a.status)
	}
}

// TestDeclinedReview: the page says why there is no price.
func TestDeclinedReview(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(func(q *quotes.Quote) {
		askQuestion(q)
		q.Status, q.ExpiresAt = quotes.Expired, s.now()
		q.Review.Refused = &quotes.ReviewRefusal{Operator: "mallory", Why: "We build no flex boards."}
	})
	a := s.get("")
	if a.status != http.StatusGone {
		t.Errorf("GET = %d, want 410", a.status)
	}
	a.has(t, "We cannot offer a price", "We build no flex boards.", "Nothing was charged")
	a.lacks(t, "<form", "mallory", "This quote has expired")
}
