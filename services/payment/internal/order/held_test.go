package order_test

import (
	"testing"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
	"boardorder/services/payment/internal/order"
)

// TestReasonsHaveLabels: whatever an order is held for has a label of few words, and not the
// one of reasons that nobody knows.
func TestReasonsHaveLabels(t *testing.T) {
	t.Parallel()
	held := func(o orders.Order, _ ...any) string { return o.HoldLabel() }
	hold := func(why string) string { return order.Hold(orderAt(orders.Paid, 1), why).HoldLabel() }
	reported, _, err := order.Report(orderAt(orders.Placed, 1), orders.ReportStatusData{Operator: "grace", Status: orders.Held, Note: "look"}, now)
	if err != nil {
		t.Fatal(err)
	}
	disputed, _ := order.TakeDisputes(orderAt(orders.Placed, 1), []card.Dispute{{ID: "dp_1", Status: card.DisputeOpen, Cents: 5500}}, now)
	returned, _ := order.TakeRefunds(orderAt(orders.Placed, 1), []card.Refund{{ID: "re_1", Cents: 5500, Status: card.RefundSucceeded}}, now)
	twice, _, _ := order.Reconcile(orderAt(orders.Placing, 1), fabricator.Placed{Orders: 2}, now)
	none, _, _ := order.Reconcile(orderAt(orders.Placing, 1), fabricator.Placed{}, now)
	cancelled, _ := order.Advance(orderAt(orders.Placed, 1), fabricator.Progress{Status: fabricator.Cancelled}, now)
	screened := order.RecordScreening(orderAt(orders.Paid, 1), true, "s1", now)
	unanswered := order.RecordNoAnswer(order.RecordNoAnswer(orderAt(orders.Paid, 1), now), now.Add(time.Hour))
	labels := map[string]string{
		"by an operator": held(reported), "disputed": held(disputed), "returned": held(returned), "twice": held(twice), "none": held(none), "cancelled": held(cancelled),
		"lost": held(order.MarkLost(orderAt(orders.Placed, 1))), "gone": hold(order.ReasonGone(orderAt(orders.Paid, 1))), "screened": hold(order.ScreeningReason(screened)),
		"unanswered": hold(order.ScreeningReason(unanswered)), "files": hold("the design files are no longer kept"), "tries": hold("it cannot be placed, tried 20 times: no"),
		"by hand": order.HoldByHand(orderAt(orders.Paid, 1), "to be placed by hand: our team priced it").HoldLabel(), "amount": hold("5 USD were paid, 6 USD were agreed"),
		"controlled": hold("look; then the design was declared ITAR-controlled and its files are deleted"),
	}
	for _, kind := range []fabricator.Kind{fabricator.Refused, fabricator.Review, fabricator.Files, fabricator.Shipment, fabricator.PriceMoved} {
		labels[string(kind)] = hold(order.HoldReason(&fabricator.Error{Kind: kind}))
	}
	unknown := hold("a reason of another release")
	for what, label := range labels {
		if label == "" || label == unknown || len(label) > 40 {
			t.Errorf("held for %s: label %q, want one of its own, in few words", what, label)
		}
	}
	if label := orderAt(orders.Placed, 1).HoldLabel(); label != "" {
		t.Errorf("an order that is not held: label %q, want none", label)
	}
}
