package payment

import (
	"context"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/checkout"

	"go.uber.org/zap"
)

// How far back the books are compared: a little at every turn, and, once an hour
// and when the service starts, as far as any page can have been open.
const (
	shallow = time.Hour
	deep    = 50 * time.Hour
)

// remind sends the service the commands to compare the books. Their ids come
// from the time, so that all replicas send the same ones.
func (s *Service) remind(ctx context.Context) error {
	t := time.NewTicker(s.cfg.ReconcileEvery)
	defer t.Stop()
	last := time.Time{}
	for {
		at := s.now().UTC()
		since := at.Truncate(s.cfg.ReconcileEvery).Add(-shallow)
		if hour := at.Truncate(time.Hour); hour.After(last) {
			last, since = hour, hour.Add(-deep)
		}
		if err := s.sendReconcile(ctx, at, since); err != nil && ctx.Err() == nil {
			s.log.Warn("the books cannot be compared", zap.Error(err))
			last = time.Time{}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

func (s *Service) sendReconcile(ctx context.Context, at, since time.Time) error {
	id := contract.DeriveID(checkouts.Reconcile.String(), at.Truncate(s.cfg.ReconcileEvery).Format(time.RFC3339), since.Format(time.RFC3339))
	c, err := contract.NewRootCommand(checkouts.Reconcile, id, "", at, checkouts.ReconcileData{Since: since})
	if err != nil {
		return err
	}
	return s.events.Send(ctx, c)
}

// reconcile compares the processor's payments with ours, and has what is
// missing settled. Each finding is a command of its own.
func (s *Service) reconcile(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[checkouts.ReconcileData](c)
	if err != nil {
		return err
	}
	for _, on := range s.sides() {
		if err := s.compareWith(ctx, c, on, data.Since); err != nil {
			return err
		}
	}
	return nil
}

// compareWith compares one processor's books.
func (s *Service) compareWith(ctx context.Context, c contract.Command, on side, since time.Time) error {
	payments, err := on.cards.Payments(ctx, since)
	if err != nil {
		s.log.Warn("the card processor cannot show its books", zap.Bool("test", on.test), zap.Error(err), trace.ID(ctx))
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
	if !on.test {
		s.books.noteComparison(s.now())
	}
	return s.compareReturns(ctx, c, on, since)
}

func (s *Service) compare(ctx context.Context, c contract.Command, on side, p card.Payment) error {
	r := checkout.PaymentReceipt(p)
	of, err := s.sideOfQuote(ctx, r.Quote)
	if err != nil || of.test != on.test {
		return err // both modes may have their books in one place: each is compared by its own
	}
	settled, err := s.isSettled(ctx, r)
	if err != nil || settled {
		return err
	}
	if s.now().Sub(p.CreatedAt) > s.cfg.SettleFirst {
		if !on.test {
			s.books.note(r)
		}
		s.log.Warn("a payment was missing from our books", zap.String("quote", r.Quote), zap.String("intent", r.Intent), trace.ID(ctx))
	}
	settle, err := c.Follow(checkouts.Settle, r.Intent, s.now(), checkouts.SettleData{Quote: r.Quote, Intent: r.Intent})
	if err != nil {
		return err
	}
	return s.events.Send(ctx, settle)
}

// compareReturns compares the processor's refunds and disputes with ours. What is
// still open, such as a dispute that a bank decides months later, the sweep finds.
func (s *Service) compareReturns(ctx context.Context, c contract.Command, on side, since time.Time) error {
	refunds, err := on.cards.Refunds(ctx, card.Lookup{Since: since})
	if err != nil {
		s.log.Warn("the card processor cannot show its refunds", zap.Error(err), trace.ID(ctx))
		return nil
	}
	disputes, err := on.cards.Disputes(ctx, card.Lookup{Since: since})
	if err != nil {
		s.log.Warn("the card processor cannot show its disputes", zap.Error(err), trace.ID(ctx))
		return nil
	}
	for _, r := range refunds {
		if err := s.compareReturn(ctx, c, r.Reference, r.PaymentIntent, returned{refunds: []card.Refund{r}}); err != nil {
			return err
		}
	}
	for _, d := range disputes {
		if err := s.compareReturn(ctx, c, d.Reference, d.PaymentIntent, returned{disputes: []card.Dispute{d}}); err != nil {
			return err
		}
	}
	return nil
}

// compareReturn has what is missing from our books looked at.
func (s *Service) compareReturn(ctx context.Context, c contract.Command, quote, intent string, r returned) error {
	if !checkout.IsOurs(quote) {
		return nil
	}
	o, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, quote).Load(ctx)
	if err != nil || !o.Exists() || o.State.Payment.Intent != intent || !r.changes(o.State, s.now()) {
		return err
	}
	s.log.Warn("a refund or dispute was missing from our books", zap.String("order", o.State.ID), zap.String("intent", intent), trace.ID(ctx))
	settle, err := c.Follow(orders.SettleMoney, intent, s.now(), orders.SettleMoneyData{Quote: quote, Intent: intent})
	if err != nil {
		return err
	}
	return s.events.Send(ctx, settle)
}
