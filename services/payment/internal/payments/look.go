package payments

import (
	"context"
	"errors"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// IsUnanswered reports whether the processor gave no answer, now.
func IsUnanswered(err error) bool {
	e, ok := errors.AsType[*card.Error](err)
	return ok && e.Kind != card.Refused
}

// Look asks the processor and acts on what it says.
func (s *Payments) Look(ctx context.Context, c contract.Command, data checkouts.SettleData) error {
	if data.Session == "" {
		return s.LookAtPayment(ctx, c, data.Quote, data.Intent)
	}
	on, err := s.ModeOfQuote(ctx, data.Quote)
	if err != nil {
		return err
	}
	session, err := on.Cards.Session(ctx, data.Session)
	switch {
	case card.KindOf(err) == card.Refused:
		s.Log.Error("the card processor does not know a session", zap.String("session", data.Session), zap.Error(err), trace.ID(ctx))
		return nil
	case err != nil:
		return err
	case !checkout.IsOurs(session.Reference):
		return nil // another program's
	case session.Paid:
		return s.Accept(ctx, c, on, checkout.SessionReceipt(session))
	case session.Status == card.SessionExpired:
		return s.closeSession(ctx, c, session)
	}
	if err := s.noteDecline(ctx, c, session.Reference, session.Failure); err != nil {
		return err
	}
	failed, err := s.CancelUnpaid(ctx, on, session)
	if err != nil || !failed {
		return err
	}
	return s.closeSession(ctx, c, session)
}

// LookAtPayment is Look at one payment; quote may be empty.
func (s *Payments) LookAtPayment(ctx context.Context, c contract.Command, quote, intent string) error {
	p, on, err := s.Find(ctx, quote, intent)
	switch {
	case card.KindOf(err) == card.Refused:
		s.Log.Error("the card processor does not know a payment", zap.String("intent", intent), zap.Error(err), trace.ID(ctx))
		return nil
	case err != nil:
		return err
	case !checkout.IsOurs(checkout.Reference(p)):
		return nil
	case p.Status != card.PaymentSucceeded && checkout.PaymentReceipt(p).Nonce == "": // what a bank says of a saved card is known
		return s.noteDecline(ctx, c, checkout.Reference(p), p.Failure)
	case p.Status != card.PaymentSucceeded:
		return nil
	}
	return s.Accept(ctx, c, on, checkout.PaymentReceipt(p))
}

// noteDecline writes down that a card was refused at the processor's page, if one was.
func (s *Payments) noteDecline(ctx context.Context, c contract.Command, quote string, f *card.Failure) error {
	if f == nil {
		return nil
	}
	now, err := s.Checkout(quote).Load(ctx)
	if err != nil || !now.Exists() {
		return err
	}
	c.Account = now.State.Account
	_, err = s.Checkout(quote).Step(ctx, c, "declined:"+f.Charge, s.Now(),
		func(now saga.CheckoutSnapshot) (*saga.CheckoutChange, error) {
			next, changed := checkout.AddDecline(now.State, *f)
			if !changed {
				return nil, nil
			}
			return &saga.CheckoutChange{Event: checkouts.EventDeclined, State: next}, nil
		})
	return err
}

// closeSession closes the attempt whose page expired.
func (s *Payments) closeSession(ctx context.Context, c contract.Command, session card.Session) error {
	now, err := s.Checkout(session.Reference).Load(ctx)
	if err != nil || !now.Exists() {
		return err
	}
	c.Account = now.State.Account
	page, ok := checkout.PageOfSession(now.State, session.ID, session.Metadata["attempt"])
	if !ok {
		return nil
	}
	return s.Close(ctx, c, page)
}

// Find looks a payment up, in the quote's mode or, where that is not known, in
// live first.
func (s *Payments) Find(ctx context.Context, quote, intent string) (p card.Payment, on saga.Mode, err error) {
	if quote != "" {
		if on, err = s.ModeOfQuote(ctx, quote); err != nil {
			return p, on, err
		}
		p, err = on.Cards.Payment(ctx, intent)
		return p, on, err
	}
	p, err = s.Live.Cards.Payment(ctx, intent)
	if card.KindOf(err) != card.Refused {
		return p, s.Live, err
	}
	p, err = s.Test.Cards.Payment(ctx, intent)
	return p, s.Test, err
}

// IsSettled tells whether a payment led to an order, or went back.
func (s *Payments) IsSettled(ctx context.Context, r checkout.Receipt) (bool, error) {
	paid, err := s.Checkout(r.Quote).Load(ctx)
	if err != nil {
		return false, err
	}
	switch checkout.Judge(paid.State, r) {
	case checkout.Done:
		return true, nil
	case checkout.Known:
		o, err := s.Order(r.Quote).Load(ctx)
		return err == nil && o.Exists(), err
	}
	return false, nil
}
