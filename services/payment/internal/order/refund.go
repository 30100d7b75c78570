package order

import (
	"slices"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
)

// Refundable is how much of the payment can still go back, in cents: what
// neither went back, is going back, nor lies with the customer's bank.
func Refundable(o contract.Order) int64 {
	left := o.Payment.Cents
	for _, r := range o.Refunds {
		if r.Status != contract.RefundFailed {
			left -= r.Cents
		}
	}
	if o.Dispute != nil && o.Dispute.Status != string(card.DisputeWon) {
		left -= o.Dispute.Cents
	}
	return max(0, left)
}

// SumRefunds is how much of the payment went back for certain, in cents.
func SumRefunds(o contract.Order) int64 {
	sum := int64(0)
	for _, r := range o.Refunds {
		if r.Status == contract.RefundDone || r.Status == contract.RefundPending {
			sum += r.Cents
		}
	}
	return sum
}

// Refund is the order with a refund that the team wants; id names it for ever.
// Nothing has gone back yet.
func Refund(o contract.Order, r contract.RefundOrderData, id string, now time.Time) (contract.Order, error) {
	left := Refundable(o)
	cents := r.Cents
	if cents == 0 {
		cents = left
	}
	unbuilt := o.Status == contract.OrderStatusPaid || o.Status == contract.OrderStatusPlacing
	switch {
	case isDisputed(o):
		return o, contract.Refuse(contract.Conflict, "The customer's bank disputes this payment; it decides about the money.")
	case cents < 0 || cents > left:
		return o, contract.Refuse(contract.Conflict, "Of this payment %d cents are left.", left)
	case cents == 0:
		return o, contract.Refuse(contract.Conflict, "Nothing of this payment is left.")
	case cents == left && unbuilt:
		return o, contract.Refuse(contract.Conflict, "An order that is not built yet is cancelled, not given back whole.")
	}
	return beginRefund(o, contract.OrderRefund{ID: id, Cents: cents, Operator: plain(r.Operator), Why: plain(r.Why)}, now), nil
}

func beginRefund(o contract.Order, r contract.OrderRefund, now time.Time) contract.Order {
	r.Status, r.At = contract.RefundBegun, now.UTC()
	o.Refunds = append(slices.Clone(o.Refunds), r)
	return updateMoney(o)
}

// updateMoney is the order with what its refunds and its dispute say of the money.
func updateMoney(o contract.Order) contract.Order {
	o.Money = ""
	onItsWay := func(r contract.OrderRefund) bool {
		return r.Status == contract.RefundBegun || r.Status == contract.RefundPending
	}
	if isDisputed(o) || slices.ContainsFunc(o.Refunds, onItsWay) {
		o.Money = contract.MoneyOpen
	}
	return o
}

func isDisputed(o contract.Order) bool {
	return o.Dispute != nil && o.Dispute.Status == string(card.DisputeOpen)
}

// TakeRefunds takes in what the processor's books say of the payment's refunds.
// The event is empty when that is nothing new. A payment that somebody gave back
// whole at the processor holds an order that has not been shipped.
func TakeRefunds(o contract.Order, refunds []card.Refund, now time.Time) (contract.Order, contract.EventName) {
	next := o
	next.Refunds = slices.Clone(o.Refunds)
	event := contract.EventName("")
	for _, r := range refunds {
		if status := takeRefund(&next, r, now); status == contract.RefundFailed {
			event = contract.OrderRefundFailed
		} else if status != "" && event == "" {
			event = contract.OrderRefunded
		}
	}
	if event == "" {
		return o, ""
	}
	if isRefundedElsewhere(next, o) {
		next = Hold(next, "the whole payment was given back at the card processor")
	}
	return updateMoney(next), event
}

// takeRefund gives the refund's status where that is a change.
func takeRefund(o *contract.Order, r card.Refund, now time.Time) contract.RefundStatus {
	status := map[card.RefundStatus]contract.RefundStatus{
		card.RefundPending: contract.RefundPending, card.RefundSucceeded: contract.RefundDone, card.RefundFailed: contract.RefundFailed,
	}[r.Status]
	i := slices.IndexFunc(o.Refunds, func(known contract.OrderRefund) bool {
		return known.Processor == r.ID || known.ID == r.Name && r.Name != ""
	})
	if i < 0 {
		o.Refunds = append(o.Refunds, contract.OrderRefund{ID: r.ID, Processor: r.ID, Cents: r.Cents, Status: status, At: now.UTC()})
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
func goesBackwards(known, says contract.RefundStatus) bool {
	at := func(s contract.RefundStatus) int {
		return slices.Index([]contract.RefundStatus{contract.RefundBegun, contract.RefundPending, contract.RefundDone, contract.RefundFailed}, s)
	}
	return at(says) < at(known)
}

// isRefundedElsewhere reports whether the order, which goes on, has no money left
// for a reason that is not the team's.
func isRefundedElsewhere(o, before contract.Order) bool {
	byTeam := slices.ContainsFunc(o.Refunds, func(r contract.OrderRefund) bool { return r.Operator != "" && r.Status != contract.RefundFailed })
	return !byTeam && SumRefunds(o) >= o.Payment.Cents && SumRefunds(before) < o.Payment.Cents && goesOn(o)
}

// goesOn reports whether the order is still on its way to the customer.
func goesOn(o contract.Order) bool {
	switch o.Status {
	case contract.OrderStatusPaid, contract.OrderStatusPlacing, contract.OrderStatusPlaced, contract.OrderStatusInProduction:
		return true
	}
	return false
}

// RefundFailed is the order after the processor refused a refund for good.
func RefundFailed(o contract.Order, id, why string, now time.Time) contract.Order {
	o.Refunds = slices.Clone(o.Refunds)
	for i := range o.Refunds {
		if r := &o.Refunds[i]; r.ID == id {
			r.Status, r.Why, r.At = contract.RefundFailed, plain(why), now.UTC()
		}
	}
	return updateMoney(o)
}

// RefundsToRequest are the refunds that the processor is still to be asked for.
func RefundsToRequest(o contract.Order) []contract.OrderRefund {
	return slices.DeleteFunc(slices.Clone(o.Refunds), func(r contract.OrderRefund) bool { return r.Status != contract.RefundBegun })
}
