package checkout_test

import (
	"fmt"
	"net/http"
	"testing"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/edge"

	"github.com/chromedp/chromedp"
)

// euro is what a total of cents is in euro, at half a euro for a dollar.
func euro(cents int64) *prices.Charge {
	return &prices.Charge{
		Charged: prices.Charged{Currency: "EUR", Minor: cents / 2, Digits: 2},
		Cents:   cents, Rate: "0.5", Bank: "0.490196", Date: "2026-11-20", Percent: "2",
	}
}

func setEuro(q *quotes.Quote) {
	setDelivery(q)
	q.Charge = euro(*q.Reply.TotalCents)
	q.Reply.InYourCurrency = &prices.CurrencyPrice{Currency: "EUR", Total: "EUR 73.17", TotalMinor: 7317, Rate: "0.490196", RateDate: "2026-11-20", Source: "ECB"}
}

// TestPayInAnotherCurrency: a button of its own says what that costs and by which rate, and
// charges just that; the other one charges dollars.
func TestPayInAnotherCurrency(t *testing.T) {
	t.Parallel()
	for do, want := range map[string]struct{ location, currency string }{
		"pay":          {"/pay/cs_test_1", ""},
		"pay-EUR-7463": {"/pay/cs_test_1", "EUR"},
		"pay-EUR-7462": {"?changed=1", ""}, // as an older page has it
		"pay-JPY-7463": {"?changed=1", ""},
		"pay-":         {"?changed=1", ""},
	} {
		s := open(t, nil)
		s.quote(setEuro)
		page := s.get("")
		page.has(t, "Pay $149.27", `value="pay-EUR-7463"`, "Pay EUR\u00a074.63", "1 USD = 0.5 EUR: the European Central Bank’s rate of 20 November 2026, 0.490196, and 2 %. It holds as long as this price.")
		page.lacks(t, "for your information")
		a := s.post(s.form(ada(), "do", do, "shipping_id", "us-exp", "build_hours", "0"))
		location := a.header.Get("Location")
		if a.status != http.StatusSeeOther || location != s.card.URL+want.location && location != s.path()+want.location {
			t.Errorf("%s = %d to %q, want 303 to %s\n%s", do, a.status, location, want.location, a.body)
		}
		begun := s.commandsOf(checkouts.Begin)
		if want.location == "?changed=1" {
			if len(begun) != 0 {
				t.Errorf("%s: %d payment pages, want none", do, len(begun))
			}
			continue
		}
		if d := decode[checkouts.BeginData](t, begun[0]); d.Currency != want.currency {
			t.Errorf("%s: paid in %q, want %q", do, d.Currency, want.currency)
		}
	}
}

// TestNoOtherCurrency: there is no such button without an offer, or beside another total.
func TestNoOtherCurrency(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*quotes.Quote){
		"no offer":      func(q *quotes.Quote) { q.Charge = nil },
		"another total": func(q *quotes.Quote) { q.Charge.Cents++ },
		"beside an estimate": func(q *quotes.Quote) {
			q.Estimate = &quotes.Estimate{Delivery: *q.Delivery, Quantity: q.Reply.Quantity, Reply: q.Reply}
		},
	} {
		s := open(t, nil)
		s.quote(func(q *quotes.Quote) { setEuro(q); change(q) })
		if a := s.get(""); a.status != http.StatusOK {
			t.Errorf("%s: GET = %d, want 200", name, a.status)
		} else {
			a.lacks(t, "pay-EUR")
		}
	}
}

// TestOtherCurrencyBeforeTheDelivery: what can be paid stands there from the start, to the
// cent that the button names later; only a price that is charged in dollars alone says so.
func TestOtherCurrencyBeforeTheDelivery(t *testing.T) {
	t.Parallel()
	const amount, dollars = "Or pay EUR\u00a074.63: you can choose so once", "About EUR 73.17 at the rate of 2026-11-20 (European Central Bank), for your information: you are charged in US dollars."
	for name, tt := range map[string]struct {
		change      func(*quotes.Quote)
		says, lacks string
	}{
		"a quote with a charge":      {func(q *quotes.Quote) { q.Delivery, q.Version = nil, 1 }, amount, "you are charged in"},
		"a quote without":            {func(q *quotes.Quote) { q.Delivery, q.Version, q.Charge = nil, 1, nil }, dollars, amount},
		"an estimate with a charge":  {func(q *quotes.Quote) { setEstimate(q, q.Charge); q.Charge = nil }, amount, "you are charged in"},
		"an estimate without":        {func(q *quotes.Quote) { setEstimate(q, nil) }, dollars, amount},
		"an estimate that it is not": {func(q *quotes.Quote) { setEstimate(q, euro(100)) }, dollars, amount},
	} {
		s := open(t, nil)
		s.quote(func(q *quotes.Quote) { setEuro(q); tt.change(q) })
		page := s.get("")
		t.Run(name, func(t *testing.T) {
			page.has(t, tt.says)
			page.lacks(t, "pay-EUR", tt.lacks)
		})
	}
}

// setEstimate puts a price for an address that is not complete beside a quote.
func setEstimate(q *quotes.Quote, c *prices.Charge) {
	q.Estimate = &quotes.Estimate{Delivery: shipments.Delivery{ShipTo: shipments.ShipTo{Country: "DE"}}, Quantity: q.Reply.Quantity, Reply: q.Reply, Charge: c}
	q.Delivery = nil
}

// TestOrderPaidInAnotherCurrency: its page says what was charged and what goes back.
func TestOrderPaidInAnotherCurrency(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	key := s.putPaidOrder(func(o *orders.Order) {
		o.Payment.Charged = euro(o.TotalCents)
		o.Refunds = []orders.Refund{{ID: "rf_1", Cents: 1000, Charged: &prices.Charged{Currency: "EUR", Minor: 500, Digits: 2}, Status: orders.RefundDone, At: s.now()}}
	})
	s.get("?k="+key).has(t, "$149.27", "Your card was charged EUR\u00a074.63, at 1 USD = 0.5 EUR.", "EUR\u00a05.00 of your payment was refunded")
}

// TestPagesNameTheCurrencyThatIsCharged: on the way to the payment and back, of an order whose
// design was declared, and of a price that has changed.
func TestPagesNameTheCurrencyThatIsCharged(t *testing.T) {
	t.Parallel()
	s := open(t, func(cfg *edge.Config) { cfg.CardPages = nil })
	q := s.quote(setEuro)
	s.get("?changed=1").has(t, "The price has changed: it is $149.27 (EUR\u00a074.63) now.")
	for do, want := range map[string][2]string{"pay": {"$149.27", "EUR"}, "pay-EUR-7463": {"EUR\u00a074.63", "$149.27"}} {
		a := s.post(s.form(ada(), "do", do, "shipping_id", "us-exp", "build_hours", "0"))
		a.has(t, "to pay <strong>"+want[0]+"</strong>")
		a.lacks(t, want[1])
	}
	begun := checkoutOf(q, s.card.URL, s.now())
	begun.Charge = q.Charge
	s.put(contract.CheckoutAggregate, s.ref, begun)
	s.get("?paid=1").has(t, "your payment of <strong>EUR\u00a074.63</strong>")
	s.putPaidOrder(func(o *orders.Order) { o.Payment.Charged, o.Withdrawn = euro(o.TotalCents), true })
	s.get("").has(t, "You paid EUR\u00a074.63 on ")
}

// TestCurrencyInABrowser: both buttons are easy to use in every look, and the second one
// leads to a payment in its currency.
func TestCurrencyInABrowser(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(setEuro)
	w := s.browse()
	w.open(s.url + s.path())
	for _, look := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {360, "light"}, {1280, "dark"}, {360, "dark"}} {
		name := fmt.Sprintf("currency %d %s", look.width, look.scheme)
		w.look(look.width, 800, look.scheme)
		w.check(name)
		browsertest.Keep(w.ctx, w.t, name)
	}
	w.look(1280, 900, "light")
	w.do(chromedp.Click(`#pay button[value^="pay-EUR"]`))
	bustest.WaitFor(t, "a payment in euro", func() bool { return len(s.commandsOf(checkouts.Begin)) == 1 })
	if d := decode[checkouts.BeginData](t, s.commandsOf(checkouts.Begin)[0]); d.Currency != "EUR" {
		t.Errorf("the browser pays in %q, want EUR", d.Currency)
	}
}
