package order

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
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
func Cancel(o orders.Order, there Presence, data orders.CancelData, id string, now time.Time) (orders.Order, error) {
	switch {
	case o.Status == orders.Cancelled:
		return o, contract.Refuse(contract.Conflict, "This order is cancelled already.")
	case o.Status == orders.Shipped:
		return o, contract.Refuse(contract.Conflict, "This order is on its way to the customer.")
	case o.Status == orders.Placing:
		r := contract.Refuse(contract.Conflict, "This order is being placed with the fabricator just now. Please try again in a few minutes.")
		r.RetryAfterS = 120
		return o, r
	case data.Customer && (there == Present || o.Status != orders.Paid && o.Status != orders.Held):
		return o, contract.Refuse(contract.Conflict, "This order is at the factory already.")
	case data.Customer && o.Dispute != nil && o.Dispute.Status != "won":
		return o, contract.Refuse(contract.Conflict, "The payment of this order is disputed.")
	case there == Present:
		return o, contract.Refuse(contract.Conflict, "The fabricator has this order. Please have it cancelled there first.")
	}
	if data.Customer {
		data.Operator, data.Why = "customer", ""
	}
	o.Status, o.Held, o.Waiting, o.Postponed = orders.Cancelled, "", "", nil
	o.Cancelled = &orders.Cancellation{Operator: plain(data.Operator), Why: plain(data.Why), At: now.UTC()}
	if left := o.RefundableCents(); left > 0 {
		o.Cancelled.Refund = id
		o = beginRefund(o, orders.Refund{ID: id, Cents: left, Operator: o.Cancelled.Operator, Why: "the order was cancelled"}, now)
	}
	return o, nil
}
