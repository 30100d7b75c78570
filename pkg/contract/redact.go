package contract

import (
	"slices"
	"time"
)

// Redact keeps of an address what taxes follow from.
func (s ShipTo) Redact() ShipTo { return ShipTo{State: s.State, Country: s.Country} }

// Redact is the quote without what names or tells of its customer. It cannot
// be paid any more; amounts, taxes and the board stay.
func (q Quote) Redact(at time.Time) Quote {
	if q.Asked.ShipTo != nil {
		to := q.Asked.ShipTo.Redact()
		q.Asked.ShipTo = &to
	}
	q.Asked.SpecialNotes, q.Asked.ProjectName, q.Asked.BoardContext = nil, nil, nil
	if q.Delivery != nil {
		q.Delivery = &Delivery{ShipTo: q.Delivery.ShipTo.Redact(), ShippingID: q.Delivery.ShippingID, BuildHours: q.Delivery.BuildHours}
	}
	if n := len(q.Reply.Notes); q.TeamNote != "" && n > 0 {
		q.Reply.Notes = q.Reply.Notes[:n-1]
	}
	// Terms and pricing name the town that was priced for.
	q.TeamNote, q.Team, q.Terms, q.Pricing, q.Estimate = "", nil, nil, nil, nil
	q.Review = q.Review.dropWords()
	if q.ExpiresAt.After(at) {
		q.ExpiresAt = at
	}
	return q
}

// Redact is the checkout without what names its customer. What is paid on it
// from now on is given back.
func (c Checkout) Redact(at time.Time) Checkout {
	c.ShipTo, c.Sold, c.Terms, c.SessionURL, c.Withdrawn = c.ShipTo.Redact(), c.Sold.Redact(at), nil, "", true
	c.Saved = c.Saved.redact()
	if c.Payment != nil {
		paid := *c.Payment
		paid.Email, paid.Card = "", nil
		c.Payment = &paid
	}
	return c
}

// Redact is the order without what names its customer. What the books need
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
		o.Report = &OrderReport{Operator: o.Report.Operator, At: o.Report.At}
	}
	if o.Cancelled != nil {
		o.Cancelled = &Cancellation{Operator: o.Cancelled.Operator, Refund: o.Cancelled.Refund, At: o.Cancelled.At}
	}
	refunds := make([]OrderRefund, len(o.Refunds))
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

// Withdraw is what stays of the checkout of a design that was declared
// ITAR-controlled: how much was to be paid and was given back.
func (c Checkout) Withdraw() Checkout {
	kept := Checkout{
		Quote: c.Quote, Account: c.Account, Request: c.Request, Status: c.Status, Attempt: c.Attempt, TotalCents: c.TotalCents,
		Currency: c.Currency, SessionID: c.SessionID, Payment: c.Payment, Refunds: c.Refunds, StartedAt: c.StartedAt, ExpiresAt: c.ExpiresAt,
		Lines: []Line{}, Withdrawn: true, Saved: c.Saved.redact(),
	}
	if c.Payment != nil {
		paid := *c.Payment
		paid.Email, paid.Card = "", nil
		kept.Payment = &paid
	}
	return kept
}

// Withdraw is what stays of the order of such a design: what the books need, and
// whom it was for, since people decide about it and write to its customer.
func (o Order) Withdraw() Order {
	kept := Order{
		ID: o.ID, Ref: o.Ref, Quote: o.Quote, Account: o.Account, Request: o.Request, Status: o.Status, Payment: o.Payment,
		TotalCents: o.TotalCents, Currency: o.Currency, Fabricator: o.Fabricator, Held: o.Held, Refunds: o.Refunds, Dispute: o.Dispute,
		Withdrawn: true, Quantity: o.Quantity, Sold: Quote{Mode: o.Sold.Mode, CreatedAt: o.Sold.CreatedAt, ExpiresAt: o.Sold.ExpiresAt},
		Money: o.Money, Cancelled: o.Cancelled, Invoices: o.Invoices, PaidAt: o.PaidAt, PlacedAt: o.PlacedAt, ShippedAt: o.ShippedAt, Lines: []Line{},
		Screened: o.Screened, ShipTo: o.ShipTo,
	}
	kept.Payment.Card = nil
	return kept.dropWords()
}

// redact is a charge without the card.
func (s *SavedPayment) redact() *SavedPayment {
	if s == nil {
		return nil
	}
	kept := *s
	kept.Card = CardRef{}
	return &kept
}
