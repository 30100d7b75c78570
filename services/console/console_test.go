package console_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
)

func (a answer) wants(t *testing.T, status int, words ...string) {
	t.Helper()
	if a.status != status {
		t.Errorf("%s: status %d, want %d\n%s", a.url.Path, a.status, status, a.body)
	}
	text := html.UnescapeString(a.body)
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%s does not say %q:\n%s", a.url.Path, w, a.body)
		}
	}
}

func (a answer) lacks(t *testing.T, words ...string) {
	t.Helper()
	text := html.UnescapeString(a.body)
	for _, w := range words {
		if strings.Contains(text, w) {
			t.Errorf("%s says %q:\n%s", a.url.Path, w, a.body)
		}
	}
}

// awaitAudit waits for a line of the log on what an operator did.
func (w *world) awaitAudit(operator, action string) {
	w.t.Helper()
	bustest.WaitFor(w.t, operator+" "+action+" in the log", func() bool {
		for _, e := range w.log.FilterMessage("operator").All() {
			if f := e.ContextMap(); f["action"] == action && (f["operator"] == operator || f["name"] == operator) {
				return true
			}
		}
		return false
	})
}

// parameter is a part of a route that is typed.
var parameter = regexp.MustCompile(`\{[a-z]+\}`)

func TestPages(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ann := w.signInAs("ann")
	for path, words := range map[string][]string{
		"/":                          {"review to price", "held order<", "None of these: disputed payments", "dead letter", "commands waiting", "$84.17</b> net today, 1 order", "<b>2</b> quotes today", "50.0 %", "Order is held", "BO-2345ABCD", "Price a review", quotes.CustomerRef(reviewRef), "10 boards"},
		"/reviews":                   {"Demo account", "=Navy", "the board has 34 layers", "Waiting", "/reviews/" + reviewRef},
		"/reviews/" + reviewRef:      {"Set this price", "1 Compiler Way", "impedance of the pairs", "34 layers", "edge plating: yes", "core mm: 1.2", "U77", "R99", "The team picks parts", "there is no drill file"},
		"/quotes":                    {"ordered", "sourcing requested", "$84.17", "=Navy"},
		"/quotes?account=" + account: {"ordered"},
		"/quotes/" + instantRef: {"Shipping: express", "blinker.gbrjob:12", "its X2 attributes", "The quote was priced", "The order was held", "5 working days", "2 layers, 50.0",
			"blind vias: no", "core mm: 1.2", "U77", "R99", "The team picks parts", "there is no drill file", "50 mm"},
		"/orders":                     {"BO-2345ABCD", "W-77", "=Navy"},
		"/orders/" + instantRef:       {"We build it with the usual stackup.", "Asked the fabricator by mail.", "impedance of the pairs", "edge plating: yes", "pi_123", "Grace Hopper", "Drilling", "Place it again", "W-77", "The card processor confirmed the payment"},
		"/uploads":                    {"blinker-F_Cu.gbr", "itar declared"},
		"/events":                     {"order: held", "Demo account"},
		"/events?aggregate=upload":    {"upload: files added"},
		"/events/order/" + instantRef: {"order: paid", "order: held"},
		"/event/order/1":              {"\"ref\": \"BO-2345ABCD\"", contract.EventSubject(contract.OrderAggregate, instantRef)},
		"/dead-letters":               {"dead.payment.follow-order", "the order is odd: <b>no</b> such thing", "0 failed"},
		"/accounts":                   {"Demo account", "Open an account"},
		"/accounts/" + account:        {"first key", "bo_live_oldkey000000", "Create a key"},
	} {
		got := ann.get(path)
		got.wants(t, http.StatusOK, words...)
		if strings.ContainsRune(got.body, '\u202e') || strings.Contains(got.body, "<script>alert") || strings.Contains(got.body, "0xc0") {
			t.Errorf("%s shows foreign words as they are:\n%s", path, got.body)
		}
	}
	ann.get("/uploads").lacks(t, "seeker-head")
	for _, path := range []string{"/nowhere", "/quotes/none", "/orders/none", "/reviews/" + instantRef, "/accounts/none", "/event/order/99", "/event/moon/1",
		"/events/moon/1", "/events/order/none", "/dead-letters/99", "/dead-letters/x", "/quotes/" + instantRef + "/picture/bottom", "/accounts/" + account + "/keys/none/revoke"} {
		ann.get(path).wants(t, http.StatusNotFound, "Not Found")
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ben := w.signInAs("ben")
	ben.get("/quotes/"+instantRef).lacks(t, "blinker-F_Cu.gbr</th>", "Design files")
	ben.get("/orders/"+instantRef).lacks(t, "Grace Hopper", "1 Compiler Way", "Report on this order")
	ben.get("/orders/"+instantRef).wants(t, http.StatusOK, "22201")
	ben.get("/orders").wants(t, http.StatusOK, "=…, US")
	ben.get("/uploads").lacks(t, "blinker-F_Cu.gbr")
	ben.get(fmt.Sprintf("/dead-letters/%d", w.dead()[0].Seq)).lacks(t, "Replay", instantRef)
	ben.get("/accounts/"+account).lacks(t, "Create a key", "/revoke")
	for _, path := range []string{"/reviews/" + reviewRef, "/orders.csv", "/orders/" + instantRef + "/package", "/quotes/" + instantRef + "/picture/top",
		"/event/order/1", "/accounts/" + account + "/keys/oldkey000000/revoke"} {
		ben.get(path).wants(t, http.StatusForbidden, "Your roles do not let you")
	}
	w.awaitAudit("ben", "refused")
	formToken := ben.form("/", "/sign-out").Get("form_token")
	for _, path := range []string{"/reviews/" + reviewRef, "/orders/" + instantRef, "/dead-letters/1/replay", "/dead-letters/1/discard", "/accounts", "/accounts/" + account + "/keys"} {
		ben.post(path, url.Values{"form_token": {formToken}, "sure": {"yes"}}).wants(t, http.StatusForbidden, "Your roles do not let you")
	}
	if len(w.dead()) != 1 {
		t.Errorf("there are %d dead letters, want the one", len(w.dead()))
	}
	w.signInAs("pia").get("/reviews/"+reviewRef).wants(t, http.StatusOK, "Set this price", "Grace Hopper")
	w.signInAs("fin").get("/orders/"+instantRef).wants(t, http.StatusOK, "Report on this order", "Grace Hopper")
	w.signInAs("con").get("/uploads").wants(t, http.StatusOK, "seeker-head.gbr") // a us_person who sees designs
}

// priceFields is a price of the boards alone as it is filled in, with the rest said to be
// left out.
func priceFields(more ...string) []string {
	return append(more, "label", "Boards", "for", "boards", "build_days", "5", "out-shipping", "yes", "words-shipping", "You fetch them.",
		"out-tax", "yes", "words-tax", "No tax.", "rest", "left_off", "action", "price")
}

func quoteOf(w *world, ref string) (q quotes.Quote) {
	w.t.Helper()
	doc, err := w.docs.Get(w.t.Context(), "quote", ref)
	if err != nil || json.Unmarshal(doc.Body, &q) != nil {
		w.t.Fatal(err)
	}
	return q
}

func orderOf(w *world, ref string) (o orders.Order) {
	w.t.Helper()
	doc, err := w.docs.Get(w.t.Context(), "order", ref)
	if err != nil || json.Unmarshal(doc.Body, &o) != nil {
		w.t.Fatal(err)
	}
	return o
}

var shownKey = regexp.MustCompile(`bo_(live|test)_\w{12}_\w{49}`)

func (w *world) key(id string) accounts.APIKey {
	w.t.Helper()
	var key accounts.KeyDocument
	doc, err := w.docs.Get(w.t.Context(), accounts.KeyDocumentKind, id)
	if err != nil || json.Unmarshal(doc.Body, &key) != nil {
		w.t.Fatalf("key %s: %v", id, err)
	}
	return key.Key
}
