package standalone_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/quotes"
)

// reply is what a call answered.
type reply struct {
	status int
	text   string
	m      map[string]any
}

func (s *system) call(t testing.TB, path, body string) reply {
	t.Helper()
	status, data := s.post(t, path, "application/json", strings.NewReader(body))
	r := reply{status: status, text: string(data), m: map[string]any{}}
	if err := json.Unmarshal(data, &r.m); err != nil {
		t.Fatalf("%s: %d %s, %v; want an object", path, status, data, err)
	}
	return r
}

// leavesAside holds a reply to naming, in its notes, what of the request has no effect.
func (r reply) leavesAside(t testing.TB, names ...string) {
	t.Helper()
	notes, reported := r.m["notes"]
	if reported != (len(names) > 0) {
		t.Errorf("notes %v, want ones that name %v: %s", notes, names, r.text)
	}
	for _, name := range names {
		if !strings.Contains(fmt.Sprint(notes), "left aside: "+name) {
			t.Errorf("notes %v do not name %q", notes, name)
		}
	}
}

func (r reply) str(name string) string { v, _ := r.m[name].(string); return v }

// buy pays a new quote as a customer who agrees that card and address are kept.
func (s *system) buy(t testing.TB, upload, email string, quantity int, number string) {
	t.Helper()
	q := s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":%d,"standard_for_unstated":true,"project_name":"Lamp"}`, upload, quantity), http.StatusCreated)
	fields := url.Values{"save_details": {"yes"}}
	maps.Copy(fields, home)
	fields["email"], fields["save_details"] = []string{email}, []string{"yes"}
	p := s.open(t, q.CheckoutURL)
	p.send(t, "update", fields)
	p = s.open(t, q.CheckoutURL)
	p.send(t, "pay", fields)
	if p.next == "" {
		t.Fatalf("no way to pay from\n%s", p.text)
	}
	if res, err := shopper.Pay(t.Context(), p.next, shopper.Card{Number: number, Email: email, Name: "Ada Lovelace"}); err != nil || res.Status != "paid" {
		t.Fatalf("pay %s with %s: %+v, %v; want it paid", p.next, number, res, err)
	}
	bustest.WaitFor(t, "an order", func() bool {
		var now orderState
		s.get(t, "/v1/quotes/"+q.QuoteID, &now)
		return now.OrderRef != ""
	})
}

var sixDigits = regexp.MustCompile(`(?m)^\s+(\d{6})$`)

// code reads the code out of the newest e-mail whose subject begins so.
func (s *system) code(t testing.TB, email, subject string) (code, text string) {
	t.Helper()
	bustest.WaitFor(t, "an e-mail with a code", func() bool {
		for _, m := range s.Simulator().Mailbox().Messages(email) {
			if found := sixDigits.FindStringSubmatch(m.Text); strings.HasPrefix(m.Subject, subject) && found != nil {
				code, text = found[1], m.Text
			}
		}
		return code != ""
	})
	return code, text
}

// TestSavedDetails walks the way of a customer who comes back: the details are
// known, a code is mailed, entered wrongly and rightly, and pays once.
func TestSavedDetails(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	upload := s.upload(t, s.sample(t))
	s.buy(t, upload, "ada@example.com", 10, shopper.Pays)
	ask := func(email string) reply {
		return s.call(t, "/v1/quotes?wait_s=60", fmt.Sprintf(`{"upload_id":%q,"quantity":20,"standard_for_unstated":true,"ship_to":{"email":%q}}`, upload, email))
	}
	var q reply
	bustest.WaitFor(t, "saved details", func() bool { q = ask("ada@example.com"); return q.m["saved_details"] == true })
	other := ask("nobody@example.com")
	if other.m["saved_details"] != false {
		t.Errorf("nobody has saved details: %s, want saved_details false", other.text)
	}
	at, none := "/v1/quotes/"+q.str("quote_id")+"/saved/", "/v1/quotes/"+other.str("quote_id")+"/saved/"

	sent, same := s.call(t, at+"code", `{"channel":"sms"}`), s.call(t, none+"code", `{"channel":"sms"}`)
	sent.leavesAside(t, "channel")
	if sent.status != 200 || same.status != 200 || sent.str("sent_to") != "a•••@e•••.com" || same.str("sent_to") != "n•••@e•••.com" ||
		len(sent.m) != len(same.m) || sent.str("next") != same.str("next") {
		t.Errorf("ask for codes:\n%d %s\n%d %s\nwant 200 twice, the same fields, a•••@e•••.com and n•••@e•••.com", sent.status, sent.text, same.status, same.text)
	}
	if r := s.call(t, at+"code", `{}`); r.status != 429 || r.str("error") != "rate_limited" {
		t.Errorf("a second code within a minute: %d %s, want 429 rate_limited", r.status, r.text)
	}
	if r := s.call(t, none+"code", `{}`); r.status != 429 {
		t.Errorf("a second code for nobody: %d %s, want 429", r.status, r.text)
	}
	code, text := s.code(t, "ada@example.com", "Confirm your payment")
	for _, word := range []string{"20 boards", "1 Main St", "4242", "$"} {
		if !strings.Contains(text, word) {
			t.Errorf("the e-mail does not say %q:\n%s", word, text)
		}
	}
	wrong := "000000"
	if code == wrong {
		wrong = "111111"
	}
	for left := 4; left >= 3; left-- {
		for _, path := range []string{at, none} {
			if r := s.call(t, path+"verify", fmt.Sprintf(`{"code":%q}`, wrong)); r.status != 422 || r.str("error") != "code_incorrect" || r.m["attempts_left"] != float64(left) {
				t.Errorf("a wrong code: %d %s; want %d attempts left", r.status, r.text, left)
			}
		}
	}
	verified := s.call(t, at+"verify", fmt.Sprintf(`{"code":%q,"language":"de"}`, code[:3]+" "+code[3:]))
	verified.leavesAside(t, "language")
	token := verified.str("confirm_token")
	if verified.status != 200 || token == "" || len(token) > 200 {
		t.Fatalf("the right code: %d %s, want 200 with a token of 200 characters at most", verified.status, verified.text)
	}
	summary, _ := verified.m["summary"].(map[string]any)
	if verified.m["ok"] != true || verified.m["expires_in_minutes"] != 10.0 || !strings.Contains(fmt.Sprint(summary["card"]), "4242") {
		t.Errorf("verified: %s; want ok, ten minutes and the card 4242", verified.text)
	}
	if !strings.Contains(text, summary["total"].(string)) || !strings.Contains(fmt.Sprint(summary["ship_to"]), "Austin") {
		t.Errorf("summary %v, want a total that stands in the e-mail, and Austin; the e-mail:\n%s", summary, text)
	}
	if r := s.call(t, none+"pay", fmt.Sprintf(`{"confirm_token":%q}`, token)); r.status != 403 {
		t.Errorf("another quote's token: %d %s, want 403", r.status, r.text)
	}

	before := len(s.Simulator().Cards().Ledger().Charges)
	statuses := make([]string, 100)
	var wg sync.WaitGroup
	places := make(chan struct{}, 40) // as many as a key may have in hand
	for i := range statuses {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			r := s.call(t, at+"pay", fmt.Sprintf(`{"confirm_token":%q}`, token))
			statuses[i] = fmt.Sprint(r.status, " ", r.str("status"), r.str("error"))
			if r.m["ok"] != true || r.str("message") == "" {
				t.Errorf("payment %d by one token: %s; want ok and a message", i, r.text)
			}
		})
	}
	wg.Wait()
	for i, got := range statuses {
		if got != "200 placed" {
			t.Errorf("payment %d by one token: %s, want 200 placed", i, got)
			break
		}
	}
	if charged := len(s.Simulator().Cards().Ledger().Charges) - before; charged != 1 {
		t.Errorf("%d charges for 100 calls, want 1", charged)
	}
	s.call(t, at+"pay", fmt.Sprintf(`{"confirm_token":%q,"tip":5}`, token)).leavesAside(t, "tip")
	s.call(t, at+"pay", fmt.Sprintf(`{"confirm_token":%q}`, token)).leavesAside(t)
	bustest.WaitFor(t, "shipped", func() bool {
		var now orderState
		s.get(t, "/v1/quotes/"+q.str("quote_id"), &now)
		return now.Status == "shipped"
	})
}

// A saved card that is declined leads to the page where another one pays.
func TestSavedDetailsDeclined(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	upload := s.upload(t, s.sample(t))
	s.buy(t, upload, "ada@example.com", 10, shopper.SavedIsDeclined)
	var q reply
	bustest.WaitFor(t, "saved details", func() bool {
		q = s.call(t, "/v1/quotes?wait_s=60", fmt.Sprintf(`{"upload_id":%q,"quantity":20,"standard_for_unstated":true,"ship_to":{"email":"Ada@Example.com"}}`, upload))
		return q.m["saved_details"] == true
	})
	at := "/v1/quotes/" + q.str("quote_id") + "/saved/"
	if r := s.call(t, at+"code", `{}`); r.status != 200 {
		t.Fatalf("ask for a code at %s: %d %s, want 200", at, r.status, r.text)
	}
	code, _ := s.code(t, "ada@example.com", "Confirm your payment")
	token := s.call(t, at+"verify", fmt.Sprintf(`{"code":%q}`, code)).str("confirm_token")
	for range 2 {
		r := s.call(t, at+"pay", fmt.Sprintf(`{"confirm_token":%q}`, token))
		if r.status != 402 || r.str("error") != "payment_declined" || r.str("checkout_url") != q.str("checkout_url") {
			t.Fatalf("pay with a card that is declined: %d %s; want 402 payment_declined and %s", r.status, r.text, q.str("checkout_url"))
		}
	}
	if res := s.pay(t, q.str("checkout_url"), shopper.Pays); res.Status != "paid" {
		t.Errorf("the page afterwards: %+v, want it paid", res)
	}
}

// TestPreviousOrders: a customer's orders are shown to who has the code, by this
// account's keys, and priced again with what was chosen.
func TestPreviousOrders(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	upload := s.upload(t, s.sample(t))
	s.buy(t, upload, "ada@example.com", 10, shopper.Pays)
	known, unknown := s.call(t, "/v1/previous-orders", `{"email":"ada@example.com","since":2026}`), s.call(t, "/v1/previous-orders", `{"email":"nil@example.com","since":2026}`)
	known.leavesAside(t, "since")
	if known.str("sent_to") != "a•••@e•••.com" {
		t.Errorf("the code went to %q, want a•••@e•••.com", known.str("sent_to"))
	}
	if known.status != 200 || unknown.status != 200 || len(known.m) != len(unknown.m) || known.str("next") != unknown.str("next") {
		t.Errorf("known %d %s\nunknown %d %s\nwant 200 twice, the same fields and next", known.status, known.text, unknown.status, unknown.text)
	}
	code, _ := s.code(t, "ada@example.com", "Your code to see")
	if r := s.call(t, "/v1/previous-orders", fmt.Sprintf(`{"email":"nil@example.com","code":%q}`, code)); r.status != 422 || r.str("error") != "code_incorrect" {
		t.Errorf("somebody else's code: %d %s, want 422 code_incorrect", r.status, r.text)
	}
	if r := s.call(t, "/v1/previous-orders", `{"email":"new@example.com","code":"123456"}`); r.status != 410 || r.str("error") != "code_expired" {
		t.Errorf("a code that was never asked for: %d %s, want 410 code_expired", r.status, r.text)
	}
	listed := s.call(t, "/v1/previous-orders", fmt.Sprintf(`{"email":"ada@example.com","code":%q}`, code))
	listed.leavesAside(t)
	token := listed.str("history_token")
	orders, _ := listed.m["orders"].([]any)
	if listed.status != 200 || len(token) > 200 || token == "" || len(orders) != 1 || listed.m["expires_in_minutes"] != 60.0 {
		t.Fatalf("listed: %d %s; want 200, one order and a token for 60 minutes", listed.status, listed.text)
	}
	o, _ := orders[0].(map[string]any)
	if o["quantity"] != 10.0 || o["project_name"] != "Lamp" || !strings.HasPrefix(o["order_ref"].(string), "BO-") || o["files_kept"] != true || len(o["files"].([]any)) == 0 {
		t.Errorf("order = %v; want 10 of Lamp, its reference and its files", o)
	}
	options, _ := o["board_options"].(map[string]any)
	delivery, _ := o["delivery"].(map[string]any)
	if options["layers"] != 2.0 || options["solder_mask"] != "Green" || delivery["line1"] != "1 Main St" || o["assembly"] != false || o["staff_picks_parts"] != false {
		t.Errorf("order = %v; want 2 layers, green, to 1 Main St, without assembly", o)
	}
	for _, list := range []string{"do_not_fit_refs", "customer_supplied_refs", "substitutions"} {
		if _, listed := o[list].([]any); !listed {
			t.Errorf("%s = %v, want a list", list, o[list])
		}
	}
	if again := s.call(t, "/v1/previous-orders", fmt.Sprintf(`{"history_token":%q}`, token)); again.status != 200 || len(again.m["orders"].([]any)) != 1 {
		t.Errorf("listed again by the token: %d %s; want 200 and one order", again.status, again.text)
	}
	s.call(t, "/v1/previous-orders", fmt.Sprintf(`{"history_token":%q,"since":2026}`, token)).leavesAside(t, "since")
	if nobody := s.Simulator().Mailbox().Messages("nil@example.com"); len(nobody) != 0 {
		t.Errorf("mail to who is no customer: %v, want none", nobody)
	}
	s.reorders(t, token, o["order_id"].(string))
}

func (s *system) reorders(t *testing.T, token, order string) {
	body := func(more string) string {
		return fmt.Sprintf(`{"history_token":%q,"order_id":%q%s}`, token, order, more)
	}
	for name, tt := range map[string]struct {
		body   string
		status int
		code   string
	}{
		"an unknown property": {body(`,"upload":"x"`), 422, "invalid_request"},
		"out of bounds":       {body(`,"quantity":0`), 422, "invalid_request"},
		"no token":            {`{"order_id":"x"}`, 422, "invalid_request"},
		"an altered token":    {`{"history_token":"` + token[:len(token)-2] + `xx","order_id":"x"}`, 403, "link_invalid"},
		"another order":       {fmt.Sprintf(`{"history_token":%q,"order_id":"ord_0"}`, token), 404, "not_found"},
		"files of nobody":     {body(`,"upload_id":"up_0"`), 404, "upload_not_found"},
	} {
		if r := s.call(t, "/v1/reorders", tt.body); r.status != tt.status || r.str("error") != tt.code {
			t.Errorf("%s: %d %s, want %d %s", name, r.status, r.text, tt.status, tt.code)
		}
	}
	r := s.call(t, "/v1/reorders?wait_s=60", body(""))
	details, _ := r.m["board_details"].(map[string]any)
	if r.status != 201 || r.m["quantity"] != 10.0 || details["solder_mask"] != "Green" || r.m["delivery_saved"] != true || r.m["saved_details"] != true {
		t.Fatalf("as it was: %d %s, want 201 for 10, green, both saved", r.status, r.text)
	}
	r = s.call(t, "/v1/reorders?wait_s=60", body(`,"quantity":30,"solder_mask":"Blue","substitutions":[],"layers":null`))
	details, _ = r.m["board_details"].(map[string]any)
	if r.status != 201 || r.m["quantity"] != 30.0 || details["solder_mask"] != "Blue" || details["surface_finish"] != "hasl_lead_free" {
		t.Errorf("with changes: %d %s, want 201 for 30, blue, hasl_lead_free", r.status, r.text)
	}
	if res := s.pay(t, r.str("checkout_url"), shopper.Pays); res.Status != "paid" {
		t.Errorf("a reorder is paid: %+v, want it paid", res)
	}
	// Cut off, so that it cannot be read as JSON.
	if r := s.call(t, "/v1/reorders?itar=yes", strings.TrimSuffix(body(``), "}")); r.status != 422 || r.str("error") != "itar_not_supported" {
		t.Errorf("a declared reorder: %d %s, want 422 itar_not_supported", r.status, r.text)
	}
	// It was about the design of that order.
	bustest.WaitFor(t, "the order's design to be declared", func() bool {
		r := s.call(t, "/v1/reorders", body(`,"quantity":20`))
		return r.status == 404 || r.status == 422 && r.str("error") == "itar_not_supported"
	})
}

// TestRequestedReviewsAreEarlierOrders: a review that a customer asked our team for is
// among its earlier orders and can be ordered again; what was only priced for it is not.
func TestRequestedReviewsAreEarlierOrders(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	upload := s.upload(t, s.sample(t))
	to := `"ship_to":{"name":"Ada Lovelace","email":"ada@example.com","phone":"+1 512 555 0100","line1":"1 Main St","city":"Austin","state":"TX","postal_code":"78701","country":"US"}`
	s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":30,"standard_for_unstated":true,%s}`, upload, to), http.StatusCreated)
	special := func(quantity int) quotes.Reply {
		return s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":%d,"standard_for_unstated":true,"special_requirements":true,"special_notes":"blind vias",%s}`, upload, quantity, to), http.StatusCreated)
	}
	special(40) // nobody asks for it
	reply := special(50)
	s.open(t, reply.CheckoutURL).send(t, "ask", home)
	bustest.WaitFor(t, "the request", func() bool {
		var now orderState
		s.get(t, "/v1/quotes/"+reply.QuoteID, &now)
		return now.Status == "sourcing_requested"
	})
	if r := s.call(t, "/v1/previous-orders", `{"email":"ada@example.com"}`); r.status != 200 {
		t.Fatalf("previous orders: %+v, want 200", r)
	}
	code, _ := s.code(t, "ada@example.com", "Your code to see")
	listed := s.call(t, "/v1/previous-orders", fmt.Sprintf(`{"email":"ada@example.com","code":%q}`, code))
	orders, _ := listed.m["orders"].([]any)
	if len(orders) != 1 {
		t.Fatalf("listed: %s; want one order", listed.text)
	}
	o := orders[0].(map[string]any)
	if o["quantity"] != 50.0 || o["order_ref"] != nil || o["status"] != "sourcing_requested" || o["special_notes"] != "blind vias" {
		t.Errorf("order = %v; want 50 as sourcing_requested without a reference, its notes blind vias", o)
	}
	r := s.call(t, "/v1/reorders?wait_s=60", fmt.Sprintf(`{"history_token":%q,"order_id":%q,"quantity":60}`, listed.str("history_token"), o["order_id"]))
	if r.status != 201 || r.str("mode") != "review" || r.m["quantity"] != 60.0 {
		t.Errorf("ordered again: %d %s, want 201 review of 60", r.status, r.text)
	}
}
