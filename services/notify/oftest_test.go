package notify_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/flow"
)

// TestEmailsOfTestKeys go to the account's own address and to nobody else, whatever
// somebody typed; the team hears of no test, and without an address nobody does.
func TestEmailsOfTestKeys(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.serve()
	happen(w, contract.AccountAggregate, "acc_1", accounts.EventOpened, accounts.Account{ID: "acc_1", Name: "Acme", Email: "dev@acme.example"})
	o := order("A", "ada@example.com")
	o.Account = "acc_1~test"
	happen(w, contract.OrderAggregate, "A", orders.EventPaid, o)
	o.Status, o.Held = orders.Held, "a test"
	happen(w, contract.OrderAggregate, "A", orders.EventHeld, o)
	q := quotes.Quote{
		Ref: "q", Account: "acc_1~test", Mode: quotes.ModeReview, Status: quotes.SourcingRequested, Request: quotes.Request{Quantity: 5},
		Delivery: &shipments.Delivery{ShipTo: shipments.ShipTo{Name: "Ada", Email: "ada@example.com"}}, ExpiresAt: time.Now().Add(time.Hour),
	}
	happen(w, contract.QuoteAggregate, "q", quotes.EventReviewRequested, q)
	total, usd := int64(10_000), "USD"
	q.Status, q.Reply = quotes.SourcingQuoted, quotes.Reply{Quantity: 5, TotalCents: &total, Currency: &usd, Lines: []prices.Line{{Label: "Boards", Cents: total}}}
	happen(w, contract.QuoteAggregate, "q", quotes.EventReviewPriced, q)

	silent := order("B", "grace@example.com")
	silent.Account = "acc_2~test" // has no address
	if v := w.run(w.email(happen(w, contract.OrderAggregate, "B", orders.EventPaid, silent))); v.Kind != flow.Done {
		t.Errorf("without an address: %+v, want %s", v, flow.Done)
	}
	live := order("C", "linus@example.com")
	live.Account = "acc_1"
	happen(w, contract.OrderAggregate, "C", orders.EventPaid, live)

	got := w.mails("dev@acme.example", 3) // receipt, on hold, priced
	if len(got) != 3 {
		t.Fatalf("%d e-mails to the account, want 3", len(got))
	}
	for _, m := range got {
		if !strings.HasPrefix(m.Subject, "[Test] ") || !strings.HasPrefix(m.Text, "Test mode: no real payment, nothing is made.") || !strings.Contains(m.HTML, "Test mode: no real payment, nothing is made.") {
			t.Errorf("e-mail %q is not marked:\n%s", m.Subject, m.Text)
		}
	}
	if got := w.mails("linus@example.com", 1); len(got) != 1 || strings.Contains(got[0].Subject+got[0].Text, "Test") {
		t.Errorf("a live e-mail: %+v, want one that says nothing of tests", got)
	}
	for _, m := range w.sim.Mailbox().Messages("") {
		if to := strings.Join(m.To, ","); strings.Contains(to, "ada@") || strings.Contains(to, "grace@") || strings.Contains(to, team) {
			t.Errorf("%q went to %s", m.Subject, to)
		}
	}
}
