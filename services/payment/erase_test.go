package payment_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/exportcontrol"
)

// eraseData has what is about a person, or a design, removed.
func (w *world) eraseData(data erasures.Data) {
	w.t.Helper()
	w.deliver(w.command(orders.Erase, contract.NewID("cmd_", time.Now()), data))
}

func (w *world) erasePerson(email string) {
	w.t.Helper()
	w.eraseData(erasures.Data{Person: contract.PersonRef(email)})
}

// findWords gives which of the words stand in the last states about a quote.
func (s *shopping) findWords(words ...string) (found []string) {
	s.w.t.Helper()
	text, err := json.Marshal([]any{s.checkout(), s.order()})
	if err != nil {
		s.w.t.Fatal(err)
	}
	for _, word := range words {
		if strings.Contains(strings.ToLower(string(text)), strings.ToLower(word)) {
			found = append(found, word)
		}
	}
	return found
}

// TestErasedWhilePaying: an open page is closed, and a payment that came all the
// same is given back, whenever it becomes known.
func TestErasedWhilePaying(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	email := s.checkout().ShipTo.Email
	if len(s.findWords(email)) == 0 {
		t.Fatal("nobody is named before the erasure")
	}
	w.erasePerson(email)
	if c := s.checkout(); c.Status != checkouts.Closed || !c.Withdrawn || len(s.findWords(email, s.q.Delivery.ShipTo.Line1)) > 0 {
		t.Errorf("checkout after the erasure: %+v, want it %s, withdrawn, without a word of the customer", c, checkouts.Closed)
	}
	if events := w.events(contract.CheckoutAggregate, s.ref); len(events) != 1 || events[0] != contract.Erased {
		t.Errorf("events left: %v, want %s alone", events, contract.Erased)
	}
	if code := s.begin(); code == "" {
		t.Error("an erased quote can be paid")
	}
}

// TestErasureWaitsForTheParcel: an order on its way keeps its address until it is
// shipped, and loses it at the next look.
func TestErasureWaitsForTheParcel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	email := s.order().ShipTo.Email
	w.erasePerson(email)
	record := load[erasures.Erasure](w, contract.ErasureAggregate, contract.PersonRef(email)).State
	if record.Waiting != 1 || s.order().ShipTo.Line1 == "" || s.order().Terms == nil {
		t.Fatalf("waiting %d, order %+v; want 1, its address and terms kept", record.Waiting, s.order())
	}
	before := s.order()
	w.waitUntil("the parcel", s.isShipped)
	w.waitUntil("the erasure", func() bool { return s.order().ShipTo.Line1 == "" })
	o := s.order()
	if left := s.findWords(email, before.ShipTo.Name, before.ShipTo.Line1, before.ShipTo.Phone); len(left) > 0 {
		t.Errorf("still named: %v", left)
	}
	if o.TotalCents != before.TotalCents || o.Payment.Intent != before.Payment.Intent || o.ShipTo.Country != before.ShipTo.Country || o.Ref != before.Ref {
		t.Errorf("what accounting needs: %+v, want as before %+v", o, before)
	}
	if taken, returned := s.money(); taken != 1 || returned != 0 {
		t.Errorf("%d charges, %d given back; want 1, none", taken, returned)
	}
}

// TestDeclaredOrderIsHeld, whenever the process dies: no money goes back of its own
// accord, nothing is built, nothing tells of the design, and people can write to the
// customer and call the order off.
func TestDeclaredOrderIsHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for n := 0; ; n++ {
		upload := fmt.Sprint("upload", n)
		s := w.quote(func(q *quotes.Quote) { q.Upload, q.Board = upload, "stealthwing" })
		w.queue, w.timers = nil, map[string]contract.Timer{}
		if code := s.begin(); code != "" {
			t.Fatalf("begin: %s, want it granted", code)
		}
		s.pay(s.checkout().SessionID)
		w.fuse = n
		w.eraseData(erasures.Data{Upload: upload})
		w.work()
		w.waitUntil("the design gone", func() bool { return s.order().Withdrawn })
		taken, returned := s.money()
		if o := s.order(); taken != 1 || returned != 0 || o.Status != orders.Held || !strings.Contains(o.Held, "ITAR") || len(s.fabOrders()) > 0 {
			t.Fatalf("crash %d: %d charges, %d given back, order %s %q, %d built; want 1, none, %s for ITAR, none", n, taken, returned, o.Status, o.Held, len(s.fabOrders()), orders.Held)
		}
		if left := s.findWords("stealthwing"); len(left) > 0 || s.order().ShipTo.Email == "" {
			t.Fatalf("crash %d: still named: %v, customer %q; want nothing, and an e-mail address", n, left, s.order().ShipTo.Email)
		}
		if code := s.cancel(); code != "" {
			t.Fatalf("crash %d: cancel: %s, want it granted", n, code)
		}
		w.waitUntil("the money back", func() bool { _, returned := s.money(); return returned == 1 })
		if w.fuse >= 0 {
			t.Logf("%d effects", n)
			return
		}
		w.fuse = -1
	}
}

// TestOrderOfDoubtedFilesIsHeld: another account declared the same files before they
// were paid for. An operator decides, and is not asked twice.
func TestOrderOfDoubtedFilesIsHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	at := w.clock.Now()
	commit(w, contract.UploadAggregate, s.q.Upload, uploads.EventDoubted, uploads.Upload{Ref: s.q.Upload, Account: "acc_1", Doubted: &at})
	s.isHeldOnce("another customer")
}

// TestNothingIsPaidOfWhatTheAccountDeclared: nor is what was being paid just then built,
// while other accounts go on.
func TestNothingIsPaidOfWhatTheAccountDeclared(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct {
		by   string
		want contract.Code
	}{{"acc_1", contract.ITARNotSupported}, {"acc_2", ""}} { // all quotes are of one upload
		s := w.quote()
		commit(w, contract.UploadAggregate, s.q.Upload, uploads.EventClosedTo, uploads.Upload{Ref: s.q.Upload, Account: "acc_owner", DeclaredBy: []string{tt.by}})
		if code := s.begin(); code != tt.want {
			t.Errorf("declared by %s, %s pays: %q, want %q", tt.by, s.q.Account, code, tt.want)
		}
	}
	s := w.quote()
	s.begin()
	commit(w, contract.UploadAggregate, s.q.Upload, uploads.EventClosedTo, uploads.Upload{Ref: s.q.Upload, Account: "acc_owner", DeclaredBy: []string{s.q.Account}})
	s.pay(s.checkout().SessionID)
	w.waitUntil("the order to be held", func() bool { return s.order().Status == orders.Held })
	if o := s.order(); len(s.fabOrders()) != 0 || !strings.Contains(o.Held, "the account that it was ordered through") {
		t.Errorf("%d at the fabricator, held %q; want none, the account that it was ordered through", len(s.fabOrders()), o.Held)
	}
}

// TestOrderThatSpeaksOfExportControlIsHeld, the same way.
func TestOrderThatSpeaksOfExportControlIsHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.quote(func(q *quotes.Quote) {
		q.Reply.BoardFindings = []contract.Finding{{Level: "warning", Check: exportcontrol.Check}}
	}).isHeldOnce("speak of ITAR")
}

// isHeldOnce pays, finds the order held, and has an operator let it go on.
func (s *shopping) isHeldOnce(why string) {
	t, w := s.w.t, s.w
	t.Helper()
	s.begin()
	s.pay(s.checkout().SessionID)
	w.waitUntil("the order to be held", func() bool { return s.order().Status == orders.Held })
	if o := s.order(); len(s.fabOrders()) != 0 || !strings.Contains(o.Held, why) {
		t.Fatalf("%d at the fabricator, held %q; want none, %q", len(s.fabOrders()), o.Held, why)
	}
	if code := s.report(orders.Paid, nil); code != "" {
		t.Fatalf("report the held order paid: %s, want it granted", code)
	}
	w.waitUntil("the order to be placed", func() bool { return len(s.fabOrders()) == 1 })
}

// TestLatePaymentOfAWithdrawnQuote is given back, also when only reconciliation finds it.
func TestLatePaymentOfAWithdrawnQuote(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote(func(q *quotes.Quote) { q.Upload = "u" })
	s.begin()
	session := s.checkout().SessionID
	// As where the bank was still deciding when the page was to be closed.
	c := w.command(orders.Erase, contract.NewID("cmd_", time.Now()), erasures.Data{Upload: "u"})
	err := aggregate.Erase(t.Context(), aggregate.Eraser{Core: w, Command: c, Labels: contract.NewLabels(uploads.Label("u")), At: w.clock.Now()}, contract.CheckoutAggregate, s.ref, checkouts.Checkout.Withdraw)
	if err != nil {
		t.Fatal(err)
	}
	s.pay(session)
	for range 2 {
		s.tell(session, "completed")
	}
	if c := s.checkout(); len(c.Refunds) != 1 || c.Payment != nil || s.order().ID != "" {
		t.Errorf("checkout %+v, order %+v; want one refund and no payment, no order", c, s.order())
	}
	w.waitUntil("the money back", func() bool { _, returned := s.money(); return returned == 1 })
	if len(s.fabOrders()) > 0 {
		t.Error("a withdrawn quote was built")
	}
}
