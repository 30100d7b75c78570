package edge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/board/paint"
	"boardorder/pkg/board/render/pngstream"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/secret"

	"github.com/google/go-cmp/cmp"
)

func quoteBody(id string, more string) string {
	return fmt.Sprintf(`{"upload_id":%q,"quantity":10%s}`, id, more)
}

func TestQuoteIsPricedAndFollowed(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	a := w.post("/v1/quotes", quoteBody(id, `,"ship_to":{"country":"de"},"colour":"x"`))
	m := a.json(t)
	if a.status != 201 || m["mode"] != "instant" || m["total_cents"] != 12345.0 || a.header.Get("Deduplicated") != "" {
		t.Fatalf("POST = %d %s, want 201 instant, 12345 cents, not deduplicated", a.status, a.body)
	}
	quoteID, _ := m["quote_id"].(string)
	if len(quoteID) != 64 || m["checkout_url"] != w.url+"/checkout/"+quoteID || !cmp.Equal(m["notes"], []any{"colour"}) {
		t.Errorf("reply = %s, want an id of 64 characters, its checkout, colour noted", a.body)
	}
	cmd := w.commandsOf(quotes.Price)[0]
	if strings.Contains(string(cmd.Data), id) {
		t.Error("the command holds the secret upload_id")
	}
	var data quotes.PriceData
	if err := json.Unmarshal(cmd.Data, &data); err != nil || data.Request.ShipTo.Country != "DE" || data.Upload != contract.SecretRef(id) || data.Key == "" {
		t.Errorf("command = %s, %v", cmd.Data, err)
	}
	polled := w.get("/v1/quote-requests/" + m["request_id"].(string))
	if polled.status != 200 || string(polled.body) != string(a.body) {
		t.Errorf("poll = %d %s; want 200 %s", polled.status, polled.body, a.body)
	}
	if a.header.Get("Cache-Control") != "no-store" || polled.header.Get("Cache-Control") != "no-store" {
		t.Errorf("prices have Cache-Control %q and %q, want no-store", a.header.Get("Cache-Control"), polled.header.Get("Cache-Control"))
	}
	s := w.get("/v1/quotes/" + quoteID).json(t)
	if s["status"] != "quote_ready" || s["request_id"] != m["request_id"] || s["order_ref"] != nil || s["total_cents"] != 12345.0 {
		t.Errorf("status = %v, want quote_ready of %v, 12345 cents, no order", s, m["request_id"])
	}
}

func TestQuoteRefusesAllFieldsAtOnce(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.post("/v1/quotes?wait_s=151", `{"upload_id":7,"quantity":0,"layers":1.5,"thickness_mm":11,"copper_oz":"1","surface_finish":"gold",
		"solder_mask":"plaid","via_process":3,"fab_options":{"nonsense":1},"assembly":"yes","do_not_fit_refs":[1],"substitutions":[{}],
		"ship_to":{"country":"Germany","email":"x"},"special_notes":"`+strings.Repeat("x", 5001)+`"}`)
	if a.status != 422 || a.code(t) != "invalid_request" {
		t.Fatalf("POST = %d %s, want 422 invalid_request", a.status, a.body)
	}
	var reply struct{ Fields []contract.FieldProblem }
	if err := json.Unmarshal(a.body, &reply); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range reply.Fields {
		got[f.Field] = f.Problem
		if f.Message == "" {
			t.Errorf("%s has no message", f.Field)
		}
	}
	want := map[string]string{
		"wait_s": "out_of_range", "upload_id": "wrong_type", "quantity": "out_of_range", "layers": "wrong_type",
		"thickness_mm": "out_of_range", "copper_oz": "wrong_type", "surface_finish": "unsupported", "solder_mask": "unsupported",
		"via_process": "wrong_type", "fab_options.nonsense": "unknown_field", "assembly": "wrong_type", "do_not_fit_refs.0": "wrong_type",
		"substitutions.0.reference": "missing", "substitutions.0.original_mpn": "missing", "substitutions.0.replacement_mpn": "missing",
		"ship_to.country": "unsupported", "ship_to.email": "malformed", "special_notes": "too_long",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

// TestRefusedFieldsComeTogether: what the tables of places and the fabricator's stackups
// refuse stands beside what is wrong with the form.
func TestRefusedFieldsComeTogether(t *testing.T) {
	t.Parallel()
	w := start(t)
	recordNoStackups(w)
	w.open()
	for body, want := range map[string]map[string]string{
		`{"upload_id":"up_x","quantity":0,"ship_to":{"country":"US","state":"ZZ"}}`: {"quantity": "out_of_range", "ship_to.state": "unknown"},
		`{"upload_id":"up_x","quantity":0,"fab_stackup":"ZZZ","ship_to":{"country":"US","state":"NY","postal_code":"94105"}}`: {
			"quantity": "out_of_range", "fab_stackup": "unsupported", "ship_to.postal_code": "contradicts_state",
		},
		`{"upload_id":"up_x","quantity":0,"ship_to":{"country":"US","state":"NY","postal_code":"10001"}}`: {"quantity": "out_of_range"},
	} {
		a := w.post("/v1/quotes", body)
		var reply struct{ Fields []contract.FieldProblem }
		if err := json.Unmarshal(a.body, &reply); err != nil || a.status != 422 {
			t.Fatalf("POST /v1/quotes %s: %d %s, %v; want 422", body, a.status, a.body, err)
		}
		got := map[string]string{}
		for _, f := range reply.Fields {
			got[f.Field] = f.Problem
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: fields (-want +got)\n%s", body, diff)
		}
	}
}

func TestQuoteNeedsAnUploadWithFiles(t *testing.T) {
	t.Parallel()
	w := start(t)
	empty := w.do("POST", "/v1/uploads", nil).json(t)["upload_id"].(string)
	for body, want := range map[string]string{
		quoteBody("up_none", ""): "404 upload_not_found",
		quoteBody(empty, ""):     "422 no_files",
	} {
		a := w.post("/v1/quotes", body)
		if got := fmt.Sprint(a.status, " ", a.code(t)); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

// A request is taken for an earlier one only if its files are the same, also
// where the edge has not been notified that they changed.
func TestQuoteOfChangedFilesIsAnother(t *testing.T) {
	t.Parallel()
	w := start(t)
	up := w.upload(file{"board.gbr", "G04*"})
	id, _ := up["upload_id"].(string)
	first := w.post("/v1/quotes", quoteBody(id, ""))
	same := w.post("/v1/quotes", quoteBody(id, ""))
	if same.header.Get("Deduplicated") != "true" || string(same.body) != string(first.body) {
		t.Errorf("the same request: %d %v %s, want it deduplicated, %s", same.status, same.header, same.body, first.body)
	}
	body, kind := form(t, file{"drill.drl", "M48"})
	if a := w.do("POST", up["upload_url"].(string), body, "Content-Type", kind); a.status != http.StatusOK {
		t.Fatalf("add a file: %d %s, want 200", a.status, a.body)
	}
	other := w.post("/v1/quotes", quoteBody(id, ""))
	if other.status != 201 || other.header.Get("Deduplicated") != "" || other.json(t)["request_id"] == first.json(t)["request_id"] {
		t.Errorf("with other files: %d %v %s, want 201, not deduplicated, another request than %v", other.status, other.header, other.body, first.json(t)["request_id"])
	}
}

func TestRefusalHasItsOwnStatus(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	w.set(func() {
		w.refuse = contract.Refuse(contract.NeedsDetails, "Say more.")
		w.refuse.Questions = []contract.Question{{Option: "layers", Question: "How many?", Choices: []any{1, 2}, Usual: 2}}
	})
	a := w.post("/v1/quotes", quoteBody(id, ""))
	if a.status != 422 || a.code(t) != "needs_details" || len(a.json(t)["questions"].([]any)) != 1 {
		t.Errorf("POST = %d %s, want 422 needs_details with one question", a.status, a.body)
	}
	w.set(func() { w.refuse = contract.Refuse(contract.PriceUnavailable, "Later.") })
	a = w.post("/v1/quotes", quoteBody(id, `,"layers":2`))
	if a.status != 503 || a.header.Get("Retry-After") != "120" || a.json(t)["retry_after_s"] != 120.0 {
		t.Errorf("POST = %d %v %s, want 503, again after 120 s", a.status, a.header, a.body)
	}
	request := w.commandsOf(quotes.Price)[1].Request
	if p := w.get("/v1/quote-requests/" + request); p.status != 503 || p.code(t) != "price_unavailable" {
		t.Errorf("poll = %d %s, want 503 price_unavailable", p.status, p.body)
	}
	// What failed for a passing reason is asked anew, not remembered.
	w.set(func() { w.refuse = nil })
	if a = w.post("/v1/quotes", quoteBody(id, `,"layers":2`)); a.status != 201 || a.header.Get("Deduplicated") != "" {
		t.Errorf("POST again = %d %s, want 201, not deduplicated", a.status, a.body)
	}
}

// TestUsualWait: who does not say how long it waits does so for thirty seconds.
func TestUsualWait(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	hold := make(chan struct{})
	defer close(hold)
	w.set(func() { w.hold = hold })
	began := time.Now()
	a := w.post("/v1/quotes", quoteBody(id, ""))
	if waited := time.Since(began); a.status != 202 || waited < 29*time.Second {
		t.Errorf("POST = %d %s after %s, want 202 after 30 s", a.status, a.body, waited)
	}
}

// TestWhoHoldsAnUploadQuotesIt: the id is the secret, so another account that was given
// it prices the files, though it cannot read the upload.
func TestWhoHoldsAnUploadQuotesIt(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	other := secret.NewAPIKey(true)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	a := w.post("/v1/quotes", quoteBody(id, ""), "X-API-Key", other.Text)
	if a.status != 201 {
		t.Fatalf("POST = %d %s, want 201", a.status, a.body)
	}
	if c := w.commandsOf(quotes.Price)[0]; c.Account != "acc_other" {
		t.Errorf("priced for %s, want acc_other", c.Account)
	}
	if b := w.get("/v1/quotes/" + a.json(t)["quote_id"].(string)); b.status != 404 {
		t.Errorf("the owner of the files sees the other's quote: %d, want 404", b.status)
	}
	if b := w.get("/v1/uploads/"+id, "X-API-Key", other.Text); b.status != 404 {
		t.Errorf("the other reads the upload: %d, want 404", b.status)
	}
}

func TestSlowQuoteIsPolled(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	hold := make(chan struct{})
	w.set(func() { w.hold = hold })
	a := w.post("/v1/quotes?wait_s=0", quoteBody(id, ""))
	m := a.json(t)
	if a.status != 202 || m["status"] != "pending" || a.header.Get("Location") != m["poll_url"] || a.header.Get("Retry-After") == "" || m["ok"] != true {
		t.Fatalf("POST = %d %s, want 202 pending, with Location as poll_url, and Retry-After", a.status, a.body)
	}
	pending := m["request_id"].(string)
	if !strings.HasSuffix(m["poll_url"].(string), "/v1/quote-requests/"+pending) ||
		fmt.Sprint(m["retry_after_s"]) != a.header.Get("Retry-After") || m["retry_after_s"].(float64) <= 0 || m["elapsed_s"] != 0.0 {
		t.Errorf("POST = %v %s, want its poll_url, a time to come back as in the header, none elapsed", a.header, a.body)
	}
	w.advance(7 * time.Second)
	if later := w.get("/v1/quote-requests/" + pending).json(t); later["elapsed_s"] != 7.0 {
		t.Errorf("after seven seconds: %v, want 7 elapsed", later)
	}
	const sent = "10 bare boards were asked for. Your request is with the pricing service, which has recorded no result yet."
	if first := w.get(m["poll_url"].(string)); m["progress"] != sent || first.json(t)["progress"] != sent {
		t.Errorf("before anything is recorded: %v, then %s, want %q", m["progress"], first.body, sent)
	}
	request := m["request_id"].(string)
	w.put(contract.QuoteRequestAggregate, request, quotes.Wait{Request: request, Account: account, Progress: "Reading the files."})
	p := w.get(m["poll_url"].(string))
	if p.status != 202 || p.json(t)["progress"] != "Reading the files." {
		t.Errorf("poll = %d %s, want 202, \"Reading the files.\"", p.status, p.body)
	}
	done := make(chan answer, 1)
	go func() { done <- w.get("/v1/quote-requests/" + request + "?wait_s=60") }()
	close(hold)
	if p = <-done; p.status != 200 {
		t.Errorf("poll = %d %s, want 200", p.status, p.body)
	}
	if p := w.get("/v1/quote-requests/" + request + "?wait_s=x"); p.status != 422 || p.code(t) != "invalid_request" {
		t.Errorf("wait_s=x: %d %s, want 422 invalid_request", p.status, p.body)
	}
}

// A wake-up call is only a hint: without any the answer comes all the same.
func TestQuoteIsAnsweredWithoutWakeUpCalls(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	w.set(func() { w.quiet = true })
	if a := w.post("/v1/quotes", quoteBody(id, "")); a.status != 201 {
		t.Errorf("POST = %d %s, want 201", a.status, a.body)
	}
}

func TestSameBodyIsTheSameRequest(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	var wg sync.WaitGroup
	answers := make([]answer, 8)
	bodies := []string{
		quoteBody(id, `,"layers":2,"assembly":false`), quoteBody(id, `,"layers":2.0`), quoteBody(id, `,"layers":2,"thickness_mm":null`),
		`{"quantity":1e1,"layers":2,"upload_id":"` + id + `","itar":false}`,
	}
	for i := range answers {
		wg.Go(func() { answers[i] = w.post("/v1/quotes", bodies[i%len(bodies)]) })
	}
	wg.Wait()
	joined := 0
	for _, a := range answers {
		if a.status != 201 || string(a.body) != string(answers[0].body) {
			t.Errorf("%d %s, want 201 %s as the first", a.status, a.body, answers[0].body)
		}
		if a.header.Get("Deduplicated") == "true" {
			joined++
		}
	}
	if n := len(w.commandsOf(quotes.Price)); n != 1 {
		t.Errorf("priced %d times, want once", n)
	}
	if joined != len(answers)-1 {
		t.Errorf("%d of %d joined the first, want all others", joined, len(answers))
	}
	first := answers[0].json(t)["request_id"]
	if other := w.post("/v1/quotes", quoteBody(id, `,"layers":4`)); other.json(t)["request_id"] == first {
		t.Errorf("another body has the request %v, too", first)
	}
	w.advance(10*time.Minute + time.Second)
	if later := w.post("/v1/quotes", bodies[0]); later.json(t)["request_id"] == first || later.header.Get("Deduplicated") != "" {
		t.Errorf("after ten minutes the same body has the request %v (Deduplicated %q), want another than %v", later.json(t)["request_id"], later.header.Get("Deduplicated"), first)
	}
}

func TestIdempotencyKeyNamesTheRequest(t *testing.T) {
	t.Parallel()
	w := start(t)
	body := quoteBody(w.uploadID(), "")
	first := w.post("/v1/quotes", body, "Idempotency-Key", "order-7")
	w.advance(time.Hour) // far past the ten minutes
	again := w.post("/v1/quotes", body, "Idempotency-Key", `"order-7"`)
	if again.status != 201 || string(again.body) != string(first.body) || again.header.Get("Idempotent-Replayed") != "true" || first.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("again = %d %v %s, want 201, replayed, %s", again.status, again.header, again.body, first.body)
	}
	if a := w.post("/v1/quotes", strings.Replace(body, "10", "11", 1), "Idempotency-Key", "order-7"); a.status != 422 || a.code(t) != "idempotency_key_reused" {
		t.Errorf("another body = %d %s, want 422 idempotency_key_reused", a.status, a.body)
	}
	if a := w.post("/v1/quotes", body, "Idempotency-Key", "order-8"); a.json(t)["request_id"] == first.json(t)["request_id"] {
		t.Errorf("another key names the request %v, too", a.json(t)["request_id"])
	}
	if a := w.post("/v1/quotes", body, "Idempotency-Key", strings.Repeat("x", 300)); a.status != 400 || a.code(t) != "invalid_request" {
		t.Errorf("long key = %d %s, want 400 invalid_request", a.status, a.body)
	}
}

func TestChangedFilesAreAnotherRequest(t *testing.T) {
	t.Parallel()
	w := start(t)
	up := w.upload(file{"a.gbr", "x"})
	body := quoteBody(up["upload_id"].(string), "")
	first := w.post("/v1/quotes", body).json(t)["request_id"]
	form, kind := form(t, file{"b.gbr", "y"})
	w.do("POST", up["upload_url"].(string), form, "Content-Type", kind)
	if again := w.post("/v1/quotes", body); again.json(t)["request_id"] == first {
		t.Errorf("a quote of other files has the request %v, too", first)
	}
}

func TestRequestsOfOthersAreUnknown(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	hold := make(chan struct{})
	w.set(func() { w.hold = hold })
	pending := w.post("/v1/quotes?wait_s=0", quoteBody(id, "")).json(t)["request_id"].(string)
	other := newKey(w, "acc_other", accounts.DefaultScopes(), nil).Text
	none := w.get("/v1/quote-requests/"+contract.NewID("req_", w.now()), "X-API-Key", other)
	if none.status != 404 {
		t.Fatalf("unknown request = %d, want 404", none.status)
	}
	if a := w.get("/v1/quote-requests/"+pending, "X-API-Key", other); a.status != 404 || string(a.body) != string(none.body) {
		t.Errorf("another's pending request = %d %s, want 404 %s", a.status, a.body, none.body)
	}
	close(hold)
	done := w.get("/v1/quote-requests/" + pending + "?wait_s=60").json(t)
	for _, path := range []string{"/v1/quote-requests/" + pending, "/v1/quotes/" + done["quote_id"].(string)} {
		if a := w.get(path, "X-API-Key", other); a.status != 404 {
			t.Errorf("%s of another = %d %s, want 404", path, a.status, a.body)
		}
	}
	// Whoever holds an upload_id may quote it, on an account of their own.
	if a := w.post("/v1/quotes", quoteBody(id, ""), "X-API-Key", other); a.status != 201 || a.json(t)["request_id"] == pending {
		t.Errorf("quote of another's upload = %d %s, want 201 and another request", a.status, a.body)
	}
}

func TestITARIsRefusedBeforeAnythingElse(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	// Everything else about it is wrong, too, and none of that may matter.
	a := w.post("/v1/quotes?wait_s=999", `{"upload_id":"`+id+`","itar":true,"quantity":-1,"project_name":"hush-hush"}`)
	if a.status != 422 || a.code(t) != "itar_not_supported" {
		t.Fatalf("POST = %d %s, want 422 itar_not_supported", a.status, a.body)
	}
	if n := len(w.commandsOf(quotes.Price)); n != 0 {
		t.Errorf("%d requests were passed on, want none", n)
	}
	waitFor(t, "the mark", func() bool { return len(w.commandsOf(uploads.DeclareITAR)) == 1 })
	cmd := w.commandsOf(uploads.DeclareITAR)[0]
	if string(cmd.Data) != `{"ref":"`+contract.SecretRef(id)+`"}` {
		t.Errorf("command = %s, want %s", cmd.Data, contract.SecretRef(id))
	}
	waitFor(t, "the refusal of later use", func() bool {
		a := w.post("/v1/quotes", quoteBody(id, ""))
		return a.status == 422 && a.code(t) == "itar_not_supported"
	})
	if dump := w.logText(); strings.Contains(dump, "hush-hush") || strings.Contains(dump, id) {
		t.Error("the log holds what came with the request")
	}
}

// With nothing behind it at all, a declared design is still refused from the
// request alone.
func TestITARTouchesNoStore(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.get("/auth/check") // the key is known
	_ = w.docs.Close()
	a := w.post("/v1/quotes", `{"upload_id":"up_unknown","itar":true}`)
	if a.status != 422 || a.code(t) != "itar_not_supported" {
		t.Errorf("POST = %d %s, want 422 itar_not_supported", a.status, a.body)
	}
	if keys := w.blobKeys(); len(keys) != 0 {
		t.Errorf("blobs: %v, want none", keys)
	}
	for _, name := range []contract.CommandName{quotes.Price, uploads.AddFiles, uploads.Create} {
		if n := len(w.commandsOf(name)); n != 0 {
			t.Errorf("%d commands %s, want none", n, name)
		}
	}
}

func TestBoardPictureByLink(t *testing.T) {
	t.Parallel()
	w := start(t)
	png := "\x89PNG\r\n\x1a\n"
	if _, err := w.blobs.Put(t.Context(), "pictures/board.png", strings.NewReader(png), -1, "image/png"); err != nil {
		t.Fatal(err)
	}
	id := w.uploadID()
	url := w.post("/v1/quotes", quoteBody(id, "")).json(t)["board_image_url"].(string)
	a := w.get(url, "X-API-Key", "")
	if a.status != 200 || string(a.body) != png || a.header.Get("Content-Type") != "image/png" {
		t.Errorf("GET = %d %v, want 200, the picture as image/png", a.status, a.header)
	}
	if b := w.get(url, "If-None-Match", a.header.Get("ETag")); b.status != 304 || len(b.body) != 0 {
		t.Errorf("conditional GET = %d with %d bytes, want 304 with none", b.status, len(b.body))
	}
	if h := w.do("HEAD", url, nil); h.status != 200 || h.header.Get("Content-Length") != fmt.Sprint(len(png)) {
		t.Errorf("HEAD = %d %v, want 200, %d bytes", h.status, h.header, len(png))
	}
	if b := w.get(strings.Replace(url, ".png", "x.png", 1)); b.status != 403 {
		t.Errorf("altered link = %d, want 403", b.status)
	}
	w.post("/v1/quotes", `{"upload_id":"`+id+`","itar":true}`)
	waitFor(t, "the picture to go", func() bool { return w.get(url).status == 404 })
	w.advance(quotes.InstantTTL)
	if b := w.get(url); b.status != 410 {
		t.Errorf("old link = %d, want 410", b.status)
	}
}

func TestStandingFollowsPaymentAndOrder(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.post("/v1/quotes", quoteBody(w.uploadID(), "")).json(t)["quote_id"].(string)
	ref := contract.SecretRef(id)
	status := func() map[string]any { return w.get("/v1/quotes/" + id).json(t) }
	if s := status(); s["status"] != "quote_ready" || s["order_ref"] != nil || s["tracking"] != nil {
		t.Errorf("before anything is paid: %v, want quote_ready, without an order and a parcel", s)
	}
	w.put(contract.CheckoutAggregate, ref, checkouts.Checkout{Status: checkouts.Open})
	if s := status(); s["status"] != "awaiting_payment" {
		t.Errorf("with a checkout: %v, want awaiting_payment", s)
	}
	now := w.now()
	w.put(contract.CheckoutAggregate, ref, checkouts.Checkout{Status: checkouts.Paid, Payment: &checkouts.Payment{Cents: 12345, At: now}})
	if s := status(); s["status"] != "ordered" || s["paid_at"] == nil || s["order_ref"] != nil {
		t.Errorf("paid: %v, want ordered, paid, without an order", s)
	}
	w.put(contract.OrderAggregate, ref, orders.Order{ID: "ord_1", Ref: "BO-1", Status: orders.InProduction, TotalCents: 12345})
	if s := status(); s["status"] != "in_production" || s["order_ref"] != "BO-1" || s["tracking"] != nil {
		t.Errorf("in production: %v, want in_production, BO-1, no parcel", s)
	}
	w.put(contract.OrderAggregate, ref, orders.Order{ID: "ord_1", Ref: "BO-1", Status: orders.Shipped, TotalCents: 12345, Tracking: &shipments.Tracking{Carrier: "DHL", Number: "1"}})
	if s := status(); s["status"] != "shipped" || s["order_ref"] != "BO-1" || s["tracking"].(map[string]any)["number"] != "1" {
		t.Errorf("shipped: %v, want shipped, BO-1, parcel 1", s)
	}
	w.put(contract.OrderAggregate, ref, orders.Order{ID: "ord_1", Ref: "BO-1", Status: orders.Cancelled, TotalCents: 12345})
	if s := status(); s["status"] != "ordered" || !strings.Contains(s["next"].(string), "cancelled") {
		t.Errorf("cancelled: %v, want ordered, and next that it is cancelled", s)
	}
	w.put(contract.OrderAggregate, ref, orders.Order{
		ID: "ord_1", Ref: "BO-1", Status: orders.Cancelled, TotalCents: 12345, Cancelled: &orders.Cancellation{Why: "no copper", At: now},
		Refunds: []orders.Refund{{Cents: 345, Status: orders.RefundFailed, At: now}, {Cents: 1000, Status: orders.RefundDone, At: now}, {Cents: 11345, Status: orders.RefundBegun, At: now}},
	})
	if s := status(); s["cancelled_at"] == nil || s["cancel_reason"] != "no copper" || s["refunded_cents"] != 12345.0 || len(s["refunds"].([]any)) != 2 {
		t.Errorf("cancelled and given back: %v, want no copper, 12345 cents in two refunds", s)
	}
	if a := w.get("/v1/quotes/" + strings.Repeat("0", 64)); a.status != http.StatusNotFound {
		t.Errorf("unknown quote = %d, want 404", a.status)
	}
}

// An id that is too long is a refused field wherever it stands, and a query
// parameter stands there once.
func TestIDsAndQueriesAreRefusedAlike(t *testing.T) {
	t.Parallel()
	w := start(t)
	for path, field := range map[string]string{
		"/v1/quotes/" + strings.Repeat("0", 81):             "quote_id",
		"/v1/quote-requests/req_" + strings.Repeat("0", 61): "request_id",
		"/v1/uploads/up_" + strings.Repeat("0", 62):         "upload_id",
		"/v1/quote-requests/req_1?wait_s=30&wait_s=5":       "wait_s",
		"/v1/quote-requests/req_1?wait_s=5&wait_s=5":        "wait_s",
	} {
		a := w.get(path)
		fields, _ := a.json(t)["fields"].([]any)
		if a.status != http.StatusUnprocessableEntity || len(fields) != 1 || fields[0].(map[string]any)["field"] != field {
			t.Errorf("%s = %d %s, want 422 for %s", path, a.status, a.body, field)
		}
	}
	for _, path := range []string{"/v1/quotes/" + strings.Repeat("0", 80), "/v1/quote-requests/" + strings.Repeat("0", 64), "/v1/uploads/up_" + strings.Repeat("0", 61)} {
		if a := w.get(path); a.status != http.StatusNotFound {
			t.Errorf("%s = %d, want 404", path, a.status)
		}
	}
}

// TestStandingOutlivesTheQuote: an order answers for a quote that has gone.
func TestStandingOutlivesTheQuote(t *testing.T) {
	t.Parallel()
	w := start(t)
	priced := w.post("/v1/quotes", quoteBody(w.uploadID(), "")).json(t)
	before := w.get("/v1/quotes/" + priced["quote_id"].(string)).json(t)
	sold := w.quoteState(priced["quote_id"].(string))
	id := strings.Repeat("5", 64) // another one, so that there is no document of the quote
	sold.Ref = contract.SecretRef(id)
	paying := checkouts.Checkout{Quote: sold.Ref, Status: checkouts.Paid, Sold: sold, Payment: &checkouts.Payment{Cents: 12345, At: w.now()}}
	w.put(contract.CheckoutAggregate, sold.Ref, paying)
	if s := w.get("/v1/quotes/" + id).json(t); s["status"] != "ordered" || s["total_cents"] != before["total_cents"] {
		t.Errorf("paid: %v, want ordered at %v cents", s, before["total_cents"])
	}
	w.put(contract.OrderAggregate, sold.Ref, orders.Order{
		ID: "ord_1", Ref: "BO-1", Quote: sold.Ref, Status: orders.Shipped, TotalCents: 12345, Sold: sold,
		Tracking: &shipments.Tracking{Carrier: "DHL", Number: "1"},
	})
	w.advance(2 * quotes.InstantTTL)
	s := w.get("/v1/quotes/" + id).json(t)
	if s["status"] != "shipped" || s["order_ref"] != "BO-1" || s["tracking"].(map[string]any)["number"] != "1" {
		t.Errorf("shipped: %v, want shipped, BO-1, parcel 1", s)
	}
	for _, field := range []string{"mode", "quantity", "board", "total", "total_cents", "currency", "request_id", "created_at", "expires_at"} {
		if !cmp.Equal(s[field], before[field]) {
			t.Errorf("%s is %v, want %v as before", field, s[field], before[field])
		}
	}
	sold.Account = "acc_other"
	w.put(contract.OrderAggregate, sold.Ref, orders.Order{Ref: "BO-1", Sold: sold})
	if a := w.get("/v1/quotes/" + id); a.status != http.StatusNotFound {
		t.Errorf("another account's order = %d, want 404", a.status)
	}
}

// quoteState reads a quote's state.
func (w *world) quoteState(id string) (q quotes.Quote) {
	w.t.Helper()
	doc, err := w.docs.Get(w.t.Context(), string(contract.QuoteAggregate), contract.SecretRef(id))
	if err == nil {
		err = json.Unmarshal(doc.Body, &q)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return q
}

// plate is a picture of a board as the reading of files draws it: mask all over,
// a pad in the middle.
func plate(t *testing.T) []byte {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 900, 600), paint.Look{}.Scheme().Palette())
	for y := range 600 {
		for x := range 900 {
			pad := uint8(0)
			if x > 300 && x < 600 {
				pad = 255
			}
			img.Pix[y*img.Stride+x] = paint.Pixel(pad, pad, 0, 255)
		}
	}
	var out bytes.Buffer
	if err := pngstream.EncodeMap(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestPicturesShowWhatIsOrdered: mask and finish are those of the quote, or of the
// options that the address names, and asking for every one of them draws nothing.
func TestPicturesShowWhatIsOrdered(t *testing.T) {
	t.Parallel()
	w := start(t)
	if _, err := w.blobs.Put(t.Context(), "pictures/board.png", bytes.NewReader(plate(t)), -1, "image/png"); err != nil {
		t.Fatal(err)
	}
	url := w.post("/v1/quotes", quoteBody(w.uploadID(), `,"solder_mask":"Red","surface_finish":"hasl"`)).json(t)["board_image_url"].(string)
	shows := func(query string, l paint.Look, width int) {
		t.Helper()
		a := w.get(url+query, "X-API-Key", "")
		img, err := png.Decode(bytes.NewReader(a.body))
		if err != nil {
			t.Fatalf("GET a picture %q: %d %v %s, want a PNG", query, a.status, err, a.body)
		}
		mask, pad := color.NRGBAModel.Convert(img.At(2, 2)), color.NRGBAModel.Convert(img.At(width/2, 100))
		if s := l.Scheme(); img.Bounds().Dx() != width || mask != s.Masked || pad != s.Finish {
			t.Errorf("%q is %v with mask %v and pad %v, want %v", query, img.Bounds(), mask, pad, l)
		}
		if len(a.body) > 20_000 {
			t.Errorf("%q has %d bytes, want 20000 at most", query, len(a.body))
		}
	}
	shows("", paint.Look{Mask: "Red", Finish: "hasl"}, 900)
	shows("?small=1", paint.Look{Mask: "Red", Finish: "hasl"}, 480)
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cat.SolderMasks {
		for _, f := range cat.SurfaceFinishes {
			shows("?small=1&solder_mask="+c.ID+"&surface_finish="+f.ID, paint.Look{Mask: c.ID, Finish: f.ID}, 480)
		}
	}
	if a, b := w.get(url).header.Get("ETag"), w.get(url+"?solder_mask=Blue").header.Get("ETag"); a == b || a == "" {
		t.Errorf("two looks have the tags %q and %q, want two tags", a, b)
	}
	for _, query := range []string{"?solder_mask=Plaid", "?surface_finish=", "?side=left", "?material=Wood"} {
		if a := w.get(url + query); a.status != 422 || a.code(t) != "invalid_request" {
			t.Errorf("GET a picture %s: %d %s, want 422 invalid_request", query, a.status, a.body)
		}
	}
	if a := w.get(url + "?side=bottom"); a.status != 404 {
		t.Errorf("the bottom of a board that has no picture of it = %d, want 404", a.status)
	}
}

// TestRepliesSayWhatIsNext: the quote, the request that is polled and the same body
// again say what is to be done now, and what the customer or our team has done since.
func TestRepliesSayWhatIsNext(t *testing.T) {
	t.Parallel()
	w := start(t)
	body := quoteBody(w.uploadID(), "")
	made := w.post("/v1/quotes?wait_s=30", body).json(t)
	id, request := made["quote_id"].(string), made["request_id"].(string)
	ref, at := contract.SecretRef(id), w.now()
	priced := w.quoteState(id)
	price := int64(10328)
	review := func(change func(*quotes.Quote)) quotes.Quote {
		q := priced
		q.Mode, q.Status, q.Reply.TotalCents = quotes.ModeReview, quotes.SourcingRequested, nil
		change(&q)
		return q
	}
	requested := &quotes.Review{Questions: []quotes.ReviewQuestion{{ID: "1", Text: "Which blue?", AskedAt: at}}}
	answered := &quotes.Review{Questions: []quotes.ReviewQuestion{{ID: "1", Text: "Which blue?", AskedAt: at, Answer: "Dark.", AnsweredAt: &at}}}
	refused := &quotes.Review{Refused: &quotes.ReviewRefusal{Why: "We have no blue.", At: at}}
	for _, tt := range []struct {
		name   string
		quote  quotes.Quote
		order  *orders.Order
		next   string
		review string // its state
		notes  string
	}{
		{"priced at once", priced, nil, "", "", ""},
		{"another number", func() quotes.Quote { q := priced; q.Wanted, q.Request.Quantity = 41, 100; return q }(), nil, "", "", "100 boards (41 asked for)"},
		{"expired", func() quotes.Quote { q := priced; q.ExpiresAt = at; return q }(), nil, "has expired", "", ""},
		{"the team prices it", review(func(*quotes.Quote) {}), nil, "Our team is pricing it", "pricing", ""},
		{"the team asks", review(func(q *quotes.Quote) { q.Review = requested }), nil, "review.question", "question", ""},
		{"the customer answered", review(func(q *quotes.Quote) { q.Review = answered }), nil, "Our team is pricing it", "pricing", ""},
		{"the team refused", review(func(q *quotes.Quote) { q.Review, q.Status, q.ExpiresAt = refused, quotes.Expired, at }), nil, "review.reason", "refused", ""},
		{"the team priced it", review(func(q *quotes.Quote) {
			q.Reply.TotalCents, q.Status, q.TeamNote = &price, quotes.SourcingQuoted, "P1 is left off."
		}), nil, "has priced it", "priced", ""},
		{"paid", priced, &orders.Order{Status: orders.Placed}, "paid and ordered", "", ""},
		{"by hand", priced, &orders.Order{Status: orders.Held, ByHand: true}, "our team places the order", "", ""},
		{"held", priced, &orders.Order{Status: orders.Held}, "our team looks at the order", "", ""},
		{"cancelled", priced, &orders.Order{Status: orders.Cancelled}, "was cancelled", "", ""},
		{"shipped", priced, &orders.Order{Status: orders.Shipped}, "on their way", "", ""},
	} {
		w.put(contract.QuoteAggregate, ref, tt.quote)
		if tt.order != nil { // these come last
			paid := *tt.order
			paid.Ref, paid.Quote, paid.Sold, paid.Account = "BO-1", ref, tt.quote, account
			w.put(contract.OrderAggregate, ref, paid)
		}
		for where, a := range map[string]answer{"quote": w.get("/v1/quotes/" + id), "poll": w.get("/v1/quote-requests/" + request), "again": w.post("/v1/quotes", body)} {
			reply := a.json(t)
			next, _ := reply["next"].(string)
			if a.status >= 300 || !strings.Contains(next, tt.next) {
				t.Errorf("%s, %s: %d, next %q, want %q", tt.name, where, a.status, next, tt.next)
			}
			r, _ := reply["review"].(map[string]any)
			if state, _ := r["state"].(string); state != tt.review {
				t.Errorf("%s, %s: review %v, want %q", tt.name, where, r, tt.review)
			}
			if notes := fmt.Sprint(reply["notes"]); where != "quote" && !strings.Contains(notes, tt.notes) {
				t.Errorf("%s, %s: notes %s, want %q", tt.name, where, notes, tt.notes)
			}
		}
	}
}
