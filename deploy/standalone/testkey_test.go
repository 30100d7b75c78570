package standalone_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator/parts"
	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/quotes"
)

// testClient is the same client with the account's test key.
func (s *system) testClient(t testing.TB) *system {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(s.dir, "demo-test.key"))
	if err != nil {
		t.Fatal(err)
	}
	o := *s
	o.APIKey = strings.TrimSpace(string(key))
	return &o
}

// TestTestKey walks the whole way with a test key: through every status within a
// minute, paid with a test card, with nothing made, and nobody written to but the
// account. Nothing of it is there for the live key.
func TestTestKey(t *testing.T) {
	t.Parallel()
	live := start(t, busy)
	s := live.testClient(t)
	upload := s.upload(t, s.sample(t))
	body := fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true}`, upload)
	q := s.quote(t, body, http.StatusCreated)
	paths := []string{"/v1/quotes/" + q.QuoteID, "/v1/quote-requests/" + *q.RequestID, "/v1/uploads/" + upload}
	for _, path := range paths {
		if status, data := live.do(t, http.MethodGet, path, "", nil); status != http.StatusNotFound {
			t.Errorf("with the live key %s: %d %s, want 404", path, status, data)
		}
	}
	if status, data := live.post(t, "/v1/quotes", "application/json", strings.NewReader(body)); status != http.StatusNotFound {
		t.Errorf("a live quote of a test upload: %d %s, want 404", status, data)
	}
	const banner = "Test mode – no real payment is taken and nothing is made."
	if p := s.open(t, q.CheckoutURL); !strings.Contains(p.text, banner) {
		t.Error("the checkout page does not say that it is a test")
	}
	s.payTest(t, q, "ada@example.com")
	var now orderState
	for _, status := range []string{"in_production", "shipped"} {
		bustest.WaitFor(t, status, func() bool {
			s.get(t, "/v1/quotes/"+q.QuoteID, &now)
			return now.Status == status || now.Status == "shipped"
		})
	}
	if now.Tracking == nil {
		t.Errorf("shipped without a tracking number: %+v", now)
	}
	bustest.WaitFor(t, "a receipt and a shipping notice", func() bool {
		return len(s.Simulator().Mailbox().Messages("demo@boardorder.example")) >= 2
	})
	for _, m := range s.Simulator().Mailbox().Messages("") {
		if to := strings.Join(m.To, ","); to != "demo@boardorder.example" || !strings.HasPrefix(m.Subject, "[Test] ") {
			t.Errorf("%q went to %s, want it marked [Test], to demo@boardorder.example alone", m.Subject, to)
		}
	}
	if orders := s.Simulator().Fabricator().Ledger().Orders; len(orders) != 0 {
		t.Errorf("the fabricator has %d orders, want none", len(orders))
	}
	if p := s.open(t, q.CheckoutURL); !strings.Contains(p.text, banner) || !strings.Contains(p.text, now.OrderRef) {
		t.Error("the page of the order does not say that it is a test")
	}
}

// payTest pays a test key's quote on its page, with a test card, as a customer who lets
// the details be kept.
func (s *system) payTest(t *testing.T, q quotes.Reply, email string) {
	t.Helper()
	fields := maps.Clone(home)
	fields["email"], fields["save_details"], fields["build_hours"] = []string{email}, []string{"yes"}, []string{""}
	if len(q.ShippingOptions) > 0 {
		fields["shipping_id"] = []string{q.ShippingOptions[0].ID}
	}
	p := s.open(t, q.CheckoutURL)
	p.send(t, "update", fields)
	p = s.open(t, q.CheckoutURL)
	p.send(t, "pay", fields)
	if p.next == "" {
		t.Fatalf("no way to pay from\n%s", p.text)
	}
	res, err := shopper.Pay(t.Context(), p.next, shopper.Card{Number: "4242424242424242", Email: email, Name: "Ada Lovelace"})
	if err != nil || res.Status != "paid" {
		t.Fatalf("pay quote %s: %+v, %v; want it paid", q.QuoteID, res, err)
	}
}

// TestSoldOutPartIsNotPaid: once the watch found a part of a quote sold out, the quote and its
// page say so, and its payment is refused with nothing charged.
func TestSoldOutPartIsNotPaid(t *testing.T) {
	t.Parallel()
	s := start(t, busy).testClient(t)
	upload := s.uploadWithFiles(t, map[string]string{
		"bom.csv": "Designator,Quantity,Value,Footprint,MPN,Manufacturer\nR1,1,1k,R_0805_2012Metric,TEST-SELLS-OUT,Acme\n",
		"cpl.csv": "Ref,PosX,PosY,Rot,Side\nR1,9,8,0,top\n",
	})
	q := s.quote(t, assemblyBody(upload, ""), http.StatusCreated)
	fields := maps.Clone(home)
	fields["build_hours"] = []string{""}
	if len(q.ShippingOptions) > 0 {
		fields["shipping_id"] = []string{q.ShippingOptions[0].ID}
	}
	s.open(t, q.CheckoutURL).send(t, "update", fields)
	c, err := contract.NewCommand(quotes.Watch, contract.NewID(contract.RequestPrefix, time.Now()), "", time.Now(), quotes.WatchData{Quote: contract.SecretRef(q.QuoteID), Since: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	s.sendCommand(t, c)
	var now struct {
		Status, Next string
		LowParts     []feed.ScarcePart `json:"low_parts"`
	}
	bustest.WaitFor(t, "the quote to say that its part is sold out", func() bool {
		s.get(t, "/v1/quotes/"+q.QuoteID, &now)
		return len(now.LowParts) == 1
	})
	if l := now.LowParts[0]; l.MPN != "TEST-SELLS-OUT" || l.Stock != 0 || !l.Short || !strings.Contains(now.Next, "low_parts") {
		t.Errorf("%+v, next %q; want TEST-SELLS-OUT short with none in stock, and next to say so", l, now.Next)
	}
	p := s.open(t, q.CheckoutURL)
	if !strings.Contains(p.text, "Sold out when suppliers were last asked: R1 TEST-SELLS-OUT.") {
		t.Errorf("the page does not say that R1 is sold out:\n%s", p.text)
	}
	fields.Set("do", "pay")
	for _, name := range []string{"token", "version", "total", "seen"} {
		fields.Set(name, p.value(name))
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.address, strings.NewReader(fields.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", s.BaseURL)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if resp, text := s.roundTrip(t, req); resp.StatusCode != http.StatusConflict || !strings.Contains(string(text), "left stock") {
		t.Errorf("paying of what is sold out: %s, want 409 that says so\n%s", resp.Status, text)
	}
	if s.get(t, "/v1/quotes/"+q.QuoteID, &now); now.Status != "quote_ready" {
		t.Errorf("after the refusal: %s, want quote_ready", now.Status)
	}
}

// savedScenarios are how a saved card ends that a word speaks of.
var savedScenarios = map[quotes.TestScenario]string{quotes.TestDeclined: "payment_declined", quotes.TestAuthentication: "authentication_required"}

// TestSavedDetailsByWord: a customer who came back is declined, or sent to the bank, as
// the word asks, and led to the page, where paying succeeds. Codes come to the account's own address.
func TestSavedDetailsByWord(t *testing.T) {
	t.Parallel()
	for word, want := range savedScenarios {
		t.Run(string(word), func(t *testing.T) {
			t.Parallel()
			s := start(t, busy).testClient(t)
			upload := s.upload(t, s.sample(t))
			s.payTest(t, s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":5,"standard_for_unstated":true}`, upload), http.StatusCreated), "ada@example.com")
			var q quotes.Reply
			bustest.WaitFor(t, "saved details", func() bool {
				q = s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"project_name":%q,"ship_to":{
					"name":"Ada Lovelace","email":"ada@example.com","phone":"+1 512 555 0100","line1":"1 Main St","city":"Austin","state":"TX","postal_code":"78701","country":"US"}}`,
					upload, word), http.StatusCreated)
				return q.SavedDetails != nil && *q.SavedDetails
			})
			if r := s.call(t, "/v1/quotes/"+q.QuoteID+"/saved/code", "{}"); r.status != http.StatusOK {
				t.Fatalf("ask for a code of quote %s: %+v, want 200", q.QuoteID, r)
			}
			code, _ := s.code(t, "demo@boardorder.example", "[Test] ")
			verified := s.call(t, "/v1/quotes/"+q.QuoteID+"/saved/verify", fmt.Sprintf(`{"code":%q}`, code))
			paid := s.call(t, "/v1/quotes/"+q.QuoteID+"/saved/pay", fmt.Sprintf(`{"confirm_token":%q}`, verified.str("confirm_token")))
			if paid.status != http.StatusPaymentRequired || paid.str("error") != want || paid.str("checkout_url") != q.CheckoutURL {
				t.Fatalf("pay quote %s, a project called %s: %+v; want 402 %s and %s", q.QuoteID, word, paid, want, q.CheckoutURL)
			}
			s.payTest(t, q, "ada@example.com")
			bustest.WaitFor(t, "an order", func() bool {
				var now orderState
				s.get(t, "/v1/quotes/"+q.QuoteID, &now)
				return now.OrderRef != ""
			})
			late := s.call(t, "/v1/quotes/"+q.QuoteID+"/saved/pay", fmt.Sprintf(`{"confirm_token":%q}`, verified.str("confirm_token")))
			if late.status != http.StatusOK || late.str("status") != "already_paid" {
				t.Errorf("the token of the declined payment, after the order was paid: %+v, want already_paid", late)
			}
		})
	}
}

// paidScenarios are where the order of a paid quote stays that a word speaks of.
var paidScenarios = map[quotes.TestScenario]string{quotes.TestOrdered: "ordered", quotes.TestInProduction: "in_production", quotes.TestHeld: "ordered"}

// TestOrdersByWord: orders stay where their words say, while another one is shipped.
func TestOrdersByWord(t *testing.T) {
	t.Parallel()
	s := start(t, busy).testClient(t)
	upload := s.upload(t, s.sample(t))
	ids := map[quotes.TestScenario]string{}
	buy := func(word quotes.TestScenario) {
		q := s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"project_name":%q}`, upload, word), http.StatusCreated)
		s.payTest(t, q, "ada@example.com")
		ids[word] = q.QuoteID
	}
	for word := range paidScenarios {
		buy(word)
	}
	buy("Lamp")
	stands := func(word quotes.TestScenario) (now orderState) {
		s.get(t, "/v1/quotes/"+ids[word], &now)
		return now
	}
	bustest.WaitFor(t, "shipped", func() bool { return stands("Lamp").Status == "shipped" })
	for word, want := range paidScenarios {
		bustest.WaitFor(t, string(word), func() bool { return stands(word).Status == want })
		if now := stands(word); now.OrderRef == "" || now.Tracking != nil {
			t.Errorf("%s: %+v, want an order without tracking", word, now)
		}
	}
}

// TestEveryWordIsWalked: the reference describes exactly the words that there are, and
// each is tried end to end by one of the tests here.
func TestEveryWordIsWalked(t *testing.T) {
	t.Parallel()
	walked := map[quotes.TestScenario]bool{}
	for word := range quoteScenarios {
		walked[word] = true
	}
	for word := range savedScenarios {
		walked[word] = true
	}
	for word := range paidScenarios {
		walked[word] = true
	}
	described := map[quotes.TestScenario]bool{}
	doc, err := os.ReadFile("../../services/edge/internal/openapi/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(doc)) {
		first, _, row := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
		for _, m := range regexp.MustCompile("`(test_[a-z_]+)`").FindAllStringSubmatch(first, -1) {
			if row {
				described[quotes.TestScenario(m[1])] = true
			}
		}
	}
	words := map[quotes.TestScenario]bool{}
	for _, word := range quotes.TestScenarios() {
		words[word] = true
	}
	if !maps.Equal(words, walked) || !maps.Equal(words, described) {
		t.Errorf("words %v\nwalked %v\ndescribed %v\nwant the same thrice", words, walked, described)
	}
}

// quoteScenarios are the answers to requests for a quote that a word asks for.
var quoteScenarios = map[quotes.TestScenario]struct {
	status int
	text   string
}{
	quotes.TestReview: {201, `"mode":"review"`}, quotes.TestNeedsDetails: {422, `"error":"needs_details"`}, quotes.TestNeedsPartNumbers: {422, `"error":"needs_part_numbers"`},
	quotes.TestOffBoardParts: {422, `"error":"off_board_parts"`}, quotes.TestDesignFiles: {422, `"error":"design_files"`},
	quotes.TestPriceUnavailable: {503, `"error":"price_unavailable"`}, quotes.TestSlow: {202, `"status":"pending"`}, quotes.TestExpired: {201, `"mode":"instant"`},
}

// TestWordsOverHTTP: each answer that a client has to cope with, on demand.
func TestWordsOverHTTP(t *testing.T) {
	t.Parallel()
	s := start(t, busy).testClient(t)
	upload := s.upload(t, s.sample(t))
	for word, want := range quoteScenarios {
		standard := ""
		if word != quotes.TestNeedsDetails {
			standard = `,"standard_for_unstated":true`
		}
		status, data := s.post(t, "/v1/quotes?wait_s=5", "application/json", strings.NewReader(fmt.Sprintf(`{"upload_id":%q,"quantity":10,"project_name":%q%s}`, upload, word, standard)))
		if status != want.status || !strings.Contains(string(data), want.text) {
			t.Errorf("%s: %d %s, want %d with %q", word, status, data, want.status, want.text)
		}
	}
}

// TestPartsOfTestKeys: a part check and an assembled quote of a test key call no supplier,
// and say whose parts they are; a live quote of the same files has real ones.
func TestPartsOfTestKeys(t *testing.T) {
	t.Parallel()
	live := start(t, nil)
	s := live.testClient(t)
	requested := func() int {
		n := live.Simulator().Parts().Calls(parts.DigiKey) + live.Simulator().Parts().Calls(parts.Mouser)
		for _, times := range live.Simulator().Parts().Lookups("nexar") {
			n += times
		}
		for _, times := range live.Simulator().Fabricator().Lookups() {
			n += times
		}
		return n
	}
	before := requested()
	r := s.checkParts(t, map[string]any{"boards": 5, "parts": []map[string]any{{"reference": "U1", "mpn": "LM358DR"}, {"reference": "U2", "mpn": "TEST-DISTRIBUTOR"}, {"reference": "U3", "mpn": "TEST-UNKNOWN"}}})
	for i, want := range []string{"ok fab", "ok distributor_a", "problem "} {
		if got := r.Parts[i].Verdict + " " + r.Parts[i].Source; got != want {
			t.Errorf("part %+v is %q, want %q", r.Parts[i], got, want)
		}
	}
	files := map[string]string{"bom.csv": partsList, "pos.csv": partsPlace}
	q := s.quote(t, assemblyBody(s.uploadWithFiles(t, files), ""), http.StatusCreated)
	recorded := func(notes []string) bool {
		return slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "built-in test catalogue") })
	}
	if q.Mode != quotes.ModeInstant || !recorded(q.Notes) || !recorded(r.Notes) || partOf(t, q.Parts, "U1").Supplier != "test catalogue" {
		t.Errorf("quote %s, notes %q, parts %+v; want an instant one from the test catalogue, and a note of it", q.Mode, q.Notes, q.Parts)
	}
	if n := requested() - before; n != 0 {
		t.Errorf("suppliers were asked %d times for a test key, want not at all", n)
	}
	if q := live.quote(t, assemblyBody(live.uploadWithFiles(t, files), ""), http.StatusCreated); recorded(q.Notes) || partOf(t, q.Parts, "U1").Supplier == "test catalogue" || requested() == before {
		t.Errorf("a live quote of the same files: %q %+v; want it looked up, without a note of tests", q.Notes, q.Parts)
	}
}
