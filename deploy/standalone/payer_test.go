package standalone_test

import (
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/bus/bustest"
)

// browse is the system as a browser uses it, which keeps its cookies.
func (s *system) browse(t testing.TB) *system {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	own := *s
	own.http = &http.Client{Jar: jar, Timeout: s.http.Timeout, CheckRedirect: s.http.CheckRedirect}
	return &own
}

// TestBrowserThatPaidSeesItsOrder: the card processor sends it back, and from then on the
// page is the customer's in that browser, and nobody else's.
func TestBrowserThatPaidSeesItsOrder(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	browser := s.browse(t)
	q := s.quote(t, `{"upload_id":"`+s.upload(t, s.sample(t))+`","quantity":10,"standard_for_unstated":true}`, http.StatusCreated)
	paid, err := shopper.Pay(t.Context(), browser.beginPaying(t, q.CheckoutURL), shopper.Card{Number: "4242424242424242", Email: "ada@example.com", Name: "Ada Lovelace"})
	if err != nil || paid.Status != "paid" {
		t.Fatalf("Pay = %+v, %v; want it paid", paid, err)
	}
	browser.open(t, paid.Redirect)
	bustest.WaitFor(t, "the order in the browser that paid", func() bool {
		text := browser.open(t, q.CheckoutURL).text
		return strings.Contains(text, "<title>Order ") && strings.Contains(text, "1 Main St")
	})
	if text := s.open(t, q.CheckoutURL).text; strings.Contains(text, "1 Main St") || !strings.Contains(text, "A. L.") {
		t.Errorf("another browser sees %s\nwant initials, and no street", text)
	}
}
