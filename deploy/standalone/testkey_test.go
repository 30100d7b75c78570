package standalone_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
)

// asTest is the same client with the account's test key.
func (s *system) asTest(t testing.TB) *system {
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
	s := live.asTest(t)
	upload := s.upload(t, s.sample(t))
	body := fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true}`, upload)
	q := s.quote(t, body, http.StatusCreated)
	paths := []string{"/v1/quotes/" + q.QuoteID, "/v1/quote-requests/" + *q.RequestID, "/v1/uploads/" + upload}
	for _, path := range paths {
		if status, data := live.do(t, http.MethodGet, path, "", nil); status != http.StatusNotFound {
			t.Errorf("with the live key %s: %d %s", path, status, data)
		}
	}
	if status, data := live.post(t, "/v1/quotes", "application/json", strings.NewReader(body)); status != http.StatusNotFound {
		t.Errorf("a live quote of a test upload: %d %s", status, data)
	}
	const banner = "Test mode – no real payment, nothing is made."
	if p := s.open(t, q.CheckoutURL); !strings.Contains(p.text, banner) {
		t.Error("the checkout page does not say that it is a test")
	}
	fields := url.Values{"save_details": {"yes"}, "shipping_id": {q.ShippingOptions[0].ID}, "build_hours": {""}}
	for name, v := range home {
		if fields.Get(name) == "" {
			fields[name] = v
		}
	}
	fields.Del("build_hours")
	p := s.open(t, q.CheckoutURL)
	p.send(t, "update", fields)
	p = s.open(t, q.CheckoutURL)
	p.send(t, "pay", fields)
	if p.next == "" {
		t.Fatalf("no way to pay from\n%s", p.text)
	}
	res, err := shopper.Pay(t.Context(), p.next, shopper.Card{Number: "4242424242424242", Email: "ada@example.com", Name: "Ada Lovelace"})
	if err != nil || res.Status != "paid" {
		t.Fatal(res, err)
	}
	paid := time.Now()
	var now standing
	for _, status := range []string{"in_production", "shipped"} {
		bustest.Until(t, status, func() bool {
			s.get(t, "/v1/quotes/"+q.QuoteID, &now)
			return now.Status == status || now.Status == "shipped"
		})
	}
	if took := time.Since(paid); took > time.Minute || now.Tracking == nil {
		t.Errorf("shipped after %s: %+v", took, now)
	}
	bustest.Until(t, "a receipt and a shipping notice", func() bool {
		return len(s.Simulator().Mailbox().Messages("demo@boardorder.example")) >= 2
	})
	for _, m := range s.Simulator().Mailbox().Messages("") {
		if to := strings.Join(m.To, ","); to != "demo@boardorder.example" || !strings.HasPrefix(m.Subject, "[Test] ") {
			t.Errorf("%q went to %s", m.Subject, to)
		}
	}
	if orders := s.Simulator().Fabricator().Books().Orders; len(orders) != 0 {
		t.Errorf("the fabricator has %d orders", len(orders))
	}
	if p := s.open(t, q.CheckoutURL); !strings.Contains(p.text, banner) || !strings.Contains(p.text, now.OrderRef) {
		t.Error("the page of the order does not say that it is a test")
	}
	s.savedByWord(t, upload)
}

// savedByWord has the customer, who came back, be declined: the code comes to the
// account's own address.
func (s *system) savedByWord(t *testing.T, upload string) {
	t.Helper()
	const address = "demo@boardorder.example"
	q := s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"project_name":%q,"ship_to":{
		"name":"Ada Lovelace","email":"ada@example.com","phone":"+1 512 555 0100","line1":"1 Main St","city":"Austin","state":"TX","postal_code":"78701","country":"US"}}`,
		upload, contract.TestDeclined), http.StatusCreated)
	if q.SavedDetails == nil || !*q.SavedDetails {
		t.Fatal("no saved details")
	}
	if r := s.call(t, "/v1/quotes/"+q.QuoteID+"/saved/code", "{}"); r.status != http.StatusOK {
		t.Fatalf("code: %+v", r)
	}
	code, _ := s.code(t, address, "[Test] ")
	verified := s.call(t, "/v1/quotes/"+q.QuoteID+"/saved/verify", fmt.Sprintf(`{"code":%q}`, code))
	paid := s.call(t, "/v1/quotes/"+q.QuoteID+"/saved/pay", fmt.Sprintf(`{"confirm_token":%q}`, verified.str("confirm_token")))
	if paid.status != http.StatusPaymentRequired || paid.str("error") != "payment_declined" || paid.str("checkout_url") == "" {
		t.Errorf("declined: %+v", paid)
	}
}

// TestWordsOverHTTP: each answer that a client has to cope with, on demand.
func TestWordsOverHTTP(t *testing.T) {
	t.Parallel()
	s := start(t, busy).asTest(t)
	upload := s.upload(t, s.sample(t))
	for word, want := range map[contract.TestWord]struct {
		status int
		text   string
	}{
		contract.TestReview: {201, `"mode":"review"`}, contract.TestNeedsDetails: {422, `"error":"needs_details"`}, contract.TestNeedsPartNumbers: {422, `"error":"needs_part_numbers"`},
		contract.TestOffBoardParts: {422, `"error":"off_board_parts"`}, contract.TestDesignFiles: {422, `"error":"design_files"`},
		contract.TestPriceUnavailable: {503, `"error":"price_unavailable"`}, contract.TestSlow: {202, `"status":"pending"`}, contract.TestExpired: {201, `"mode":"instant"`},
	} {
		standard := ""
		if word != contract.TestNeedsDetails {
			standard = `,"standard_for_unstated":true`
		}
		status, data := s.post(t, "/v1/quotes?wait_s=5", "application/json", strings.NewReader(fmt.Sprintf(`{"upload_id":%q,"quantity":10,"project_name":%q%s}`, upload, word, standard)))
		if status != want.status || !strings.Contains(string(data), want.text) {
			t.Errorf("%s: %d %s", word, status, data)
		}
	}
}
