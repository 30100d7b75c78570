package checkout_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/services/edge"
)

// TestBrowserThatPaid sees its order without a letter: the card processor sends it back with
// a token that nobody else learns, and the page puts a cookie in the token's place.
func TestBrowserThatPaid(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	c := checkoutOf(s.quote(setDelivery), s.card.URL, s.now())
	browser := s.browser()
	c.Browser = contract.SecretRef(strings.TrimPrefix(browser, "browser="))
	s.put(contract.CheckoutAggregate, s.ref, c)
	token := s.secrets.ReturnToken(c.Request, s.ref, c.Attempt)
	cookie := func(a answer) string {
		name, rest, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
		if !strings.HasPrefix(name, "paid=") {
			return ""
		}
		for _, want := range []string{"HttpOnly", "SameSite=Lax", "path=" + s.path()} {
			if !strings.Contains(rest, want) {
				t.Errorf("cookie %q lacks %q", rest, want)
			}
		}
		return name
	}
	for _, query := range []string{"", "?paid=1", "?paid=" + token + "x", "?paid=" + s.secrets.ReturnToken("req_other", "other", 1), "?paid=" + s.secrets.ReturnToken(c.Request, s.ref, 2), "?paid=" + s.id} {
		if got := cookie(s.do("GET", s.path()+query, nil, "Cookie", browser)); got != "" {
			t.Errorf("GET %q set %q, want no cookie", query, got)
		}
	}
	for _, other := range []string{"", "browser=", s.browser(), "browser=" + c.Browser} { // they know the payment page, and are sent back with its token
		if got := cookie(s.do("GET", s.path()+"?paid="+token, nil, "Cookie", other)); got != "" {
			t.Errorf("back from the payment with cookie %q, which did not begin it: set %q, want no cookie", other, got)
		}
	}
	a := s.do("GET", s.path()+"?paid="+token, nil, "Cookie", browser)
	paid := cookie(a)
	if a.status != http.StatusSeeOther || a.header.Get("Location") != s.path()+"?paid=1" || paid == "" {
		t.Fatalf("back from the payment = %d to %q, cookie %q; want 303 to the page without the token, and a cookie", a.status, a.header.Get("Location"), paid)
	}
	again := func(cookies string) string {
		return cookie(s.do("GET", s.path()+"?paid="+token, nil, "Cookie", cookies))
	}
	if got := again(browser); got == "" {
		t.Error("asked again at once, as browsers do whose answer was lost: no cookie")
	}
	if a := s.do("GET", s.path()+"?paid="+token, nil, "Cookie", browser+"; "+paid); a.status != http.StatusSeeOther || a.header.Get("Set-Cookie") != "" {
		t.Errorf("back once more, known already = %d with %q; want 303 to the page without the token, no cookie", a.status, a.header.Get("Set-Cookie"))
	}
	s.clock.Add(int64(2 * time.Minute))
	if got := again(browser); got != "" {
		t.Errorf("the same token two minutes later set %q, want no cookie", got)
	}
	s.putPaidOrder(nil)
	private := []string{"Ada Lovelace", "1 Market Street", "ada@example.com", "Cancel this order"}
	s.do("GET", s.path(), nil, "Cookie", paid).has(t, private...)
	forged := "paid=" + s.secrets.Link("order-payer", "another", s.now().Add(time.Hour))
	for _, other := range []string{"", forged, "paid=" + token, "paid=" + s.secrets.Link("checkout-form", s.ref, s.now().Add(time.Hour))} {
		s.do("GET", s.path(), nil, "Cookie", other).lacks(t, private...)
	}
	s.putPaidOrder(func(o *orders.Order) { o.Payment.Session = "cs_of_another_attempt" })
	s.do("GET", s.path(), nil, "Cookie", paid).lacks(t, private...)
	s.putPaidOrder(func(o *orders.Order) { o.Payment.Session = "" })
	s.do("GET", s.path(), nil, "Cookie", paid).has(t, private...)
	another := c
	another.Attempt++
	s.put(contract.CheckoutAggregate, s.ref, another)
	s.do("GET", s.path(), nil, "Cookie", paid).lacks(t, private...)
	s.put(contract.CheckoutAggregate, s.ref, c)
	s.clock.Add(int64(31 * 24 * time.Hour))
	s.do("GET", s.path(), nil, "Cookie", paid).lacks(t, private...)
}

// browser is the cookie by which a browser that looks at a quote's page is known.
func (s *harness) browser() string {
	s.t.Helper()
	cookie, _, _ := strings.Cut(s.get("").header.Get("Set-Cookie"), ";")
	if !strings.HasPrefix(cookie, "browser=") || len(cookie) < 30 {
		s.t.Fatalf("the page set %q, want a browser", cookie)
	}
	return cookie
}

// TestBrowsersPayApart: a press of Pay names the browser, so that each has a payment page of
// its own; one without cookies has none that counts as the customer's.
func TestBrowsersPayApart(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(setDelivery)
	first, second := s.browser(), s.browser()
	if first == second {
		t.Fatalf("two browsers are both known by %q", first)
	}
	if again := s.do("GET", s.path(), nil, "Cookie", first).header.Get("Set-Cookie"); again != "" {
		t.Errorf("a browser that is known gets %q, want no cookie", again)
	}
	named := map[string]bool{}
	for n, cookie := range []string{first, second, ""} {
		s.post(s.form(ada(), "do", "pay"), "Cookie", cookie)
		begun := s.commandsOf(checkouts.Begin)
		if len(begun) != n+1 {
			t.Fatalf("after %d presses: %d payments begun, want as many", n+1, len(begun))
		}
		got := decode[checkouts.BeginData](t, begun[n]).Browser
		if named[got] = true; (got == "") != (cookie == "") || cookie != "" && strings.Contains(cookie, got) {
			t.Errorf("pressed with cookie %q: begun by %q, want a name without its secret", cookie, got)
		}
	}
	if len(named) != 3 {
		t.Errorf("browsers %v, want three", named)
	}
}

// TestBrowserWhoseOtherPageWasPaid is known by its own attempt, though another is in front.
func TestBrowserWhoseOtherPageWasPaid(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	c := checkoutOf(s.quote(setDelivery), s.card.URL, s.now())
	browser := s.browser()
	own := c
	own.Browser = contract.SecretRef(strings.TrimPrefix(browser, "browser="))
	c.Browser, c.Attempt, c.Others = "another", 2, []checkouts.Checkout{own}
	s.put(contract.CheckoutAggregate, s.ref, c)
	back := func(attempt int) string {
		name, _, _ := strings.Cut(s.do("GET", s.path()+"?paid="+s.secrets.ReturnToken(c.Request, s.ref, attempt), nil, "Cookie", browser).header.Get("Set-Cookie"), ";")
		return name
	}
	if got := back(2); got != "" {
		t.Errorf("back from another browser's page: set %q, want no cookie", got)
	}
	paid := back(1)
	s.put(contract.CheckoutAggregate, s.ref, own)
	s.putPaidOrder(nil)
	s.do("GET", s.path(), nil, "Cookie", paid).has(t, "Ada Lovelace", "1 Market Street")
}

// TestBrowserThatPaidActs: it has the invoice and may cancel, as the letter's reader may.
func TestBrowserThatPaidActs(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	c := checkoutOf(s.quote(setDelivery), s.card.URL, s.now())
	browser := s.browser()
	c.Browser = contract.SecretRef(strings.TrimPrefix(browser, "browser="))
	s.put(contract.CheckoutAggregate, s.ref, c)
	paid, _, _ := strings.Cut(s.do("GET", s.path()+"?paid="+s.secrets.ReturnToken(c.Request, s.ref, c.Attempt), nil, "Cookie", browser).header.Get("Set-Cookie"), ";")
	s.putPaidOrder(putInvoice)
	page := s.do("GET", s.path(), nil, "Cookie", paid)
	page.has(t, s.path()+"/invoice.pdf?n=0")
	for cookie, want := range map[string]int{"": http.StatusForbidden, paid: http.StatusOK} {
		if a := s.do("GET", s.path()+"/invoice.pdf?n=0", nil, "Cookie", cookie); a.status != want {
			t.Errorf("invoice with cookie %q = %d, want %d", cookie, a.status, want)
		}
	}
	form := url.Values{"do": {"cancel"}}
	for _, m := range hidden.FindAllStringSubmatch(page.body, -1) {
		form.Set(m[1], m[2])
	}
	if a := s.post(form); a.status != http.StatusForbidden {
		t.Errorf("cancelled without the cookie = %d, want 403", a.status)
	}
	if a := s.post(form, "Cookie", paid); a.status != http.StatusSeeOther || len(s.commandsOf(orders.Cancel)) != 1 {
		t.Errorf("cancelled by the browser that paid = %d, %d commands; want 303, one", a.status, len(s.commandsOf(orders.Cancel)))
	}
}

// TestPayerCookieOfHTTPS never goes over an open line.
func TestPayerCookieOfHTTPS(t *testing.T) {
	t.Parallel()
	s := open(t, func(cfg *edge.Config) { cfg.PublicURL = "https://boards.example/shop" })
	c := checkoutOf(s.quote(setDelivery), s.card.URL, s.now())
	browser := s.get("").header.Get("Set-Cookie")
	value, _, _ := strings.Cut(browser, ";")
	c.Status, c.Browser = checkouts.Paid, contract.SecretRef(strings.TrimPrefix(value, "browser="))
	s.put(contract.CheckoutAggregate, s.ref, c)
	paid := s.do("GET", s.path()+"?paid="+s.secrets.ReturnToken(c.Request, s.ref, c.Attempt), nil, "Cookie", value).header.Get("Set-Cookie")
	for _, got := range []string{browser, paid} {
		for _, want := range []string{"secure", "HttpOnly", "SameSite=Lax", "path=/shop/checkout/" + s.id} {
			if !strings.Contains(got, want) {
				t.Errorf("Set-Cookie %q lacks %q", got, want)
			}
		}
	}
}
