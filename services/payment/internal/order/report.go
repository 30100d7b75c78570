package order

import (
	"time"

	"boardorder/pkg/contract"
)

// Report takes in an operator's word on an order. From held it goes wherever the
// operator says; otherwise forward only, or into held.
func Report(o contract.Order, r contract.ReportOrderData, now time.Time) (contract.Order, contract.EventName, error) {
	at := now.UTC()
	next := o
	next.Report = &contract.OrderReport{Operator: plain(r.Operator), Note: plain(r.Note), At: at}
	held := o.Status == contract.OrderStatusHeld
	switch to := r.Status; {
	case o.Status == contract.OrderStatusCancelled: // for ever
	case to == contract.OrderStatusHeld && !held && rank(o.Status) < rank(contract.OrderStatusShipped) && o.Status != contract.OrderStatusPlacing:
		next = Hold(next, "held by "+plain(r.Operator)+": "+cleanReason(r.Note))
		return next, contract.OrderHeld, nil
	case to == contract.OrderStatusPaid && held:
		next.Status, next.Held = to, ""
		return next, contract.OrderPaid, nil
	case to == contract.OrderStatusShipped && o.Status == to && r.Tracking != nil:
		next.Tracking = r.Tracking
		return next, contract.OrderShipped, nil
	case rank(to) >= rank(contract.OrderStatusPlaced) && (held || rank(to) > rank(o.Status)) && o.Status != contract.OrderStatusPlacing:
		return moveForward(next, r, at)
	}
	return o, "", contract.Refuse(contract.Conflict, "An order that is %q cannot become %q.", o.Status, r.Status)
}

func moveForward(o contract.Order, r contract.ReportOrderData, at time.Time) (contract.Order, contract.EventName, error) {
	o.Status, o.Held, o.Waiting = r.Status, "", ""
	if o.PlacedAt == nil {
		o.PlacedAt = &at
	}
	switch r.Status {
	case contract.OrderStatusShipped:
		o.ShippedAt = &at
		if r.Tracking != nil {
			o.Tracking = r.Tracking
		}
		return o, contract.OrderShipped, nil
	case contract.OrderStatusInProduction:
		return o, contract.OrderInProduction, nil
	}
	return o, contract.OrderPlaced, nil
}
