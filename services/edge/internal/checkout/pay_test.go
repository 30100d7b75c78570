package checkout_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"

	"github.com/google/go-cmp/cmp"
)

func TestPageShowsTheQuote(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	a := s.get("")
	if a.status != http.StatusOK {
		t.Fatalf("GET = %d, want 200\n%s", a.status, a.body)
	}
	a.has(t, "Weather station", "10 boards", "Engineering and tooling", "$149.27", "$14.92 a board",
		"Lead-free HASL", "from board.gbrjob", "as asked for", "our standard", "Sales tax, California, 8.25%: $11.37",
		"duty and import tax paid in advance", `value="us-exp" checked`, "Built in 48 hours", "+$31.00", "Update price",
		`<option value="TR">Türkiye</option>`, "This price is valid until")
	a.lacks(t, "Pay $", "<script>", "style=", "onclick")
	for header, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self' " + s.card.URL + "; base-uri 'none'; frame-ancestors 'none'",
	} {
		if got := a.header.Get(header); got != want {
			t.Errorf("%s = %q, want %q", header, got, want)
		}
	}
	if len(s.commandsOf(quotes.ChooseDelivery))+len(s.commandsOf(checkouts.Settle)) > 0 {
		t.Error("looking at the page sent a command")
	}
}

func TestLinesAddUpToTheTotal(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	q := s.quote(nil)
	var sum int64
	for _, l := range q.Reply.Lines {
		sum += l.Cents
	}
	if sum != 14927 {
		t.Fatalf("sum = %d, want 14927", sum)
	}
	s.get("").has(t, "<td>$84.00</td>", "<td>$25.00</td>", "<td>$28.90</td>", "<td>$0.00</td>", "<td>$11.37</td>", "<td>$149.27</td>")
}

func TestUpdateThenPay(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	a := s.post(s.form(ada(), "do", "update", "shipping_id", "us-eco", "build_hours", "48"))
	if a.status != http.StatusSeeOther || a.header.Get("Location") != s.path()+"?updated=1" {
		t.Fatalf("update = %d %s, want 303 with updated=1\n%s", a.status, a.header.Get("Location"), a.body)
	}
	d := decode[quotes.ChooseDeliveryData](t, s.commandsOf(quotes.ChooseDelivery)[0])
	if diff := cmp.Diff(quotes.ChooseDeliveryData{Quote: s.ref, ShipTo: ada(), ShippingID: "us-eco", BuildHours: 48}, d); diff != "" {
		t.Errorf("command (-want +got):\n%s", diff)
	}
	page := s.get("?updated=1")
	page.has(t, "The price is up to date", "Pay $163.87", "Ada Lovelace", "San Francisco, CA 94105", "United States", "Standard build", `value="48" checked`)
	paid := s.post(s.form(ada(), "do", "pay", "shipping_id", "us-eco", "build_hours", "48", "save_details", "yes"))
	if paid.status != http.StatusSeeOther || paid.header.Get("Location") != s.card.URL+"/pay/cs_test_1" {
		t.Fatalf("pay = %d %s, want 303 to the payment page\n%s", paid.status, paid.header.Get("Location"), paid.body)
	}
	b := decode[checkouts.BeginData](t, s.commandsOf(checkouts.Begin)[0])
	if diff := cmp.Diff(checkouts.BeginData{Quote: s.ref, Version: 2, SaveDetails: true, Language: "en"}, b); diff != "" {
		t.Errorf("command (-want +got):\n%s", diff)
	}
	if c := s.commandsOf(checkouts.Begin)[0]; c.Account != "acc_partner" {
		t.Errorf("sent for account %q, want acc_partner", c.Account)
	}
}

func TestAllProblemsAtOnceWithWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	to := shipments.ShipTo{Name: "João", Email: "not an address", Phone: "12", City: "São Paulo", Country: "BR", Company: strings.Repeat("x", 101)}
	a := s.post(s.form(to, "do", "update", "shipping_id", "us-eco"))
	if a.status != http.StatusUnprocessableEntity {
		t.Fatalf("update = %d, want 422\n%s", a.status, a.body)
	}
	a.has(t, "<title>Error: Checkout", "6 things need your attention",
		`<a href="#f-email">This is not an e-mail address.`, `<a href="#f-phone">`, `<a href="#f-line1">Enter the street`, `<a href="#f-postal_code">`,
		`<a href="#f-tax_id">Customs in Brazil`, `<a href="#f-company">`,
		`value="not an address"`, `value="São Paulo"`, `<option value="BR" selected>`, "Post Economy is not offered for 10 boards to Brazil.",
		`aria-invalid="true" aria-describedby="f-email-error f-email-hint"`, `id="f-email-error"`)
	// The price beside it is that of the country.
	q := load[quotes.Quote](s, contract.QuoteAggregate)
	to.Company = "" // too long to be kept
	if q.Version != 1 || q.Delivery != nil || q.Estimate == nil || q.Estimate.Delivery.ShipTo != to {
		t.Errorf("version %d of the quote is now for %+v, estimated for %+v; want 1, nobody, %+v", q.Version, q.Delivery, q.Estimate, to)
	}
	a.has(t, "delivered to Brazil")
}

func TestAnotherCountryHasOtherWays(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	to := ada()
	to.Country, to.State = "DE", ""
	a := s.post(s.form(to, "do", "update", "shipping_id", "us-eco"))
	if a.status != http.StatusSeeOther {
		t.Fatalf("update = %d, want 303\n%s", a.status, a.body)
	}
	page := s.get("")
	page.has(t, "Post Economy is not offered for 10 boards to Germany.", `value="de-exp">`)
	page.lacks(t, `value="de-exp" checked`)
}

func TestPayPricesWhatChangedFirst(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change   func(s *harness, to *shipments.ShipTo) []string
		location string
		chosen   int
	}{
		"same price, another phone": {func(_ *harness, to *shipments.ShipTo) []string { to.Phone = "+1 415 555 0199"; return nil }, "/pay/cs_test_1", 1},
		"another way to ship":       {func(*harness, *shipments.ShipTo) []string { return []string{"shipping_id", "us-eco"} }, "?changed=1", 1},
		"nothing":                   {func(*harness, *shipments.ShipTo) []string { return nil }, "/pay/cs_test_1", 0},
		"a price that rose": {func(s *harness, to *shipments.ShipTo) []string {
			to.Line2 = "Floor 3"
			s.set(func() { s.dearer = 100 })
			return nil
		}, "?changed=1", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, nil)
			s.quote(func(q *quotes.Quote) {
				q.Version, q.Assumed, q.Delivery = 2, "", &shipments.Delivery{ShipTo: ada(), ShippingID: "us-exp"}
			})
			to := ada()
			more := append([]string{"do", "pay", "shipping_id", "us-exp", "build_hours", "0"}, tt.change(s, &to)...)
			a := s.post(s.form(to, more...))
			if a.status != http.StatusSeeOther || !strings.HasSuffix(a.header.Get("Location"), tt.location) {
				t.Errorf("pay = %d to %q, want %q\n%s", a.status, a.header.Get("Location"), tt.location, a.body)
			}
			if n := len(s.commandsOf(quotes.ChooseDelivery)); n != tt.chosen {
				t.Errorf("priced %d times, want %d", n, tt.chosen)
			}
			if paying := len(s.commandsOf(checkouts.Begin)); (paying == 1) != strings.HasPrefix(tt.location, "/pay") {
				t.Errorf("%d payment pages, want one only to be led to %s", paying, tt.location)
			}
		})
	}
}

func TestDeliveryOfTheRequestIsCheckedBeforePaying(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	to := ada()
	to.Country = "BR"
	s.quote(func(q *quotes.Quote) {
		q.Request.ShipTo, q.Delivery = &to, &shipments.Delivery{ShipTo: to, ShippingID: "us-exp"}
	})
	a := s.post(s.form(to, "do", "pay", "shipping_id", "us-exp", "build_hours", "0"))
	if a.status != http.StatusUnprocessableEntity || len(s.commandsOf(checkouts.Begin)) != 0 {
		t.Fatalf("pay = %d, want 422 and no payment page", a.status)
	}
	a.has(t, "Customs in Brazil", "<details class=\"change\" open>")
}

func TestPriceChangedUnderThePage(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	deliver := func(q *quotes.Quote) {
		q.Version, q.Assumed, q.Delivery = 2, "", &shipments.Delivery{ShipTo: ada(), ShippingID: "us-exp"}
	}
	s.quote(deliver)
	form := s.form(ada(), "do", "pay", "shipping_id", "us-exp", "build_hours", "0")
	s.quote(func(q *quotes.Quote) { deliver(q); q.Version = 3; price(q, q.Reply.ShippingOptions, 0, 500) })
	a := s.post(form)
	if a.status != http.StatusSeeOther || a.header.Get("Location") != s.path()+"?changed=1" || len(s.commandsOf(checkouts.Begin)) != 0 {
		t.Fatalf("pay = %d %s, want 303 with changed=1 and no payment page", a.status, a.header.Get("Location"))
	}
	s.get("?changed=1").has(t, "The price has changed", "Pay $154.27")
}

func TestTroubleBehindLosesNothing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		command contract.CommandName
		do      string
		refusal *contract.Refusal
		status  int
		text    string
	}{
		"no price":        {quotes.ChooseDelivery, "update", contract.Refuse(contract.PriceUnavailable, "There is no live price."), 503, "We cannot get a live price just now."},
		"no payment page": {checkouts.Begin, "pay", contract.Refuse(contract.PaymentUnavailable, "No payment."), 503, "Nothing was charged"},
		"not payable":     {quotes.ChooseDelivery, "update", contract.Refuse(contract.QuoteNotPayable, "Our team has to price the delivery to this country."), 409, "Our team has to price"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, nil)
			s.quote(func(q *quotes.Quote) {
				q.Version, q.Assumed, q.Delivery = 2, "", &shipments.Delivery{ShipTo: ada(), ShippingID: "us-exp"}
			})
			s.set(func() { s.refuse[tt.command] = tt.refusal })
			to := ada()
			to.Company = "Analytical Engines"
			if tt.do == "pay" {
				to = ada()
			}
			a := s.post(s.form(to, "do", tt.do, "shipping_id", "us-exp", "build_hours", "0", "save_details", "yes"))
			if a.status != tt.status || tt.status == 503 && a.header.Get("Retry-After") == "" {
				t.Errorf("POST = %d, Retry-After %q; want %d, a time with 503", a.status, a.header.Get("Retry-After"), tt.status)
			}
			a.has(t, tt.text, `value="Ada Lovelace"`, `value="`+to.Company+`"`, "checked>\n<div><label for=\"save\"", `role="alert"`)
		})
	}
}

func TestPaymentPagesAreCounted(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(func(q *quotes.Quote) {
		q.Version, q.Assumed, q.Delivery = 2, "", &shipments.Delivery{ShipTo: ada(), ShippingID: "us-exp"}
	})
	pay := func() answer {
		return s.post(s.form(ada(), "do", "pay", "shipping_id", "us-exp", "build_hours", "0"))
	}
	closed := func() {
		c := load[checkouts.Checkout](s, contract.CheckoutAggregate)
		c.Status = checkouts.Closed
		s.put(contract.CheckoutAggregate, s.ref, c)
	}
	for range 5 {
		if a := pay(); a.status != http.StatusSeeOther {
			t.Fatalf("pay = %d, want 303\n%s", a.status, a.body)
		}
		if a := pay(); a.status != http.StatusSeeOther { // the page that is open is given out again
			t.Fatalf("pay again = %d, want 303", a.status)
		}
		closed()
	}
	a := pay()
	if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "" {
		t.Fatalf("the sixth payment page = %d, Retry-After %q; want 429, a time", a.status, a.header.Get("Retry-After"))
	}
	a.has(t, "Please wait", `value="Ada Lovelace"`)
	s.clock.Add(int64(time.Hour))
	if a := pay(); a.status != http.StatusSeeOther {
		t.Errorf("an hour later = %d, want 303", a.status)
	}
}

// TestSwitchesAreNoTries: a page that takes an open one's place for another currency, language or
// wish to be remembered is no new try with a card. Such pages have a limit of their own.
func TestSwitchesAreNoTries(t *testing.T) {
	t.Parallel()
	type press struct{ do, save, language string }
	for name, presses := range map[string][2]press{
		"currency": {{"pay-EUR-7463", "", "en"}, {"pay", "", "en"}},
		"details":  {{"pay", "yes", "en"}, {"pay", "", "en"}},
		"language": {{"pay", "", "de"}, {"pay", "", "ja"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, nil)
			s.quote(setEuro)
			pay := func(i int) answer {
				p := presses[i%2]
				form := s.form(ada(), "do", p.do, "save_details", p.save, "shipping_id", "us-exp", "build_hours", "0")
				return s.post(form, "Accept-Language", p.language)
			}
			for i := range 31 { // the first, and thirty in its place
				if a := pay(i); a.status != http.StatusSeeOther || !strings.HasPrefix(a.header.Get("Location"), s.card.URL) {
					t.Fatalf("page %d = %d to %q, want 303 to the payment page\n%s", i, a.status, a.header.Get("Location"), a.body)
				}
			}
			if a := pay(31); a.status != http.StatusTooManyRequests {
				t.Errorf("page 31 = %d, want 429", a.status)
			}
			if a := pay(30); a.status != http.StatusSeeOther {
				t.Errorf("the page that is open = %d, want it given out again", a.status)
			}
		})
	}
}

func TestAnotherCardPageIsReachedByAPage(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *edgeConfig) { c.CardPages = nil })
	s.quote(func(q *quotes.Quote) {
		q.Version, q.Assumed, q.Delivery = 2, "", &shipments.Delivery{ShipTo: ada(), ShippingID: "us-exp"}
	})
	a := s.post(s.form(ada(), "do", "pay", "shipping_id", "us-exp", "build_hours", "0"))
	if a.status != http.StatusOK || a.header.Get("Refresh") != "0; url="+s.card.URL+"/pay/cs_test_1" {
		t.Fatalf("pay = %d, Refresh %q; want 200, at once to the payment page", a.status, a.header.Get("Refresh"))
	}
	a.has(t, `href="`+s.card.URL+`/pay/cs_test_1"`)
}
