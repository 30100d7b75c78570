package order

import (
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract/orders"
)

// Returns are the refunds and disputes that the processor has of a payment.
type Returns struct {
	Refunds  []card.Refund
	Disputes []card.Dispute
}

// ApplyTo takes all of it into an order.
func (r Returns) ApplyTo(o orders.Order, now time.Time) orders.Order {
	o, _ = TakeRefunds(o, r.Refunds, now)
	o, _ = TakeDisputes(o, r.Disputes, now)
	return o
}

// ChangesOrder reports whether any of it is new to an order.
func (r Returns) ChangesOrder(o orders.Order, now time.Time) bool {
	_, refund := TakeRefunds(o, r.Refunds, now)
	_, dispute := TakeDisputes(o, r.Disputes, now)
	return refund != "" || dispute != ""
}
