package pay_test

import (
	"testing"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/quotes"

	"github.com/google/go-cmp/cmp"
)

// TestPaySaved: a saved card is charged once for what its customer confirmed, or not at
// all, and the client is told which.
func TestPaySaved(t *testing.T) {
	t.Parallel()
	succeeded := card.ChargeResult{Outcome: card.Succeeded, PaymentIntent: "pi_1"}
	declined := card.ChargeResult{Outcome: card.Declined, PaymentIntent: "pi_1", Code: "card_declined", DeclineCode: "insufficient_funds"}
	charging := chargingAttempt()
	paid := attempt()
	paid.Status, paid.Payment = checkouts.Paid, &checkouts.Payment{Intent: "pi_9", Cents: 5000, Currency: "USD", At: now}
	for name, tt := range map[string]struct {
		nonce   string
		account string
		cards   processor
		before  *checkouts.Checkout
		change  func(*world, *confirmations.Confirmation)
		code    contract.Code
		status  checkouts.Status
		charged int
		ended   int // payments that were cancelled
	}{
		"succeeded":               {cards: processor{charge: succeeded}, status: checkouts.Paid, charged: 1},
		"declined":                {cards: processor{charge: declined}, code: contract.PaymentDeclined, status: checkouts.Closed, charged: 1, ended: 1},
		"the bank wants to see":   {cards: processor{charge: card.ChargeResult{Outcome: card.AuthenticationRequired, PaymentIntent: "pi_1"}}, code: contract.AuthenticationNeeded, status: checkouts.Closed, charged: 1, ended: 1},
		"the bank is deciding":    {cards: processor{charge: card.ChargeResult{Outcome: card.Processing, PaymentIntent: "pi_1"}}, status: checkouts.Charging, charged: 1},
		"the card is gone":        {cards: processor{chargeErr: fails(card.Refused, card.CodeNotFound)}, code: contract.PaymentDeclined, status: checkouts.Closed, charged: 1},
		"the outcome is unknown":  {cards: processor{chargeErr: fails(card.Unknown, card.CodeTimeout)}, code: contract.PaymentUnknown, status: checkouts.Charging, charged: 1},
		"the processor is away":   {cards: processor{chargeErr: fails(card.Unavailable, card.CodeConnection)}, code: contract.PaymentUnknown, status: checkouts.Charging, charged: 1},
		"another code":            {nonce: "n2", cards: processor{charge: succeeded}, code: contract.CodeExpired},
		"another account":         {account: "acc_2", cards: processor{charge: succeeded}, code: contract.CodeExpired},
		"not verified":            {change: func(_ *world, c *confirmations.Confirmation) { c.VerifiedAt = nil }, code: contract.CodeExpired},
		"verified 10 minutes ago": {change: func(_ *world, c *confirmations.Confirmation) { c.VerifiedAt = new(now.Add(-10 * time.Minute)) }, code: contract.CodeExpired},
		"verified just in time":   {cards: processor{charge: succeeded}, change: func(_ *world, c *confirmations.Confirmation) { c.VerifiedAt = new(now.Add(-10*time.Minute + 1)) }, status: checkouts.Paid, charged: 1},
		"used by another":         {change: func(_ *world, c *confirmations.Confirmation) { c.Used = "c0" }, code: contract.CodeExpired},
		"of nobody":               {change: func(_ *world, c *confirmations.Confirmation) { c.Charge = nil }, code: contract.CodeExpired},
		"another price since":     {change: func(_ *world, c *confirmations.Confirmation) { c.Charge.Version = 2 }, code: contract.Conflict},
		"expired since": {change: func(w *world, _ *confirmations.Confirmation) {
			q := payable()
			q.ExpiresAt = now
			put(w, contract.QuoteAggregate, quote, q)
		}, code: contract.QuoteExpired},
		"paid at a page before":  {before: &paid, cards: processor{charge: succeeded}, status: checkouts.Paid},
		"a page is open":         {before: new(attempt()), cards: processor{charge: succeeded, session: open}, status: checkouts.Paid, charged: 1},
		"a page was just paid":   {before: new(attempt()), cards: processor{charge: succeeded, session: paidPage}, status: checkouts.Paid},
		"an earlier charge paid": {before: &charging, cards: processor{charge: succeeded, payment: paidBefore}, status: checkouts.Paid},
		"an earlier charge open": {before: &charging, cards: processor{charge: succeeded, payment: card.Payment{ID: "pi_0", Status: card.PaymentOpen}}, status: checkouts.Paid, charged: 1, ended: 1},
	} {
		w := newWorld(t)
		*w.cards = tt.cards
		by := makeConfirmation()
		if tt.change != nil {
			tt.change(w, &by)
		}
		put(w, contract.ConfirmationAggregate, by.ID, by)
		if tt.before != nil {
			put(w, contract.CheckoutAggregate, quote, *tt.before)
		}
		c := w.command(checkouts.PaySaved, "c1", checkouts.PaySavedData{Quote: quote, Nonce: fallback(tt.nonce, "n1")})
		c.Account = fallback(tt.account, account)
		err := w.PaySaved(t.Context(), c)
		r := contract.RefusalIn(err)
		if got := w.checkout(); err != nil && r == nil || codeOf(r) != tt.code || got.Status != tt.status || len(w.cards.charged) != tt.charged || len(w.cards.cancelled) != tt.ended {
			t.Errorf("%s: PaySaved = %v: %q, charged %d times, ended %d payments; want %q: %q, %d, %d", name, err, got.Status, len(w.cards.charged), len(w.cards.cancelled), tt.code, tt.status, tt.charged, tt.ended)
		}
		if w.hasOrder() != (tt.status == checkouts.Paid) {
			t.Errorf("%s: ordered %t, want it only of what is paid", name, w.hasOrder())
		}
	}
}

func fallback(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// TestChargeIsAskedForOnce: a delivery that comes again, and a client that asks again, charge
// nothing more; an answer that was lost is asked for with the same key.
func TestChargeIsAskedForOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	put(w, contract.ConfirmationAggregate, makeConfirmation().ID, makeConfirmation())
	pay := func(id string) contract.Code {
		return codeOf(contract.RefusalIn(w.PaySaved(t.Context(), w.command(checkouts.PaySaved, id, checkouts.PaySavedData{Quote: quote, Nonce: "n1"}))))
	}
	w.cards.chargeErr = fails(card.Unknown, card.CodeTimeout)
	if got := pay("c1"); got != contract.PaymentUnknown {
		t.Errorf("an answer is lost: %q, want %q", got, contract.PaymentUnknown)
	}
	w.cards.chargeErr, w.cards.charge = nil, card.ChargeResult{Outcome: card.Succeeded, PaymentIntent: "pi_1"}
	if got := pay("c1"); got != "" {
		t.Errorf("asked again: %q, want to be paid", got)
	}
	for range 2 {
		if got := pay("c1"); got != "" {
			t.Errorf("asked again once it is paid: %q, want to be paid", got)
		}
	}
	if len(w.cards.charged) == 0 {
		t.Fatal("the processor was never asked")
	}
	want := card.SavedCharge{
		Reference: quote, Cents: 5000, Currency: "USD", CustomerID: "cus_1", MethodID: "pm_1", Description: "10 × 2 layers",
		Metadata:       map[string]string{"quote": quote, "price_version": "3", "attempt": "1", "account": account, "confirmation": "n1"},
		IdempotencyKey: "saved:q1:3:1",
	}
	for i, got := range w.cards.charged {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("request %d to the processor (-want +got):\n%s", i+1, diff)
		}
	}
}

// TestTestWordsEndCharges: what a test key made ends as its project_name says, and no
// processor is asked.
func TestTestWordsEndCharges(t *testing.T) {
	t.Parallel()
	for word, want := range map[quotes.TestScenario]contract.Code{quotes.TestDeclined: contract.PaymentDeclined, quotes.TestAuthentication: contract.AuthenticationNeeded} {
		w := newWorld(t)
		q, by, name := payable(), makeConfirmation(), string(word)
		q.Account, by.Account = contract.TestOwner(account), contract.TestOwner(account)
		q.Request.ProjectName = &name
		put(w, contract.QuoteAggregate, quote, q)
		put(w, contract.ConfirmationAggregate, by.ID, by)
		c := w.command(checkouts.PaySaved, "c1", checkouts.PaySavedData{Quote: quote, Nonce: "n1"})
		c.Account = by.Account
		if err := w.PaySaved(t.Context(), c); codeOf(contract.RefusalIn(err)) != want || len(w.cards.charged) != 0 {
			t.Errorf("%s: PaySaved = %v, charged %d times; want %q, never", word, err, len(w.cards.charged), want)
		}
	}
}
