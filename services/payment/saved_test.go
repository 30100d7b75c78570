package payment_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
)

const intentsPath = "POST /v1/payment_intents"

// saveDetails has the customer pay a quote with a card and agree that it is kept.
func (w *world) saveDetails(number string) *shopping {
	w.t.Helper()
	s := w.quote()
	begin := w.command(checkouts.Begin, contract.NewID("req_", time.Now()), checkouts.BeginData{Quote: s.ref, Version: s.q.Version, SaveDetails: true, Language: "ja"})
	if code := w.deliver(begin); code != "" {
		w.t.Fatalf("begin refused: %s", code)
	}
	session := s.checkout().SessionID
	res, err := shopper.Pay(w.t.Context(), w.sim.Cards().PageURL(session), shopper.Card{Number: number, Email: "ada@example.com"})
	if err != nil || res.Status != "paid" {
		w.t.Fatalf("pay: %+v, %v", res, err)
	}
	s.tell(session, "completed")
	return s
}

func (w *world) customer() customers.Customer {
	w.t.Helper()
	return load[customers.Customer](w, contract.CustomerAggregate, customers.Ref("acc_1", "ada@example.com")).State
}

func (s *shopping) confirmation() confirmations.Confirmation {
	s.w.t.Helper()
	return load[confirmations.Confirmation](s.w, contract.ConfirmationAggregate, confirmations.ID(confirmations.ForPayment, s.ref)).State
}

func (w *world) ask(name contract.CommandName, data any) contract.Command {
	c := w.command(name, contract.NewID("req_", time.Now()), data)
	c.Account = "acc_1"
	return c
}

func (s *shopping) sendCode() contract.Code {
	s.w.t.Helper()
	return s.w.deliver(s.w.ask(confirmations.SendCode, confirmations.SendCodeData{
		Confirmation: confirmations.ID(confirmations.ForPayment, s.ref), Purpose: confirmations.ForPayment, Quote: s.ref,
	}))
}

// enter enters a code: the right one, or one that is wrong.
func (s *shopping) enter(right bool) contract.Code {
	s.w.t.Helper()
	c := s.confirmation()
	data := confirmations.VerifyCodeData{Confirmation: confirmations.ID(confirmations.ForPayment, s.ref), Nonce: c.Nonce, Hash: c.Hash, Key: "key_1"}
	if !right {
		data.Hash = s.w.secrets.CodeHash(c.ID, c.Nonce, "wrong")
	}
	return s.w.deliver(s.w.ask(confirmations.VerifyCode, data))
}

// paySaved is one call to pay. All calls for one confirmation are one command.
func (s *shopping) paySaved() contract.Command {
	nonce := s.confirmation().Nonce
	c := s.w.ask(checkouts.PaySaved, checkouts.PaySavedData{Quote: s.ref, Nonce: nonce})
	c.ID, c.Request = contract.DeriveID("pay", nonce), "req_pay"+nonce
	return c
}

// confirmQuote leads a new quote to where it can be paid.
func (w *world) confirmQuote(change ...func(*quotes.Quote)) *shopping {
	w.t.Helper()
	s := w.quote(change...)
	if code := s.sendCode(); code != "" {
		w.t.Fatalf("code refused: %s", code)
	}
	if code := s.enter(true); code != "" {
		w.t.Fatalf("the right code is refused: %s", code)
	}
	return s
}

func TestSavedDetailsPay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if w.customer().Saved != nil {
		t.Fatal("saved before anybody agreed")
	}
	first := w.quote()
	first.begin()
	first.pay(first.checkout().SessionID)
	first.tell(first.checkout().SessionID, "completed")
	if c := w.customer(); c.ID == "" || c.Saved != nil {
		t.Fatalf("without consent: %+v, want one known to the processor, nothing saved", c)
	}
	w.saveDetails("")
	saved := w.customer().Saved
	if saved == nil || saved.Card.Method == "" || saved.Card.Last4 != "4242" || saved.ShipTo.Line1 != "1 Main St" || saved.Words != customers.ConsentWords {
		t.Fatalf("saved = %+v, want a card that ends in 4242, 1 Main St, and the words of consent", saved)
	}
	s := w.confirmQuote()
	if code := w.deliver(s.paySaved()); code != "" {
		t.Fatalf("pay refused: %s", code)
	}
	c := s.checkout()
	if c.Language != "ja" || s.confirmation().Language != "ja" {
		t.Errorf("a customer who paid in Japanese is sent a code in %q, and a receipt in %q", s.confirmation().Language, c.Language)
	}
	if c.Status != checkouts.Paid || c.Payment.Cents != c.TotalCents || c.Payment.Nonce != s.confirmation().Nonce ||
		c.Saved.Key != "key_1" || c.Saved.VerifiedAt.IsZero() {
		t.Errorf("checkout = %+v, want it %s in full by the code %s with key_1, verified", c, checkouts.Paid, s.confirmation().Nonce)
	}
	w.waitUntil("the parcel", s.isShipped)
	if taken, returned := s.money(); taken != 1 || returned != 0 || len(s.fabOrders()) != 1 {
		t.Errorf("%d charges, %d given back, %d built; want 1, none, 1", taken, returned, len(s.fabOrders()))
	}
	if code := s.sendCode(); code != contract.QuoteNotPayable {
		t.Errorf("a code for a paid quote: %q, want %q", code, contract.QuoteNotPayable)
	}
}

// TestSavedDetailsAcknowledge: what was found in the design is in what the customer
// confirms, and in the order that was paid with it.
func TestSavedDetailsAcknowledge(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.saveDetails("")
	s := w.confirmQuote(func(q *quotes.Quote) {
		q.Reply.BoardFindings = []contract.Finding{{Level: "warning", Check: "ring", What: "a ring is narrow", File: "plots/lamp.gtl"}, {Level: "note", Check: "x", What: "beside"}}
	})
	c := s.confirmation().Charge
	if len(c.Findings) != 1 || c.Findings[0] != `"lamp.gtl": a ring is narrow.` || c.Acknowledgement == "" {
		t.Errorf("the customer is asked about %q, acknowledgement %q; want that a ring of lamp.gtl is narrow, and an acknowledgement", c.Findings, c.Acknowledgement)
	}
	if code := w.deliver(s.paySaved()); code != "" {
		t.Fatalf("pay refused: %s", code)
	}
	w.waitUntil("the parcel", s.isShipped)
	if a := s.order().Acknowledged; a == nil || len(a.Findings) != 1 || a.Findings[0].What != "a ring is narrow" || a.At.IsZero() {
		t.Errorf("the order has acknowledged %+v, want that a ring is narrow, and when", s.order().Acknowledged)
	}
}

// A hundred calls at once, over two replicas' handlers, charge once.
func TestHundredCallsChargeOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.saveDetails("")
	s := w.confirmQuote()
	c := s.paySaved()
	handlers := []flow.Handlers{w.serviceOver(w).Handlers(), w.serviceOver(w).Handlers()}
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			for range 50 {
				v := flow.Run(t.Context(), w, handlers[i%2][c.Name], c, w.clock.Now)
				if v.Kind == flow.Done {
					return
				}
			}
			t.Error("a call does not come to an end")
		})
	}
	wg.Wait()
	w.waitUntil("the order", func() bool { return s.order().Status != "" && s.checkout().Status == checkouts.Paid })
	if taken, returned := s.money(); taken != 1 || returned != 0 {
		t.Errorf("%d charges, %d given back; want 1, none", taken, returned)
	}
	if pays := w.intents(s); pays != 1 {
		t.Errorf("%d payments at the processor, want 1", pays)
	}
}

// intents counts the processor's payments for a quote.
func (w *world) intents(s *shopping) int {
	w.t.Helper()
	payments, err := w.cards.Payments(w.t.Context(), time.Unix(0, 0))
	if err != nil {
		w.t.Fatal(err)
	}
	n := 0
	for _, p := range payments {
		if p.Metadata["reference"] == s.ref {
			n++
		}
	}
	return n
}

// TestSavedCrashAnywhere lets the process die before and after every effect of a
// saved card's charge.
func TestSavedCrashAnywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.saveDetails("")
	for n := 0; ; n++ {
		s := w.confirmQuote()
		w.queue, w.timers = nil, map[string]contract.Timer{}
		w.fuse = n
		if code := w.deliver(s.paySaved()); code != "" {
			t.Fatalf("crash %d: refused: %s", n, code)
		}
		w.deliver(s.paySaved())
		w.waitUntil("the parcel", s.isShipped)
		taken, returned := s.money()
		if built := len(s.fabOrders()); taken != 1 || returned != 0 || built != 1 || w.intents(s) != 1 {
			t.Fatalf("crash %d: %d charges, %d given back, %d orders, %d payments; want 1, none, 1, 1", n, taken, returned, built, w.intents(s))
		}
		if w.dead != nil {
			t.Fatalf("crash %d: dead letters: %v, want none", n, w.dead)
		}
		if w.fuse >= 0 {
			t.Logf("%d places to die", n)
			return
		}
	}
}

// Whatever becomes of the processor's answer, the charge is taken once, and
// nobody is told that it failed.
func TestSavedLostReplies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.saveDetails("")
	for _, kind := range []string{fault.LoseReply, fault.ErrorAfter, fault.Garbage, fault.Drop} {
		for _, times := range []int{1, 6} {
			s := w.confirmQuote()
			w.fail(intentsPath, kind, times)
			code := w.deliver(s.paySaved())
			if code != "" && code != contract.PaymentUnknown {
				t.Errorf("%s %d times: refused: %s, want it granted, or %s", kind, times, code, contract.PaymentUnknown)
			}
			if again := w.deliver(s.paySaved()); again != "" && again != contract.PaymentUnknown {
				t.Errorf("%s %d times, called again: %s, want it granted, or %s", kind, times, again, contract.PaymentUnknown)
			}
			w.waitUntil("the payment", func() bool { return s.order().ID != "" })
			if taken, _ := s.money(); taken != 1 || w.intents(s) != 1 {
				t.Errorf("%s %d times: %d charges, %d payments; want 1, 1", kind, times, taken, w.intents(s))
			}
		}
	}
}

// A processor that stays away: past the time of the key its payments decide.
func TestSavedChargeIsFoundInTheLedger(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]checkouts.Status{fault.LoseReply: checkouts.Paid, fault.Drop: checkouts.Closed} {
		w := newWorld(t)
		w.saveDetails("")
		s := w.confirmQuote()
		w.fail(intentsPath, kind, 1)
		w.fail(intentsPath, fault.Drop, 10_000)
		if code := w.deliver(s.paySaved()); code != contract.PaymentUnknown {
			t.Fatalf("%s: refused with %q, want %q", kind, code, contract.PaymentUnknown)
		}
		if code := s.begin(); code != contract.QuoteNotPayable {
			t.Errorf("%s: a payment page beside an open charge: %q, want %q", kind, code, contract.QuoteNotPayable)
		}
		w.waitUntil("what its payments say", func() bool { return s.checkout().Status == want })
		taken, _ := s.money()
		if paid := want == checkouts.Paid; taken == 1 != paid {
			t.Errorf("%s: %d charges, want 1: %t", kind, taken, paid)
		}
		if c := s.checkout(); want == checkouts.Closed && c.Saved.Outcome != checkouts.SavedNotCharged {
			t.Errorf("%s: outcome %q, want %q", kind, c.Saved.Outcome, checkouts.SavedNotCharged)
		}
	}
}

func TestSavedCardRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		card    string
		code    contract.Code
		outcome checkouts.SavedOutcome
		reason  string
	}{
		"declined later":          {"4000000000000341", contract.PaymentDeclined, checkouts.SavedDeclined, "generic_decline"},
		"bank wants the customer": {"4000002760003184", contract.AuthenticationNeeded, checkouts.SavedAuthentication, "authentication_required"},
	} {
		w := newWorld(t)
		w.saveDetails(tt.card)
		s := w.confirmQuote()
		pay := s.paySaved()
		for range 2 { // the second call gives the first result
			if code := w.deliver(pay); code != "" && code != tt.code {
				t.Errorf("%s: %q, want %q", name, code, tt.code)
			}
		}
		c := s.checkout()
		if c.Status != checkouts.Closed || c.Saved.Outcome != tt.outcome || c.Saved.Reason != tt.reason {
			t.Errorf("%s: %s, %+v; want it closed with %v and %v", name, c.Status, c.Saved, tt.outcome, tt.reason)
		}
		if p, err := w.cards.Payment(t.Context(), c.Saved.Intent); err != nil || p.Status != card.PaymentCanceled {
			t.Errorf("%s: the payment that failed is %v, %v", name, p.Status, err)
		}
		if code := s.begin(); code != "" { // and the page is there
			t.Errorf("%s: no payment page afterwards: %s, want it granted", name, code)
		}
		s.pay(s.checkout().SessionID)
		s.tell(s.checkout().SessionID, "completed")
		if taken, _ := s.money(); taken != 1 {
			t.Errorf("%s: %d charges, want 1", name, taken)
		}
	}
}

// An open payment page is closed before a saved card is charged; one that was
// paid meanwhile is what counts.
func TestSavedBesideAPage(t *testing.T) {
	t.Parallel()
	for _, paidFirst := range []bool{false, true} {
		w := newWorld(t)
		w.saveDetails("")
		s := w.quote()
		s.begin()
		session := s.checkout().SessionID
		s.sendCode()
		s.enter(true)
		if paidFirst {
			s.pay(session)
		}
		if code := w.deliver(s.paySaved()); code != "" {
			t.Fatalf("paid before %t: %s, want it granted", paidFirst, code)
		}
		s.tell(session, "completed")
		taken, returned := s.money()
		if taken != 1 || returned != 0 || (s.checkout().Payment.Session == session) != paidFirst {
			t.Errorf("paid before %t: %d charges, %d given back, %+v; want 1, none, of the page: %t", paidFirst, taken, returned, s.checkout().Payment, paidFirst)
		}
	}
}

// A price that changed since the code was sent is not charged.
func TestSavedPriceChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.saveDetails("")
	s := w.confirmQuote()
	s.q.Version++
	s.save()
	if code := w.deliver(s.paySaved()); code != contract.Conflict {
		t.Errorf("%q, want conflict", code)
	}
	if taken, _ := s.money(); taken != 0 {
		t.Errorf("%d charges, want none", taken)
	}
}

// A code is bound to the price and the address that were mailed with it.
func TestCodeOfAnotherPrice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.saveDetails("")
	s := w.quote()
	s.sendCode()
	s.q.Version++
	s.save()
	if code := s.enter(false); code != contract.CodeIncorrect {
		t.Errorf("a wrong code: %q, want code_incorrect", code)
	}
	if code := s.enter(true); code != contract.Conflict {
		t.Errorf("the right code of another price: %q, want conflict", code)
	}
	if c := s.confirmation(); c.VerifiedAt != nil {
		t.Errorf("verified at %s, want it not verified", c.VerifiedAt)
	}
	s.sendCode()
	if code := s.enter(true); code != "" {
		t.Errorf("a new code: %q, want it granted", code)
	}
}

func TestSavedTooLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.saveDetails("")
	s := w.confirmQuote()
	w.clock.Reach(w.clock.Now().Add(confirmations.CodeTTL))
	if code := w.deliver(s.paySaved()); code != contract.CodeExpired {
		t.Errorf("%q, want code_expired", code)
	}
	if taken, _ := s.money(); taken != 0 {
		t.Errorf("%d charges, want none", taken)
	}
}

// A code is tried five times, over any number of replicas at once.
func TestCodesAreLocked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.saveDetails("")
	s := w.quote()
	s.sendCode()
	replicas := []flow.Handlers{w.serviceOver(w).Handlers(), w.serviceOver(w).Handlers()}
	c := s.confirmation()
	results := make([]contract.Code, 40)
	var wg sync.WaitGroup
	for i := range results {
		cmd := w.ask(confirmations.VerifyCode, confirmations.VerifyCodeData{Confirmation: c.ID, Nonce: c.Nonce, Hash: fmt.Sprint("wrong", i)})
		cmd.ID = fmt.Sprint(cmd.ID, i)
		cmd.Request = cmd.ID
		wg.Go(func() {
			for range 100 {
				if v := flow.Run(t.Context(), w, replicas[i%2][cmd.Name], cmd, w.clock.Now); v.Kind == flow.Done {
					results[i] = v.Refused
					return
				}
			}
		})
	}
	wg.Wait()
	count := map[contract.Code]int{}
	for _, code := range results {
		count[code]++
	}
	if got := s.confirmation().Tries; got != confirmations.CodeTries || count[contract.CodeIncorrect] >= confirmations.CodeTries || count[contract.CodeIncorrect]+count[contract.CodeLocked] != len(results) {
		t.Errorf("%d tries counted, answers %v; want %d, all others locked", got, count, confirmations.CodeTries)
	}
	if code := s.enter(true); code != contract.CodeLocked {
		t.Errorf("the right code after five wrong ones: %q, want %q", code, contract.CodeLocked)
	}
	s.sendCode()
	if code := s.enter(true); code != "" {
		t.Errorf("a new code: %q, want it granted", code)
	}
	if code := s.enter(true); code != contract.CodeExpired {
		t.Errorf("the same code twice: %q, want %q", code, contract.CodeExpired)
	}
}

// Who is no customer gets the same answers; only no e-mail is due.
func TestUnknownAddressesGetTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	if code := s.sendCode(); code != "" {
		t.Fatalf("unknown address: %s, want it granted", code)
	}
	if c := s.confirmation(); c.IsKnown() || c.Charge != nil || c.Hash == "" {
		t.Errorf("confirmation = %+v, want the code of somebody unknown, without a charge", c)
	}
	for i := range confirmations.CodeTries {
		want := contract.CodeIncorrect
		if i == confirmations.CodeTries-1 {
			want = contract.CodeLocked
		}
		if code := s.enter(true); code != want {
			t.Errorf("try %d: %q, want %q", i+1, code, want)
		}
	}
	w.clock.Reach(w.clock.Now().Add(confirmations.CodeTTL))
	if code := s.enter(true); code != contract.CodeExpired {
		t.Errorf("after ten minutes: %q, want %q", code, contract.CodeExpired)
	}
}

// Who was erased is no customer any more, here and at the processor, also when
// an old notice comes again.
func TestSavedDetailsAreErased(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.saveDetails("")
	session := s.checkout().SessionID
	next := w.quote()
	next.sendCode()
	at := next.confirmation()
	cus := w.customer().Saved.Card
	w.clock.Reach(w.clock.Now().Add(time.Minute))
	person := contract.PersonRef("ada@example.com")
	commit(w, contract.ErasureAggregate, person, erasures.EventRequested, erasures.Erasure{Person: person, Requests: []erasures.Request{{Operator: "ann", At: w.clock.Now()}}})
	w.fail("DELETE /v1/customers", fault.LoseReply, 1)
	w.deliver(w.command(orders.Erase, "", erasures.Data{Person: person}))
	if c := w.customer(); c.ID != "" {
		t.Errorf("customer = %+v, want nothing", c)
	}
	if c := next.confirmation(); !at.IsKnown() || c.Email != "" || c.Charge != nil {
		t.Errorf("confirmation = %+v, want no e-mail and no charge; before, it was known: %t", c, at.IsKnown())
	}
	if _, err := w.cards.ChargeSaved(t.Context(), card.SavedCharge{
		Reference: "x", Cents: 100, Currency: "USD", CustomerID: cus.Customer, MethodID: cus.Method, IdempotencyKey: "erased",
	}); card.KindOf(err) != card.Refused {
		t.Errorf("the processor charges the card of a customer who was erased: %v", err)
	}
	s.tell(session, "completed")
	if c := w.customer(); c.ID != "" {
		t.Errorf("after a notice that came again: %+v, want nothing", c)
	}
}
