package edge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/failedrequests"
	"boardorder/pkg/secret"
)

// furnishFailures lists failed requests of the account, more than there is room for.
func (w *world) furnishFailures() {
	w.t.Helper()
	var s failedrequests.Slot
	for i := range 60 {
		e := failedrequests.Entry{At: w.now().Add(-time.Duration(i) * time.Minute).UTC(), Request: fmt.Sprint("req_01KAJ6F5Q1X4S8T3V6W9Y2Z5", i), Key: "oldkey000000", Millis: int64(i),
			Kind: failedrequests.Kind{Method: "POST", Route: "/v1/webhook-endpoints/{endpoint_id}/rotate-secret", Status: 422, Code: contract.InvalidRequest}}
		if i%3 == 0 {
			e.Kind = failedrequests.Kind{Method: "GET", Route: "/v1/quotes/{quote_id}", Status: 503, Code: contract.Unavailable}
		}
		s.Add(e)
	}
	bucket, err := w.bus.Bucket(w.t.Context(), contract.FailedRequestsBucket)
	if err != nil {
		w.t.Fatal(err)
	}
	value, err := json.Marshal(s)
	if err == nil {
		_, err = bucket.Create(w.t.Context(), failedrequests.Key(account, w.now()), value)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestPortalShowsFailedRequests: a member of any role sees which calls failed, of live and of test keys apart, and finds one by
// its id; nothing of what was sent, of an address's parameters, of formal orders and of what is export-controlled.
func TestPortalShowsFailedRequests(t *testing.T) {
	t.Parallel()
	w := start(t)
	test := secret.NewAPIKey(false)
	w.putKey(test, account, accounts.DefaultScopes(), nil)
	a := acme(w.now(), memberOf(accounts.Owner, w.now()), memberOf(accounts.Viewer, w.now()))
	a.Keys = []accounts.APIKey{{ID: w.key.ID, Name: "Shop <b>", Prefix: w.key.Prefix(), Live: true, Scopes: accounts.DefaultScopes()}}
	w.putAccount(a)
	foreign := secret.NewAPIKey(true)
	w.putKey(foreign, "acc_foreign", accounts.DefaultScopes(), nil)
	id := func(a answer) string { return a.header.Get("Request-Id") }
	missing := id(w.get("/v1/quotes/secretinpath?secret=inquery"))
	refused := id(w.post("/v1/quotes", `{"quantity":"secretinbody"}`))
	controlled := id(w.post("/v1/quotes", `{"upload_id":"x","quantity":5,"itar":true}`))
	formal := id(w.post("/v1/orders", `{"quantity":"x"}`))
	tested := id(w.get("/v1/quotes/none", "X-API-Key", test.Text))
	theirs := id(w.get("/v1/quotes/none", "X-API-Key", foreign.Text))
	stranger := id(w.get("/v1/quotes/none", "X-API-Key", test.Text+"x"))
	good := id(w.get("/v1/capabilities"))
	v := w.portal()
	v.signIn("viewer@acme.example")
	bustest.WaitFor(t, "what failed", func() bool { return strings.Contains(v.get("/portal/requests?mode=test").body, tested) })
	live := v.get("/portal/requests")
	for _, want := range []string{missing, refused, "/v1/quotes/{quote_id}", "404", "422", "not_found", "Shop &lt;b&gt;", w.key.Prefix()} {
		if !strings.Contains(live.body, want) {
			t.Errorf("the list lacks %q:\n%s", want, live.body)
		}
	}
	for _, not := range []string{controlled, formal, tested, theirs, stranger, good, "secretin", "inquery", w.key.Text} {
		if not == "" || strings.Contains(live.body, not) {
			t.Errorf("the list has %q, want it without:\n%s", not, live.body)
		}
	}
	for query, want := range map[string]bool{"?request_id=" + missing: true, "?status=404": true, "?status=4xx": true, "?status=422": false, "?code=not_found": true, "?key=" + w.key.ID: true, "?key=other": false, "?status=5xx": false} {
		if p := v.get("/portal/requests" + query); p.status != 200 || strings.Contains(p.body, missing+"</code>") != want {
			t.Errorf("%s: %d, has the request that found nothing: %t, want %t", query, p.status, !want, want)
		}
	}
	if p := v.get(`/portal/requests?request_id="><script>`); strings.Contains(p.body, "<script") {
		t.Errorf("what was looked for is no text:\n%s", p.body)
	}
}
