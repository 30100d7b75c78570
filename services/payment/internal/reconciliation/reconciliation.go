// Package reconciliation compares the card processor's payments, refunds and disputes
// with our own ledger, which is the events, and has what is missing settled.
package reconciliation

import (
	"context"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/payments"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// Reconciliation compares the processor's records with ours.
type Reconciliation struct {
	*saga.Env
	Payments *payments.Payments
	Every    time.Duration // between comparisons
	Grace    time.Duration // a payment that is younger may be on its way still

	found found
}

// How far back payments are compared: a little at every turn, and, once an hour
// and when the service starts, as far as any page can have been open.
const (
	shallow = time.Hour
	deep    = 50 * time.Hour
)

// Remind sends the service the commands to reconcile. Their ids come
// from the time, so that all replicas send the same ones.
func (s *Reconciliation) Remind(ctx context.Context) error {
	t := time.NewTicker(s.Every)
	defer t.Stop()
	last := time.Time{}
	for {
		at := s.Now().UTC()
		since := at.Truncate(s.Every).Add(-shallow)
		if hour := at.Truncate(time.Hour); hour.After(last) {
			last, since = hour, hour.Add(-deep)
		}
		if err := s.sendReconcile(ctx, at, since); err != nil && ctx.Err() == nil {
			s.Log.Warn("cannot send the command to reconcile payments", zap.Error(err))
			last = time.Time{}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

func (s *Reconciliation) sendReconcile(ctx context.Context, at, since time.Time) error {
	id := contract.DeriveID(checkouts.Reconcile.String(), at.Truncate(s.Every).Format(time.RFC3339), since.Format(time.RFC3339))
	c, err := contract.NewRootCommand(checkouts.Reconcile, id, "", at, checkouts.ReconcileData{Since: since})
	if err != nil {
		return err
	}
	return s.Events.Send(ctx, c)
}

// Reconcile compares the processor's payments with ours, and has what is
// missing settled. Each finding is a command of its own.
func (s *Reconciliation) Reconcile(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[checkouts.ReconcileData](c)
	if err != nil {
		return err
	}
	for _, on := range s.Modes() {
		if err := s.compareMode(ctx, c, on, data.Since); err != nil {
			return err
		}
	}
	return nil
}

// compareMode compares one processor's payments with ours.
func (s *Reconciliation) compareMode(ctx context.Context, c contract.Command, on saga.Mode, since time.Time) error {
	payments, err := on.Cards.Payments(ctx, since)
	if err != nil {
		s.Log.Warn("cannot list payments of the card processor", zap.Bool("test", on.Test), zap.Error(err), trace.ID(ctx))
		return nil // the next turn looks at the same time again
	}
	for _, p := range payments {
		if p.Status != card.PaymentSucceeded || !checkout.IsOurs(checkout.Reference(p)) {
			continue
		}
		if err := s.compare(ctx, c, on, p); err != nil {
			return err
		}
	}
	if !on.Test {
		s.found.noteComparison(s.Now())
	}
	return s.compareReturns(ctx, c, on, since)
}

func (s *Reconciliation) compare(ctx context.Context, c contract.Command, on saga.Mode, p card.Payment) error {
	r := checkout.PaymentReceipt(p)
	of, err := s.ModeOfQuote(ctx, r.Quote)
	if err != nil || of.Test != on.Test {
		return err // one account may serve both modes: each is compared by its own
	}
	settled, err := s.Payments.IsSettled(ctx, r)
	if err != nil || settled {
		return err
	}
	if s.Now().Sub(p.CreatedAt) > s.Grace {
		if !on.Test {
			s.found.note(r)
		}
		s.Log.Warn("a payment was missing from our ledger", zap.String("quote", r.Quote), zap.String("intent", r.Intent), trace.ID(ctx))
	}
	settle, err := c.Follow(checkouts.Settle, r.Intent, s.Now(), checkouts.SettleData{Quote: r.Quote, Intent: r.Intent})
	if err != nil {
		return err
	}
	return s.Events.Send(ctx, settle)
}

// compareReturns compares the processor's refunds and disputes with ours. What is
// still open, such as a dispute that a bank decides months later, the sweep finds.
func (s *Reconciliation) compareReturns(ctx context.Context, c contract.Command, on saga.Mode, since time.Time) error {
	refunds, err := on.Cards.Refunds(ctx, card.Lookup{Since: since})
	if err != nil {
		s.Log.Warn("cannot list refunds of the card processor", zap.Error(err), trace.ID(ctx))
		return nil
	}
	disputes, err := on.Cards.Disputes(ctx, card.Lookup{Since: since})
	if err != nil {
		s.Log.Warn("cannot list disputes of the card processor", zap.Error(err), trace.ID(ctx))
		return nil
	}
	for _, r := range refunds {
		if err := s.compareReturn(ctx, c, r.Reference, r.PaymentIntent, order.Returns{Refunds: []card.Refund{r}}); err != nil {
			return err
		}
	}
	for _, d := range disputes {
		if err := s.compareReturn(ctx, c, d.Reference, d.PaymentIntent, order.Returns{Disputes: []card.Dispute{d}}); err != nil {
			return err
		}
	}
	return nil
}

// compareReturn has what is missing from our ledger looked at.
func (s *Reconciliation) compareReturn(ctx context.Context, c contract.Command, quote, intent string, r order.Returns) error {
	if !checkout.IsOurs(quote) {
		return nil
	}
	o, err := s.Order(quote).Load(ctx)
	if err != nil || !o.Exists() || o.State.Payment.Intent != intent || !r.ChangesOrder(o.State, s.Now()) {
		return err
	}
	s.Log.Warn("a refund or dispute was missing from our ledger", zap.String("order", o.State.ID), zap.String("intent", intent), trace.ID(ctx))
	settle, err := c.Follow(orders.SettleMoney, intent, s.Now(), orders.SettleMoneyData{Quote: quote, Intent: intent})
	if err != nil {
		return err
	}
	return s.Events.Send(ctx, settle)
}
