package payment_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/fabricator"

	"github.com/google/go-cmp/cmp"
)

const (
	sessionsPath = "POST /v1/checkout/sessions"
	createPath   = "POST /fab/overseas/openapi/pcb/create"
	fabPath      = "POST /fab/"
)

func TestTheWholeWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	if code := s.begin(); code != "" {
		t.Fatalf("begin refused: %s", code)
	}
	open := s.checkout()
	if open.Status != checkouts.Open || open.SessionURL == "" || open.Attempt != 1 || open.TotalCents != *s.q.Reply.TotalCents {
		t.Fatalf("open checkout = %+v, want it %s at the first attempt, with a page, %d cents", open, checkouts.Open, *s.q.Reply.TotalCents)
	}
	s.pay(open.SessionID)
	for range 3 { // notices come more than once
		s.tell(open.SessionID, "completed")
	}
	w.waitUntil("the parcel", s.isShipped)
	o := s.order()
	if o.Tracking == nil || o.Tracking.Number == "" || o.Fabricator.OrderID == "" || o.Fabricator.Number == "" || len(o.Steps) == 0 {
		t.Errorf("shipped order = %+v, want a parcel with its number, the fabricator's order, and steps", o)
	}
	if want := []contract.EventName{"begun", "opened", "paid"}; !cmp.Equal(w.events(contract.CheckoutAggregate, s.ref), want) {
		t.Errorf("checkout events = %v, want %v", w.events(contract.CheckoutAggregate, s.ref), want)
	}
	taken, returned := s.money()
	if built := s.fabOrders(); taken != 1 || returned != 0 || len(built) != 1 || built[0].Batch != o.Fabricator.Reference {
		t.Errorf("%d charges, %d given back, at the fabricator %+v; want 1, none, one of %s", taken, returned, built, o.Fabricator.Reference)
	}
	if code := s.begin(); code != contract.QuoteNotPayable {
		t.Errorf("a second checkout of a paid quote: %q, want %q", code, contract.QuoteNotPayable)
	}
	if w.dead != nil {
		t.Errorf("dead letters: %v, want none", w.dead)
	}
}

// TestCrashAnywhere lets the process die before and after every single effect
// of the whole way, and then go on with what the broker delivers again.
func TestCrashAnywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for n := 0; ; n++ {
		s := w.quote()
		w.queue, w.timers = nil, map[string]contract.Timer{}
		w.fuse = n
		if code := s.begin(); code != "" {
			t.Fatalf("crash %d: begin refused: %s", n, code)
		}
		session := s.checkout().SessionID
		s.pay(session)
		s.tell(session, "completed")
		s.tell(session, "completed")
		w.waitUntil("the parcel", s.isShipped)
		taken, returned := s.money()
		if built, pages := len(s.fabOrders()), len(s.sessions()); taken != 1 || returned != 0 || built != 1 || pages != 1 {
			t.Fatalf("crash %d: %d charges, %d given back, %d orders at the fabricator, %d pages; want 1, none, 1, 1", n, taken, returned, built, pages)
		}
		if w.dead != nil {
			t.Fatalf("crash %d: dead letters: %v, want none", n, w.dead)
		}
		if w.fuse >= 0 { // it did not burn down: every effect has had its crash
			t.Logf("%d places to die", n)
			return
		}
	}
}

// TestCrashWithTwoPayments does the same while a quote is paid twice.
func TestCrashWithTwoPayments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for n := 0; ; n++ {
		s := w.quote()
		w.queue, w.timers = nil, map[string]contract.Timer{}
		s.begin()
		first := s.checkout().SessionID
		second := s.secondPage("other")
		s.pay(first)
		s.pay(second)
		w.fuse = n
		s.tell(second, "completed")
		s.tell(first, "completed")
		s.tell(second, "completed")
		s.tell(first, "completed")
		w.waitUntil("the order", func() bool { return s.order().Status == orders.Placed })
		if c := s.checkout(); c.Payment.Session != second || len(c.Refunds) != 1 || c.Refunds[0].Cents != c.TotalCents {
			t.Fatalf("crash %d: checkout = %+v, want it paid at %s, one refund of all", n, c, second)
		}
		taken, returned := s.money()
		if built := len(s.fabOrders()); taken != 2 || returned != 1 || built != 1 {
			t.Fatalf("crash %d: %d charges, %d given back, %d orders; want 2, 1, 1", n, taken, returned, built)
		}
		if w.fuse >= 0 {
			return
		}
	}
}

// secondPage opens another page for the same quote behind the service's back.
func (s *shopping) secondPage(key string, lines ...card.Line) string {
	s.w.t.Helper()
	if lines == nil {
		lines = []card.Line{{Label: "Boards", Cents: *s.q.Reply.TotalCents}}
	}
	session, err := s.w.cards.CreateCheckout(s.w.t.Context(), card.CheckoutRequest{
		Reference: s.ref, Lines: lines, Currency: "USD", SuccessURL: "https://boards.example/a", CancelURL: "https://boards.example/b",
		CustomerEmail: "ada@example.com", IdempotencyKey: key + s.ref,
	})
	if err != nil {
		s.w.t.Fatal(err)
	}
	return session.ID
}

func TestLostReplyOfThePage(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{fault.LoseReply, fault.ErrorAfter, fault.Garbage, fault.Drop} {
		w := newWorld(t)
		s := w.quote()
		w.fail(sessionsPath, kind, 2)
		if code := s.begin(); code != "" {
			t.Fatalf("%s: begin refused: %s", kind, code)
		}
		if got := s.sessions(); len(got) != 1 || got[0] != s.checkout().SessionID {
			t.Errorf("%s: pages %v, want the one that is known, %s", kind, got, s.checkout().SessionID)
		}
	}
}

func TestProcessorAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	w.fail(sessionsPath, fault.LoseReply, -1)
	if code := s.begin(); code != contract.PaymentUnavailable {
		t.Fatalf("begin: %q, want %q", code, contract.PaymentUnavailable)
	}
	if c := s.checkout(); c.Status != checkouts.Starting {
		t.Errorf("checkout = %+v, want it %s", c, checkouts.Starting)
	}
	w.sim.Faults().Clear()
	if code := s.begin(); code != "" {
		t.Fatalf("begin again: %q, want it granted", code)
	}
	if c := s.checkout(); c.Attempt != 1 || len(s.sessions()) != 1 {
		t.Errorf("attempt %d with %d pages, want the first one's", c.Attempt, len(s.sessions()))
	}
}

func TestNoticeBeforeThePageIsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	begin := w.command(checkouts.Begin, "req_early", checkouts.BeginData{Quote: s.ref, Version: 1})
	w.fuse = 5 // needed, written down, asked, and dead before the page's address could be written down
	if _, crashed := w.runOnce(w.svc.Handlers()[checkouts.Begin], begin); !crashed {
		t.Fatal("it lives")
	}
	pages := s.sessions()
	if c := s.checkout(); c.Status != checkouts.Starting || len(pages) != 1 {
		t.Fatalf("checkout is %s with %d pages, want %s with 1", c.Status, len(pages), checkouts.Starting)
	}
	s.pay(pages[0])
	s.tell(pages[0], "completed")
	w.waitUntil("the parcel", s.isShipped)
	if code := w.deliver(begin); code != contract.QuoteNotPayable {
		t.Errorf("the first request, again: %q, want %q", code, contract.QuoteNotPayable)
	}
	if taken, _ := s.money(); taken != 1 || len(s.fabOrders()) != 1 || len(s.sessions()) != 1 {
		t.Errorf("%d charges, %d orders, %d pages; want 1 of each", taken, len(s.fabOrders()), len(s.sessions()))
	}
}

func TestPagesOfOlderPricesAreClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	old := s.checkout()
	if code := s.begin(); code != "" || s.checkout().SessionID != old.SessionID {
		t.Errorf("the page that fits: %q, session %s; want it given out again, %s", code, s.checkout().SessionID, old.SessionID)
	}
	s.q.Version = 2
	s.save()
	stale := w.command(checkouts.Begin, "req_stale", checkouts.BeginData{Quote: s.ref, Version: 1})
	if code := w.deliver(stale); code != contract.Conflict {
		t.Errorf("a price that has changed: %q, want %q", code, contract.Conflict)
	}
	if code := s.begin(); code != "" {
		t.Fatalf("begin: %q, want it granted", code)
	}
	c := s.checkout()
	if c.Attempt != 2 || c.PriceVersion != 2 || c.SessionID == old.SessionID {
		t.Errorf("checkout = %+v, want the second attempt at price 2, with another session than %s", c, old.SessionID)
	}
	if got, err := w.cards.Session(t.Context(), old.SessionID); err != nil || got.Status != card.SessionExpired {
		t.Errorf("the old page is %s, %v", got.Status, err)
	}
}

func TestPagesThatMovedAreGivenOutWhereTheyAre(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	made := s.checkout()
	for _, at := range []string{"https://cards.example/pay/", "https://pay.example/c/"} {
		w.pagesAt = at
		for range 2 { // the second finds the page where the first was led
			if code := s.begin(); code != "" {
				t.Fatalf("pages are at %s: begin: %q, want it granted", at, code)
			}
			if c := s.checkout(); c.SessionURL != at+made.SessionID || c.Attempt != 1 || c.SessionID != made.SessionID {
				t.Errorf("pages are at %s: attempt %d is at %s, want attempt 1 at %s", at, c.Attempt, c.SessionURL, at+made.SessionID)
			}
		}
	}
	w.fuse = 1 // written down, and dead before the request is known as done
	w.pagesAt = "https://third.example/"
	if code := s.begin(); code != "" || s.checkout().SessionURL != w.pagesAt+made.SessionID {
		t.Errorf("after a crash: %q, page at %s; want it granted, %s", code, s.checkout().SessionURL, w.pagesAt+made.SessionID)
	}
	s.pay(made.SessionID)
	s.tell(made.SessionID, "completed")
	w.waitUntil("the parcel", s.isShipped)
	if taken, _ := s.money(); taken != 1 {
		t.Errorf("%d charges, want 1", taken)
	}
}

func TestOldPageTurnsOutPaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	old := s.checkout()
	s.pay(old.SessionID) // and the notice is lost
	s.q.Version = 2
	s.save()
	if code := s.begin(); code != contract.QuoteNotPayable {
		t.Fatalf("begin: %q, want %q", code, contract.QuoteNotPayable)
	}
	w.waitUntil("the parcel", s.isShipped)
	if taken, returned := s.money(); taken != 1 || returned != 0 || s.order().TotalCents != old.TotalCents {
		t.Errorf("%d charges, %d given back, %d cents; want 1, none, %d", taken, returned, s.order().TotalCents, old.TotalCents)
	}
}

// TestChoiceWhileAPageIsOpen is told from what is kept of the order that was paid.
func TestChoiceWhileAPageIsOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	sold, total := s.q, int64(7307)
	s.q.Version, s.q.Reply.Quantity, s.q.Reply.TotalCents = 2, 50, &total
	s.save()
	s.pay(s.checkout().SessionID)
	s.tell(s.checkout().SessionID, "completed")
	w.waitUntil("the order", func() bool { return s.order().ID != "" })
	o := s.order()
	const want = "50 boards for $73.07"
	if got := o.ChoiceAfterPayment(s.q); got != want || o.Quantity != 10 {
		t.Errorf("order of %d, chosen since: %q; want 10, %q", o.Quantity, got, want)
	}
	sold.Version = 3
	if got := o.ChoiceAfterPayment(sold); got != "" {
		t.Errorf("the same once more: %q, want nothing", got)
	}
}

func TestPageExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	first := s.checkout()
	if _, err := w.cards.ExpireSession(t.Context(), first.SessionID); err != nil {
		t.Fatal(err)
	}
	s.tell(first.SessionID, "expired")
	if c := s.checkout(); c.Status != checkouts.Closed || c.SessionURL != "" {
		t.Fatalf("checkout = %+v, want it %s, without a page", c, checkouts.Closed)
	}
	if code := s.begin(); code != "" || s.checkout().Attempt != 2 {
		t.Errorf("begin: %q, attempt %d; want it granted, 2", code, s.checkout().Attempt)
	}
}

// TestTheBankThinks: a payment that the bank decides about later.
func TestTheBankThinks(t *testing.T) {
	t.Parallel()
	for _, outcome := range []string{"succeeded", "failed"} {
		w := newWorld(t)
		s := w.quote()
		s.begin()
		page := s.checkout().SessionID
		w.fail("", "processing", 1)
		res, err := shopper.Pay(t.Context(), w.sim.Cards().PageURL(page), shopper.Card{})
		if err != nil || res.Status != "processing" {
			t.Fatalf("pay: %+v, %v", res, err)
		}
		s.tell(page, "completed")
		if code := s.begin(); code != contract.QuoteNotPayable || s.order().ID != "" {
			t.Errorf("while the bank thinks: %q, order %q; want %q, none", code, s.order().ID, contract.QuoteNotPayable)
		}
		w.decide(s, outcome)
		s.tell(page, "async_payment_"+outcome)
		if outcome == "succeeded" {
			w.waitUntil("the parcel", s.isShipped)
			continue
		}
		if code := s.begin(); code != "" || s.checkout().Attempt != 2 || s.checkout().Status != checkouts.Open {
			t.Errorf("after the bank's no: %q, %+v; want it granted, %s, attempt 2", code, s.checkout(), checkouts.Open)
		}
	}
}

// decide ends the payment that the bank was thinking about.
func (w *world) decide(s *shopping, outcome string) {
	w.t.Helper()
	for _, pi := range w.sim.Cards().Ledger().Intents {
		if pi.Metadata["reference"] != s.ref {
			continue
		}
		res, err := http.PostForm(w.sim.URL()+"/cards/settle/"+pi.ID, url.Values{"outcome": {outcome}})
		if err != nil || res.StatusCode >= 400 {
			w.t.Fatalf("settle %s: %v, %v", pi.ID, res, err)
		}
		res.Body.Close()
	}
}

// TestLostNotice: the timer asks when the processor's notice never comes.
func TestLostNotice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	before := w.clock.Now()
	s.pay(s.checkout().SessionID)
	w.waitUntil("the order", func() bool { return s.order().ID != "" })
	if late := w.clock.Now().Sub(before); late > 3*time.Minute {
		t.Errorf("noticed after %s, want 3 minutes at most", late)
	}
	w.waitUntil("the parcel", s.isShipped)
}

func TestNobodyPays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	end := s.checkout().ExpiresAt
	for n := 0; w.pass(); n++ {
		if n > 200 {
			t.Fatalf("timers still go off after %d of them", n)
		}
		if w.clock.Now().After(end) {
			if _, err := w.cards.ExpireSession(t.Context(), s.checkout().SessionID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if c := s.checkout(); c.Status != checkouts.Closed || s.order().ID != "" {
		t.Errorf("checkout is %s, order %q; want %s, none", c.Status, s.order().ID, checkouts.Closed)
	}
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	s.pay(s.checkout().SessionID)
	w.timers = map[string]contract.Timer{} // the timer is lost as well
	w.deliver(w.command(checkouts.Reconcile, "", checkouts.ReconcileData{Since: w.clock.Now().Add(-time.Hour)}))
	w.waitUntil("the parcel", s.isShipped)
	if p, want := s.order().Payment, s.q.Reply.Lines[0].Cents+s.q.Reply.Lines[1].Cents+199; p.Cents != want {
		t.Errorf("payment = %+v, want %d cents", p, want)
	}
	w.deliver(w.command(checkouts.Reconcile, "", checkouts.ReconcileData{Since: w.clock.Now().Add(-48 * time.Hour)}))
	if len(w.queue) != 0 {
		t.Errorf("ledgers that agree lead to %v, want nothing", w.queue)
	}
}

func TestPaymentOfAnUnknownQuote(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.ref = contract.SecretRef("nobody knows this one")
	session := s.secondPage("x")
	s.pay(session)
	w.deliver(w.command(checkouts.Reconcile, "", checkouts.ReconcileData{Since: w.clock.Now().Add(-time.Hour)}))
	w.work()
	if o := s.order(); o.Status != orders.Held || o.Payment.Cents == 0 {
		t.Errorf("order = %+v, want it %s with its payment", o, orders.Held)
	}
}

func TestWrongAmountIsHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	session := s.secondPage("cheap", card.Line{Label: "Boards", Cents: 100})
	s.pay(session)
	s.tell(session, "completed")
	w.work()
	if o := s.order(); o.Status != orders.Held || o.Held == "" || len(s.fabOrders()) != 0 {
		t.Errorf("order is %s (%s), %d at the fabricator; want %s (why), none", o.Status, o.Held, len(s.fabOrders()), orders.Held)
	}
}

func TestMoneyAfterTheQuoteExpired(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	s.pay(s.checkout().SessionID)
	w.timers = map[string]contract.Timer{}
	w.clock.Reach(s.q.ExpiresAt.Add(time.Hour))
	s.tell(s.checkout().SessionID, "completed")
	w.waitUntil("the parcel", s.isShipped)
}

func TestLostReplyOfTheFabricator(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{fault.LoseReply, fault.ErrorAfter, fault.Garbage, fault.Drop, fault.ErrorBefore} {
		w := newWorld(t)
		s := w.payQuote()
		w.fail(createPath, kind, 1)
		w.waitUntil("the parcel", s.isShipped)
		if built := s.fabOrders(); len(built) != 1 {
			t.Errorf("%s: %d orders at the fabricator, want 1", kind, len(built))
		}
	}
}

// payQuote is a quote whose payment is known; its order has not been sent yet.
func (w *world) payQuote(change ...func(*quotes.Quote)) *shopping {
	w.t.Helper()
	s := w.quote(change...)
	if code := s.begin(); code != "" {
		w.t.Fatalf("begin: %s, want it granted", code)
	}
	s.pay(s.checkout().SessionID)
	s.tell(s.checkout().SessionID, "completed")
	return s
}

func TestFabricatorAwayForDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	w.fail(fabPath, fault.ErrorBefore, -1)
	end := w.clock.Now().Add(12 * time.Hour)
	w.waitUntil("half a day", func() bool { return w.clock.Now().After(end) })
	if w.dead != nil || s.order().Held != "" {
		t.Fatalf("dead letters %v, held %q; want none, nothing", w.dead, s.order().Held)
	}
	w.sim.Faults().Clear()
	w.waitUntil("the parcel", s.isShipped)
	if built := s.fabOrders(); len(built) != 1 {
		t.Errorf("%d orders at the fabricator, want 1", len(built))
	}
}

func TestFabricatorSaysNo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	w.clock.Reach(w.clock.Now().Add(2 * time.Minute)) // the price that was kept is old
	w.fail(fabPath, "price_doubled", -1)
	w.waitUntil("the hold", func() bool { return s.order().Status == orders.Held })
	if len(s.fabOrders()) != 0 {
		t.Error("it was placed all the same")
	}
	w.sim.Faults().Clear()
	if code := s.report(orders.Paid, nil); code != "" {
		t.Fatalf("report: %s, want it granted", code)
	}
	w.waitUntil("the parcel", s.isShipped)
	if len(s.fabOrders()) != 1 || s.order().Report.Operator != "grace" {
		t.Errorf("%d orders, report %+v; want 1, by grace", len(s.fabOrders()), s.order().Report)
	}
}

func TestCancelledAtTheFabricator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	w.waitUntil("the order", func() bool { return s.order().Status == orders.Placed })
	w.cancelAtFab(s.fabOrders()[0].ID)
	w.waitUntil("the hold", func() bool { return s.order().Status == orders.Held })
	if code := s.report(orders.Paid, nil); code != "" {
		t.Fatalf("report: %s, want it granted", code)
	}
	w.waitUntil("the parcel", s.isShipped)
	built := s.fabOrders()
	if len(built) != 2 || built[1].Batch != s.order().ID+"-2" || s.order().Fabricator.Reference != built[1].Batch {
		t.Errorf("orders at the fabricator = %+v, want two, the second of %s-2, which is the order's", built, s.order().ID)
	}
}

func TestTwoOrdersAtTheFabricator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	w.waitUntil("the order", func() bool { return s.order().Status == orders.Placed })
	o := s.order()
	again := fabricator.PlaceRequest{Reference: o.Fabricator.Reference, Shipping: o.Terms.Shipping, Currency: "USD", ShipTo: address(o)}
	again.Spec = spec(t, o)
	key, err := w.fab.Upload(t.Context(), "again.zip", pack())
	if err != nil {
		t.Fatal(err)
	}
	again.Spec.FileKey = key
	if _, err := w.fab.Place(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	w.waitUntil("the hold", func() bool { return s.order().Status == orders.Held })
}

func TestFilesAreGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	commit(w, contract.BoardAggregate, "digest", boards.EventForgotten, boards.ReadFiles{Digest: "digest", Gone: true})
	w.waitUntil("the hold", func() bool { return s.order().Status == orders.Held })
}

func TestTeamPriceIsPlacedByHand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote(func(q *quotes.Quote) {
		q.Mode, q.Status, q.Terms = quotes.ModeReview, quotes.SourcingQuoted, nil
	})
	w.waitUntil("the hold", func() bool { return s.order().Status == orders.Held })
	for _, step := range []struct {
		to   orders.Status
		code contract.Code
	}{{orders.Placed, ""}, {orders.InProduction, ""}, {orders.Placed, contract.Conflict}} {
		if code := s.report(step.to, nil); code != step.code {
			t.Fatalf("report %s: %q, want %q", step.to, code, step.code)
		}
	}
	if code := s.report(orders.Shipped, &shipments.Tracking{Carrier: "DHL", Number: "1"}); code != "" || s.order().Tracking.Number != "1" {
		t.Errorf("report shipped: %q, %+v; want it granted, parcel number 1", code, s.order().Tracking)
	}
}

func TestWhatCannotBePaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, tt := range map[string]struct {
		change func(*quotes.Quote)
		want   contract.Code
	}{
		"expired":         {func(q *quotes.Quote) { q.ExpiresAt = w.clock.Now() }, contract.QuoteExpired},
		"not priced":      {func(q *quotes.Quote) { q.Mode, q.Status = quotes.ModeReview, quotes.SourcingReady }, contract.QuoteNotPayable},
		"no delivery":     {func(q *quotes.Quote) { q.Delivery = nil }, contract.InvalidRequest},
		"half an address": {func(q *quotes.Quote) { q.Delivery.ShipTo.Phone = "" }, contract.InvalidRequest},
		"less than can be": {func(q *quotes.Quote) {
			*q.Reply.TotalCents = 10
			q.Reply.Lines = []prices.Line{{Label: "x", Cents: 10}}
		}, contract.PaymentUnavailable},
	} {
		s := w.quote(tt.change)
		if code := s.begin(); code != tt.want {
			t.Errorf("%s: %q, want %q", name, code, tt.want)
		}
	}
	s := w.quote()
	s.ref = contract.SecretRef("unknown")
	if code := s.begin(); code != contract.NotFound {
		t.Errorf("unknown quote: %q, want %q", code, contract.NotFound)
	}
	s = w.quote(func(q *quotes.Quote) { q.Upload = "itar" + strconv.Itoa(w.quotes) })
	commit(w, contract.UploadAggregate, s.q.Upload, uploads.EventITARDeclared, uploads.Upload{Status: uploads.ITARDeclared})
	if code := s.begin(); code != contract.ITARNotSupported {
		t.Errorf("ITAR: %q, want %q", code, contract.ITARNotSupported)
	}
}
