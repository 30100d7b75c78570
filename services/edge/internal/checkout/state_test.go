package checkout_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"

	"github.com/google/go-cmp/cmp"
)

func setDelivery(q *contract.Quote) {
	q.Version, q.Assumed, q.Delivery = 2, "", &contract.Delivery{ShipTo: ada(), ShippingID: "us-exp"}
}

func TestUnknownQuote(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	for _, path := range []string{"/checkout/" + strings.Repeat("a", 64), "/checkout/x", "/checkout/" + strings.Repeat("A", 64)} {
		a := s.do("GET", path, nil)
		if a.status != http.StatusNotFound || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			t.Errorf("GET %s = %d %s", path, a.status, a.header.Get("Content-Type"))
		}
		a.has(t, "There is no quote at this address", a.header.Get("Request-Id"))
	}
}

func TestExpiredQuote(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(setDelivery)
	form := s.form(ada(), "do", "pay")
	s.clock.Add(int64(contract.InstantQuoteLife + time.Second))
	a := s.get("")
	if a.status != http.StatusGone {
		t.Errorf("GET = %d", a.status)
	}
	a.has(t, "This quote has expired", "What to do")
	a.lacks(t, "<form")
	if a := s.post(form); a.status == http.StatusOK || len(s.commandsOf(contract.BeginCheckout)) != 0 {
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
		if a := s.do(looking[0], s.path()+"?paid=1", nil, "Sec-Purpose", looking[1]); a.status != http.StatusOK || len(s.commandsOf(contract.SettlePayment)) != 0 {
			t.Errorf("%v = %d and asked the processor", looking, a.status)
		}
	}
	s.set(func() { s.place = true })
	a := s.get("?paid=1")
	if a.status != http.StatusOK || len(s.commandsOf(contract.SettlePayment)) != 1 {
		t.Fatalf("GET ?paid=1 = %d, asked %d times", a.status, len(s.commandsOf(contract.SettlePayment)))
	}
	if d := decode[contract.SettlePaymentData](t, s.commandsOf(contract.SettlePayment)[0]); d.Quote != s.ref {
		t.Errorf("asked about %q", d.Quote)
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
		t.Errorf("Refresh = %q", a.header.Get("Refresh"))
	}
	a.has(t, "We are confirming your payment", "$149.27", "Go back to your quote")
	c.Status = contract.CheckoutComplete
	s.put(contract.CheckoutAggregate, s.ref, c)
	late := s.get("?n=20")
	if !strings.HasPrefix(late.header.Get("Refresh"), "30; ") {
		t.Errorf("Refresh = %q", late.header.Get("Refresh"))
	}
	late.has(t, "Payment received", "Please do not pay again")
}

func TestPaidInNameOnly(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	if s.get("?paid=1").has(t, "Update price"); len(s.commandsOf(contract.SettlePayment)) != 0 {
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
	sold := contract.Quote{
		Ref: s.ref, Account: "acc_1", Mode: contract.ModeInstant, Status: contract.StatusQuoteReady, ExpiresAt: s.now(),
		Reply: contract.QuoteReply{
			Quantity: 10, TotalCents: &total, BoardDetails: &contract.BoardDetails{Layers: 2, SolderMask: "Green"},
			Lines: []contract.Line{{Label: "Boards", Cents: total}},
		},
	}
	c := contract.Checkout{
		Quote: s.ref, Status: contract.CheckoutComplete, ShipTo: ada(), Sold: sold, Lines: sold.Reply.Lines, TotalCents: total, Currency: "USD",
		Payment: &contract.Payment{Cents: total, At: s.now()},
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
	c.Refunds = []contract.Refund{{Cents: 14927, Why: "a second payment", At: s.now()}}
	s.put(contract.CheckoutAggregate, s.ref, c)
	s.clock.Add(int64(60 * 24 * time.Hour)) // an order outlives its quote
	at := s.now()
	for _, tt := range []struct {
		status contract.OrderStatus
		change func(*contract.Order)
		has    []string
	}{
		{contract.OrderStatusPaid, nil, []string{"Thank you, your order is placed", "A second payment of $149.27 was given back"}},
		{contract.OrderStatusHeld, func(o *contract.Order) { o.Held = "price mismatch 1 cent" }, []string{"Our team is taking a closer look"}},
		{contract.OrderStatusCancelled, func(o *contract.Order) {
			o.Cancelled = &contract.Cancellation{Operator: "grace", At: at}
			o.Refunds = []contract.OrderRefund{{Cents: 14927, Status: contract.RefundDone, At: at}}
		}, []string{"Your order is cancelled", "$149.27 of your payment was given back on", "Cancelled"}},
		{contract.OrderStatusShipped, func(o *contract.Order) {
			o.Refunds = []contract.OrderRefund{{Cents: 500, Status: contract.RefundPending, At: at}}
		}, []string{"on their way", "$5.00 of your payment was given back on"}},
		{contract.OrderStatusInProduction, func(o *contract.Order) { o.Steps = []contract.Step{{Name: "Drilling", At: at}} }, []string{"being built", "Drilling", `aria-current="step"`}},
		{contract.OrderStatusShipped, func(o *contract.Order) {
			o.ShippedAt, o.Tracking = &at, &contract.Tracking{Carrier: "DHL", Number: "1234567890", URL: "https://track.example/1234567890"}
		}, []string{"on their way", "1234567890", `href="https://track.example/1234567890" rel="noopener noreferrer"`}},
		{contract.OrderStatusShipped, func(o *contract.Order) {
			o.Tracking = &contract.Tracking{Carrier: "X", URL: "javascript:alert(1)"}
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
			t.Errorf("%s: %d", tt.status, a.status)
		}
		a.has(t, append(tt.has, "BO-7K3Q-2M", "A. L.", "$149.27", "Receipt")...)
		a.lacks(t, "price mismatch", "javascript:")
	}
	if a := s.do("GET", s.path()+"/board.png", nil); a.status != http.StatusOK || a.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(a.body, "\x89PNG") {
		t.Errorf("picture of an old order = %d %s", a.status, a.header.Get("Content-Type"))
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
		t.Fatalf("POST = %d", bad.status)
	}
	bad.has(t, "One thing needs your attention", "Please hurry</textarea>", `value="nobody"`)
	a := s.post(s.form(ada(), "do", "ask", "note", "Please hurry\r\nthank you"))
	if a.status != http.StatusSeeOther || a.header.Get("Location") != s.path() {
		t.Fatalf("POST = %d\n%s", a.status, a.body)
	}
	sent := s.commandsOf(contract.RequestReview)
	want := contract.RequestReviewData{Quote: s.ref, ShipTo: ada(), Note: "Please hurry\nthank you"}
	if diff := cmp.Diff(want, decode[contract.RequestReviewData](t, sent[len(sent)-1])); diff != "" {
		t.Errorf("command (-want +got):\n%s", diff)
	}
	after := s.get("")
	after.has(t, "Our team is pricing your board", "a…@example.com")
	after.lacks(t, "<form")
}

func review(q *contract.Quote) {
	q.Mode, q.Status, q.Version = contract.ModeReview, contract.StatusSourcingReady, 1
	q.Reply.TotalCents, q.Reply.Lines, q.Reply.ShippingOptions, q.Reply.FasterBuilds = nil, nil, nil, nil
	q.Reply.CustomQuoteReasons = []string{"Blind vias are priced by people."}
}

func TestTeamPriceIsPaid(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(func(q *contract.Quote) {
		total := int64(50000)
		q.Mode, q.Status, q.Version = contract.ModeReview, contract.StatusSourcingQuoted, 2
		q.Delivery = &contract.Delivery{ShipTo: ada()}
		q.Reply.Lines, q.Reply.TotalCents = []contract.Line{{Label: "Boards with blind vias", Cents: 50000}}, &total
		q.Reply.ShippingOptions, q.Reply.FasterBuilds = nil, nil
	})
	page := s.get("")
	page.has(t, "Boards with blind vias", "Pay $500.00", "Ada Lovelace")
	page.lacks(t, "Update price", "f-line1")
	a := s.post(s.form(contract.ShipTo{}, "do", "pay"))
	if a.status != http.StatusSeeOther || a.header.Get("Location") != s.card.URL+"/pay/cs_test_1" || len(s.commandsOf(contract.ChooseDelivery)) != 0 {
		t.Fatalf("pay = %d %s\n%s", a.status, a.header.Get("Location"), a.body)
	}
}

// leavingOut is a price of the team's that leaves parts of it out, for a delivery whose
// duty and tax are known.
func leavingOut(parts ...contract.PricePart) func(*contract.Quote) {
	return func(q *contract.Quote) {
		review(q)
		setDelivery(q)
		line := func(label string, cents int64, part contract.PricePart) contract.PricedLine {
			return contract.PricedLine{Line: contract.Line{Label: label, Cents: cents}, For: part}
		}
		data := contract.PriceReviewData{Lines: []contract.PricedLine{line("Boards", 2900, contract.PriceBoards)}}
		for _, one := range []contract.PricedLine{line("Shipping", 2000, contract.PriceShipping), line("Import duty", 300, contract.PriceDuty), line("Tax", 500, contract.PriceTax)} {
			if !slices.Contains(parts, one.For) {
				data.Lines = append(data.Lines, one)
			}
		}
		for _, part := range parts {
			words := "No " + part.Words() + " is paid"
			data.LeftOut = append(data.LeftOut, contract.LeftOutOfPrice{Part: part, Words: words})
			q.Reply.NotIncluded = append(q.Reply.NotIncluded, words)
		}
		q.Status, q.Team, q.TeamNote = contract.StatusSourcingQuoted, &contract.TeamPrice{Price: data}, "Two panels."
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
	const shipping, duty, tax = contract.PriceShipping, contract.PriceDuty, contract.PriceTax
	for _, tt := range []struct {
		out   []contract.PricePart
		says  string
		lacks []string
	}{
		{nil, "delivered to the United States. Duty and tax are in the price where they are due.", []string{"Not in this price"}},
		{[]contract.PricePart{shipping, duty, tax}, "going to the United States.</p>", []string{"delivered to", "in the price where"}},
		{[]contract.PricePart{shipping}, "going to the United States. Duty and tax are in the price where they are due.", []string{"delivered to"}},
		{[]contract.PricePart{duty}, "delivered to the United States. Tax is in the price where it is due.", []string{"Duty and tax are"}},
		{[]contract.PricePart{tax}, "delivered to the United States. Duty is in the price where it is due.", []string{"Duty and tax are"}},
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
	s.quote(func(q *contract.Quote) {
		review(q)
		setDelivery(q)
		q.Status, q.Reply.Delivery = contract.StatusSourcingQuoted, nil
		lead := "8 working days"
		q.Reply.LeadTime = &lead
	})
	a := s.get("")
	a.has(t, "Ready to ship:", "8 working days from payment")
	a.lacks(t, "At your door")
}
