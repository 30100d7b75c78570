package cards_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/card"
	"boardorder/pkg/card/stripe"

	"github.com/google/go-cmp/cmp"
)

// bench is a card processor on loopback and the adapter that talks to it.
type bench struct {
	*stripe.Processor
	sim *simulator.Simulator
}

func setup(t *testing.T) bench {
	t.Helper()
	sim, err := simulator.New(simulator.Config{DataDir: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- sim.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	p, err := stripe.New(stripe.Config{Key: "sk_test_bench", BaseURL: sim.CardsURL(), Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return bench{p, sim}
}

func (b bench) fail(t *testing.T, match, kind string) {
	t.Helper()
	if err := b.sim.Faults().Add(fault.Fault{Match: match, Kind: kind}); err != nil {
		t.Fatal(err)
	}
}

func request(key string) card.CheckoutRequest {
	return card.CheckoutRequest{
		Reference: "quote-1", Metadata: map[string]string{"quote": "q1", "price_version": "3"}, Description: "10 boards",
		Lines:    []card.Line{{Label: "Boards", Cents: 4550}, {Label: "Shipping", Cents: 2100}, {Label: "Tax", Cents: 0}},
		Currency: "USD", CustomerEmail: "ada@example.com",
		SuccessURL: "https://shop.example/done?session_id={CHECKOUT_SESSION_ID}", CancelURL: "https://shop.example/back",
		IdempotencyKey: key,
	}
}

func (b bench) checkout(t *testing.T, r card.CheckoutRequest) card.Session {
	t.Helper()
	s, err := b.CreateCheckout(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (b bench) pay(t *testing.T, s card.Session, c shopper.Card) shopper.Result {
	t.Helper()
	res, err := shopper.Pay(t.Context(), s.URL, c)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestCheckoutIsPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.checkout(t, request("cs:1"))
	if s.Status != card.SessionOpen || s.Paid || s.AmountTotal != 6650 || s.Currency != "USD" || s.Metadata["quote"] != "q1" {
		t.Fatalf("new checkout = %+v, want it open, unpaid, 6650 cents in USD for q1", s)
	}
	res := b.pay(t, s, shopper.Card{Number: shopper.Pays, Email: "grace@example.com", Name: "Grace"})
	if want := "https://shop.example/done?session_id=" + s.ID; res.Status != "paid" || res.Redirect != want {
		t.Fatalf("pay = %+v, want paid and %s", res, want)
	}
	got, err := b.Session(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Paid || got.Status != card.SessionComplete || got.PaymentIntent == "" || got.URL != "" || got.CustomerID == "" ||
		got.CustomerEmail != "grace@example.com" || got.Reference != "quote-1" || got.CardSaved {
		t.Errorf("paid checkout = %+v, want it complete, with a payment and a customer grace@example.com for quote-1, without an address, the card not saved", got)
	}
	if got.Card.Brand != "visa" || got.Card.Last4 != "4242" || got.Card.ExpMonth != 12 || got.Card.ExpYear != 2034 {
		t.Errorf("card = %+v, want Visa 4242 until 12/2034", got.Card)
	}
	p, err := b.Payment(t.Context(), got.PaymentIntent)
	if err != nil || p.Status != card.PaymentSucceeded || p.ReceivedCents != 6650 || p.Metadata["price_version"] != "3" {
		t.Errorf("payment = %+v, %v", p, err)
	}
}

func TestCheckoutDeclines(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, tt := range []struct {
		card    shopper.Card
		status  string
		code    string
		decline string
	}{
		{shopper.Card{Number: shopper.Declined}, "declined", "card_declined", "generic_decline"},
		{shopper.Card{Number: shopper.InsufficientFunds}, "declined", "card_declined", "insufficient_funds"},
		{shopper.Card{Number: "4000000000000069"}, "declined", "expired_card", ""},
		{shopper.Card{Number: "4242424242424241"}, "declined", "incorrect_number", ""},
		{shopper.Card{Expiry: "01/20"}, "declined", "invalid_expiry_year", ""},
		{shopper.Card{CVC: "1"}, "declined", "invalid_cvc", ""},
		{shopper.Card{Number: shopper.BankAlwaysAsks, RefuseAtBank: true}, "declined", "payment_intent_authentication_failure", ""},
		{shopper.Card{Number: shopper.SavedHasNoFunds}, "declined", "card_declined", "insufficient_funds"},
		{shopper.Card{Number: shopper.BankAlwaysAsks, LeaveAtBank: true}, "challenge", "", ""},
		{shopper.Card{Number: shopper.BankAlwaysAsks}, "paid", "", ""},
		{shopper.Card{Number: shopper.BankAsksOnce}, "paid", "", ""},
		{shopper.Card{Number: "4012888888881881"}, "declined", "card_declined", "test_mode_live_card"},
	} {
		s := b.checkout(t, request(fmt.Sprintf("cs:%+v", tt.card)))
		res := b.pay(t, s, tt.card)
		if res.Status != tt.status || res.Code != tt.code || res.DeclineCode != tt.decline {
			t.Errorf("pay with %+v = %+v, want %s, %s, %s", tt.card, res, tt.status, tt.code, tt.decline)
		}
		got, err := b.Session(t.Context(), s.ID)
		if err != nil || got.Paid != (tt.status == "paid") {
			t.Errorf("after %+v: paid %t, %v", tt.card, got.Paid, err)
		}
	}
}

// A declined customer may try again, and pays once.
func TestCheckoutSecondCardPays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.checkout(t, request("cs:2"))
	b.pay(t, s, shopper.Card{Number: shopper.Declined})
	for range 3 {
		if res := b.pay(t, s, shopper.Card{}); res.Status != "paid" {
			t.Fatalf("pay = %+v, want paid", res)
		}
	}
	all, err := b.Payments(t.Context(), time.Now().Add(-time.Hour))
	if err != nil || len(all) != 1 || all[0].ReceivedCents != 6650 {
		t.Errorf("payments = %+v, %v; want one of 6650", all, err)
	}
}

func TestCreateCheckoutRepeated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.checkout(t, request("cs:same"))
	second := b.checkout(t, request("cs:same"))
	if first.ID != second.ID {
		t.Errorf("the same key made %s and %s, want one", first.ID, second.ID)
	}
	changed := request("cs:same")
	changed.Lines[0].Cents++
	if _, err := b.CreateCheckout(t.Context(), changed); !card.IsCode(err, card.CodeKeyReused) || card.KindOf(err) != card.Refused {
		t.Errorf("the same key for another amount: %v", err)
	}
}

func TestCreateCheckoutRefusesBadRequests(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, spoil := range map[string]func(*card.CheckoutRequest){
		"no key":           func(r *card.CheckoutRequest) { r.IdempotencyKey = "" },
		"too little":       func(r *card.CheckoutRequest) { r.Lines = []card.Line{{Label: "x", Cents: 49}} },
		"no lines":         func(r *card.CheckoutRequest) { r.Lines = nil },
		"no way back":      func(r *card.CheckoutRequest) { r.CancelURL = "" },
		"currency":         func(r *card.CheckoutRequest) { r.Currency = "dollars" },
		"expires soon":     func(r *card.CheckoutRequest) { r.ExpiresAt = time.Now().Add(time.Minute) },
		"no such customer": func(r *card.CheckoutRequest) { r.CustomerID = "cus_nobody" },
		"no address":       func(r *card.CheckoutRequest) { r.SuccessURL = "ftp://shop" },
	} {
		r := request("cs:bad:" + name)
		spoil(&r)
		if _, err := b.CreateCheckout(t.Context(), r); card.KindOf(err) != card.Refused {
			t.Errorf("%s: %v, want refused", name, err)
		}
	}
}

// Discounts and very long lists do not fit the page's lines; the total does.
func TestCheckoutFoldsLines(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := request("cs:discount")
	r.Lines = append(r.Lines, card.Line{Label: "Discount", Cents: -650})
	if s := b.checkout(t, r); s.AmountTotal != 6000 {
		t.Errorf("total with a discount = %d, want 6000", s.AmountTotal)
	}
	r = request("cs:long")
	r.Lines = nil
	for n := range 250 {
		r.Lines = append(r.Lines, card.Line{Label: strings.Repeat("ä", 300) + fmt.Sprint(n), Cents: 10})
	}
	if s := b.checkout(t, r); s.AmountTotal != 2500 {
		t.Errorf("total of 250 lines = %d, want 2500", s.AmountTotal)
	}
}

func TestExpireSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.checkout(t, request("cs:expire"))
	for range 2 {
		got, err := b.ExpireSession(t.Context(), s.ID)
		if err != nil || got.Status != card.SessionExpired {
			t.Fatalf("ExpireSession = %+v, %v", got, err)
		}
	}
	if res := b.pay(t, s, shopper.Card{}); res.Status != "expired" {
		t.Errorf("pay an expired checkout = %+v, want expired", res)
	}
	paid := b.checkout(t, request("cs:paid"))
	b.pay(t, paid, shopper.Card{})
	if got, err := b.ExpireSession(t.Context(), paid.ID); err != nil || !got.Paid {
		t.Errorf("expire a paid checkout = %+v, %v; want how it ended", got, err)
	}
	if _, err := b.ExpireSession(t.Context(), "cs_test_nothing"); !card.IsCode(err, card.CodeNotFound) {
		t.Errorf("expire an unknown checkout: %v", err)
	}
}

// saveCard pays a checkout with the card and the consent to save it.
func (b bench) saveCard(t *testing.T, number string) card.Session {
	t.Helper()
	r := request("cs:save:" + number)
	r.SaveCard = true
	s := b.checkout(t, r)
	if res := b.pay(t, s, shopper.Card{Number: number}); res.Status != "paid" {
		t.Fatalf("pay with %s = %+v, want paid", number, res)
	}
	s, err := b.Session(t.Context(), s.ID)
	if err != nil || !s.CardSaved || s.CustomerID == "" || s.Card.MethodID == "" {
		t.Fatalf("checkout that saves = %+v, %v", s, err)
	}
	return s
}

func charge(s card.Session, key string) card.SavedCharge {
	return card.SavedCharge{
		Cents: 1234, Currency: "USD", CustomerID: s.CustomerID, MethodID: s.Card.MethodID, Description: "5 boards",
		ReceiptEmail: "ada@example.com", Metadata: map[string]string{"quote": "q2"}, IdempotencyKey: key,
	}
}

func TestChargeSaved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, tt := range []struct {
		number  string
		want    card.Outcome
		code    string
		decline string
	}{
		{shopper.Pays, card.Succeeded, "", ""},
		{shopper.BankAsksOnce, card.Succeeded, "", ""},
		{shopper.BankAlwaysAsks, card.AuthenticationRequired, "authentication_required", "authentication_required"},
		{shopper.SavedIsDeclined, card.Declined, "card_declined", "generic_decline"},
	} {
		s := b.saveCard(t, tt.number)
		got, err := b.ChargeSaved(t.Context(), charge(s, "pay:"+tt.number))
		if err != nil || got.Outcome != tt.want || got.Code != tt.code || got.DeclineCode != tt.decline || got.PaymentIntent == "" {
			t.Errorf("charge %s = %+v, %v; want %s %s %s", tt.number, got, err, tt.want, tt.code, tt.decline)
		}
		p, err := b.Payment(t.Context(), got.PaymentIntent)
		if err != nil || (p.Status == card.PaymentSucceeded) != (tt.want == card.Succeeded) || p.Metadata["quote"] != "q2" {
			t.Errorf("payment of %s = %+v, %v", tt.number, p, err)
		}
		again, err := b.ChargeSaved(t.Context(), charge(s, "pay:"+tt.number))
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(got, again); diff != "" {
			t.Errorf("the same key again (-first +second):\n%s", diff)
		}
	}
}

func TestCancelPayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.saveCard(t, shopper.BankAlwaysAsks)
	res, err := b.ChargeSaved(t.Context(), charge(s, "pay:cancel"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		p, err := b.CancelPayment(t.Context(), res.PaymentIntent)
		if err != nil || p.Status != card.PaymentCanceled {
			t.Errorf("CancelPayment = %+v, %v", p, err)
		}
	}
	if _, err := b.CancelPayment(t.Context(), s.PaymentIntent); card.KindOf(err) != card.Refused {
		t.Errorf("cancel a payment that succeeded: %v", err)
	}
}

func TestChargeLeftProcessing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.saveCard(t, shopper.Pays)
	b.fail(t, "", "processing")
	res, err := b.ChargeSaved(t.Context(), charge(s, "pay:slow"))
	if err != nil || res.Outcome != card.Processing {
		t.Fatalf("charge = %+v, %v; want processing", res, err)
	}
	p, err := b.Payment(t.Context(), res.PaymentIntent)
	if err != nil || p.Status != card.PaymentProcessing {
		t.Errorf("payment = %+v, %v; want processing", p, err)
	}
}

func TestRefund(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.saveCard(t, shopper.Pays)
	r := card.RefundRequest{PaymentIntent: s.PaymentIntent, Cents: 650, Reason: "paid twice", IdempotencyKey: "refund:1"}
	first, err := b.Refund(t.Context(), r)
	if err != nil || first.Cents != 650 || first.Status != "succeeded" {
		t.Fatalf("Refund = %+v, %v", first, err)
	}
	if again, err := b.Refund(t.Context(), r); err != nil || again.ID != first.ID {
		t.Errorf("the same refund again = %+v, %v", again, err)
	}
	r.Cents, r.IdempotencyKey = 6001, "refund:2"
	if _, err := b.Refund(t.Context(), r); card.KindOf(err) != card.Refused {
		t.Errorf("refund more than is left: %v", err)
	}
	p, err := b.Payment(t.Context(), s.PaymentIntent)
	if err != nil || p.RefundedCents != 650 {
		t.Errorf("payment = %+v, %v; want 650 refunded", p, err)
	}
}

// More payments than fit a page come all, once, oldest first.
func TestPaymentsPageByPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.saveCard(t, shopper.Pays)
	want := []string{s.PaymentIntent}
	for n := range 230 {
		res, err := b.ChargeSaved(t.Context(), charge(s, fmt.Sprint("pay:", n)))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, res.PaymentIntent)
	}
	all, err := b.Payments(t.Context(), time.Now().Add(-time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range all {
		got = append(got, p.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("payments (-want +got):\n%s", diff)
	}
	if none, err := b.Payments(t.Context(), time.Now().Add(time.Hour)); err != nil || len(none) != 0 {
		t.Errorf("payments of the future = %v, %v", none, err)
	}
}
