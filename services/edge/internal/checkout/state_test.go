package checkout_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"

	"github.com/google/go-cmp/cmp"
)

func setDelivery(q *quotes.Quote) {
	q.Version, q.Assumed, q.Delivery = 2, "", &shipments.Delivery{ShipTo: ada(), ShippingID: "us-exp"}
}

func TestUnknownQuote(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	for _, path := range []string{"/checkout/" + strings.Repeat("a", 64), "/checkout/x", "/checkout/" + strings.Repeat("A", 64)} {
		a := s.do("GET", path, nil)
		if a.status != http.StatusNotFound || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			t.Errorf("GET %s = %d %s, want 404 text/html", path, a.status, a.header.Get("Content-Type"))
		}
		a.has(t, "There is no quote at this address", a.header.Get("Request-Id"))
	}
}

func TestExpiredQuote(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(setDelivery)
	form := s.form(ada(), "do", "pay")
	s.clock.Add(int64(quotes.InstantTTL + time.Second))
	a := s.get("")
	if a.status != http.StatusGone {
		t.Errorf("GET = %d, want 410", a.status)
	}
	a.has(t, "This quote has expired", "Price it again")
	a.lacks(t, `value="pay"`)
	if a := s.post(form); a.status == http.StatusOK || len(s.commandsOf(checkouts.Begin)) != 0 {
		t.Errorf("an expired quote could be paid: %d", a.status)
	}
}

func TestBackFromCancelling(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	q := s.quote(setDelivery)
	s.put(contract.CheckoutAggregate, s.ref, checkoutOf(q, s.card.URL, s.now()))
	s.get("?cancelled=1").has(t, "Not paid yet. Your choices are kept", "Pay $149.27")
	s.get("").has(t, "Not paid yet. Your choices are kept")
}

func TestBackFromPaying(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	q := s.quote(setDelivery)
	s.put(contract.CheckoutAggregate, s.ref, checkoutOf(q, s.card.URL, s.now()))
	for _, looking := range [][2]string{{"HEAD", ""}, {"GET", "prefetch"}} {
		if a := s.do(looking[0], s.path()+"?paid=1", nil, "Sec-Purpose", looking[1]); a.status != http.StatusOK || len(s.commandsOf(checkouts.Settle)) != 0 {
			t.Errorf("%v = %d, the processor was asked %d times; want 200, not asked", looking, a.status, len(s.commandsOf(checkouts.Settle)))
		}
	}
	s.set(func() { s.place = true })
	a := s.get("?paid=1")
	if a.status != http.StatusOK || len(s.commandsOf(checkouts.Settle)) != 1 {
		t.Fatalf("GET ?paid=1 = %d, asked %d times; want 200, once", a.status, len(s.commandsOf(checkouts.Settle)))
	}
	if d := decode[checkouts.SettleData](t, s.commandsOf(checkouts.Settle)[0]); d.Quote != s.ref {
		t.Errorf("asked about %q, want %q", d.Quote, s.ref)
	}
	a.has(t, "Thank you, your order is placed", "BO-7K3Q-2M", "$149.27")
	a.lacks(t, "<form")
	if s.get("").lacks(t, "Pay $"); a.header.Get("Refresh") != "" {
		t.Error("the receipt reloads itself")
	}
}

func TestPaymentNotConfirmedYet(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	q := s.quote(setDelivery)
	c := checkoutOf(q, s.card.URL, s.now())
	s.put(contract.CheckoutAggregate, s.ref, c)
	a := s.get("?paid=1")
	if a.header.Get("Refresh") != "5; url="+s.path()+"?paid=1&n=1" {
		t.Errorf("Refresh = %q, want 5 s, to n=1", a.header.Get("Refresh"))
	}
	a.has(t, "We are confirming your payment", "$149.27", "go back to your quote")
	c.Status = checkouts.Paid
	s.put(contract.CheckoutAggregate, s.ref, c)
	late := s.get("?n=20")
	if !strings.HasPrefix(late.header.Get("Refresh"), "30; ") {
		t.Errorf("Refresh = %q, want 30 s", late.header.Get("Refresh"))
	}
	late.has(t, "Payment received", "Please do not pay again")
}

func TestPaidInNameOnly(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	if s.get("?paid=1").has(t, "Update price"); len(s.commandsOf(checkouts.Settle)) != 0 {
		t.Error("the processor was asked about a payment that nobody began")
	}
}

// TestOrderPageOutlivesTheQuote: the page shows what was sold, also when the
// quote itself has gone.
func TestOrderPageOutlivesTheQuote(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.id = strings.Repeat("5", 64)
	s.ref = contract.SecretRef(s.id)
	total := int64(14927)
	sold := quotes.Quote{
		Ref: s.ref, Account: "acc_1", Mode: quotes.ModeInstant, Status: quotes.Ready, ExpiresAt: s.now(),
		Reply: quotes.Reply{
			Quantity: 10, TotalCents: &total, BoardDetails: &quotes.BoardDetails{Layers: 2, SolderMask: "Green"},
			Lines: []prices.Line{{Label: "Boards", Cents: total}},
		},
	}
	c := checkouts.Checkout{
		Quote: s.ref, Status: checkouts.Paid, ShipTo: ada(), Sold: sold, Lines: sold.Reply.Lines, TotalCents: total, Currency: "USD",
		Payment: &checkouts.Payment{Cents: total, At: s.now()},
	}
	s.put(contract.CheckoutAggregate, s.ref, c)
	s.get("").has(t, "Payment received", "$149.27", "Green")
	o := orderOf(c, s.now())
	o.Sold = sold
	s.put(contract.OrderAggregate, s.ref, o)
	s.get("").has(t, "Thank you, your order is placed", "BO-7K3Q-2M", "$149.27", "Green", "A. L.", "San Francisco")
}

func TestOrderStates(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	q := s.quote(setDelivery)
	c := checkoutOf(q, s.card.URL, s.now())
	c.Refunds = []checkouts.Refund{{Cents: 14927, Why: "a second payment", At: s.now()}}
	s.put(contract.CheckoutAggregate, s.ref, c)
	s.clock.Add(int64(60 * 24 * time.Hour)) // an order outlives its quote
	at := s.now()
	for _, tt := range []struct {
		status orders.Status
		change func(*orders.Order)
		has    []string
	}{
		{orders.Paid, nil, []string{"Thank you, your order is placed", "A second payment of $149.27 was refunded"}},
		{orders.Held, func(o *orders.Order) { o.Held = "price mismatch 1 cent" }, []string{"Our team is taking a closer look"}},
		{orders.Cancelled, func(o *orders.Order) {
			o.Cancelled = &orders.Cancellation{Operator: "grace", At: at}
			o.Refunds = []orders.Refund{{Cents: 14927, Status: orders.RefundDone, At: at}}
		}, []string{"Your order is cancelled", "$149.27 of your payment was refunded on", "Cancelled"}},
		{orders.Shipped, func(o *orders.Order) {
			o.Refunds = []orders.Refund{{Cents: 500, Status: orders.RefundPending, At: at}}
		}, []string{"on their way", "$5.00 of your payment is on its way back to your card"}},
		{orders.InProduction, func(o *orders.Order) { o.Steps = []orders.Step{{Name: "Drilling", At: at}} }, []string{"being built", "Drilling", `aria-current="step"`}},
		{orders.Shipped, func(o *orders.Order) {
			o.ShippedAt, o.Tracking = &at, &shipments.Tracking{Carrier: "DHL", Number: "1234567890", URL: "https://track.example/1234567890"}
		}, []string{"on their way", "1234567890", `href="https://track.example/1234567890" rel="noopener noreferrer"`}},
		{orders.Shipped, func(o *orders.Order) {
			o.Tracking = &shipments.Tracking{Carrier: "X", URL: "javascript:alert(1)"}
		}, []string{"on their way"}},
	} {
		o := orderOf(c, at)
		o.Status = tt.status
		if tt.change != nil {
			tt.change(&o)
		}
		s.put(contract.OrderAggregate, s.ref, o)
		a := s.get("")
		if a.status != http.StatusOK {
			t.Errorf("the page of a quote that is %s: %d, want 200", tt.status, a.status)
		}
		a.has(t, append(tt.has, "BO-7K3Q-2M", "A. L.", "$149.27", "Receipt")...)
		a.lacks(t, "price mismatch", "javascript:")
	}
	if a := s.do("GET", s.path()+"/board.png", nil); a.status != http.StatusOK || a.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(a.body, "\x89PNG") {
		t.Errorf("picture of an old order = %d %s, want 200 image/png", a.status, a.header.Get("Content-Type"))
	}
}

func TestReviewIsAskedFor(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(review)
	s.get("").has(t, "Ask our team for a price", "Blind vias are priced by people.", "Ask for a price")
	to := ada()
	to.Email = "nobody"
	bad := s.post(s.form(to, "do", "ask", "note", "Please hurry"))
	if bad.status != http.StatusUnprocessableEntity {
		t.Fatalf("POST = %d, want 422", bad.status)
	}
	bad.has(t, "One thing needs your attention", "Please hurry</textarea>", `value="nobody"`)
	a := s.post(s.form(ada(), "do", "ask", "note", "Please hurry\r\nthank you"))
	if a.status != http.StatusSeeOther || a.header.Get("Location") != s.path() {
		t.Fatalf("POST = %d %s, want 303 to the checkout\n%s", a.status, a.header.Get("Location"), a.body)
	}
	sent := s.commandsOf(quotes.RequestReview)
	want := quotes.RequestReviewData{Quote: s.ref, ShipTo: ada(), Note: "Please hurry\nthank you", Language: "en"}
	if diff := cmp.Diff(want, decode[quotes.RequestReviewData](t, sent[len(sent)-1])); diff != "" {
		t.Errorf("command (-want +got):\n%s", diff)
	}
	after := s.get("")
	after.has(t, "Our team is pricing your board", "a…@example.com")
	after.lacks(t, "<form")
}

func review(q *quotes.Quote) {
	q.Mode, q.Status, q.Version = quotes.ModeReview, quotes.SourcingReady, 1
	q.Reply.TotalCents, q.Reply.Lines, q.Reply.ShippingOptions, q.Reply.FasterBuilds = nil, nil, nil, nil
	q.Reply.CustomQuoteReasons = []string{"Blind vias are priced by people."}
}

func TestTeamPriceIsPaid(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(func(q *quotes.Quote) {
		total := int64(50000)
		q.Mode, q.Status, q.Version = quotes.ModeReview, quotes.SourcingQuoted, 2
		q.Delivery = &shipments.Delivery{ShipTo: ada()}
		q.Reply.Lines, q.Reply.TotalCents = []prices.Line{{Label: "Boards with blind vias", Cents: 50000}}, &total
		q.Reply.ShippingOptions, q.Reply.FasterBuilds = nil, nil
	})
	page := s.get("")
	page.has(t, "Boards with blind vias", "Pay $500.00", "Ada Lovelace")
	page.lacks(t, "Update price", "f-line1")
	a := s.post(s.form(shipments.ShipTo{}, "do", "pay"))
	if a.status != http.StatusSeeOther || a.header.Get("Location") != s.card.URL+"/pay/cs_test_1" || len(s.commandsOf(quotes.ChooseDelivery)) != 0 {
		t.Fatalf("pay = %d %s, want 303 to the payment page, no delivery chosen\n%s", a.status, a.header.Get("Location"), a.body)
	}
}

// leavingOut is a price of the team's that leaves parts of it out, for a delivery whose
// duty and tax are known.
func leavingOut(parts ...prices.Part) func(*quotes.Quote) {
	return func(q *quotes.Quote) {
		review(q)
		setDelivery(q)
		line := func(label string, cents int64, part prices.Part) prices.PricedLine {
			return prices.PricedLine{Line: prices.Line{Label: label, Cents: cents}, For: part}
		}
		data := quotes.PriceReviewData{Lines: []prices.PricedLine{line("Boards", 2900, prices.Boards)}}
		for _, one := range []prices.PricedLine{line("Shipping", 2000, prices.Shipping), line("Import duty", 300, prices.Duty), line("Tax", 500, prices.Tax)} {
			if !slices.Contains(parts, one.For) {
				data.Lines = append(data.Lines, one)
			}
		}
		for _, part := range parts {
			words := "No " + part.Words() + " is paid"
			data.LeftOut = append(data.LeftOut, prices.LeftOut{Part: part, Words: words})
			q.Reply.NotIncluded = append(q.Reply.NotIncluded, words)
		}
		q.Status, q.Team, q.TeamNote = quotes.SourcingQuoted, &quotes.TeamPrice{Price: data}, "Two panels."
		q.Reply.Notes = append(q.Reply.Notes, q.TeamNote)
		q.Reply.Lines = data.CustomerLines()
		total := int64(0)
		for _, l := range q.Reply.Lines {
			total += l.Cents
		}
		q.Reply.TotalCents, q.Reply.PerBoardCents = &total, nil
		q.Reply.ShippingOptions, q.Reply.FasterBuilds, q.Reply.Shipping, q.Reply.PriceBasis = nil, nil, "", nil
	}
}

// TestPriceSaysWhatItHolds: neither the page where it is paid nor that of the order says
// that something is in the price which is not, and both list what is left out.
func TestPriceSaysWhatItHolds(t *testing.T) {
	t.Parallel()
	const shipping, duty, tax = prices.Shipping, prices.Duty, prices.Tax
	for _, tt := range []struct {
		out   []prices.Part
		says  string
		lacks []string
	}{
		{nil, "delivered to the United States. Duty and tax are in the price where they are due.", []string{"Not in this price"}},
		{[]prices.Part{shipping, duty, tax}, "going to the United States.</p>", []string{"delivered to", "in the price where"}},
		{[]prices.Part{shipping}, "going to the United States. Duty and tax are in the price where they are due.", []string{"delivered to"}},
		{[]prices.Part{duty}, "delivered to the United States. Tax is in the price where it is due.", []string{"Duty and tax are"}},
		{[]prices.Part{tax}, "delivered to the United States. Duty is in the price where it is due.", []string{"Duty and tax are"}},
	} {
		s := open(t, nil)
		q := s.quote(leavingOut(tt.out...))
		page := s.get("")
		page.has(t, tt.says)
		page.lacks(t, tt.lacks...)
		o := orderOf(checkoutOf(q, s.card.URL, s.now()), s.now())
		o.Sold = q
		s.put(contract.OrderAggregate, s.ref, o)
		paid := s.get("")
		paid.has(t, "Thank you, your order is placed", "Two panels.")
		for _, words := range q.Reply.NotIncluded {
			page.has(t, "Not in this price", words)
			paid.has(t, "Not in this price", words)
		}
		if len(tt.out) == 0 {
			paid.lacks(t, "Not in this price")
		}
	}
}

// TestBuildTimeIsNotDelivery: a price of the team's says when the boards leave the
// factory, and nothing of the door.
func TestBuildTimeIsNotDelivery(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(func(q *quotes.Quote) {
		review(q)
		setDelivery(q)
		q.Status, q.Reply.Delivery = quotes.SourcingQuoted, nil
		lead := "8 working days"
		q.Reply.LeadTime = &lead
	})
	a := s.get("")
	a.has(t, "Ready to ship:", "8 working days from payment")
	a.lacks(t, "At your door")
}
