package checkout_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/money"
	"boardorder/pkg/secret"
	"boardorder/services/edge"

	"github.com/chromedp/chromedp"
)

// putPaidOrder puts an order that was paid, and gives the key of our e-mails.
func (s *harness) putPaidOrder(change func(*orders.Order)) (key string) {
	s.t.Helper()
	o := orderOf(checkoutOf(s.quote(setDelivery), s.card.URL, s.now()), s.now())
	o.Payment.Session = "cs_test_1" // of the attempt
	o.Payment.Card = &customers.CardRef{Brand: "visa", Last4: "4242"}
	if change != nil {
		change(&o)
	}
	s.put(contract.OrderAggregate, s.ref, o)
	return s.secrets.Link(secret.OrderOwner, s.ref, s.now().Add(time.Hour))
}

// TestWhoOnlyHoldsTheLink sees how far the order is, and as little of its customer
// as tells one from another.
func TestWhoOnlyHoldsTheLink(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	key := s.putPaidOrder(nil)
	private := []string{"Ada Lovelace", "1 Market Street", "94105", "+1 415 555 0100", "ada@example.com", "Cancel this order"}
	for _, query := range []string{"", "?k=x", "?k=" + s.secrets.Link(secret.OrderOwner, "another", s.now().Add(time.Hour)),
		"?k=" + s.secrets.Link("checkout-form", s.ref, s.now().Add(time.Hour)), "?k=" + s.secrets.Link(secret.OrderOwner, s.ref, s.now().Add(-time.Hour))} {
		a := s.get(query)
		a.has(t, "A. L.", "San Francisco", "a…@example.com", "Visa ending in 4242", "Open this page from one of our e-mails")
		a.lacks(t, private...)
	}
	s.get("?k="+key).has(t, private...)
}

// TestOrderAgain: an order of the shop's own account leads to the shop, any other to where its
// quote was made.
func TestOrderAgain(t *testing.T) {
	t.Parallel()
	elsewhere, link := "ask for a reorder where you got this quote", `<a href="/">send their files once more</a>`
	for account, want := range map[string][2]string{"": {elsewhere, link}, "acc_house": {elsewhere, link}, "acc_partner": {link, elsewhere}} {
		s := open(t, func(c *edge.Config) { c.ShopAccount = account })
		s.putPaidOrder(nil)
		a := s.get("")
		a.has(t, want[0])
		a.lacks(t, want[1])
	}
}

// TestRefundsAreWhatTheProcessorSays: the page says that money went back once that is confirmed,
// and of a refund that failed that it did not, until it was given again.
func TestRefundsAreWhatTheProcessorSays(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	const onItsWay, refunded, failed, promised = "is on its way back", "was refunded on", "did not reach your card", "is refunded to the card"
	refund := func(cents int64, status orders.RefundStatus) orders.Refund {
		return orders.Refund{ID: "rf_1", Cents: cents, Status: status, At: s.now()}
	}
	for name, tt := range map[string]struct {
		status  orders.Status
		refunds []orders.Refund
		says    []string
	}{
		"written down":       {orders.Cancelled, []orders.Refund{refund(500, orders.RefundBegun)}, []string{onItsWay, promised}},
		"with the processor": {orders.Cancelled, []orders.Refund{refund(500, orders.RefundPending)}, []string{onItsWay, promised}},
		"confirmed":          {orders.Cancelled, []orders.Refund{refund(500, orders.RefundDone)}, []string{refunded, promised}},
		"failed":             {orders.Cancelled, []orders.Refund{refund(500, orders.RefundFailed)}, []string{failed}},
		"given again":        {orders.Cancelled, []orders.Refund{refund(500, orders.RefundFailed), refund(500, orders.RefundDone)}, []string{refunded, promised}},
		"less given since":   {orders.InProduction, []orders.Refund{refund(500, orders.RefundFailed), refund(100, orders.RefundDone)}, []string{refunded, failed}},
		"nothing to give":    {orders.Cancelled, nil, nil},
	} {
		s.putPaidOrder(func(o *orders.Order) { o.Status, o.Refunds = tt.status, tt.refunds })
		page := s.get("")
		for _, text := range []string{onItsWay, refunded, failed, promised} {
			if got, want := strings.Contains(page.body, text), slices.Contains(tt.says, text); got != want {
				t.Errorf("%s: the page says %q: %t, want %t", name, text, got, want)
			}
		}
	}
}

func TestCustomerCancelsOnThePage(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	key := s.putPaidOrder(nil)
	form := func(k string) url.Values {
		page := s.get("?k=" + key)
		form := url.Values{"do": {"cancel"}}
		for _, m := range hidden.FindAllStringSubmatch(page.body, -1) {
			form.Set(m[1], m[2])
		}
		form.Set("k", k)
		return form
	}
	if a := s.post(form("x")); a.status != http.StatusForbidden || len(s.commandsOf(orders.Cancel)) != 0 {
		t.Errorf("cancelled without the key: %d, want 403 and no command", a.status)
	}
	request := form(key)
	if a := s.post(request); a.status != http.StatusSeeOther || a.header.Get("Location") != s.path()+"?k="+url.QueryEscape(key) {
		t.Fatalf("cancel = %d %s, want 303 to the order\n%s", a.status, a.header.Get("Location"), a.body)
	}
	if d := decode[orders.CancelData](t, s.commandsOf(orders.Cancel)[0]); !d.Customer || d.Operator != "" || d.Quote != s.ref {
		t.Errorf("sent %+v, want the customer's own word of %s", d, s.ref)
	}
	s.get("").has(t, "Your order is cancelled")
	late := s.post(request) // the button once more, or from another tab
	if late.status != http.StatusSeeOther || !strings.HasSuffix(late.header.Get("Location"), "&late=1") {
		t.Errorf("cancelled twice = %d %s, want 303 with late=1", late.status, late.header.Get("Location"))
	}
	s.putPaidOrder(func(o *orders.Order) { o.Status = orders.Placed })
	page := s.get("?late=1&k=" + key)
	page.has(t, "cannot be cancelled here any more")
	page.lacks(t, "Yes, cancel")
}

func TestWhenTheBoardsAreExpected(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.putPaidOrder(func(o *orders.Order) { o.PaidAt = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) }) // a Friday
	s.get("").has(t, "Expected delivery", "between Tuesday, 1 December 2026 and Thursday, 3 December 2026")
	s.putPaidOrder(func(o *orders.Order) { o.Delivery = "soon" })
	s.get("").lacks(t, "Expected delivery")
}

// TestOrderPageFollows: the page changes while it is open, by its script.
func TestOrderPageFollows(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	s.putPaidOrder(nil)
	w.open(s.url + s.path())
	w.waitFor("document.querySelector('h1').textContent === 'Thank you, your order is placed'")
	s.putPaidOrder(func(o *orders.Order) {
		o.Status, o.Steps = orders.InProduction, []orders.Step{{Name: "Drilling", At: s.now()}}
	})
	w.waitFor("document.querySelector('h1').textContent === 'Your boards are being built'")
	w.do(chromedp.Click("#steps summary"))
	at := s.now()
	s.putPaidOrder(func(o *orders.Order) {
		o.Status, o.ShippedAt, o.Tracking = orders.Shipped, &at, &shipments.Tracking{Carrier: "DHL", Number: "4711", URL: "https://track.example/4711"}
		o.Steps = []orders.Step{{Name: "Drilling", At: at}}
	})
	w.waitFor("document.querySelector('.notice.good')?.textContent.includes('4711') && document.getElementById('steps').open")
	page := s.get("")
	page.lacks(t, "data-follow", "http-equiv")
}

// TestOrderPageComesAgainWithoutScript: and nobody follows what is no order.
func TestOrderPageComesAgainWithoutScript(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(setDelivery)
	if a := s.do("GET", s.path()+"/events", nil); a.status != http.StatusNotFound {
		t.Errorf("events of a quote = %d, want 404", a.status)
	}
	s.putPaidOrder(nil)
	s.get("").has(t, `<noscript><meta http-equiv="refresh" content="60"></noscript>`)
}

// putInvoice gives an order an invoice, a credit note and its reversal.
func putInvoice(o *orders.Order) {
	o.Invoices = []invoices.Invoice{
		{Number: 7, Kind: invoices.OrderInvoice, Cents: o.TotalCents, Seller: []string{"Sample Boards Ltd"}, IssuedAt: o.PaidAt},
		{Number: 9, Kind: invoices.CreditNote, Refund: "rf_1", Cents: 100, Seller: []string{"Sample Boards Ltd"}, IssuedAt: o.PaidAt},
		{Number: 11, Kind: invoices.Reversal, Refund: "rf_1", Cents: 100, Seller: []string{"Sample Boards Ltd"}, IssuedAt: o.PaidAt},
	}
}

// TestInvoiceIsTheCustomers: it names them, so the link alone does not show it.
func TestInvoiceIsTheCustomers(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	key := url.QueryEscape(s.putPaidOrder(nil))
	if a := s.do("GET", s.path()+"/invoice.pdf?k="+key, nil); a.status != http.StatusNotFound {
		t.Errorf("before it is written = %d, want 404", a.status)
	}
	s.putPaidOrder(putInvoice)
	page := s.get("?k=" + key)
	page.has(t, "Invoice INV-000007 (PDF)", "Credit note INV-000009 (PDF)", "Credit note reversal INV-000011 (PDF)", "/invoice.pdf?k=")
	s.get("").lacks(t, "INV-000007", "can see the quote and pay for it")
	stranger := s.do("GET", s.path()+"/invoice.pdf?lang=ja", nil)
	stranger.has(t, "請求書はお客様ご本人にのみ表示されます")
	stranger.lacks(t, "古く", "Invoices are shown")
	for query, want := range map[string]int{
		"?k=" + key: http.StatusOK, "?n=1&k=" + key: http.StatusOK, "?n=2&k=" + key: http.StatusOK, "?n=3&k=" + key: http.StatusNotFound, "?n=x&k=" + key: http.StatusNotFound,
		"": http.StatusForbidden, "?k=x": http.StatusForbidden,
	} {
		a := s.do("GET", s.path()+"/invoice.pdf"+query, nil)
		if a.status != want || want == http.StatusOK && (!strings.HasPrefix(a.body, "%PDF-") || a.header.Get("Content-Type") != "application/pdf") {
			t.Errorf("GET invoice.pdf%s = %d %s, want %d, a PDF with 200", query, a.status, a.header.Get("Content-Type"), want)
		}
	}
}

// TestOrderOfADeclaredDesign: its customer sees what becomes of the money. Nothing
// else of the page answers.
func TestOrderOfADeclaredDesign(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	key := s.putPaidOrder(func(o *orders.Order) { o.Sold = quotes.Quote{Ref: s.ref, Upload: "declared"} })
	o := load[orders.Order](s, contract.OrderAggregate)
	s.put(contract.UploadAggregate, o.Sold.Upload, uploads.Upload{Ref: o.Sold.Upload, Status: uploads.ITARDeclared})
	for _, query := range []string{"", "?k=" + key} {
		a := s.get(query)
		if a.status != http.StatusOK {
			t.Errorf("GET %q: %d, want 200", query, a.status)
		}
		a.has(t, o.Ref, "declared export-controlled", amountOf(o))
		a.lacks(t, "Ada Lovelace", o.Board, ".png", "Cancel this order", "invoice.pdf")
	}
	for _, path := range []string{"/invoice.pdf?k=" + key, "/board.png"} {
		if a := s.do("GET", s.path()+path, nil); a.status < 400 {
			t.Errorf("GET %s: %d, want it refused", path, a.status)
		}
	}
	s.put(contract.OrderAggregate, s.ref, o.Withdraw())
	s.get("").has(t, o.Ref, "declared export-controlled", "Your order is on hold")
	o.Status = orders.Shipped
	s.put(contract.OrderAggregate, s.ref, o.Withdraw())
	a := s.get("")
	a.has(t, "Your boards are on their way", "after the boards were shipped")
	a.lacks(t, "not built", "gives your money back")
}

// TestLaterChoiceIsTold: what was chosen in another window while a payment was open is
// not what was paid for, and the page says so.
func TestLaterChoiceIsTold(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.putPaidOrder(nil)
	q, o := load[quotes.Quote](s, contract.QuoteAggregate), load[orders.Order](s, contract.OrderAggregate)
	o.Sold, o.ShippingID, o.BuildHours = q, q.Delivery.ShippingID, q.Delivery.BuildHours
	o.Sold.Delivery = nil // as an order keeps it
	s.put(contract.OrderAggregate, s.ref, o)
	s.get("").lacks(t, "That is not ordered")
	total := int64(7307)
	q.Version, q.Reply.Quantity, q.Reply.TotalCents = q.Version+1, 50, &total
	s.put(contract.QuoteAggregate, s.ref, q)
	s.get("").has(t, "another choice was made on the quote’s page: 50 boards for $73.07. That is not ordered.")
}

func amountOf(o orders.Order) string { return money.Amount(o.TotalCents, o.Currency) }
