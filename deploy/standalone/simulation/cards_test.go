package simulation

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/card"
)

// cards is a card processor whose books are all that there is of it.
type cards struct {
	*simbus.Sim
	byKey    map[string]*card.Session
	sessions map[string]*card.Session
	payments []*card.Payment
	refunds  map[string]card.Refund // by idempotency key
}

func newCards(s *simbus.Sim) *cards {
	return &cards{Sim: s, byKey: map[string]*card.Session{}, sessions: map[string]*card.Session{}, refunds: map[string]card.Refund{}}
}

// call is one call over the network: it may not arrive, its answer may not
// come back, and the caller may die before or after it.
func (c *cards) call(name string, do func() error) error {
	done := false
	var failed error
	err := c.Effect("card processor: "+name, func() error { done = true; failed = do(); return nil })
	switch {
	case failed != nil:
		return failed
	case err != nil && done:
		return &card.Error{Kind: card.Unknown, Code: card.CodeTimeout, Doing: name, Err: err}
	case err != nil:
		return &card.Error{Kind: card.Unavailable, Code: card.CodeConnection, Doing: name, Err: err}
	}
	return nil
}

func notFound(name string) error {
	return &card.Error{Kind: card.Refused, Code: card.CodeNotFound, Doing: name}
}

func (c *cards) CreateCheckout(_ context.Context, r card.CheckoutRequest) (card.Session, error) {
	var out card.Session
	err := c.call("create checkout", func() error {
		if s, ok := c.byKey[r.IdempotencyKey]; ok {
			out = *s
			return nil
		}
		id := fmt.Sprint("cs_", len(c.sessions)+1)
		s := &card.Session{
			ID: id, URL: "https://pay/" + id, Status: card.SessionOpen, AmountTotal: r.Total(), Currency: "USD",
			Reference: r.Reference, Metadata: maps.Clone(r.Metadata), ExpiresAt: r.ExpiresAt,
		}
		s.Metadata["reference"] = r.Reference
		c.byKey[r.IdempotencyKey], c.sessions[id] = s, s
		out = *s
		return nil
	})
	return out, err
}

// lapse ends what nobody paid in time.
func (c *cards) lapse(s *card.Session) {
	if s.Status == card.SessionOpen && !s.ExpiresAt.IsZero() && !c.Now().Before(s.ExpiresAt) {
		s.Status, s.URL = card.SessionExpired, ""
	}
}

func (c *cards) Session(_ context.Context, id string) (out card.Session, err error) {
	err = c.call("read session", func() error {
		s, ok := c.sessions[id]
		if !ok {
			return notFound("read session")
		}
		c.lapse(s)
		out = *s
		if p := c.payment(s.PaymentIntent); p != nil {
			out.RefundedCents = p.RefundedCents
		}
		return nil
	})
	return out, err
}

func (c *cards) ExpireSession(_ context.Context, id string) (out card.Session, err error) {
	err = c.call("expire session", func() error {
		s, ok := c.sessions[id]
		if !ok {
			return notFound("expire session")
		}
		if s.Status == card.SessionOpen {
			s.Status, s.URL = card.SessionExpired, ""
		}
		out = *s
		return nil
	})
	return out, err
}

// pay is the customer at the processor's page.
func (c *cards) pay(id string) bool {
	s := c.sessions[id]
	c.lapse(s)
	if s.Status != card.SessionOpen {
		return false
	}
	p := &card.Payment{
		ID: fmt.Sprint("pi_", len(c.payments)+1), Status: card.PaymentSucceeded, Cents: s.AmountTotal, ReceivedCents: s.AmountTotal,
		Currency: s.Currency, Metadata: s.Metadata, CreatedAt: c.Now(),
	}
	c.payments = append(c.payments, p)
	s.Status, s.Paid, s.URL, s.PaymentIntent, s.CustomerEmail = card.SessionComplete, true, "", p.ID, "ada@example.com"
	return true
}

func (c *cards) payment(id string) *card.Payment {
	for _, p := range c.payments {
		if p.ID == id {
			return p
		}
	}
	return nil
}

func (c *cards) Payment(_ context.Context, id string) (out card.Payment, err error) {
	err = c.call("read payment", func() error {
		p := c.payment(id)
		if p == nil {
			return notFound("read payment")
		}
		out = *p
		return nil
	})
	return out, err
}

func (c *cards) Payments(_ context.Context, since time.Time) (out []card.Payment, err error) {
	err = c.call("list payments", func() error {
		for _, p := range c.payments {
			if !p.CreatedAt.Before(since) {
				out = append(out, *p)
			}
		}
		return nil
	})
	return out, err
}

func (c *cards) Refund(_ context.Context, r card.RefundRequest) (out card.Refund, err error) {
	err = c.call("refund", func() error {
		if old, ok := c.refunds[r.IdempotencyKey]; ok {
			out = old
			return nil
		}
		p := c.payment(r.PaymentIntent)
		if p == nil {
			return notFound("refund")
		}
		if r.Cents > p.Cents-p.RefundedCents {
			return &card.Error{Kind: card.Refused, Code: "amount_too_large", Doing: "refund"}
		}
		p.RefundedCents += r.Cents
		out = card.Refund{
			ID: fmt.Sprint("re_", len(c.refunds)+1), PaymentIntent: p.ID, Name: r.Name, Reference: p.Metadata["reference"],
			Cents: r.Cents, Status: card.RefundSucceeded, CreatedAt: c.Now(),
		}
		c.refunds[r.IdempotencyKey] = out
		return nil
	})
	return out, err
}

// byHand gives cents of a payment back at the processor's own page.
func (c *cards) byHand(p *card.Payment, cents int64) (id string) {
	p.RefundedCents += cents
	id = fmt.Sprint("re_hand_", len(c.refunds)+1)
	c.refunds[id] = card.Refund{
		ID: id, PaymentIntent: p.ID, Reference: p.Metadata["reference"], Cents: cents, Status: card.RefundSucceeded, CreatedAt: c.Now(),
	}
	return id
}

func (c *cards) Refunds(_ context.Context, l card.Lookup) (out []card.Refund, err error) {
	err = c.call("list refunds", func() error {
		for _, key := range slices.Sorted(maps.Keys(c.refunds)) {
			r := c.refunds[key]
			if r.PaymentIntent == l.PaymentIntent || l.PaymentIntent == "" && !r.CreatedAt.Before(l.Since) {
				out = append(out, r)
			}
		}
		return nil
	})
	return out, err
}

func (c *cards) Disputes(context.Context, card.Lookup) (out []card.Dispute, err error) {
	return nil, c.call("list disputes", func() error { return nil })
}

func (c *cards) ChargeSaved(context.Context, card.SavedCharge) (card.ChargeResult, error) {
	return card.ChargeResult{}, &card.Error{Kind: card.Refused, Code: card.CodeBadRequest, Doing: "charge saved card"}
}

func (c *cards) CancelPayment(context.Context, string) (card.Payment, error) {
	return card.Payment{}, &card.Error{Kind: card.Refused, Code: card.CodeBadRequest, Doing: "cancel payment"}
}

var _ card.Processor = (*cards)(nil)
