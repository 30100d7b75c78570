package order

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
)

// Report takes in an operator's word on an order. From held it goes wherever the
// operator says; otherwise forward only, or into held.
func Report(o orders.Order, r orders.ReportStatusData, now time.Time) (orders.Order, contract.EventName, error) {
	at := now.UTC()
	next := o
	next.Report = &orders.Report{Operator: plain(r.Operator), Note: plain(r.Note), At: at}
	held := o.Status == orders.Held
	switch to := r.Status; {
	case o.Status == orders.Cancelled: // for ever
	case to == orders.Held && !held && rank(o.Status) < rank(orders.Shipped) && o.Status != orders.Placing:
		next = Hold(next, "held by "+plain(r.Operator)+": "+cleanReason(r.Note))
		return next, orders.EventHeld, nil
	case to == orders.Paid && held:
		next.Status, next.Held = to, ""
		return next, orders.EventPaid, nil
	case to == orders.Shipped && o.Status == to && r.Tracking != nil:
		next.Tracking = r.Tracking
		return next, orders.EventShipped, nil
	case rank(to) >= rank(orders.Placed) && (held || rank(to) > rank(o.Status)) && o.Status != orders.Placing:
		return moveForward(next, r, at)
	}
	return o, "", contract.Refuse(contract.Conflict, "An order that is %q cannot become %q.", o.Status, r.Status)
}

func moveForward(o orders.Order, r orders.ReportStatusData, at time.Time) (orders.Order, contract.EventName, error) {
	o.Status, o.Held, o.Waiting, o.Postponed = r.Status, "", "", nil
	if o.PlacedAt == nil {
		o.PlacedAt = &at
	}
	switch r.Status {
	case orders.Shipped:
		o.ShippedAt = &at
		if r.Tracking != nil {
			o.Tracking = r.Tracking
		}
		return o, orders.EventShipped, nil
	case orders.InProduction:
		return o, orders.EventInProduction, nil
	}
	return o, orders.EventPlaced, nil
}
