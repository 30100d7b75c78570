package payment_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/card"
	"boardorder/pkg/card/stripe"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/run"
	"boardorder/services/payment"
)

// worldWithTests gives the world a second processor, which is the test mode of the first:
// its records are its own.
func worldWithTests(t *testing.T) (*world, *simulator.Simulator) {
	t.Helper()
	w := newWorld(t)
	sim := runSimulator(t, simulator.Config{DataDir: t.TempDir(), Now: w.clock.Now})
	var err error
	if w.tests, err = stripe.New(stripe.Config{Key: "sk_test_tests", BaseURL: sim.CardsURL(), Timeout: 5 * time.Second}); err != nil {
		t.Fatal(err)
	}
	w.svc = w.serviceOver(w)
	return w, sim
}

// makeTest makes a quote a test key's, with a project name.
func makeTest(word quotes.TestScenario) func(*quotes.Quote) {
	return func(q *quotes.Quote) {
		name := string(word)
		q.Account, q.Request.ProjectName, q.Terms.Fabricator = "acc_1~test", &name, "test"
	}
}

// payAt pays a quote at a processor's page.
func (s *shopping) payAt(sim *simulator.Simulator) {
	s.w.t.Helper()
	if code := s.begin(); code != "" {
		s.w.t.Fatalf("begin refused: %s", code)
	}
	session := s.checkout().SessionID
	res, err := shopper.Pay(s.w.t.Context(), sim.Cards().PageURL(session), shopper.Card{Email: "ada@example.com"})
	if err != nil || res.Status != "paid" {
		s.w.t.Fatalf("pay %s: %+v, %v", session, res, err)
	}
	s.tell(session, "completed")
}

// TestTestOrderShipsByItself: paid in the processor's test mode, it goes through every
// status within a minute, and nobody outside hears of it.
func TestTestOrderShipsByItself(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*quotes.Quote){
		"bare":      func(*quotes.Quote) {},
		"assembled": func(q *quotes.Quote) { q.Request.Assembly = true },
		"by the team": func(q *quotes.Quote) {
			q.Mode, q.Status, q.Terms = quotes.ModeReview, quotes.SourcingQuoted, nil
		},
	} {
		w, tests := worldWithTests(t)
		s := w.quote(makeTest(""), change)
		s.payAt(tests)
		paidAt := s.order().PaidAt
		w.waitUntil("the parcel", s.isShipped)
		o := s.order()
		if took := o.ShippedAt.Sub(paidAt); took > time.Minute || o.Tracking == nil || len(o.Steps) == 0 || o.Fabricator.Name != "test" {
			t.Errorf("%s: shipped after %s: %+v, want it within a minute, with a parcel and steps, by test", name, took, o)
		}
		want := []contract.EventName{orders.EventPaid, orders.EventPlacing, orders.EventPlaced, orders.EventInProduction, orders.EventShipped}
		got := slices.DeleteFunc(w.events(contract.OrderAggregate, s.ref), func(e contract.EventName) bool { return e == orders.EventInvoiced })
		if !slices.Equal(got, want) {
			t.Errorf("%s: events %v, want %v", name, got, want)
		}
		if taken, _ := s.money(); taken != 0 || len(s.sessions()) != 0 || len(s.fabOrders()) != 0 {
			t.Errorf("%s: %d live charges, %d live pages, %d boards ordered; want none", name, taken, len(s.sessions()), len(s.fabOrders()))
		}
	}
}

// TestTestInvoicesAreNumberedApart: they leave no gap in the live numbers.
func TestTestInvoicesAreNumberedApart(t *testing.T) {
	t.Parallel()
	w, tests := worldWithTests(t)
	of := w.quote(makeTest(""))
	of.payAt(tests)
	w.waitUntil("the parcel", of.isShipped)
	live := w.payQuote()
	w.work()
	a, b := of.order().Invoices, live.order().Invoices
	if len(a) != 1 || a[0].Name() != "TEST-000001" || len(b) != 1 || b[0].Name() != "INV-000001" {
		t.Errorf("of test %+v, live %+v; want TEST-000001, INV-000001", a, b)
	}
	if book := w.book(); book.Last != 1 || len(book.Given) != 0 {
		t.Errorf("live book %+v, want 1 as the last, none given", book)
	}
}

// TestTestScenariosOfOrders: an order stays where its word says, and only a test key's.
func TestTestScenariosOfOrders(t *testing.T) {
	t.Parallel()
	for word, want := range map[quotes.TestScenario]orders.Status{
		quotes.TestOrdered: orders.Placed, quotes.TestInProduction: orders.InProduction, quotes.TestHeld: orders.Held,
	} {
		w, tests := worldWithTests(t)
		s := w.quote(makeTest(word))
		s.payAt(tests)
		for range 30 {
			w.pass()
		}
		if o := s.order(); o.Status != want {
			t.Errorf("%s: the order is %s (%s), want %s", word, o.Status, o.Held, want)
		}
	}
	w, _ := worldWithTests(t)
	s := w.quote(makeTest(quotes.TestOrdered), func(q *quotes.Quote) { q.Account, q.Terms.Fabricator = "acc_1", fabName })
	s.payAt(w.sim)
	w.waitUntil("the parcel", s.isShipped)
}

// TestNoPaymentCountsForTheOtherMode: whatever a notice says, a checkout is settled at
// the processor of its own mode.
func TestNoPaymentCountsForTheOtherMode(t *testing.T) {
	t.Parallel()
	w, tests := worldWithTests(t)
	live := w.quote()
	if code := live.begin(); code != "" {
		t.Fatalf("begin the checkout of the live quote: %s, want it granted", code)
	}
	// Somebody pays in test mode for what the live quote is called.
	page, err := w.tests.CreateCheckout(t.Context(), card.CheckoutRequest{
		Reference: live.ref, Metadata: map[string]string{"quote": live.ref, "price_version": "1", "attempt": "1"}, Description: "x", Currency: "USD",
		Lines: []card.Line{{Label: "x", Cents: *live.q.Reply.TotalCents}}, SuccessURL: "https://x", CancelURL: "https://x", IdempotencyKey: "forged",
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shopper.Pay(t.Context(), tests.Cards().PageURL(page.ID), shopper.Card{Email: "eve@example.com"}); err != nil {
		t.Fatal(err)
	}
	paid, err := w.tests.Session(t.Context(), page.ID)
	if err != nil || !paid.Paid {
		t.Fatalf("session %s is %+v, %v; want it paid", page.ID, paid, err)
	}
	live.tell(page.ID, "completed")
	for _, data := range []any{
		checkouts.CardEventData{EventID: "e1", Type: "payment_intent.succeeded", Intent: paid.PaymentIntent},
		checkouts.CardEventData{EventID: "e2", Type: "payment_intent.succeeded", Intent: paid.PaymentIntent, Quote: live.ref},
		checkouts.CardEventData{EventID: "e3", Type: "charge.dispute.created", Intent: paid.PaymentIntent},
	} {
		w.deliver(w.command(checkouts.CardEvent, "", data))
	}
	w.deliver(w.command(checkouts.Reconcile, "", checkouts.ReconcileData{Since: w.clock.Now().Add(-time.Hour)}))
	w.work()
	if c := live.checkout(); c.Status != checkouts.Open || c.Payment != nil {
		t.Errorf("checkout %+v, want it %s, without a payment", c, checkouts.Open)
	}
	if o := live.order(); o.ID != "" || w.dead != nil {
		t.Errorf("order %+v, dead letters %v; want none", o, w.dead)
	}
}

// TestTestPaymentsAreFoundInTheirLedger: a notice that is lost costs minutes in test
// mode, too.
func TestTestPaymentsAreFoundInTheirLedger(t *testing.T) {
	t.Parallel()
	w, tests := worldWithTests(t)
	s := w.quote(makeTest(""))
	if code := s.begin(); code != "" {
		t.Fatalf("begin the checkout of the test quote: %s, want it granted", code)
	}
	if res, err := shopper.Pay(t.Context(), tests.Cards().PageURL(s.checkout().SessionID), shopper.Card{Email: "ada@example.com"}); err != nil || res.Status != "paid" {
		t.Fatalf("pay session %s: %+v, %v; want it paid", s.checkout().SessionID, res, err)
	}
	w.deliver(w.command(checkouts.Reconcile, "", checkouts.ReconcileData{Since: w.clock.Now().Add(-time.Hour)}))
	w.waitUntil("the parcel", s.isShipped)
}

// TestTestsWithoutATestMode: without the processor's test mode nothing of a test key can be
// paid, least of all with a live card.
func TestTestsWithoutATestMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote(makeTest(""))
	if code := s.begin(); code != contract.PaymentUnavailable || len(s.sessions()) != 0 {
		t.Errorf("begin: %q, %d pages; want %q, none", code, len(s.sessions()), contract.PaymentUnavailable)
	}
	_, err := payment.Build(t.Context(), payment.Config{PublicURL: "https://x.example", StripeKey: "sk_test_x", TestKey: "sk_live_x"}, run.Deps{})
	if err == nil || !strings.Contains(err.Error(), "STRIPE_TEST_API_KEY") {
		t.Errorf("a live key for tests: %v", err)
	}
}
