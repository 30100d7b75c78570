package order

import (
	"slices"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
)

// TakeDisputes takes in what the processor says of disputes, oldest first: the
// last one counts. The event is empty when that is nothing new. An order whose
// payment is disputed, or lost, is held until people have looked; one that was
// won stays as people have left it.
func TakeDisputes(o orders.Order, disputes []card.Dispute, now time.Time) (orders.Order, contract.EventName) {
	if len(disputes) == 0 {
		return o, ""
	}
	d := disputes[len(disputes)-1]
	if !newer(o.Dispute, d, disputes) {
		return o, ""
	}
	moved := o.Dispute == nil || o.Dispute.ID != d.ID || o.Dispute.Status != string(d.Status) // else evidence came, and people have looked
	o.Dispute = &orders.Dispute{
		ID: d.ID, Status: string(d.Status), Reason: plain(d.Reason), Cents: d.Cents, At: now.UTC(),
		Opened: timeOf(d.CreatedAt), Due: timeOf(d.RespondBy), Answered: d.Responded,
	}
	if c := o.Payment.Charged; c != nil {
		charged := prices.NewCharged(c.Currency, d.Cents)
		o.Dispute.Cents, o.Dispute.Charged = c.CentsOf(d.Cents, o.Payment.Cents), &charged
	}
	if moved && d.Status != card.DisputeWon && goesOn(o) {
		o = Hold(o, "the customer's bank disputes the payment: "+cleanReason(d.Reason))
	}
	return updateMoney(o), orders.EventDisputed
}

// timeOf is a time; nil where the processor does not say it.
func timeOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// newer reports whether what the processor says is not older than what is known:
// two replicas may have asked at different times.
func newer(known *orders.Dispute, d card.Dispute, disputes []card.Dispute) bool {
	switch {
	case known == nil:
		return true
	case known.ID == d.ID:
		return known.Status != string(d.Status) && d.Status != card.DisputeOpen || known.Status == string(d.Status) && d.Status == card.DisputeOpen && d.Responded && !known.Answered
	}
	return slices.ContainsFunc(disputes, func(old card.Dispute) bool { return old.ID == known.ID })
}
