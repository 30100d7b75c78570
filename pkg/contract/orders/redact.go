package orders

import (
	"slices"
	"time"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
)

// Redact is the order without what names its customer. What bookkeeping needs
// stays: numbers, dates, amounts, taxes, state and country.
func (o Order) Redact(at time.Time) Order {
	o.ShipTo, o.Sold, o.Terms, o.Payment.Email = o.ShipTo.Redact(), o.Sold.Redact(at), nil, ""
	o.Payment.Card = nil
	return o.dropWords()
}

// dropWords drops what people wrote about the order, and where its parcel is.
func (o Order) dropWords() Order {
	o.Waiting, o.Tracking = "", nil
	if o.Report != nil {
		o.Report = &Report{Operator: o.Report.Operator, At: o.Report.At}
	}
	if o.Cancelled != nil {
		o.Cancelled = &Cancellation{Operator: o.Cancelled.Operator, Refund: o.Cancelled.Refund, At: o.Cancelled.At}
	}
	refunds := make([]Refund, len(o.Refunds))
	for i, r := range o.Refunds {
		r.Why = ""
		refunds[i] = r
	}
	o.Refunds = refunds
	o.Invoices = slices.Clone(o.Invoices)
	for i := range o.Invoices {
		o.Invoices[i].Card, o.Invoices[i].Without = "", nil
	}
	return o
}

// Withdraw is what stays of the order of such a design: what bookkeeping needs, and
// whom it was for, since people decide about it and write to its customer.
func (o Order) Withdraw() Order {
	kept := Order{
		ID: o.ID, Ref: o.Ref, Quote: o.Quote, Account: o.Account, Request: o.Request, Status: o.Status, Payment: o.Payment,
		TotalCents: o.TotalCents, Currency: o.Currency, Fabricator: o.Fabricator, Held: o.Held, Refunds: o.Refunds, Dispute: o.Dispute,
		Withdrawn: true, Quantity: o.Quantity, Sold: quotes.Quote{Mode: o.Sold.Mode, CreatedAt: o.Sold.CreatedAt, ExpiresAt: o.Sold.ExpiresAt},
		Money: o.Money, Cancelled: o.Cancelled, Invoices: o.Invoices, PaidAt: o.PaidAt, PlacedAt: o.PlacedAt, ShippedAt: o.ShippedAt, TaxRate: o.TaxRate, Lines: []prices.Line{},
		Screened: o.Screened, ShipTo: o.ShipTo, Language: o.Language,
	}
	kept.Payment.Card = nil
	return kept.dropWords()
}
