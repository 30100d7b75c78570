package order

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/fabricator"
)

// handed is the step that stands for a parcel whose number is not known yet,
// and how long the number is waited for.
const (
	handed     = "Handed to the carrier"
	handedWait = 24 * time.Hour
)

// Ask is what the fabricator is asked about.
func Ask(o orders.Order) fabricator.Placed {
	return fabricator.Placed{Reference: o.Fabricator.Reference, OrderID: o.Fabricator.OrderID, OrderNumber: o.Fabricator.Number}
}

// Advance takes in what the fabricator says of an order. The event is empty
// when that is nothing new; nothing goes back.
func Advance(o orders.Order, p fabricator.Progress, now time.Time) (orders.Order, contract.EventName) {
	if ChooseStep(o) != FollowUp {
		return o, ""
	}
	switch {
	case p.Order.Orders > 1:
		next, event, _ := Reconcile(o, p.Order, now)
		return next, event
	case p.Status == fabricator.Cancelled:
		return Hold(o, "the fabricator cancelled the order: "+cleanReason(p.Why)), orders.EventHeld
	}
	next := o
	next.Fabricator = mergeFab(o.Fabricator, p.Order)
	next.Steps = steps(o.Steps, p, now)
	next.Waiting = ""
	if p.Status == fabricator.NeedsReply {
		next.Waiting = cleanReason(p.Why)
	}
	switch to := statusOf(next, p, now); {
	case to == orders.Shipped:
		at := now.UTC()
		next.Status, next.ShippedAt, next.Tracking = to, &at, tracking(p)
		return next, orders.EventShipped
	case rank(to) > rank(o.Status):
		next.Status = to
		return next, orders.EventInProduction
	case len(next.Steps) > len(o.Steps), next.Waiting != o.Waiting, next.Fabricator != o.Fabricator:
		return next, orders.EventProgressed
	}
	return o, ""
}

func statusOf(o orders.Order, p fabricator.Progress, now time.Time) orders.Status {
	switch p.Status {
	case fabricator.Shipped:
		since := slices.IndexFunc(o.Steps, func(s orders.Step) bool { return s.Name == handed })
		if p.Tracking == nil && now.Sub(o.Steps[since].At) < handedWait {
			return orders.InProduction
		}
		return orders.Shipped
	case fabricator.InProgress:
		return orders.InProduction
	}
	return orders.Placed
}

// steps adds the steps that are new, in the order in which they were reported.
func steps(have []orders.Step, p fabricator.Progress, now time.Time) []orders.Step {
	out := slices.Clone(have)
	add := func(s orders.Step) {
		known := func(h orders.Step) bool { return h.Name == s.Name }
		if !slices.ContainsFunc(out, known) {
			out = append(out, s)
		}
	}
	for _, s := range p.Steps {
		add(orders.Step{Name: plain(s.Name), At: s.At.UTC()})
	}
	if p.Status == fabricator.Shipped {
		add(orders.Step{Name: handed, At: now.UTC()})
	}
	return out
}

func tracking(p fabricator.Progress) *shipments.Tracking {
	if p.Tracking == nil {
		return nil
	}
	return &shipments.Tracking{Carrier: p.Tracking.Carrier, Number: p.Tracking.Number, URL: p.Tracking.URL}
}

// MarkLost is the order when the fabricator does not know it any more.
func MarkLost(o orders.Order) orders.Order {
	return Hold(o, "the fabricator does not know the order "+o.Fabricator.Reference+" any more")
}
