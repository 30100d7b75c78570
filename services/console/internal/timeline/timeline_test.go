package timeline

import (
	"slices"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

func TestFoldJoinsRepeats(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	var all []Moment
	for i, name := range []contract.EventName{"priced", "delivery_chosen", "delivery_chosen", "delivery_chosen", "priced"} {
		all = append(all, Moment{Headline: bus.Headline{Event: contract.Event{Aggregate: contract.QuoteAggregate, Name: name, At: at.Add(time.Duration(i) * time.Minute)}}})
	}
	got := Fold(all)
	if len(got) != 3 || got[1].Count != 3 || got[1].Until != at.Add(3*time.Minute) || got[1].Interval != time.Minute || got[2].Interval != time.Minute {
		t.Errorf("Fold = %+v, want 3, the second of 3 until %s, one each minute", got, at.Add(3*time.Minute))
	}
}

// TestFoldJoinsSteps: what a customer tries in one form is one line, with what it was.
func TestFoldJoinsSteps(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	var all []Moment
	for i, kind := range []Kind{
		{contract.QuoteAggregate, "priced"}, {contract.QuoteAggregate, "delivery_chosen"}, {contract.QuoteAggregate, contract.RequestRefused}, {contract.QuoteAggregate, "delivery_chosen"},
		{contract.CheckoutAggregate, "begun"}, {contract.CheckoutAggregate, "opened"}, {contract.CheckoutAggregate, "paid"}, {contract.QuoteAggregate, "delivery_chosen"},
	} {
		all = append(all, Moment{Headline: bus.Headline{Event: contract.Event{Aggregate: kind.Of, Name: kind.Name, At: at.Add(time.Duration(i) * time.Minute)}}})
	}
	var got []string
	Tell(all, nil)
	for _, s := range Fold(all) {
		got = append(got, s.Title()+"|"+s.Details()+"|"+s.Until.Sub(s.At).String())
	}
	want := []string{
		"The quote was priced||0s", "The customer chooses a delivery|2 × The customer chose a delivery, 1 × What was asked for was refused|2m0s",
		"The customer goes to pay|1 × The customer began to pay, 1 × The payment page was opened|1m0s", "The card processor confirmed the payment||0s", "The customer chose a delivery||0s",
	}
	if !slices.Equal(got, want) {
		t.Errorf("Fold = %q, want %q", got, want)
	}
}

// TestHistoriesAreSentences: every event of a quote's history is told in words, with amounts
// where the order has them.
func TestHistoriesAreSentences(t *testing.T) {
	t.Parallel()
	for a, names := range map[contract.Aggregate][]contract.EventName{
		contract.OrderAggregate: orders.Events, contract.CheckoutAggregate: checkouts.Events, contract.QuoteAggregate: quotes.Events, contract.UploadAggregate: uploads.Events,
	} {
		for _, name := range names {
			if sentences[Kind{a, name}] == "" {
				t.Errorf("%s: %s has no sentence", a, name)
			}
		}
	}
	o := orders.Order{
		Payment: checkouts.Payment{Cents: 8210, Currency: "USD", Card: &customers.CardRef{Brand: "visa", Last4: "4242"}},
		Refunds: []orders.Refund{
			{ID: "rf_1", Cents: 500, Operator: "fin", Charged: &prices.Charged{Currency: "EUR", Minor: 430, Digits: 2}}, {ID: "re_2", Cents: 100}, {ID: "rf_3", Cents: 700, Operator: "ann"}, {ID: "rf_4", Operator: "ann"},
		},
		Cancelled: &orders.Cancellation{Operator: "customer", Refund: "rf_4"}, Fabricator: orders.FabOrder{Name: "Far East", Number: "W-77"},
	}
	var all []Moment
	for _, name := range []contract.EventName{orders.EventPaid, orders.EventPlaced, orders.EventHeld, orders.EventPaid, orders.EventRefundBegun, orders.EventRefundBegun, orders.EventCancelled, "of a later release"} {
		all = append(all, Moment{Headline: bus.Headline{Event: contract.Event{Aggregate: contract.OrderAggregate, Name: name}}})
	}
	Tell(all, &o)
	var got []string
	for _, m := range all {
		got = append(got, m.Title())
	}
	want := []string{
		"The customer paid $82.10 by card, Visa ending in 4242", "The order was placed with Far East as W-77", "The order was held for the team", "The order goes on",
		"A refund of EUR 4.30, for $5.00, was begun by fin", "A refund of $7.00 was begun by ann", "The order was cancelled by the customer", "order: of a later release",
	}
	if !slices.Equal(got, want) {
		t.Errorf("Tell = %q, want %q", got, want)
	}
}
