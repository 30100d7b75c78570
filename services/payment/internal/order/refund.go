package order

import (
	"slices"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
)

// SumRefunds is how much of the payment went back for certain, in cents.
func SumRefunds(o orders.Order) int64 {
	sum := int64(0)
	for _, r := range o.Refunds {
		if r.Status == orders.RefundDone || r.Status == orders.RefundPending {
			sum += r.Cents
		}
	}
	return sum
}

// Refund is the order with a refund that the team wants; id names it for ever.
// Nothing has gone back yet.
func Refund(o orders.Order, r orders.IssueRefundData, id string, now time.Time) (orders.Order, error) {
	left := o.RefundableCents()
	cents := r.Cents
	if cents == 0 {
		cents = left
	}
	unbuilt := o.Status == orders.Paid || o.Status == orders.Placing
	switch {
	case o.IsDisputed():
		return o, contract.Refuse(contract.Conflict, "The customer's bank disputes this payment and has taken the money already: a refund now would pay it twice. The bank decides about it.")
	case cents < 0 || cents > left:
		return o, contract.Refuse(contract.Conflict, "Of this payment %d cents are left.", left)
	case cents == 0:
		return o, contract.Refuse(contract.Conflict, "Nothing of this payment is left.")
	case cents == left && unbuilt:
		return o, contract.Refuse(contract.Conflict, "An order that is not built yet is cancelled, not refunded in full.")
	}
	return beginRefund(o, orders.Refund{ID: id, Cents: cents, Operator: plain(r.Operator), Why: plain(r.Why)}, now), nil
}

func beginRefund(o orders.Order, r orders.Refund, now time.Time) orders.Order {
	r.Charged, r.Status, r.At = o.CardShare(r.Cents), orders.RefundBegun, now.UTC()
	o.Refunds = append(slices.Clone(o.Refunds), r)
	return updateMoney(o)
}

// updateMoney is the order with what its refunds and its dispute say of the money.
func updateMoney(o orders.Order) orders.Order {
	o.Money = ""
	onItsWay := func(r orders.Refund) bool {
		return r.Status == orders.RefundBegun || r.Status == orders.RefundPending
	}
	if o.IsDisputed() || slices.ContainsFunc(o.Refunds, onItsWay) {
		o.Money = orders.MoneyOpen
	}
	return o
}

// TakeRefunds takes in what the processor says of the payment's refunds.
// The event is empty when that is nothing new. A payment that somebody gave back
// whole at the processor holds an order that has not been shipped.
func TakeRefunds(o orders.Order, refunds []card.Refund, now time.Time) (orders.Order, contract.EventName) {
	next := o
	next.Refunds = slices.Clone(o.Refunds)
	event := contract.EventName("")
	for _, r := range refunds {
		if status := takeRefund(&next, r, now); status == orders.RefundFailed {
			event = orders.EventRefundFailed
		} else if status != "" && event == "" {
			event = orders.EventRefunded
		}
	}
	if event == "" {
		return o, ""
	}
	if isRefundedElsewhere(next, o) {
		next = Hold(next, "the whole payment was refunded at the card processor")
	}
	return updateMoney(next), event
}

// takeRefund gives the refund's status where that is a change.
func takeRefund(o *orders.Order, r card.Refund, now time.Time) orders.RefundStatus {
	status := map[card.RefundStatus]orders.RefundStatus{
		card.RefundPending: orders.RefundPending, card.RefundSucceeded: orders.RefundDone, card.RefundFailed: orders.RefundFailed,
	}[r.Status]
	i := slices.IndexFunc(o.Refunds, func(known orders.Refund) bool {
		return known.Processor == r.ID || known.ID == r.Name && r.Name != ""
	})
	if i < 0 {
		made := orders.Refund{ID: r.ID, Processor: r.ID, Cents: r.Cents, Status: status, At: now.UTC()}
		if left := o.RefundableCharge(); left != nil {
			charged := prices.NewCharged(left.Currency, r.Cents)
			made.Cents, made.Charged = left.CentsOf(r.Cents, o.RefundableCents()), &charged
		}
		o.Refunds = append(o.Refunds, made)
		return status
	}
	known := &o.Refunds[i]
	if known.Status == status && known.Processor == r.ID || goesBackwards(known.Status, status) {
		return ""
	}
	known.Processor, known.Status, known.At = r.ID, status, now.UTC()
	return status
}

// goesBackwards reports whether an answer is older than what is known: a refund fails
// after it was done, never the other way round.
func goesBackwards(known, says orders.RefundStatus) bool {
	at := func(s orders.RefundStatus) int {
		return slices.Index([]orders.RefundStatus{orders.RefundBegun, orders.RefundPending, orders.RefundDone, orders.RefundFailed}, s)
	}
	return at(says) < at(known)
}

// isRefundedElsewhere reports whether the order, which goes on, has no money left
// for a reason that is not the team's.
func isRefundedElsewhere(o, before orders.Order) bool {
	byTeam := slices.ContainsFunc(o.Refunds, func(r orders.Refund) bool { return r.Operator != "" && r.Status != orders.RefundFailed })
	return !byTeam && SumRefunds(o) >= o.Payment.Cents && SumRefunds(before) < o.Payment.Cents && goesOn(o)
}

// goesOn reports whether the order is still on its way to the customer.
func goesOn(o orders.Order) bool {
	switch o.Status {
	case orders.Paid, orders.Placing, orders.Placed, orders.InProduction:
		return true
	}
	return false
}

// RefundFailed is the order after the processor refused a refund for good.
func RefundFailed(o orders.Order, id, why string, now time.Time) orders.Order {
	o.Refunds = slices.Clone(o.Refunds)
	for i := range o.Refunds {
		if r := &o.Refunds[i]; r.ID == id {
			r.Status, r.Why, r.At = orders.RefundFailed, plain(why), now.UTC()
		}
	}
	return updateMoney(o)
}

// RefundsToRequest are the refunds that the processor is still to be asked for.
func RefundsToRequest(o orders.Order) []orders.Refund {
	return slices.DeleteFunc(slices.Clone(o.Refunds), func(r orders.Refund) bool { return r.Status != orders.RefundBegun })
}
