package edge_test

import (
	"testing"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// A quote is answered as soon as it is committed, and whoever was told of it finds
// it, however far the projection is behind: here nobody projects it at all.
func TestQuoteIsAnsweredBeforeItIsProjected(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.set(func() { w.commits = true })
	id, before := w.uploadID(), w.looks.Load()
	a := w.post("/v1/quotes", quoteBody(id, ""))
	if a.status != 201 {
		t.Fatalf("POST = %d %s, want 201", a.status, a.body)
	}
	if n := w.looks.Load() - before; n > 0 { // as a waiter does by itself after some seconds
		t.Errorf("the outcome was looked for %d times, want that the call handed it over", n)
	}
	m := a.json(t)
	if m["total_cents"] != 12345.0 {
		t.Errorf("reply = %s, want a total of 12345 cents", a.body)
	}
	quote, request := m["quote_id"].(string), m["request_id"].(string)
	if s := w.get("/v1/quotes/" + quote); s.status != 200 || s.json(t)["status"] != "quote_ready" {
		t.Errorf("status = %d %s, want 200 quote_ready", s.status, s.body)
	}
	if p := w.get("/v1/quote-requests/" + request); p.status != 200 || string(p.body) != string(a.body) {
		t.Errorf("poll = %d %s; want 200 %s", p.status, p.body, a.body)
	}
	if again := w.post("/v1/quotes", quoteBody(id, "")); again.status != 201 || again.header.Get("Deduplicated") != "true" || string(again.body) != string(a.body) {
		t.Errorf("the same again = %d %s, want 201, deduplicated, %s", again.status, again.body, a.body)
	}
	if page := w.get("/checkout/" + quote); page.status != 200 {
		t.Errorf("checkout page = %d, want 200", page.status)
	}
	if sent := len(w.commandsOf(quotes.Price)); sent != 1 {
		t.Errorf("%d commands were sent, want 1", sent)
	}
	// A declaration that names the request finds the upload that it was for.
	w.get("/v1/quote-requests/" + request + "?itar=true")
	bustest.WaitFor(t, "the upload of the quote is declared", func() bool { return len(w.commandsOf(uploads.DeclareITAR)) == 1 })
}

func TestRefusalIsAnsweredBeforeItIsProjected(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.set(func() { w.commits, w.refuse = true, contract.Refuse(contract.NeedsDetails, "Which board?") })
	id, before := w.uploadID(), w.looks.Load()
	for i, what := range []string{"first", "the same again"} {
		a := w.post("/v1/quotes", quoteBody(id, ""))
		if a.status != 422 || a.json(t)["error"] != "needs_details" {
			t.Errorf("%s = %d %s, want 422 needs_details", what, a.status, a.body)
		}
		if n := w.looks.Load() - before; i == 0 && n > 0 {
			t.Errorf("the refusal was looked for %d times, want that the call handed it over", n)
		}
	}
	if sent := len(w.commandsOf(quotes.Price)); sent != 1 {
		t.Errorf("%d commands were sent, want 1", sent)
	}
}
