package payment_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator/open"
	"boardorder/pkg/run"
	"boardorder/services/payment"
)

// TestNoticeWhileTheProcessorIsAway: the notice came, but nobody can be asked.
func TestNoticeWhileTheProcessorIsAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	page := s.checkout().SessionID
	s.pay(page)
	w.fail("GET /v1/", fault.ErrorBefore, -1)
	s.tell(page, "completed")
	end := w.clock.Now().Add(2 * time.Hour)
	w.waitUntil("two hours", func() bool { return w.clock.Now().After(end) })
	if w.dead != nil || s.order().ID != "" {
		t.Fatalf("dead letters %v, order %q; want none, no order", w.dead, s.order().ID)
	}
	if code := s.begin(); code != "" {
		t.Errorf("the page that was open is not given out: %q, want it granted", code)
	}
	w.sim.Faults().Clear()
	w.waitUntil("the parcel", s.isShipped)
}

func TestCustomerComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	settle := func(request string) contract.Code {
		return w.deliver(w.command(checkouts.Settle, request, checkouts.SettleData{Quote: s.ref}))
	}
	if code := settle("req_none"); code != contract.NotFound {
		t.Errorf("nothing was begun: %q, want %q", code, contract.NotFound)
	}
	s.begin()
	if code := settle("req_early"); code != "" || s.order().ID != "" {
		t.Errorf("before the payment: %q, order %q; want it granted, no order", code, s.order().ID)
	}
	s.pay(s.checkout().SessionID)
	if code := settle("req_back"); code != "" || s.order().ID == "" {
		t.Errorf("after the payment: %q, order %q; want it granted, an order", code, s.order().ID)
	}
	if last := load[checkouts.Checkout](w, contract.CheckoutAggregate, s.ref).Event; last.Operation != "req_back" || last.Name != contract.RequestCompleted {
		t.Errorf("outcome = %+v, want %s of req_back", last, contract.RequestCompleted)
	}
	if n := len(w.timers); n != 2 { // the page's and the order's
		t.Errorf("%d timers, want 2", n)
	}
}

// TestOtherProgramsPayments: the account may be shared.
func TestOtherProgramsPayments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.ref = "invoice-17"
	page := s.secondPage("x")
	s.pay(page)
	s.tell(page, "completed")
	w.deliver(w.command(checkouts.Reconcile, "", checkouts.ReconcileData{Since: w.clock.Now().Add(-time.Hour)}))
	for _, data := range []checkouts.CardEventData{
		{Type: "checkout.session.completed", Session: "cs_test_nobody"}, {Type: "payment_intent.succeeded", Intent: "pi_nobody"},
		{Type: "charge.refunded", Intent: "pi_nobody"}, {Type: "checkout.session.completed"},
	} {
		w.deliver(w.command(checkouts.CardEvent, "", data))
	}
	if w.dead != nil || len(w.queue) != 0 || len(w.timers) != 0 {
		t.Errorf("dead letters %v, queue %v, timers %v; want none", w.dead, w.queue, w.timers)
	}
}

func TestPaymentIsNoticedByItsIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	s.pay(s.checkout().SessionID)
	paid, err := w.cards.Session(t.Context(), s.checkout().SessionID)
	if err != nil {
		t.Fatal(err)
	}
	w.deliver(w.command(checkouts.CardEvent, "", checkouts.CardEventData{Type: "payment_intent.succeeded", Intent: paid.PaymentIntent, Quote: s.ref}))
	s.tell(paid.ID, "completed")
	w.waitUntil("the parcel", s.isShipped)
	if taken, returned := s.money(); taken != 1 || returned != 0 {
		t.Errorf("%d charges, %d given back; want 1, none", taken, returned)
	}
}

// TestDeclinedCards: each card that the bank refuses at the processor's page is noted once, whether a
// notice or a look at the page tells of it, and stays with later attempts.
func TestDeclinedCards(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	page := s.checkout().SessionID
	s.decline(page, "4000000000009995")
	failed, err := w.cards.Session(t.Context(), page)
	if err != nil || failed.Failure == nil {
		t.Fatalf("the page is %+v, %v; want a failure", failed, err)
	}
	for range 2 {
		w.deliver(w.command(checkouts.CardEvent, "", checkouts.CardEventData{Type: "payment_intent.payment_failed", Intent: failed.PaymentIntent, Quote: s.ref}))
	}
	s.decline(page, "4000000000000069")
	w.deliver(w.command(checkouts.Settle, "req_back", checkouts.SettleData{Quote: s.ref}))
	got := s.checkout()
	if len(got.Declines) != 2 || got.Declines[0].Reason != "insufficient_funds" || got.Declines[0].Card != "Visa ending in 9995" || got.Declines[1].Reason != "expired_card" || got.Status != checkouts.Open {
		t.Fatalf("checkout %s, declines %+v; want it open, with insufficient_funds and expired_card", got.Status, got.Declines)
	}
	s.pay(page)
	s.tell(page, "completed")
	w.waitUntil("the parcel", s.isShipped)
	if n := len(s.checkout().Declines); n != 2 {
		t.Errorf("%d declines once it is paid, want 2", n)
	}
}

// TestAnotherPageIsPaid: the page that we know is closed when another is paid.
func TestAnotherPageIsPaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	known := s.checkout().SessionID
	other := s.secondPage("other")
	s.pay(other)
	s.tell(other, "completed")
	if got, err := w.cards.Session(t.Context(), known); err != nil || got.Status != card.SessionExpired {
		t.Errorf("the other page is %s, %v", got.Status, err)
	}
	w.waitUntil("the parcel", s.isShipped)
}

func TestOperatorStopsAnOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	if code := s.report(orders.Held, nil); code != "" {
		t.Fatalf("report: %s, want it granted", code)
	}
	w.timers = map[string]contract.Timer{}
	w.work()
	if n := len(s.fabOrders()); n != 0 || !strings.Contains(s.order().Held, "grace") {
		t.Errorf("%d orders, held %q; want none, a reason that names grace", n, s.order().Held)
	}
	if code := s.report(orders.Paid, nil); code != "" {
		t.Fatalf("report: %s, want it granted", code)
	}
	w.waitUntil("the parcel", s.isShipped)
}

func TestBuild(t *testing.T) {
	t.Parallel()
	fab := open.Rows{{Name: fabName, Interface: "openfab", Country: "CN", OpenFab: open.OpenFab{URL: "https://fab.example", AppID: "a", AccessKey: "b", SecretKey: "c"}}}
	b := bustest.Start(t)
	for _, tt := range []struct {
		cfg  payment.Config
		want string
	}{
		{payment.Config{PublicURL: "boards", StripeKey: "sk_test_1", Fabricators: fab}, "PUBLIC_URL"},
		{payment.Config{PublicURL: "https://boards.example", StripeKey: "nonsense", Fabricators: fab}, "STRIPE_API_KEY"},
		{payment.Config{PublicURL: "https://boards.example", StripeKey: "sk_test_1"}, "FABRICATOR_0_NAME"},
		{payment.Config{PublicURL: "https://boards.example", StripeKey: "sk_test_1", Fabricators: fab}, ""},
	} {
		_, err := payment.Build(t.Context(), tt.cfg, run.Deps{Now: time.Now, Bus: b})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("Build(%s) = %v, want %q", tt.cfg.PublicURL, err, tt.want)
		}
	}
}
