package checkouts

import (
	"time"

	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/prices"
)

// Redact is the checkout without what names its customer. What is paid on it
// from now on is given back.
func (c Checkout) Redact(at time.Time) Checkout {
	c.ShipTo, c.Sold, c.Terms, c.SessionURL, c.Withdrawn = c.ShipTo.Redact(), c.Sold.Redact(at), nil, "", true
	c.Saved, c.Declines = c.Saved.redact(), nil
	if c.Payment != nil {
		paid := *c.Payment
		paid.Email, paid.Card = "", nil
		c.Payment = &paid
	}
	c.Others = c.redactOthers(func(other Checkout) Checkout { return other.Redact(at) })
	return c
}

// redactOthers redacts the pages of other browsers.
func (c Checkout) redactOthers(redact func(Checkout) Checkout) []Checkout {
	var out []Checkout
	for _, other := range c.Others {
		out = append(out, redact(other))
	}
	return out
}

// Withdraw is what stays of the checkout of a design that was declared
// ITAR-controlled: how much was to be paid and was given back.
func (c Checkout) Withdraw() Checkout {
	kept := Checkout{
		Quote: c.Quote, Account: c.Account, Request: c.Request, Status: c.Status, Attempt: c.Attempt, TotalCents: c.TotalCents,
		Currency: c.Currency, Charge: c.Charge, SessionID: c.SessionID, Payment: c.Payment, Refunds: c.Refunds, StartedAt: c.StartedAt, ExpiresAt: c.ExpiresAt,
		Lines: []prices.Line{}, Withdrawn: true, Saved: c.Saved.redact(), Language: c.Language,
		Attempts: c.Attempts, Others: c.redactOthers(Checkout.Withdraw),
	}
	if c.Payment != nil {
		paid := *c.Payment
		paid.Email, paid.Card = "", nil
		kept.Payment = &paid
	}
	return kept
}

// redact is a charge without the card.
func (s *SavedPayment) redact() *SavedPayment {
	if s == nil {
		return nil
	}
	kept := *s
	kept.Card = customers.CardRef{}
	return &kept
}
