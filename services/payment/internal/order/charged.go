package order

import (
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
)

// amountOf is what a document is about in the currency that the card was charged in.
func amountOf(o orders.Order, d Document) *prices.Charged {
	if o.Payment.Charged == nil {
		return nil
	}
	charged := o.Payment.Charged.Charged
	for _, r := range o.Refunds {
		if d.Kind == invoices.CreditNote && r.ID == d.Refund {
			return r.Charged
		}
	}
	return &charged
}

// AmountToReturn is what the processor is asked to give back for a refund, in the minor
// units of the currency that it charged.
func AmountToReturn(r orders.Refund) int64 {
	if r.Charged != nil {
		return r.Charged.Minor
	}
	return r.Cents
}
