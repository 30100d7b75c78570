package console_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

// The references of what a busy morning holds.
const (
	disputedRef = "ffffffffffffffffffffffffffffffff"
	waitingRef  = "gggggggggggggggggggggggggggggggg"
	askedRef    = "hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh"
	failedRef   = "iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii"
	declinedRef = "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj"
)

// furnishMorning makes what an operator has to do on a busy morning: a disputed payment in euros, an
// order whose fabricator is away, a cancellation that waits for a second operator, a refund that failed and
// a customer whose cards were declined.
func (w *world) furnishMorning() {
	w.t.Helper()
	now := time.Now().UTC().Truncate(time.Second)
	to := shipments.ShipTo{Name: "Grace Hopper", Company: "Navy", Email: "grace@example.com", Line1: "1 Compiler Way", City: "Arlington", State: "VA", PostalCode: "22201", Country: "US"}
	euros := &prices.Charge{Charged: prices.Charged{Currency: "EUR", Minor: 7200, Digits: 2}, Cents: 8210, Rate: "0.877", Bank: "0.86", Date: "2026-11-20", Percent: "2"}
	put := func(ref, number string, event contract.EventName, change func(*orders.Order)) {
		o := orders.Order{
			ID: "ord_" + number, Ref: number, Quote: ref, Account: account, Request: "req_" + number, Status: orders.Held, Quantity: 10, Board: "2 layers, 50.0 × 30.0 mm, FR-4, green", Currency: "USD", TotalCents: 8210,
			Lines:   []prices.Line{{Label: "10 boards", Cents: 6210}, {Label: "Shipping: express", Cents: 2000}},
			Payment: checkouts.Payment{Session: "cs_" + number, Intent: "pi_" + number, Cents: 8210, Currency: "USD", Charged: euros, Card: &customers.CardRef{Brand: "visa", Last4: "4242"}, At: now},
			ShipTo:  to, PaidAt: now.Add(-time.Hour), Terms: &quotes.Terms{}, Fabricator: orders.FabOrder{Name: "far_east", Reference: "ord_" + number},
			Sold: quotes.Quote{Ref: ref, Account: account, CreatedAt: now, Request: quotes.Request{Quantity: 10, SpecialNotes: ptr("Please call before it is built.")}},
		}
		change(&o)
		commit(w, contract.OrderAggregate, ref, event, account, o)
	}
	due := now.Add(5 * 24 * time.Hour)
	put(disputedRef, "BO-DISPUTED", orders.EventDisputed, func(o *orders.Order) {
		o.Held = "the customer's bank disputes the payment: fraudulent"
		o.Dispute = &orders.Dispute{ID: "dp_77", Status: orders.DisputeOpen, Reason: "fraudulent", Cents: 8210, Charged: &euros.Charged, At: now, Opened: &now, Due: &due}
	})
	put(waitingRef, "BO-WAITING", orders.EventPostponed, func(o *orders.Order) {
		o.Status, o.Postponed = orders.Paid, &orders.Postponement{Since: now.Add(-2 * time.Hour), Next: now.Add(9 * time.Minute), EveryS: 600, Why: "the fabricator far_east: no connection"}
	})
	put(askedRef, "BO-ASKED", orders.EventHeld, func(o *orders.Order) { o.Held = "the fabricator's price has risen: 61 USD" })
	put(failedRef, "BO-FAILED", orders.EventRefundFailed, func(o *orders.Order) {
		o.Status, o.Refunds = orders.Shipped, []orders.Refund{{ID: "rf_1", Processor: "re_1", Cents: 4105, Charged: &prices.Charged{Currency: "EUR", Minor: 3600, Digits: 2}, Status: orders.RefundFailed, Operator: "fin", Why: "late", At: now}}
	})
	command, err := json.Marshal(orders.CancelData{Quote: askedRef, Operator: "fin", Why: "It cannot be built at this price."})
	if err != nil {
		w.t.Fatal(err)
	}
	commit(w, contract.CaseAggregate, askedRef, cases.EventApprovalRequested, account, cases.Case{Ref: askedRef, Account: account, Waiting: cases.Waits, CreatedAt: now, Approvals: []cases.Approval{
		{ID: "req_cancel", Kind: cases.ApproveCancel, Cents: 8210, Currency: "USD", Command: command, AskedBy: "fin", AskedAt: now, Status: cases.ApprovalOpen},
	}})
	customer := customers.Ref(account, to.Email)
	commit(w, contract.CaseAggregate, customer, cases.EventNoted, account, cases.Case{Ref: customer, Account: account, CreatedAt: now, Notes: []cases.Note{{ID: "n", Operator: "pia", At: now, Text: "Wants to be called, not written to."}}})
	declined := quotes.Quote{Ref: declinedRef, Account: account, RequestID: "req_declined", Mode: quotes.ModeInstant, Status: quotes.Ready, Request: quotes.Request{Quantity: 10}, Version: 1, CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		Reply: quotes.Reply{TotalCents: ptr(int64(8210)), Lines: []prices.Line{{Label: "10 boards", Cents: 8210}}}}
	commit(w, contract.QuoteAggregate, declinedRef, quotes.EventPriced, account, declined)
	commit(w, contract.CheckoutAggregate, declinedRef, checkouts.EventDeclined, account, checkouts.Checkout{Quote: declinedRef, Account: account, Status: checkouts.Open, TotalCents: 8210, Currency: "USD", Sold: declined, StartedAt: now, ExpiresAt: now.Add(time.Hour),
		Declines: []checkouts.Decline{{Charge: "ch_1", Reason: "insufficient_funds", Card: "Visa ending in 9995", At: now}, {Charge: "ch_2", Reason: "expired_card", Card: "Visa ending in 0069", At: now}}})
}

// morningPages are the pages that say so.
func morningPages() map[string]string {
	return map[string]string{
		"morning": "/", "morning approvals": "/approvals", "morning disputes": "/disputes", "morning disputed": "/orders/" + disputedRef, "morning waiting": "/orders/" + waitingRef,
		"morning asked": "/orders/" + askedRef, "morning failed": "/orders/" + failedRef, "morning declined": "/quotes/" + declinedRef, "morning orders": "/orders", "morning held": "/orders?status=held",
		"morning filtered": "/orders?customer=grace&from=2020-01-01&fabricator=far&currency=EUR", "morning history": "/quotes/" + askedRef + "/history",
	}
}

// TestBusyMorning: each page says what is so, and what an operator does about it.
func TestBusyMorning(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishProviders()
	w.furnishMorning()
	fin := w.signInAs("fin")
	for path, wants := range map[string][]string{
		"/":                       {"disputed payment", "failed refund", "request for a second operator", "Net"},
		"/approvals":              {"EUR 72.00, for $82.10", "It cannot be built at this price.", "Shipping: express"},
		"/disputes":               {"BO-DISPUTED", "EUR 72.00, for $82.10", "did not pay this", "send evidence in the card processor’s dashboard"},
		"/orders/" + disputedRef:  {"The customer’s bank disputes EUR 72.00", "dp_77", "It cannot be refunded while", "Wants to be called", "Please call before it is built.", `href="/customers/`},
		"/orders/" + waitingRef:   {"It waits for far_east since", "no connection"},
		"/orders/" + failedRef:    {"failed: the customer has not got it", "A refund of EUR 36.00, for $41.05, failed"},
		"/quotes/" + declinedRef:  {"Cards were declined 2 times", "expired card", "Visa ending in 0069", "has not paid since"},
		"/orders?status=held":     {"payment is disputed", "price has risen", "at stake"},
		"/orders?currency=EUR":    {"BO-WAITING", "EUR 72.00", "waits for the fabricator"},
		"/orders?fabricator=none": {"No matching orders."},
	} {
		fin.get(path).wants(t, http.StatusOK, wants...)
	}
	fin.fill("/disputes", "/disputes", "order", disputedRef).wants(t, http.StatusOK, "Who has this case has changed", ">fin<")
	form := fin.form("/orders/"+waitingRef, "/orders/"+waitingRef+"/refund") // as it was before the bank spoke
	form.Set("amount", "1")
	fin.post("/orders/"+disputedRef+"/refund", form).wants(t, http.StatusConflict, "would pay it twice")
}

// TestBusyMorningInABrowser holds these pages to the rules of every page, on a phone and beside the menu.
func TestBusyMorningInABrowser(t *testing.T) {
	t.Parallel()
	w, ctx, complaints := openBrowser(t)
	w.furnishMorning()
	w.checkPages(ctx, t, morningPages(), "phone", "dark", 390, 844)
	if !testing.Short() {
		w.checkPages(ctx, t, morningPages(), "desktop", "light", 1280, 860)
	}
	checkComplaints(t, complaints)
}
