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

// cards is a card processor whose ledgers are all that there is of it.
type cards struct {
	*simbus.Sim
	byKey    map[string]*card.Session
	sessions map[string]*card.Session
	charges  map[string]*card.Payment // of saved cards, by idempotency key
	answers  map[string]card.ChargeResult
	payments []*card.Payment
	refunds  map[string]card.Refund // by idempotency key
	disputes []card.Dispute
}

func newCards(s *simbus.Sim) *cards {
	return &cards{Sim: s, byKey: map[string]*card.Session{}, sessions: map[string]*card.Session{}, charges: map[string]*card.Payment{}, answers: map[string]card.ChargeResult{}, refunds: map[string]card.Refund{}}
}

// call is one call over the network: it may not arrive, its answer may not
// come back, and the caller may die before or after it.
func (c *cards) call(ctx context.Context, name string, do func() error) error {
	done := false
	var failed error
	err := c.Effect(ctx, "card processor: "+name, func() error { done = true; failed = do(); return nil })
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

func errorNotFound(name string) error {
	return &card.Error{Kind: card.Refused, Code: card.CodeNotFound, Doing: name}
}

func (c *cards) CreateCheckout(ctx context.Context, r card.CheckoutRequest) (card.Session, error) {
	var out card.Session
	err := c.call(ctx, "create checkout", func() error {
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
		s.CardSaved = r.SaveCard // once it is paid
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

func (c *cards) Session(ctx context.Context, id string) (out card.Session, err error) {
	err = c.call(ctx, "read session", func() error {
		s, ok := c.sessions[id]
		if !ok {
			return errorNotFound("read session")
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

func (c *cards) ExpireSession(ctx context.Context, id string) (out card.Session, err error) {
	err = c.call(ctx, "expire session", func() error {
		s, ok := c.sessions[id]
		if !ok {
			return errorNotFound("expire session")
		}
		if s.Status == card.SessionOpen {
			s.Status, s.URL = card.SessionExpired, ""
		}
		out = *s
		return nil
	})
	return out, err
}

// decline is a card at the processor's page that its bank refuses.
func (c *cards) decline(id string) {
	c.sessions[id].Failure = &card.Failure{Charge: "ch_" + id, Reason: "insufficient_funds", Card: card.Saved{Brand: "visa", Last4: "9995"}, At: c.Now()}
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
	s.Status, s.Paid, s.URL, s.PaymentIntent, s.CustomerEmail, s.Failure = card.SessionComplete, true, "", p.ID, "ada@example.com", nil
	s.CustomerID, s.Card = "cus_"+p.ID, card.Saved{MethodID: "pm_" + p.ID, Brand: "visa", Last4: "4242"}
	p.CustomerID, p.Card, p.CardSaved = s.CustomerID, s.Card, s.CardSaved
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

func (c *cards) Payment(ctx context.Context, id string) (out card.Payment, err error) {
	err = c.call(ctx, "read payment", func() error {
		p := c.payment(id)
		if p == nil {
			return errorNotFound("read payment")
		}
		if p.Status == card.PaymentProcessing && c.Chance(50) { // the bank has decided
			p.Status, p.ReceivedCents = card.PaymentSucceeded, p.Cents
		}
		out = *p
		return nil
	})
	return out, err
}

func (c *cards) Payments(ctx context.Context, since time.Time) (out []card.Payment, err error) {
	err = c.call(ctx, "list payments", func() error {
		for _, p := range c.payments {
			if !p.CreatedAt.Before(since) {
				out = append(out, *p)
			}
		}
		return nil
	})
	return out, err
}

func (c *cards) Refund(ctx context.Context, r card.RefundRequest) (out card.Refund, err error) {
	err = c.call(ctx, "refund", func() error {
		if old, ok := c.refunds[r.IdempotencyKey]; ok {
			out = old
			return nil
		}
		p := c.payment(r.PaymentIntent)
		if p == nil {
			return errorNotFound("refund")
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

// refundByHand gives cents of a payment back at the processor's own page.
func (c *cards) refundByHand(p *card.Payment, cents int64) (id string) {
	p.RefundedCents += cents
	id = fmt.Sprint("re_hand_", len(c.refunds)+1)
	c.refunds[id] = card.Refund{
		ID: id, PaymentIntent: p.ID, Reference: p.Metadata["reference"], Cents: cents, Status: card.RefundSucceeded, CreatedAt: c.Now(),
	}
	return id
}

func (c *cards) Refunds(ctx context.Context, l card.Lookup) (out []card.Refund, err error) {
	err = c.call(ctx, "list refunds", func() error {
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

func (c *cards) Disputes(ctx context.Context, l card.Lookup) (out []card.Dispute, err error) {
	err = c.call(ctx, "list disputes", func() error {
		for _, d := range c.disputes {
			if d.PaymentIntent == l.PaymentIntent || l.PaymentIntent == "" {
				out = append(out, d)
			}
		}
		return nil
	})
	return out, err
}

func (c *cards) ChargeSaved(ctx context.Context, r card.SavedCharge) (out card.ChargeResult, err error) {
	err = c.call(ctx, "charge saved card", func() error {
		p := c.charges[r.IdempotencyKey]
		if p == nil {
			p = &card.Payment{
				ID: fmt.Sprint("pi_", len(c.payments)+1), Status: card.PaymentSucceeded, Cents: r.Cents, ReceivedCents: r.Cents,
				Currency: r.Currency, Metadata: maps.Clone(r.Metadata), CreatedAt: c.Now(),
			}
			p.Metadata["reference"] = r.Reference
			switch n := c.Rand().IntN(10); {
			case n < 2:
				p.Status, p.ReceivedCents = card.PaymentProcessing, 0
			case n < 4:
				p.Status, p.ReceivedCents = card.PaymentOpen, 0
			}
			c.charges[r.IdempotencyKey] = p
			c.payments = append(c.payments, p)
			c.answers[r.IdempotencyKey] = answerTo(p)
		}
		out = c.answers[r.IdempotencyKey]
		return nil
	})
	return out, err
}

// answerTo is what the processor says of a charge, now and whenever the same key
// comes again.
func answerTo(p *card.Payment) card.ChargeResult {
	out := card.ChargeResult{Outcome: card.Succeeded, PaymentIntent: p.ID}
	switch p.Status {
	case card.PaymentProcessing:
		out.Outcome = card.Processing
	case card.PaymentOpen:
		out.Outcome, out.Code, out.DeclineCode = card.Declined, "card_declined", "generic_decline"
	}
	return out
}

func (c *cards) CancelPayment(ctx context.Context, id string) (out card.Payment, err error) {
	err = c.call(ctx, "cancel payment", func() error {
		p := c.payment(id)
		if p == nil || p.Status == card.PaymentSucceeded {
			return errorNotFound("cancel payment")
		}
		p.Status = card.PaymentCanceled
		out = *p
		return nil
	})
	return out, err
}

func (c *cards) ForgetCustomer(ctx context.Context, _ string) error {
	return c.call(ctx, "forget customer", func() error { return nil })
}

var _ card.Processor = (*cards)(nil)
