package standalone_test

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/bus/bustest"
)

var euroButton = regexp.MustCompile(`value="(pay-EUR-\d+)"[^>]*>Pay (EUR\x{a0}[\d.,]+)<`)

// TestPayInEuro: a shopper in Germany pays what the second button says, and reads it on the
// order's page; what is published on the way is as described.
func TestPayInEuro(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	browser := s.browse(t)
	q := s.quote(t, `{"upload_id":"`+s.upload(t, s.sample(t))+`","quantity":10,"standard_for_unstated":true,"ship_to":{"country":"DE"}}`, http.StatusCreated)
	to := maps.Clone(home)
	for name, value := range map[string]string{"line1": "Hof 3", "city": "Berlin", "state": "", "postal_code": "10115", "country": "DE"} {
		to[name] = []string{value}
	}
	browser.open(t, q.CheckoutURL).send(t, "update", to)
	page := browser.open(t, q.CheckoutURL)
	button := euroButton.FindStringSubmatch(page.text)
	if button == nil {
		t.Fatalf("nobody can pay in euro on\n%s", page.text)
	}
	page.send(t, button[1], to)
	paid, err := shopper.Pay(t.Context(), page.next, shopper.Card{Number: "4242424242424242", Email: "ada@example.com", Name: "Ada Lovelace"})
	if err != nil || paid.Status != "paid" {
		t.Fatalf("Pay at %q = %+v, %v; want it paid", page.next, paid, err)
	}
	browser.open(t, paid.Redirect)
	bustest.WaitFor(t, "the order, with what its card was charged", func() bool {
		return strings.Contains(browser.open(t, q.CheckoutURL).text, "Your card was charged "+button[2])
	})
	bustest.WaitFor(t, "the invoice", func() bool {
		return strings.Contains(browser.open(t, q.CheckoutURL).text, "/invoice.pdf?"+url.Values{"n": {"0"}}.Encode())
	})
}
