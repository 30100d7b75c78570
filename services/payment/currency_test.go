package payment_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"

	"github.com/shopspring/decimal"
)

// payableIn makes a quote one that can be paid in a currency too.
func payableIn(code, rate string) func(*quotes.Quote) {
	return func(q *quotes.Quote) {
		shown := &prices.CurrencyPrice{Currency: code, Rate: rate, Source: "ECB", RateDate: "2026-11-20"}
		q.Reply.InYourCurrency, q.Charge = shown, prices.NewCharge(shown, *q.Reply.TotalCents, decimal.NewFromInt(2))
	}
}

func (s *shopping) beginIn(currency string) contract.Code {
	s.w.t.Helper()
	return s.w.deliver(s.w.command(checkouts.Begin, contract.NewID("req_", time.Now()), checkouts.BeginData{Quote: s.ref, Version: s.q.Version, Currency: currency}))
}

// payIn pays a quote in another currency and has its order followed.
func (w *world) payIn(code, rate string, change ...func(*quotes.Quote)) *shopping {
	w.t.Helper()
	s := w.quote(append(change, payableIn(code, rate))...)
	if got := s.beginIn(code); got != "" {
		w.t.Fatalf("begin in %s: %s, want it granted", code, got)
	}
	s.pay(s.checkout().SessionID)
	s.tell(s.checkout().SessionID, "completed")
	w.work()
	return s
}

// sumCharged is what went back of an order's payment in the currency of the card: as our
// ledger has it, and as the processor's.
func (s *shopping) sumCharged() (ours, theirs int64) {
	s.w.t.Helper()
	for _, r := range s.order().Refunds {
		if r.Status == orders.RefundDone {
			ours += r.Charged.Minor
		}
	}
	for _, ch := range s.w.sim.Cards().Ledger().Charges {
		if ch.Paid && ch.Metadata["reference"] == s.ref {
			theirs += ch.Refunded
		}
	}
	return ours, theirs
}

// TestPaidInAnotherCurrency: the processor charges what was agreed, the books stay in
// dollars, and what goes back in parts adds up in both.
func TestPaidInAnotherCurrency(t *testing.T) {
	t.Parallel()
	for code, rate := range map[string]string{"EUR": "0.860437", "JPY": "156.548", "ISK": "126.5"} {
		w := newWorld(t)
		s := w.payIn(code, rate)
		agreed, o := *s.q.Charge, s.order()
		session := w.sim.Cards().Ledger().Sessions[0]
		if !strings.EqualFold(session.Currency, code) || session.AmountTotal != agreed.Minor {
			t.Errorf("%s: a page of %d %s, want %d", code, session.AmountTotal, session.Currency, agreed.Minor)
		}
		if o.Held != "" || o.Payment.Cents != o.TotalCents || o.Payment.Currency != "USD" || o.Payment.Charged == nil || *o.Payment.Charged != agreed || len(o.Invoices) != 1 {
			t.Fatalf("%s: order held %q with payment %+v, %d invoices; want %d cents for %+v, one invoice", code, o.Held, o.Payment, len(o.Invoices), o.TotalCents, agreed)
		}
		third := o.TotalCents / 3
		for _, cents := range []int64{third, third, 0} {
			if got := s.refund(cents); got != "" {
				t.Fatalf("%s: refund of %d: %s, want it granted", code, cents, got)
			}
			w.work()
			if code == "ISK" && s.order().Refunds[0].Charged.Minor%100 != 0 {
				t.Errorf("a refund of %d hundredths of a króna, want whole ones", s.order().Refunds[0].Charged.Minor)
			}
		}
		o = s.order()
		cents := int64(0)
		for _, r := range o.Refunds {
			cents += r.Cents
		}
		if ours, theirs := s.sumCharged(); cents != o.TotalCents || ours != agreed.Minor || theirs != agreed.Minor || len(o.Invoices) != 4 {
			t.Errorf("%s: %d cents, %d and at the processor %d went back, %d documents; want %d, %d twice, 4", code, cents, ours, theirs, len(o.Invoices), o.TotalCents, agreed.Minor)
		}
		w.deliver(w.command(checkouts.Reconcile, "", checkouts.ReconcileData{Since: w.clock.Now().Add(-24 * time.Hour)}))
		if len(w.queue) != 0 {
			t.Errorf("%s: ledgers that agree lead to %v", code, w.queue)
		}
	}
}

// TestReturnsInAnotherCurrency: what others gave back at the processor, what a bank disputes
// and what a cancellation gives back are all in what the card was charged.
func TestReturnsInAnotherCurrency(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	elsewhere, disputed, cancelled := w.payIn("EUR", "0.5"), w.payIn("EUR", "0.5"), w.quote(payableIn("EUR", "0.5"))
	elsewhere.hand("refund", url.Values{"cents": {"51"}})
	elsewhere.notice("charge.refunded")
	if r := elsewhere.order().Refunds; len(r) != 1 || r[0].Cents != 100 || r[0].Charged == nil || r[0].Charged.Minor != 51 { // 0.5 and 2 %
		t.Errorf("51 euro cents went back elsewhere: %+v, want 100 cents", r)
	}
	elsewhere.hand("refund", nil)
	elsewhere.notice("charge.refunded")
	if o := elsewhere.order(); o.Refunds[0].Cents+o.Refunds[1].Cents != o.TotalCents {
		t.Errorf("all went back elsewhere: %+v, want %d cents", o.Refunds, o.TotalCents)
	}
	disputed.hand("dispute", nil)
	disputed.notice("charge.dispute.created")
	if o := disputed.order(); o.Dispute == nil || o.Dispute.Cents != o.TotalCents || o.Dispute.Charged.Minor != disputed.q.Charge.Minor || o.Status == orders.Paid {
		t.Errorf("disputed: %+v, want all of %d cents and of %+v", o.Dispute, o.TotalCents, disputed.q.Charge)
	}
	cancelled.beginIn("EUR")
	cancelled.pay(cancelled.checkout().SessionID)
	cancelled.tell(cancelled.checkout().SessionID, "completed")
	if code := cancelled.cancel(); code != "" {
		t.Fatalf("cancel: %s, want it granted", code)
	}
	w.work()
	if ours, theirs := cancelled.sumCharged(); ours != cancelled.q.Charge.Minor || theirs != ours {
		t.Errorf("cancelled: %d and %d went back, want %d", ours, theirs, cancelled.q.Charge.Minor)
	}
}

// TestChangedMindAboutTheCurrency: one page is open at a time, in what was chosen last.
func TestChangedMindAboutTheCurrency(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote(payableIn("EUR", "0.860437"))
	for _, currency := range []string{"EUR", "", "EUR", "EUR", ""} {
		if code := s.beginIn(currency); code != "" {
			t.Fatalf("begin in %q: %s, want it granted", currency, code)
		}
	}
	var open []string
	for _, v := range w.sim.Cards().Ledger().Sessions {
		if v.Status == "open" {
			open = append(open, v.Currency)
		}
	}
	if len(s.sessions()) != 4 || !slices.Equal(open, []string{"usd"}) {
		t.Errorf("%d pages, of which those in %v are open; want 4, one in dollars", len(s.sessions()), open)
	}
	s.pay(s.checkout().SessionID)
	s.tell(s.checkout().SessionID, "completed")
	if o := s.order(); o.Held != "" || o.Payment.Charged != nil {
		t.Errorf("paid in dollars: held %q, %+v; want no other currency", o.Held, o.Payment)
	}
}

// TestNotPayableInThatCurrency: nobody is charged by a rate that was not offered.
func TestNotPayableInThatCurrency(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, tt := range map[string]struct {
		change   func(*quotes.Quote)
		currency string
	}{
		"no offer":         {func(*quotes.Quote) {}, "EUR"},
		"another currency": {payableIn("EUR", "0.86"), "JPY"},
		"an older total":   {func(q *quotes.Quote) { payableIn("EUR", "0.86")(q); q.Charge.Cents-- }, "EUR"},
	} {
		s := w.quote(tt.change)
		if code := s.beginIn(tt.currency); code != contract.Conflict || len(s.sessions()) != 0 {
			t.Errorf("%s: %q and %d pages, want %q and none", name, code, len(s.sessions()), contract.Conflict)
		}
	}
}

// TestCrashInAnotherCurrency: dead at each effect of paying and giving back; every time the
// card is charged once, and all of it goes back, in both currencies.
func TestCrashInAnotherCurrency(t *testing.T) {
	t.Parallel()
	for fuse := 0; ; fuse++ {
		w := newWorld(t)
		s := w.quote(payableIn("EUR", "0.860437"))
		w.fuse = fuse
		s.beginIn("EUR")
		s.pay(s.checkout().SessionID)
		s.tell(s.checkout().SessionID, "completed")
		w.forgetEverything()
		s.refund(s.order().TotalCents / 3)
		s.cancel()
		died := w.fuse < 0
		w.fuse = -1
		w.take(invoices.Issue)
		o, paid, cents := s.order(), int64(0), int64(0)
		for _, ch := range w.sim.Cards().Ledger().Charges {
			if ch.Paid && ch.Currency == "eur" {
				paid += ch.Amount
			}
		}
		for _, r := range o.Refunds {
			cents += r.Cents
		}
		if ours, theirs := s.sumCharged(); paid != s.q.Charge.Minor || ours != paid || theirs != paid || cents != o.TotalCents || o.Payment.Charged == nil || o.Money != "" {
			t.Fatalf("dead at %d: %d charged, %d and %d given back, of which %d cents; want %d thrice, %d cents; refunds %+v", fuse, paid, ours, theirs, cents, s.q.Charge.Minor, o.TotalCents, o.Refunds)
		}
		if !died {
			if fuse < 12 {
				t.Errorf("%d effects, want 12 at least", fuse)
			}
			return
		}
	}
}
