package edge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/contract/webhooks"
	"boardorder/pkg/secret"
)

// confirm stands in for the service that mails codes, each of which is 123456.
func (w *world) confirm(ctx context.Context, c contract.Command) error {
	var d struct {
		confirmations.SendCodeData
		Nonce, Hash string
	}
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	now, nonce := w.now(), "n1"
	conf := confirmations.Confirmation{ID: d.Confirmation, Purpose: d.Purpose, Account: c.Account, Nonce: nonce, Hash: w.secrets.CodeHash(d.Confirmation, nonce, "123456"), RequestedAt: now}
	if c.Name == confirmations.VerifyCode {
		if d.Hash != conf.Hash {
			return w.finish(c, contract.Operation{Refusal: contract.Refuse(contract.CodeIncorrect, "Another code.")})
		}
		conf.VerifiedAt = &now
		conf.Charge = &confirmations.Charge{Version: 1, Cents: 100, Currency: "USD", Quantity: 5, Board: "2 layers", ShipTo: shipments.ShipTo{Name: "Ann"}, Card: customers.CardRef{Brand: "visa", Last4: "4242"}}
	}
	if err := w.write(string(contract.ConfirmationAggregate), d.Confirmation, conf); err != nil {
		return err
	}
	return w.finish(c, contract.Operation{Aggregate: contract.ConfirmationAggregate, ID: d.Confirmation})
}

// A call is one POST of an endpoint, with another body that is good as well.
type call struct {
	path          string
	kind          string // Content-Type; empty = JSON
	body, another string
	made          []contract.CommandName // by which it makes what it makes
	id            string                 // member of the reply that names it
}

// namedCalls are the endpoints that heed an Idempotency-Key, each as an account calls it.
var namedCalls = map[string]func(w *world, th things) call{
	"POST /v1/uploads": func(w *world, _ things) call {
		one, kind := form(w.t, file{"board.gbr", "G04*"})
		body := readAll(w.t, one)
		return call{path: "/v1/uploads", kind: kind, body: body, another: strings.Replace(body, "G04*", "G01*", 1), made: []contract.CommandName{uploads.AddFiles}, id: "upload_id"}
	},
	"POST /v1/quotes": func(_ *world, th things) call {
		body := quoteBody(th.upload, "")
		return call{path: "/v1/quotes", body: body, another: strings.Replace(body, "10", "11", 1), made: []contract.CommandName{quotes.Price}, id: "quote_id"}
	},
	"POST /v1/quotes/{quote_id}/refresh": func(w *world, th things) call {
		id, _ := w.postAs(th, "/v1/quotes", quoteBody(th.upload, `,"layers":6`)).json(w.t)["quote_id"].(string)
		w.set(func() { w.commands = nil })
		return call{path: "/v1/quotes/" + id + "/refresh", body: `{}`, another: `{"colour":"red"}`, made: []contract.CommandName{quotes.Price}, id: "quote_id"}
	},
	"POST /v1/quotes/{quote_id}/savings": func(w *world, th things) call {
		id, _ := w.postAs(th, "/v1/quotes", quoteBody(th.upload, `,"layers":8`)).json(w.t)["quote_id"].(string)
		w.set(func() { w.commands = nil })
		return call{path: "/v1/quotes/" + id + "/savings", body: `{}`, another: `{"colour":"red"}`, made: []contract.CommandName{savings.Find}, id: "savings_id"}
	},
	"POST /v1/quotes/{quote_id}/part-approvals": func(w *world, th things) call {
		id := w.quoteWithParts(th, `,"layers":10`)
		return call{path: "/v1/quotes/" + id + "/part-approvals", body: `{}`, another: `{"lines":[{"reference":"U1"}]}`, made: []contract.CommandName{quotes.AskApproval}, id: "approval_id"}
	},
	"POST /v1/quotes/{quote_id}/part-approvals/{approval_id}/quote": func(w *world, th things) call {
		id := w.quoteWithParts(th, `,"layers":12`)
		q := w.quoteState(id)
		q.Approvals = []quotes.PartApproval{{ID: "pa_1", Lines: []quotes.ApprovalLine{w.lineAsked(q)}, ExpiresAt: q.ExpiresAt, Answer: &quotes.ApprovalAnswer{Chosen: []string{"NEW"}, Name: "Ada", At: w.now()}}}
		w.put(contract.QuoteAggregate, q.Ref, q)
		return call{path: "/v1/quotes/" + id + "/part-approvals/pa_1/quote", body: `{}`, another: `{"colour":"red"}`, made: []contract.CommandName{quotes.Price}, id: "quote_id"}
	},
	"POST /v1/price-tables": func(_ *world, th things) call {
		body := fmt.Sprintf(`{"upload_id":%q,"quantities":[5,10],"standard_for_unstated":true,"ship_to":{"country":"US"}}`, th.upload)
		return call{path: "/v1/price-tables", body: body, another: strings.Replace(body, "5,", "6,", 1), made: []contract.CommandName{pricetables.Price}, id: "price_table_id"}
	},
	"POST /v1/reorders": func(_ *world, th things) call {
		body := fmt.Sprintf(`{"history_token":%q,"order_id":%q,"upload_id":%q}`, th.history, th.paid, th.upload)
		return call{path: "/v1/reorders", body: body, another: strings.Replace(body, "{", `{"quantity":7,`, 1), made: []contract.CommandName{quotes.Price}, id: "quote_id"}
	},
	"POST /v1/quotes/{quote_id}/saved/code": func(_ *world, th things) call {
		return call{path: "/v1/quotes/" + th.quote + "/saved/code", body: `{}`, another: `{"colour":"red"}`, made: []contract.CommandName{confirmations.SendCode}, id: "sent_to"}
	},
	"POST /v1/quotes/{quote_id}/saved/verify": func(w *world, th things) call {
		w.postAs(th, "/v1/quotes/"+th.quote+"/saved/code", `{}`)
		return call{path: "/v1/quotes/" + th.quote + "/saved/verify", body: `{"code":"123456"}`, another: `{"code":"123450"}`, made: []contract.CommandName{confirmations.VerifyCode}, id: "confirm_token"}
	},
	"POST /v1/previous-orders": func(*world, things) call {
		return call{path: "/v1/previous-orders", body: `{"email":"ann@example.com"}`, another: `{"email":"ben@example.com"}`, made: []contract.CommandName{confirmations.SendCode}, id: "sent_to"}
	},
	"POST /v1/buy-links": func(_ *world, th things) call {
		body := `{"upload_id":"` + th.upload + `"}`
		return call{path: "/v1/buy-links", body: body, another: strings.Replace(body, "{", `{"layers":4,`, 1), made: []contract.CommandName{buylinks.Create}, id: "buy_url"}
	},
	"POST /v1/webhook-endpoints": func(*world, things) call {
		body := `{"url":"https://example.com/hooks","types":["*"]}`
		return call{path: "/v1/webhook-endpoints", body: body, another: strings.Replace(body, "hooks", "other", 1), made: []contract.CommandName{webhooks.Create}, id: "secret"}
	},
	"POST /v1/webhook-endpoints/{endpoint_id}/rotate-secret": func(_ *world, th things) call {
		return call{path: "/v1/webhook-endpoints/" + th.endpoint + "/rotate-secret", body: `{}`, another: `{"overlap_hours":0}`, made: []contract.CommandName{webhooks.Rotate}, id: "secret"}
	},
	"POST /v1/webhook-endpoints/{endpoint_id}/test": func(_ *world, th things) call {
		return call{path: "/v1/webhook-endpoints/" + th.endpoint + "/test", body: `{}`, another: `{"colour":"red"}`, made: []contract.CommandName{webhooks.Test}, id: "event_id"}
	},
	"POST /v1/webhook-endpoints/{endpoint_id}/resend": func(_ *world, th things) call {
		return call{path: "/v1/webhook-endpoints/" + th.endpoint + "/resend", body: `{"event_id":"` + th.event + `"}`, another: `{"since":"` + time.Now().Add(-time.Hour).UTC().Format(time.RFC3339) + `"}`, made: []contract.CommandName{webhooks.Resend}, id: "endpoint_id"}
	},
	"POST /v1/orders": func(w *world, _ things) call {
		form, kind := orderForm(w.t, named, qty, layers, gerbers)
		body := readAll(w.t, form)
		return call{path: "/v1/orders", kind: kind, body: body, another: strings.Replace(body, "Motor", "Other", 1), made: []contract.CommandName{formal.Submit}, id: "order_id"}
	},
	"POST /v1/orders/{identifier}/answers": func(_ *world, th things) call {
		return call{path: "/v1/orders/" + th.order + "/answers", body: `{"question_id":"q1","answer":"Yes."}`, another: `{"question_id":"q1","answer":"No."}`, made: []contract.CommandName{formal.Answer}, id: "order_id"}
	},
}

func readAll(t testing.TB, r io.Reader) string {
	t.Helper()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// send makes the call, or the one with another body, as the owner of things.
func (c call) send(w *world, th things, another bool, headers ...string) answer {
	body, kind := c.body, c.kind
	if another {
		body = c.another
	}
	if kind == "" {
		kind = "application/json"
	}
	return w.do("POST", c.path, strings.NewReader(body), append([]string{"Content-Type", kind, "X-API-Key", th.key.Text}, headers...)...)
}

func (w *world) postAs(th things, path, body string) answer {
	return w.post(path, body, "X-API-Key", th.key.Text)
}

// countMade is how many different commands an owner's calls have sent.
func (w *world) countMade(c call, owner string) int {
	ids := map[string]bool{}
	for _, name := range c.made {
		for _, sent := range w.commandsOf(name) {
			if sent.Account == owner {
				ids[sent.ID] = true
			}
		}
	}
	return len(ids)
}

// addOwner makes things of an account's mode, and a key that may see them.
func (w *world) addOwner(account string, live bool) (th things, owner string) {
	w.t.Helper()
	key := secret.NewAPIKey(live)
	w.putKey(key, account, accounts.DefaultScopes(), nil)
	if owner = account; !live {
		owner = contract.TestOwner(account)
	}
	th = w.writeThings(owner)
	th.key = key
	return th, owner
}

const keyHeader = "Idempotency-Key"

// TestEveryPostIsNamedOrSaysWhyNot: each POST of the interface heeds an Idempotency-Key and
// is held to what is said of it, or its description says why it has none.
func TestEveryPostIsNamedOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	d, err := theDescription()
	if err != nil {
		t.Fatal(err)
	}
	var heed []string
	for path, item := range objectOf(d.doc["paths"]) {
		op := objectOf(objectOf(item)["post"])
		if op == nil {
			continue
		}
		parameters, _ := op["parameters"].([]any)
		takes := slices.ContainsFunc(parameters, func(p any) bool {
			return objectOf(p)["$ref"] == "#/components/parameters/IdempotencyKey"
		})
		text, _ := op["description"].(string)
		if says := strings.Contains(text, "`Idempotency-Key` has no effect here: "); says == takes {
			t.Errorf("POST %s: takes an Idempotency-Key %v, says why not %v; want one of both", path, takes, says)
		}
		if takes && !strings.HasPrefix(path, "/central/") { // the same endpoints as /v1/orders
			heed = append(heed, "POST "+path)
		}
	}
	slices.Sort(heed)
	if held := slices.Sorted(maps.Keys(namedCalls)); !slices.Equal(heed, held) {
		t.Errorf("described %q, held to it %q; want the same", heed, held)
	}
}

// TestNamedCallsMakeOneThing: the same key and body make nothing twice, whether they come at
// once, later, or to another edge; another body is refused; what another account or the other
// mode calls by the same key is its own.
func TestNamedCallsMakeOneThing(t *testing.T) {
	t.Parallel()
	for name, prepare := range namedCalls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t)
			th, owner := w.addOwner("acc_named", true)
			c := prepare(w, th)
			for _, malformed := range []string{`""`, strings.Repeat("k", 256), "ümlaut"} {
				if a := c.send(w, th, false, keyHeader, malformed); a.status != 400 {
					t.Errorf("key %.20q: %d %s, want 400", malformed, a.status, a.body)
				}
			}
			if n := w.countMade(c, owner); n != 0 {
				t.Fatalf("refused calls made %d things, want none", n)
			}
			answers := make([]answer, 4)
			var wg sync.WaitGroup
			for i := range answers {
				wg.Go(func() { answers[i] = c.send(w, th, false, keyHeader, "k1") })
			}
			wg.Wait()
			id, _ := answers[0].json(t)[c.id].(string)
			for _, a := range answers {
				if a.status >= 300 || a.json(t)[c.id] != id || id == "" {
					t.Errorf("at once: %d %s, want %s %q", a.status, a.body, c.id, id)
				}
			}
			before := w.url
			w.open() // another edge
			id = strings.Replace(id, before, w.url, 1)
			again := c.send(w, th, false, keyHeader, `"k1"`)
			if again.status != answers[0].status || again.json(t)[c.id] != id || again.header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("again, at another edge: %d %s, replayed %q; want %d with %s %q, replayed", again.status, again.body, again.header.Get("Idempotent-Replayed"), answers[0].status, c.id, id)
			}
			if a := c.send(w, th, true, keyHeader, "k1"); a.status != 422 || a.code(t) != "idempotency_key_reused" {
				t.Errorf("another body: %d %s, want 422 idempotency_key_reused", a.status, a.body)
			}
			if n := w.countMade(c, owner); n != 1 {
				t.Errorf("made %d things, want one", n)
			}
			for account, live := range map[string]bool{"acc_named": false, "acc_other": true} {
				other, owner := w.addOwner(account, live)
				oc := prepare(w, other)
				a := oc.send(w, other, false, keyHeader, "k1")
				if a.status >= 300 || a.header.Get("Idempotent-Replayed") != "" || w.countMade(oc, owner) != 1 {
					t.Errorf("%s, live %v, by the same key: %d %s, made %d; want a thing of its own", account, live, a.status, a.body, w.countMade(oc, owner))
				}
			}
		})
	}
}

// TestOneKeyNamesOneCall: what a key names at one address is not sent to another with it.
func TestOneKeyNamesOneCall(t *testing.T) {
	t.Parallel()
	w := start(t)
	th, _ := w.addOwner("acc_named", true)
	body := `{"upload_id":"` + th.upload + `","quantity":10,"standard_for_unstated":true}`
	if a := w.post("/v1/quotes", body, "X-API-Key", th.key.Text, keyHeader, "k1"); a.status != 201 {
		t.Fatalf("quote: %d %s, want 201", a.status, a.body)
	}
	if a := w.post("/v1/buy-links", body, "X-API-Key", th.key.Text, keyHeader, "k1"); a.status != 422 || a.code(t) != "idempotency_key_reused" {
		t.Errorf("a link by the same key and body: %d %s, want 422 idempotency_key_reused", a.status, a.body)
	}
	w.advance(24*time.Hour + time.Second)
	later := w.writeThings("acc_named")
	if a := w.post("/v1/buy-links", `{"upload_id":"`+later.upload+`"}`, "X-API-Key", th.key.Text, keyHeader, "k1"); a.status != 201 {
		t.Errorf("a day later: %d %s, want the key free", a.status, a.body)
	}
}

// TestRefusedCallsLeaveTheirKeys: what was refused before anything was made, or failed in a
// way that passes, is made by the same key later; what was refused for good stays so.
func TestRefusedCallsLeaveTheirKeys(t *testing.T) {
	t.Parallel()
	w := start(t)
	th, owner := w.addOwner("acc_named", true)
	link := namedCalls["POST /v1/buy-links"](w, th)
	unknown := link
	unknown.body = `{"upload_id":"` + w.secrets.NewUploadID() + `"}`
	if a := unknown.send(w, th, false, keyHeader, "k1"); a.status != 404 {
		t.Fatalf("an unknown upload: %d %s, want 404", a.status, a.body)
	}
	w.set(func() { w.refuse = contract.Refuse(contract.PriceUnavailable, "Later.") })
	if a := link.send(w, th, false, keyHeader, "k1"); a.status != 503 {
		t.Errorf("no price now: %d %s, want 503", a.status, a.body)
	}
	w.set(func() { w.refuse = contract.Refuse(contract.DesignFiles, "Never.") })
	for range 2 {
		if a := link.send(w, th, false, keyHeader, "k1"); a.status != 422 || a.code(t) != "design_files" {
			t.Errorf("refused: %d %s, want 422 design_files", a.status, a.body)
		}
		w.set(func() { w.refuse = nil })
	}
	if n := w.countMade(link, owner); n != 2 {
		t.Errorf("asked for %d links, want two: the one that could not be priced, and the refused one", n)
	}
	if a := link.send(w, th, false, keyHeader, "k2"); a.status != 201 {
		t.Errorf("by another key: %d %s, want 201", a.status, a.body)
	}
}

// TestKeysOfCodesThatMayNotBeSent: a code that is asked for too soon leaves its key free, and
// nobody waits for what was never asked for.
func TestKeysOfCodesThatMayNotBeSent(t *testing.T) {
	t.Parallel()
	w := start(t)
	th, owner := w.addOwner("acc_named", true)
	code := namedCalls["POST /v1/previous-orders"](w, th)
	if a := code.send(w, th, false, keyHeader, "k1"); a.status != 200 {
		t.Fatalf("a code: %d %s, want 200", a.status, a.body)
	}
	for range 2 {
		if a := code.send(w, th, false, keyHeader, "k2"); a.status != 429 {
			t.Errorf("at once by another key: %d %s, want 429", a.status, a.body)
		}
	}
	w.advance(time.Minute + time.Second)
	if a := code.send(w, th, false, keyHeader, "k2"); a.status != 200 || w.countMade(code, owner) != 2 {
		t.Errorf("a minute later: %d %s, made %d; want 200, and two", a.status, a.body, w.countMade(code, owner))
	}
}

// TestNamedUploadsAreToldByTheirFiles: forms differ by their boundaries and not by what is
// not a file; a design that is declared takes the upload of its key with it.
func TestNamedUploadsAreToldByTheirFiles(t *testing.T) {
	t.Parallel()
	w := start(t)
	send := func(key string, files ...file) answer {
		body, kind := form(t, files...)
		return w.do("POST", "/v1/uploads", body, "Content-Type", kind, keyHeader, key)
	}
	a, b := file{"a.gbr", "G04 a*"}, file{"b.gbr", "G04 b*"}
	first := send("k1", a, b)
	kept := len(w.blobKeys())
	if again := send("k1", a, b); again.status != 201 || again.json(t)["upload_id"] != first.json(t)["upload_id"] || len(w.blobKeys()) != kept {
		t.Errorf("the same files: %d %s, %d files kept; want the upload that there is, and %d", again.status, again.body, len(w.blobKeys()), kept)
	}
	for name, files := range map[string][]file{"fewer": {a}, "another name": {a, {"c.gbr", b.content}}, "another content": {a, {"b.gbr", "G04 c*"}}, "none": nil} {
		if got := send("k1", files...); got.code(t) != "idempotency_key_reused" || len(w.blobKeys()) != kept {
			t.Errorf("%s: %d %s, %d files kept; want idempotency_key_reused and %d", name, got.status, got.body, len(w.blobKeys()), kept)
		}
	}
	declared, kind := orderForm(t, part{"itar", "", "true"}, part{"files", "a.gbr", "G04 a*"})
	if got := w.do("POST", "/v1/uploads", declared, "Content-Type", kind, keyHeader, "k1"); got.code(t) != "itar_not_supported" {
		t.Errorf("declared: %d %s, want itar_not_supported", got.status, got.body)
	}
	if got := send("k1", a, b); got.status != 410 {
		t.Errorf("after the declaration: %d %s, want 410", got.status, got.body)
	}
}

// TestNamedReplaysOutliveTheirInputs: an answer is given for a day, also where the files or
// the token of the request have expired by then.
func TestNamedReplaysOutliveTheirInputs(t *testing.T) {
	t.Parallel()
	w := start(t)
	th, _ := w.addOwner("acc_named", true)
	for _, name := range []string{"POST /v1/quotes", "POST /v1/reorders", "POST /v1/buy-links", "POST /v1/price-tables"} {
		c := namedCalls[name](w, th)
		first := c.send(w, th, false, keyHeader, name)
		w.advance(7 * time.Hour)
		if again := c.send(w, th, false, keyHeader, name); again.status != first.status || again.json(t)[c.id] != first.json(t)[c.id] {
			t.Errorf("%s after seven hours: %d %s, want %d %s", name, again.status, again.body, first.status, first.body)
		}
		w.advance(-7 * time.Hour)
	}
}
