package checkout_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"

	"github.com/chromedp/chromedp"
)

// pressOn sends the form of a page with one of its buttons.
func (s *harness) pressOn(page answer, button string) answer {
	s.t.Helper()
	form := url.Values{"do": {button}}
	for _, m := range hidden.FindAllStringSubmatch(page.body, -1) {
		form.Set(m[1], m[2])
	}
	return s.post(form)
}

// TestExpiredQuoteIsPricedAgain with one press: quantity, options, address, shipping and the
// build go along, and the new price stands on a page of its own.
func TestExpiredQuoteIsPricedAgain(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	q := s.quote(func(q *quotes.Quote) {
		setDelivery(q)
		q.Key, q.Upload, q.Digest, q.Request.Quantity, q.Reply.Quantity = "key1", "up1", "d1", 25, 25
		q.ExpiresAt = s.now().Add(-time.Hour)
	})
	a := s.pressOn(s.get(""), "reprice")
	to := a.header.Get("Location")
	if a.status != http.StatusSeeOther || !strings.HasSuffix(to, "?renewed=1") || strings.HasPrefix(to, s.path()) {
		t.Fatalf("priced again = %d to %q, want 303 to another quote\n%s", a.status, to, a.body)
	}
	s.do("GET", to, nil).has(t, "This is today’s price for the same boards", "25 boards", `value="1 Market Street"`, `value="ada@example.com"`, `name="shipping_id" value="us-exp" checked`)
	d := decode[quotes.PriceData](t, s.commandsOf(quotes.Price)[0])
	if d.Upload != q.Upload || d.Digest != q.Digest || d.From != q.Ref || d.Request.Quantity != 25 || *d.Request.ShipTo != ada() || d.Chosen.ShippingID != "us-exp" {
		t.Errorf("asked for %+v, want 25 boards of %s, by us-exp to %+v", d, q.Digest, ada())
	}
	if again := s.pressOn(s.get(""), "reprice"); again.header.Get("Location") != to || len(s.commandsOf(quotes.Price)) != 1 {
		t.Errorf("pressed twice leads to %q with %d requests, want %q with one", again.header.Get("Location"), len(s.commandsOf(quotes.Price)), to)
	}
}

// TestExpiredQuoteWithoutFiles says in a shopper's words what is missing.
func TestExpiredQuoteWithoutFiles(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(func(q *quotes.Quote) { setDelivery(q); q.ExpiresAt = s.now().Add(-time.Hour) })
	s.set(func() {
		s.refuse[quotes.Price] = contract.Refuse(contract.UploadExpired, "The files are no longer kept. Upload them again and send the new upload_id.")
	})
	a := s.pressOn(s.get(""), "reprice")
	if a.status != http.StatusUnprocessableEntity {
		t.Errorf("without files = %d, want 422", a.status)
	}
	a.has(t, "Please upload them again where you got this quote")
	a.lacks(t, "upload_id")
}

// TestDeclinedQuoteIsNotPricedAgain: our team has said that there is no price.
func TestDeclinedQuoteIsNotPricedAgain(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(func(q *quotes.Quote) { q.ExpiresAt = s.now().Add(-time.Hour) })
	page := s.get("")
	s.quote(func(q *quotes.Quote) {
		askQuestion(q)
		q.ExpiresAt, q.Review.Refused = s.now().Add(-time.Hour), &quotes.ReviewRefusal{Why: "We build no flex boards."}
	})
	s.get("").lacks(t, "Price it again", "<form")
	if s.pressOn(page, "reprice"); len(s.commandsOf(quotes.Price)) != 0 {
		t.Errorf("a declined quote was priced %d times, want none", len(s.commandsOf(quotes.Price)))
	}
}

// TestRepriceInABrowser: the button leads to the new price.
func TestRepriceInABrowser(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	s.quote(func(q *quotes.Quote) { setDelivery(q); q.Key = "key1"; q.ExpiresAt = s.now().Add(-time.Hour) })
	w.open(s.url + s.path())
	w.check("expired")
	w.do(chromedp.Click("button[value=reprice]"))
	w.waitFor("document.querySelector('.notice.good')?.innerText.includes('today’s price')")
}
