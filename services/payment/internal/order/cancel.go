package order

import (
	"time"

	"boardorder/pkg/contract"
)

// Presence is what is known of an order at the fabricator.
type Presence int

// The kinds of presence.
const (
	NeverAsked Presence = iota // the fabricator was never asked for it
	Absent                     // it was asked, and has no such order for certain
	Withdrawn                  // it had the order and cancelled it
	Present                    // it has the order
)

// Cancel is the order called off, with all that is left of the payment going
// back; id names that refund. The fabricator knows no cancelling but by hand:
// while it has the order, it has to be cancelled there first.
func Cancel(o contract.Order, there Presence, data contract.CancelOrderData, id string, now time.Time) (contract.Order, error) {
	switch {
	case o.Status == contract.OrderStatusCancelled:
		return o, contract.Refuse(contract.Conflict, "This order is cancelled already.")
	case o.Status == contract.OrderStatusShipped:
		return o, contract.Refuse(contract.Conflict, "This order is on its way to the customer.")
	case o.Status == contract.OrderStatusPlacing:
		r := contract.Refuse(contract.Conflict, "This order is being placed with the fabricator just now. Please try again in a few minutes.")
		r.RetryAfterS = 120
		return o, r
	case data.Customer && (there == Present || o.Status != contract.OrderStatusPaid && o.Status != contract.OrderStatusHeld):
		return o, contract.Refuse(contract.Conflict, "This order is at the factory already.")
	case data.Customer && o.Dispute != nil && o.Dispute.Status != "won":
		return o, contract.Refuse(contract.Conflict, "The payment of this order is disputed.")
	case there == Present:
		return o, contract.Refuse(contract.Conflict, "The fabricator has this order. Please have it cancelled there first.")
	}
	if data.Customer {
		data.Operator, data.Why = "customer", ""
	}
	o.Status, o.Held, o.Waiting = contract.OrderStatusCancelled, "", ""
	o.Cancelled = &contract.Cancellation{Operator: plain(data.Operator), Why: plain(data.Why), At: now.UTC()}
	if left := Refundable(o); left > 0 {
		o.Cancelled.Refund = id
		o = beginRefund(o, contract.OrderRefund{ID: id, Cents: left, Operator: o.Cancelled.Operator, Why: "the order was cancelled"}, now)
	}
	return o, nil
}
