package simulation

import (
	"boardorder/pkg/card"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
)

// giveBack lets the team, or somebody at the processor, give money back or call
// an order off. A notice of it may be lost.
func (w *world) giveBack() {
	if len(w.cards.payments) == 0 {
		return
	}
	p := pick(w, w.cards.payments)
	quote, cents := p.Metadata["reference"], 1+w.Rand().Int64N(p.Cents)
	switch r := w.Rand().IntN(100); {
	case r < 40:
		w.ask(orders.Cancel, orders.CancelData{Quote: quote, Operator: "grace"})
	case r < 70:
		w.ask(orders.IssueRefund, orders.IssueRefundData{Quote: quote, Operator: "grace", Cents: cents})
	case p.Status == card.PaymentSucceeded && cents <= p.Cents-p.RefundedCents:
		last := w.cards.refundByHand(p, cents)
		if w.Chance(50) {
			w.notify(checkouts.CardEventData{EventID: "evt_" + last, Type: "charge.refunded", Intent: p.ID, Quote: quote})
		}
	}
}
