package orders

import (
	"fmt"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/orders"
	"boardorder/services/console/internal/format"
)

// disputeView is the dispute of an order's payment, with what is to be done about it.
type disputeView struct {
	*orders.Dispute
	Amount   string
	Reason   string // in words
	Standing string
	Next     string   // what the operator does now, or what became of it
	Evidence []string // what there is to show to the bank
	Open     bool
}

// disputeReasons are the bank's words that the card processor passes on.
var disputeReasons = map[string]string{
	"fraudulent":                "the cardholder says that they did not pay this",
	"unrecognized":              "the cardholder does not recognise the payment",
	"product_not_received":      "the customer says that nothing has arrived",
	"product_unacceptable":      "the customer says that the boards are faulty, or not what was ordered",
	"duplicate":                 "the customer says that they were charged twice",
	"credit_not_processed":      "the customer says that a refund was promised and has not come",
	"general":                   "the bank gives no reason",
	"incorrect_account_details": "the bank says that the account’s details are wrong",
	"insufficient_funds":        "the bank says that the account had no funds",
	"bank_cannot_process":       "the bank could not process the payment",
	"debit_not_authorized":      "the customer says that they did not agree to the charge",
	"customer_initiated":        "the customer asked the bank to take the money back",
}

// newDisputeView is nil where no payment is disputed.
func newDisputeView(o orders.Order, now time.Time) *disputeView {
	d := o.Dispute
	if d == nil {
		return nil
	}
	v := &disputeView{Dispute: d, Amount: format.Money(d.Cents, o.Currency), Reason: disputeReasons[d.Reason], Open: o.IsDisputed()}
	if d.Charged != nil {
		v.Amount = d.Charged.Words() + ", for " + v.Amount
	}
	if v.Reason == "" {
		v.Reason = "the bank’s reason is: " + untrusted.Line(format.Words(d.Reason), 60)
	}
	v.Standing, v.Next = disputeStep(o, now)
	if v.Open && !d.Answered && (d.Due == nil || now.Before(*d.Due)) {
		v.Evidence = evidence(o)
	}
	return v
}

// disputeStep says how a dispute stands, and what follows from that.
func disputeStep(o orders.Order, now time.Time) (standing, next string) {
	d := o.Dispute
	const once = " Do not refund the payment: the bank has taken the money already, and it would be paid twice."
	at := "in the card processor’s dashboard (Disputes, " + untrusted.Line(d.ID, 80) + ")"
	switch {
	case d.Status == orders.DisputeWon && o.Status == orders.Held:
		return "won", "The bank has decided for us, and the money is back. The order is still held: report below how it goes on."
	case d.Status == orders.DisputeWon:
		return "won", "The bank has decided for us, and the money is back. Nothing is left to do."
	case d.Status == orders.DisputeLost && !o.HasEnded():
		return "lost", "The bank has given the money back to the customer, so there is nothing to refund. Cancel the order, unless the customer pays again; if the fabricator has it, cancel it there first."
	case d.Status == orders.DisputeLost:
		return "lost", "The bank has given the money back to the customer, so there is nothing to refund. Nothing is left to do."
	case d.Answered:
		return "answered", "The bank has our evidence and decides; that takes weeks. Nothing is to be done until then." + once
	case d.Due != nil && !now.Before(*d.Due):
		return "too late", fmt.Sprintf("The bank took evidence until %s UTC and got none, so it decides without. Nothing is to be done until then.", format.Time(*d.Due))
	case d.Due != nil:
		return "to answer", fmt.Sprintf("Until %s UTC, send evidence %s, or accept the dispute there if the customer is right.", format.Time(*d.Due), at) + once
	}
	return "to answer", fmt.Sprintf("Send evidence %s, which also says until when, or accept the dispute there if the customer is right.", at) + once
}

// evidence is what there is of an order that a bank looks at.
func evidence(o orders.Order) []string {
	out := []string{"The payment: " + format.Time(o.Payment.At) + " UTC"}
	if card := o.Payment.CardWords(); card != "" {
		out[0] += ", by " + card
	}
	if len(o.Invoices) > 0 {
		out = append(out, "The invoice that the customer got")
	}
	if a := o.Acknowledged; a != nil {
		out = append(out, fmt.Sprintf("What the customer acknowledged before paying: %d findings, %s UTC", len(a.Findings), format.Time(a.At)))
	}
	if o.PlacedAt != nil {
		out = append(out, "The order at the fabricator: "+format.Time(*o.PlacedAt)+" UTC, "+untrusted.Line(o.Fabricator.Number, 60))
	}
	if t := o.Tracking; t != nil {
		out = append(out, "The parcel: "+untrusted.Line(t.Carrier+" "+t.Number, 140))
	}
	return append(out, "The e-mails to the customer, under What happened")
}
