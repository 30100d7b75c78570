package cards_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/card"
)

// hand does something on the processor's own pages.
func (b bench) hand(t *testing.T, path string, form url.Values) int {
	t.Helper()
	res, err := http.PostForm(b.sim.URL()+"/cards"+path, form)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

func (b bench) makePayment(t *testing.T, key string) string {
	t.Helper()
	s := b.checkout(t, request(key))
	b.pay(t, s, shopper.Card{})
	got, err := b.Session(t.Context(), s.ID)
	if err != nil || !got.Paid {
		t.Fatalf("session %s is %+v, %v; want it paid", s.ID, got, err)
	}
	return got.PaymentIntent
}

func TestRefundsAreListed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	pi, other := b.makePayment(t, "cs:1"), b.makePayment(t, "cs:2")
	ours, err := b.Refund(t.Context(), card.RefundRequest{PaymentIntent: pi, Cents: 1000, Name: "rf_1", Reason: "late", IdempotencyKey: "r1"})
	if err != nil || ours.Name != "rf_1" || ours.Status != card.RefundSucceeded {
		t.Fatalf("refund = %+v, %v", ours, err)
	}
	if status := b.hand(t, "/refund/"+pi, url.Values{"cents": {"250"}}); status != http.StatusNoContent {
		t.Fatalf("refund by hand = %d, want 204", status)
	}
	if status := b.hand(t, "/refund/"+other, nil); status != http.StatusNoContent {
		t.Fatalf("refund by hand = %d, want 204", status)
	}
	of, err := b.Refunds(t.Context(), card.Lookup{PaymentIntent: pi})
	if err != nil || len(of) != 2 || of[0].ID != ours.ID || of[0].Name != "rf_1" || of[1].Cents != 250 || of[1].Name != "" || of[1].Reference != "quote-1" {
		t.Errorf("refunds of one payment = %+v, %v", of, err)
	}
	all, err := b.Refunds(t.Context(), card.Lookup{Since: time.Now().Add(-time.Hour)})
	if err != nil || len(all) != 3 || all[2].PaymentIntent != other || all[2].Cents != 6650 {
		t.Errorf("all refunds = %+v, %v", all, err)
	}
	if none, err := b.Refunds(t.Context(), card.Lookup{Since: time.Now().Add(time.Hour)}); err != nil || len(none) != 0 {
		t.Errorf("refunds of tomorrow = %+v, %v", none, err)
	}
	if status := b.hand(t, "/refund/"+ours.ID+"/fail", nil); status != http.StatusNoContent {
		t.Fatalf("fail = %d, want 204", status)
	}
	of, err = b.Refunds(t.Context(), card.Lookup{PaymentIntent: pi})
	if err != nil || of[0].Status != card.RefundFailed {
		t.Errorf("a refund that failed = %+v, %v", of, err)
	}
	if p, err := b.Payment(t.Context(), pi); err != nil || p.RefundedCents != 250 {
		t.Errorf("payment = %+v, %v", p, err)
	}
}

func TestDisputesAreListed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for outcome, want := range map[string]card.DisputeStatus{"": card.DisputeOpen, "won": card.DisputeWon, "lost": card.DisputeLost} {
		pi := b.makePayment(t, "cs:"+outcome)
		if none, err := b.Disputes(t.Context(), card.Lookup{PaymentIntent: pi}); err != nil || len(none) != 0 {
			t.Errorf("disputes before = %+v, %v", none, err)
		}
		b.hand(t, "/dispute/"+pi, url.Values{"reason": {"product_not_received"}})
		if outcome != "" {
			b.hand(t, "/dispute/"+pi, url.Values{"outcome": {outcome}})
		}
		of, err := b.Disputes(t.Context(), card.Lookup{PaymentIntent: pi})
		if err != nil || len(of) != 1 || of[0].Status != want || of[0].Cents != 6650 || of[0].Reason != "product_not_received" ||
			of[0].PaymentIntent != pi || of[0].Reference != "quote-1" {
			t.Errorf("disputes of %s after outcome %q: %+v, %v; want one of 6650 cents, product_not_received, %s", pi, outcome, of, err, want)
		}
		if p, err := b.Payment(t.Context(), pi); err != nil || !p.Disputed {
			t.Errorf("payment = %+v, %v", p, err)
		}
		if outcome == "" {
			_, err := b.Refund(t.Context(), card.RefundRequest{PaymentIntent: pi, Cents: 1, IdempotencyKey: "r"})
			if card.KindOf(err) != card.Refused || !card.IsCode(err, "charge_disputed") {
				t.Errorf("a refund of what is disputed: %v", err)
			}
		}
	}
	if all, err := b.Disputes(t.Context(), card.Lookup{Since: time.Now().Add(-time.Hour)}); err != nil || len(all) != 3 {
		t.Errorf("all disputes = %+v, %v", all, err)
	}
}

// TestDisputeIsAnswered: until when evidence is taken, and that it has come, is with the dispute.
func TestDisputeIsAnswered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	pi := b.makePayment(t, "cs:1")
	b.hand(t, "/dispute/"+pi, nil)
	of, err := b.Disputes(t.Context(), card.Lookup{PaymentIntent: pi})
	if err != nil || len(of) != 1 || of[0].Responded || of[0].RespondBy.Before(time.Now()) {
		t.Errorf("a dispute = %+v, %v; want evidence wanted in the future", of, err)
	}
	b.hand(t, "/dispute/"+pi, url.Values{"outcome": {"answered"}})
	if of, err = b.Disputes(t.Context(), card.Lookup{PaymentIntent: pi}); err != nil || len(of) != 1 || !of[0].Responded || of[0].Status != card.DisputeOpen {
		t.Errorf("an answered dispute = %+v, %v; want it open, with evidence", of, err)
	}
	b.hand(t, "/dispute/"+pi, url.Values{"outcome": {"won"}})
	if of, err = b.Disputes(t.Context(), card.Lookup{PaymentIntent: pi}); err != nil || len(of) != 1 || of[0].Status != card.DisputeWon {
		t.Errorf("a dispute that is won = %+v, %v", of, err)
	}
}

// TestDeclinesAreTold: the last card that was refused is with the page and with its payment, until
// it is paid.
func TestDeclinesAreTold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.checkout(t, request("cs:1"))
	if _, err := shopper.Pay(t.Context(), s.URL, shopper.Card{Number: shopper.InsufficientFunds}); err != nil {
		t.Fatal(err)
	}
	got, err := b.Session(t.Context(), s.ID)
	if f := got.Failure; err != nil || f == nil || f.Reason != "insufficient_funds" || f.Card.Last4 != "9995" || f.Charge == "" || f.At.IsZero() {
		t.Fatalf("a page with a declined card = %+v, %v; want insufficient_funds of …9995", got.Failure, err)
	}
	if p, err := b.Payment(t.Context(), got.PaymentIntent); err != nil || p.Failure == nil || *p.Failure != *got.Failure {
		t.Errorf("its payment = %+v, %v; want the same failure", p.Failure, err)
	}
	b.pay(t, s, shopper.Card{})
	if got, err = b.Session(t.Context(), s.ID); err != nil || got.Failure != nil {
		t.Errorf("once it is paid: %+v, %v; want no failure", got.Failure, err)
	}
}

func TestLookupsOfNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if _, err := b.Refunds(t.Context(), card.Lookup{PaymentIntent: "ch_1"}); !card.IsCode(err, card.CodeBadRequest) {
		t.Errorf("refunds of no payment: %v", err)
	}
	if _, err := b.Disputes(t.Context(), card.Lookup{PaymentIntent: "x"}); !card.IsCode(err, card.CodeBadRequest) {
		t.Errorf("disputes of no payment: %v", err)
	}
	if status := b.hand(t, "/dispute/pi_none", nil); status != http.StatusConflict {
		t.Errorf("a dispute of nothing = %d, want 409", status)
	}
}
