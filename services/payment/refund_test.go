package payment_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/services/payment/internal/order"
)

const refunds = "POST /v1/refunds"

func (s *shopping) refund(cents int64) contract.Code {
	s.w.t.Helper()
	return s.w.deliver(s.w.command(orders.IssueRefund, contract.NewID("req_", time.Now()), orders.IssueRefundData{
		Quote: s.ref, Operator: "grace", Cents: cents, Why: "a scratch",
	}))
}

func (s *shopping) cancel() contract.Code {
	s.w.t.Helper()
	return s.w.deliver(s.w.command(orders.Cancel, contract.NewID("req_", time.Now()), orders.CancelData{
		Quote: s.ref, Operator: "grace", Why: "as you asked",
	}))
}

// hand does something on the processor's own pages with the order's payment.
func (s *shopping) hand(what string, form url.Values) {
	s.w.t.Helper()
	intent := ""
	for _, pi := range s.w.sim.Cards().Ledger().Intents {
		if pi.Metadata["reference"] == s.ref {
			intent = pi.ID
		}
	}
	res, err := http.PostForm(s.w.sim.URL()+"/cards/"+what+"/"+intent, form)
	if err != nil || res.StatusCode != http.StatusNoContent {
		s.w.t.Fatalf("have the simulator %s: %v, %v; want %d", what, res, err, http.StatusNoContent)
	}
	res.Body.Close()
}

// notice delivers a notice about the order's payment. Those of disputes do not
// name the quote.
func (s *shopping) notice(kind string) {
	s.w.t.Helper()
	data := checkouts.CardEventData{EventID: contract.NewID("evt_", time.Now()), Type: kind}
	for _, pi := range s.w.sim.Cards().Ledger().Intents {
		if pi.Metadata["reference"] == s.ref {
			data.Intent = pi.ID
		}
	}
	if kind == "charge.refunded" {
		data.Quote = s.ref
	}
	s.w.deliver(s.w.command(checkouts.CardEvent, "", data))
}

// sumReturns gives what went back of the order's payment, as both ledgers say.
func (s *shopping) sumReturns() int64 {
	s.w.t.Helper()
	s.w.take(invoices.Issue)
	o, back := s.order(), int64(0)
	for _, ch := range s.w.sim.Cards().Ledger().Charges {
		if ch.Paid && ch.Metadata["reference"] == s.ref {
			back += ch.Refunded
		}
	}
	if got := order.SumRefunds(o); got != back {
		s.w.t.Errorf("our ledger says that %d cents went back, want the processor's %d: %+v", got, back, o.Refunds)
	}
	return back
}

// checkLedger compares what went back of the order's payment with the processor's
// ledger, and all that is in that with ours.
func (s *shopping) checkLedger() int64 {
	s.w.t.Helper()
	back := s.sumReturns()
	s.w.deliver(s.w.command(checkouts.Reconcile, "", checkouts.ReconcileData{Since: s.w.clock.Now().Add(-100 * 24 * time.Hour)}))
	if len(s.w.queue) != 0 {
		s.w.t.Errorf("ledgers that agree lead to %v, want nothing", s.w.queue)
	}
	return back
}

// shipOrder is an order whose boards are on their way.
func (w *world) shipOrder() *shopping {
	w.t.Helper()
	s := w.payQuote()
	w.waitUntil("the parcel", s.isShipped)
	return s
}

func TestTeamRefunds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.shipOrder()
	total := s.order().TotalCents
	if code := s.refund(1000); code != "" {
		t.Fatalf("a part: %q, want it granted", code)
	}
	if back := s.checkLedger(); back != 1000 || s.order().Money != "" || s.order().Status != orders.Shipped {
		t.Errorf("%d went back, money %q, order %s; want 1000, nothing open, %s", back, s.order().Money, s.order().Status, orders.Shipped)
	}
	if code := s.refund(total); code != contract.Conflict {
		t.Errorf("more than is left: %q, want %q", code, contract.Conflict)
	}
	if code := s.refund(0); code != "" {
		t.Errorf("the rest: %q, want it granted", code)
	}
	if back := s.checkLedger(); back != total {
		t.Errorf("%d of %d went back, want all", back, total)
	}
	if code := s.refund(0); code != contract.Conflict {
		t.Errorf("nothing is left: %q, want %q", code, contract.Conflict)
	}
	if code := w.deliver(w.command(orders.IssueRefund, "req_x", orders.IssueRefundData{Quote: contract.SecretRef("none")})); code != contract.NotFound {
		t.Errorf("no such order: %q, want %q", code, contract.NotFound)
	}
}

// TestRefundGoesBackOnce: whatever becomes of the processor's answers.
func TestRefundGoesBackOnce(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{fault.LoseReply, fault.ErrorAfter, fault.Garbage, fault.Drop, fault.ErrorBefore} {
		w := newWorld(t)
		s := w.shipOrder()
		w.fail(refunds, kind, 1)
		if code := s.refund(700); code != "" {
			t.Fatalf("%s: the refund is refused with %q, want it taken", kind, code)
		}
		if o := s.order(); o.Money != orders.MoneyOpen || o.Refunds[0].Status != orders.RefundBegun {
			t.Errorf("%s: money %s, refunds %+v; want %s and %s", kind, o.Money, o.Refunds, orders.MoneyOpen, orders.RefundBegun)
		}
		w.waitUntil("the refund", func() bool { return s.order().Money == "" })
		if back := s.checkLedger(); back != 700 {
			t.Errorf("%s: %d went back, want 700", kind, back)
		}
	}
}

// TestRefundAfterItsTimer: the sweep finds a refund that nothing leads on, also
// when its key at the processor is too old to be known.
func TestRefundAfterItsTimer(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{fault.LoseReply, fault.Drop} {
		w := newWorld(t)
		s := w.shipOrder()
		w.fail(refunds, kind, 1)
		s.refund(700)
		w.forgetEverything()
		w.project()
		w.sweepAll()
		w.work()
		if back := s.checkLedger(); back != 700 || s.order().Money != "" {
			t.Errorf("%s: %d went back, money %q; want 700, nothing open", kind, back, s.order().Money)
		}
	}
}

func TestRefundIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.shipOrder()
	w.fail("GET /v1/refunds", fault.ErrorBefore, 1)
	if code := s.refund(1); code != contract.PaymentUnavailable || len(s.order().Refunds) != 0 {
		t.Errorf("refunds cannot be read: %q, refunds %+v; want %q, none", code, s.order().Refunds, contract.PaymentUnavailable)
	}
	// The bank disputes it between the look and the refund.
	w.fuse = 2 // dead after it was written down
	c := w.command(orders.IssueRefund, "req_refused", orders.IssueRefundData{Quote: s.ref, Cents: 100})
	w.runOnce(w.svc.Handlers()[c.Name], c)
	s.hand("dispute", nil)
	w.deliver(c)
	if o := s.order(); len(o.Refunds) != 1 || o.Refunds[0].Status != orders.RefundFailed || o.Dispute == nil || o.RefundableCents() != 0 {
		t.Errorf("refunds = %+v, dispute %+v; want one, %s, and a dispute, nothing refundable", o.Refunds, o.Dispute, orders.RefundFailed)
	}
}

// failRefund has the customer's bank send an order's n-th refund back.
func (s *shopping) failRefund(n int) {
	s.w.t.Helper()
	res, err := http.PostForm(s.w.sim.URL()+"/cards/refund/"+s.order().Refunds[n].Processor+"/fail", nil)
	if err != nil || res.StatusCode != http.StatusNoContent {
		s.w.t.Fatalf("have the refund fail: %v, %v; want %d", res, err, http.StatusNoContent)
	}
	res.Body.Close()
}

func TestRefundFailsAtTheBank(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.shipOrder()
	s.refund(500)
	s.failRefund(0)
	s.notice("refund.failed")
	if r := s.order().Refunds; r[0].Status != orders.RefundFailed || s.checkLedger() != 0 {
		t.Errorf("refunds = %+v, want it %s, no money back", r, orders.RefundFailed)
	}
}

// TestCrashWhileRefunding: dead at each effect of giving money back and of
// cancelling; every time the money goes back once.
func TestCrashWhileRefunding(t *testing.T) {
	t.Parallel()
	for fuse := 0; ; fuse++ {
		w := newWorld(t)
		s := w.payQuote()
		w.forgetEverything()
		w.fuse = fuse
		s.refund(300)
		s.cancel()
		died := w.fuse < 0
		w.fuse = -1
		if o := s.order(); o.Status != orders.Cancelled || o.Money != "" || s.checkLedger() != o.TotalCents || len(s.fabOrders()) != 0 {
			t.Fatalf("dead at %d: %s, %+v; want %s, all given back, nothing open, nothing built", fuse, o.Status, o.Refunds, orders.Cancelled)
		}
		if !died {
			if fuse < 8 {
				t.Errorf("%d effects, want 8 at least", fuse)
			}
			return
		}
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	w.take(invoices.Issue)
	late := w.queue[0]
	if code := s.cancel(); code != "" || s.order().Status != orders.Cancelled {
		t.Fatalf("cancel: %q, %s; want it granted, %s", code, s.order().Status, orders.Cancelled)
	}
	w.deliver(late) // the command to place it was on its way
	for w.pass() {
	}
	if n := len(s.fabOrders()); n != 0 || s.order().Status != orders.Cancelled || s.checkLedger() != s.order().TotalCents {
		t.Errorf("%d orders at the fabricator, order %s; want none, %s, all money back", n, s.order().Status, orders.Cancelled)
	}
	if code := s.cancel(); code != contract.Conflict {
		t.Errorf("again: %q, want %q", code, contract.Conflict)
	}
	if code := s.report(orders.Paid, nil); code != contract.Conflict {
		t.Errorf("back to life: %q, want %q", code, contract.Conflict)
	}
}

// TestCancelWhileTheFabricatorHasIt: first there, then here.
func TestCancelWhileTheFabricatorHasIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	w.waitUntil("placed", func() bool { return s.order().Status == orders.Placed })
	if code := s.cancel(); code != contract.Conflict || s.checkLedger() != 0 {
		t.Errorf("it has it: %q, want %q, and no money back", code, contract.Conflict)
	}
	w.cancelAtFab(s.fabOrders()[0].ID)
	w.fail(fabPath, fault.ErrorBefore, -1)
	if code := s.cancel(); code != contract.Unavailable {
		t.Errorf("it cannot be asked: %q, want %q", code, contract.Unavailable)
	}
	w.sim.Faults().Clear()
	if code := s.cancel(); code != "" || s.order().Status != orders.Cancelled || s.checkLedger() != s.order().TotalCents {
		t.Errorf("it was cancelled there: %q, %s; want it granted, %s, all money back", code, s.order().Status, orders.Cancelled)
	}
}

// TestCancelWhileARequestIsUnderWay: what may still arrive is waited for.
func TestCancelWhileARequestIsUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	w.fail(createPath, fault.Drop, 1)
	place := w.queue[0]
	w.queue = nil
	w.run(w.svc, place)
	if code := s.cancel(); code != contract.Conflict {
		t.Errorf("it is being placed: %q, want %q", code, contract.Conflict)
	}
	// Held by a notice of the processor meanwhile, so that the status alone does not show it.
	s.hand("refund", nil)
	s.notice("charge.refunded")
	if s.order().Status != orders.Held {
		t.Fatalf("order %s, want %s", s.order().Status, orders.Held)
	}
	if code := s.cancel(); code != contract.Conflict {
		t.Errorf("a request may be under way: %q, want %q", code, contract.Conflict)
	}
	w.clock.Reach(w.clock.Now().Add(3 * time.Minute))
	if code := s.cancel(); code != "" || s.order().Status != orders.Cancelled {
		t.Errorf("it never arrived: %q, %s; want it granted, %s", code, s.order().Status, orders.Cancelled)
	}
	s.checkLedger()
}

func TestRefundAtTheProcessor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	w.forgetEverything()
	s.hand("refund", url.Values{"cents": {"250"}})
	for range 2 { // notices come twice
		s.notice("charge.refunded")
	}
	if o := s.order(); o.Status != orders.Paid || len(o.Refunds) != 1 || s.checkLedger() != 250 {
		t.Errorf("a part: %s, %+v; want %s, one refund, 250 cents back", o.Status, o.Refunds, orders.Paid)
	}
	s.hand("refund", nil)
	s.notice("refund.created")
	if o := s.order(); o.Status != orders.Held || o.Held == "" || s.checkLedger() != o.TotalCents {
		t.Errorf("all: %s, %+v; want %s and why, all money back", o.Status, o.Refunds, orders.Held)
	}
	if code := s.cancel(); code != "" || len(s.order().Refunds) != 2 {
		t.Errorf("cancel: %q, %+v; want it granted, 2 refunds", code, s.order().Refunds)
	}
}

// TestReturnsBeforeThePayment: the refund or the dispute is noticed before the
// payment is, or the processor is unreachable when it comes.
func TestReturnsBeforeThePayment(t *testing.T) {
	t.Parallel()
	for what, notice := range map[string]string{"refund": "charge.refunded", "dispute": "charge.dispute.created"} {
		w := newWorld(t)
		s := w.quote()
		s.begin()
		page := s.checkout().SessionID
		s.pay(page)
		s.hand(what, nil)
		w.fail("GET /v1/", fault.ErrorBefore, 1)
		s.notice(notice)
		w.waitUntil("the hold", func() bool { return s.order().Status == orders.Held })
		s.tell(page, "completed")
		w.work()
		if n := len(s.fabOrders()); n != 0 || s.order().Status != orders.Held {
			t.Errorf("%s: %d orders at the fabricator, order %s; want none, %s", what, n, s.order().Status, orders.Held)
		}
		s.checkLedger()
	}
}

func TestDispute(t *testing.T) {
	t.Parallel()
	for _, outcome := range []string{"won", "lost"} {
		w := newWorld(t)
		s := w.payQuote()
		w.forgetEverything()
		s.hand("dispute", nil)
		s.notice("charge.dispute.created")
		s.notice("charge.dispute.funds_withdrawn")
		if o := s.order(); o.Status != orders.Held || o.Dispute == nil || o.Dispute.Status != "open" || o.Money != orders.MoneyOpen {
			t.Fatalf("order %s, dispute %+v, money %q; want %s, open, %q", o.Status, o.Dispute, o.Money, orders.Held, orders.MoneyOpen)
		}
		if code := s.refund(1); code != contract.Conflict {
			t.Errorf("refund what the bank has: %q, want %q", code, contract.Conflict)
		}
		s.hand("dispute", url.Values{"outcome": {outcome}})
		s.notice("charge.dispute.closed")
		s.notice("charge.dispute.created") // late
		if o := s.order(); o.Dispute.Status != outcome || o.Money != "" || o.Status != orders.Held {
			t.Errorf("%s: %+v, money %q, order %s; want that outcome, nothing open, %s", outcome, o.Dispute, o.Money, o.Status, orders.Held)
		}
		s.checkLedger()
		if outcome == "won" {
			s.report(orders.Paid, nil)
			w.waitUntil("the parcel", s.isShipped)
		} else if code := s.cancel(); code != "" || len(s.order().Refunds) != 0 {
			t.Errorf("cancel: %q, %+v; want it granted, no refunds", code, s.order().Refunds)
		}
	}
}

// TestLostNoticesOfReturns: reconciliation finds what no notice said, and the
// sweep what was decided since.
func TestLostNoticesOfReturns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, other := w.shipOrder(), w.shipOrder()
	s.hand("refund", url.Values{"cents": {"400"}})
	other.hand("dispute", nil)
	w.deliver(w.command(checkouts.Reconcile, "", checkouts.ReconcileData{Since: w.clock.Now().Add(-time.Hour)}))
	w.work()
	if len(s.order().Refunds) != 1 || other.order().Dispute == nil {
		t.Fatalf("refunds %+v, dispute %+v; want one, and one", s.order().Refunds, other.order().Dispute)
	}
	s.checkLedger()
	other.hand("dispute", url.Values{"outcome": {"lost"}})
	w.clock.Reach(w.clock.Now().Add(90 * 24 * time.Hour))
	w.project()
	w.sweepAll()
	w.work()
	if d := other.order().Dispute; d.Status != "lost" {
		t.Errorf("dispute = %+v, want it lost", d)
	}
}

// TestReturnsOfOthers: payments of other programs, and second payments, which are
// given back anyway, change no order.
func TestReturnsOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	pages := []string{s.checkout().SessionID, s.secondPage("other")}
	for _, page := range pages {
		s.pay(page)
		s.tell(page, "completed")
	}
	before := len(w.events(contract.OrderAggregate, s.ref))
	s.notice("charge.refunded") // of the second payment
	for _, intent := range []string{"pi_nobody", ""} {
		w.deliver(w.command(checkouts.CardEvent, "", checkouts.CardEventData{Type: "charge.dispute.created", Intent: intent}))
	}
	if after := len(w.events(contract.OrderAggregate, s.ref)); after != before || w.dead != nil {
		t.Errorf("%d events became %d, dead letters %v; want no more, none", before, after, w.dead)
	}
	w.queue = nil
	s.checkLedgerOfDouble()
}

// checkLedgerOfDouble: the second payment went back whole, the first one not at all.
func (s *shopping) checkLedgerOfDouble() {
	s.w.t.Helper()
	if taken, back := s.money(); taken != 2 || back != 1 || order.SumRefunds(s.order()) != 0 {
		s.w.t.Errorf("%d charges, %d given back, of the order %d cents; want 2, 1, none", taken, back, order.SumRefunds(s.order()))
	}
}

// TestRefundCommandComesLate: the command comes again when the processor has long
// forgotten its key, as a dead letter does that a person sends again.
func TestRefundCommandComesLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.shipOrder()
	c := w.command(orders.IssueRefund, "req_late", orders.IssueRefundData{Quote: s.ref, Cents: 700})
	w.fuse = 3 // dead after the refund was given, before that was written down
	if _, crashed := w.runOnce(w.svc.Handlers()[c.Name], c); !crashed || s.order().Refunds[0].Status != orders.RefundBegun {
		t.Fatalf("crashed %t, %+v; want true, %s", crashed, s.order().Refunds, orders.RefundBegun)
	}
	requests := len(w.sim.Cards().Ledger().Refunds)
	w.fail(refunds, fault.ErrorBefore, -1) // nobody may ask for it any more
	if v := w.run(w.svc, c); v.Kind != flow.Done || requests != 1 || s.order().Refunds[0].Status != orders.RefundDone {
		t.Errorf("%+v, %d refunds at the processor, %+v; want %s, 1, %s", v, requests, s.order().Refunds, flow.Done, orders.RefundDone)
	}
}
