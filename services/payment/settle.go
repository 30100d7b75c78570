package payment

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
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

// cardEvent takes a notice of the processor for a hint, and asks.
func (s *Service) cardEvent(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[checkouts.CardEventData](c)
	if err != nil {
		return err
	}
	switch {
	case concernsReturns(data.Type):
		return s.askReturns(ctx, c, orders.SettleMoneyData{Quote: data.Quote, Intent: data.Intent})
	case !strings.HasPrefix(data.Type, "checkout.session.") && data.Type != "payment_intent.succeeded":
		return nil // nothing that changes an order
	}
	ask := checkouts.SettleData{Quote: data.Quote, Session: data.Session, Intent: data.Intent}
	if ask.Session == "" && ask.Intent == "" {
		return nil
	}
	return s.ask(ctx, c, ask)
}

// settle asks the processor how a payment stands: after a customer came back,
// when a page's time is over, when the books do not agree.
func (s *Service) settle(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[checkouts.SettleData](c)
	if err != nil {
		return err
	}
	if data.Session != "" || data.Intent != "" {
		return s.ask(ctx, c, data)
	}
	if err := s.settleOwn(ctx, c, data); err != nil {
		return err
	}
	return s.complete(ctx, c, data.Quote)
}

// settleOwn asks about the checkout's own page.
func (s *Service) settleOwn(ctx context.Context, c contract.Command, data checkouts.SettleData) error {
	now, err := s.checkout(ctx, data.Quote)
	if err != nil {
		return err
	}
	if !now.Exists() {
		return contract.Refuse(contract.NotFound, "No payment was begun for this quote.")
	}
	c.Account = now.State.Account
	switch now.State.Status {
	case checkouts.Paid:
		return s.ensureOrder(ctx, c, now.State)
	case checkouts.Charging:
		_, err := s.finishCharge(ctx, c, now.State, data.Poll)
		return err
	case checkouts.Open:
		ask := data
		ask.Session = now.State.SessionID
		if err := s.look(ctx, c, ask); isUnanswered(err) {
			s.log.Warn("the card processor cannot tell about a payment", zap.String("quote", data.Quote), zap.Error(err), trace.ID(ctx))
		} else if err != nil {
			return err
		}
		if data.Poll == 0 {
			return nil // the timer that runs goes on
		}
		if now, err = s.checkout(ctx, data.Quote); err != nil {
			return err
		}
		return s.watchAgain(ctx, c, now.State, data.Poll)
	}
	return nil
}

// ask asks about one session or payment. While the processor cannot be reached
// a timer asks on, so that no command dies of it.
func (s *Service) ask(ctx context.Context, c contract.Command, data checkouts.SettleData) error {
	err := s.look(ctx, c, data)
	if !isUnanswered(err) {
		return err
	}
	s.log.Warn("the card processor cannot tell about a payment", zap.String("quote", data.Quote), zap.Error(err), trace.ID(ctx))
	wait := growing(s.cfg.RetryFirst, s.cfg.MaxRetry, data.Poll)
	data.Poll++
	about := contract.DeriveID(data.Session, data.Intent)
	return s.schedule(ctx, c, checkouts.Settle, data, contract.Timer{
		Aggregate: contract.CheckoutAggregate, AggregateID: about, What: "ask", Due: s.now().Add(wait),
	})
}

// isUnanswered reports whether the processor gave no answer, now.
func isUnanswered(err error) bool {
	e, ok := errors.AsType[*card.Error](err)
	return ok && e.Kind != card.Refused
}

// look asks the processor and acts on what it says.
func (s *Service) look(ctx context.Context, c contract.Command, data checkouts.SettleData) error {
	if data.Session == "" {
		return s.lookAtPayment(ctx, c, data.Quote, data.Intent)
	}
	on, err := s.sideOfQuote(ctx, data.Quote)
	if err != nil {
		return err
	}
	session, err := on.cards.Session(ctx, data.Session)
	switch {
	case card.KindOf(err) == card.Refused:
		s.log.Error("the card processor does not know a session", zap.String("session", data.Session), zap.Error(err), trace.ID(ctx))
		return nil
	case err != nil:
		return err
	case !checkout.IsOurs(session.Reference):
		return nil // another program's
	case session.Paid:
		return s.accept(ctx, c, on, checkout.SessionReceipt(session))
	case session.Status == card.SessionExpired:
		return s.closeSession(ctx, c, session)
	}
	failed, err := s.cancelUnpaid(ctx, on, session)
	if err != nil || !failed {
		return err
	}
	return s.closeSession(ctx, c, session)
}

func (s *Service) lookAtPayment(ctx context.Context, c contract.Command, quote, intent string) error {
	p, on, err := s.payment(ctx, quote, intent)
	switch {
	case card.KindOf(err) == card.Refused:
		s.log.Error("the card processor does not know a payment", zap.String("intent", intent), zap.Error(err), trace.ID(ctx))
		return nil
	case err != nil:
		return err
	case !checkout.IsOurs(checkout.Reference(p)) || p.Status != card.PaymentSucceeded:
		return nil
	}
	return s.accept(ctx, c, on, checkout.PaymentReceipt(p))
}

// closeSession closes the attempt whose page expired.
func (s *Service) closeSession(ctx context.Context, c contract.Command, session card.Session) error {
	now, err := s.checkout(ctx, session.Reference)
	if err != nil || !now.Exists() {
		return err
	}
	c.Account = now.State.Account
	if now.State.SessionID != session.ID && session.Metadata["attempt"] != strconv.Itoa(now.State.Attempt) {
		return nil
	}
	return s.close(ctx, c, now.State)
}

// accept makes a payment count, or gives it back when another one does. The
// payment is written down first, then the order, then the order is sent on its
// way; whoever comes again goes on from where that ended.
func (s *Service) accept(ctx context.Context, c contract.Command, on side, r checkout.Receipt) error {
	before, err := s.checkout(ctx, r.Quote)
	if err != nil {
		return err
	}
	if !before.Exists() {
		s.log.Error("a payment came for a quote that is not known", zap.String("quote", r.Quote), zap.String("intent", r.Intent), trace.ID(ctx))
	} else if s.isOtherSide(on, r.Quote, before.State.Account) {
		return nil
	}
	c.Account = before.State.Account
	now, err := aggregate.At[checkouts.Checkout](s.events, contract.CheckoutAggregate, r.Quote).Step(ctx, c, "paid:"+r.Intent, s.now(),
		func(now checkoutNow) (*checkoutChange, error) {
			if checkout.Judge(now.State, r) != checkout.Accept {
				return nil, nil
			}
			return &checkoutChange{Event: checkouts.EventPaid, State: checkout.MarkPaid(now.State, r, s.now())}, nil
		})
	if err != nil {
		return err
	}
	switch checkout.Judge(now.State, r) {
	case checkout.Known:
		s.retireOther(ctx, before.State, r)
		if err := s.keepCustomer(ctx, c, now.State); err != nil {
			return err
		}
		return s.ensureOrder(ctx, c, now.State)
	case checkout.Double:
		if err := s.giveBack(ctx, c, on, r); err != nil {
			return err
		}
		if now.State.Payment == nil { // the quote was withdrawn
			return nil
		}
		return s.ensureOrder(ctx, c, now.State)
	default:
		return nil
	}
}

// retireOther closes the page that was open while another one was paid. Should
// that not work, what is paid there is given back.
func (s *Service) retireOther(ctx context.Context, before checkouts.Checkout, r checkout.Receipt) {
	if before.Status != checkouts.Open || r.Session == "" || before.SessionID == r.Session {
		return
	}
	if _, err := s.sideOf(before.Account).cards.ExpireSession(ctx, before.SessionID); err != nil {
		s.log.Warn("a second page stays open", zap.String("session", before.SessionID), zap.Error(err), trace.ID(ctx))
	}
}

// giveBack refunds a second payment, once: the key names the payment.
func (s *Service) giveBack(ctx context.Context, c contract.Command, on side, r checkout.Receipt) error {
	if left := r.Cents - r.Returned; left > 0 {
		_, err := on.cards.Refund(ctx, card.RefundRequest{
			PaymentIntent: r.Intent, Cents: left, Reason: "payment of " + r.Quote + " that does not count",
			IdempotencyKey: fmt.Sprintf("refund:%s:%d", r.Intent, left),
		})
		switch {
		case card.IsCode(err, "charge_already_refunded"):
		case card.KindOf(err) == card.Refused:
			return flow.Permanent(fmt.Errorf("give %s back: %w", r.Intent, err)) // people have to
		case err != nil:
			return fmt.Errorf("give %s back: %w", r.Intent, err)
		}
	}
	s.log.Warn("a payment that does not count was given back", zap.String("quote", r.Quote), zap.String("intent", r.Intent), trace.ID(ctx))
	_, err := aggregate.At[checkouts.Checkout](s.events, contract.CheckoutAggregate, r.Quote).Step(ctx, c, "doubled:"+r.Intent, s.now(),
		func(now checkoutNow) (*checkoutChange, error) {
			if checkout.Judge(now.State, r) != checkout.Double {
				return nil, nil
			}
			return &checkoutChange{Event: checkouts.EventDoubled, State: checkout.AddRefund(now.State, r, s.now())}, nil
		})
	return err
}

// watch asks the processor by and by until the page's time is over, so that a
// lost notice costs minutes and not the order.
func (s *Service) watch(ctx context.Context, c contract.Command, state checkouts.Checkout) error {
	return s.watchAgain(ctx, c, state, 0)
}

func (s *Service) watchAgain(ctx context.Context, c contract.Command, state checkouts.Checkout, poll int) error {
	if state.Status != checkouts.Open {
		return nil
	}
	at := s.now()
	due := at.Add(growing(s.cfg.SettleFirst, s.cfg.MaxSettle, poll))
	if end := state.ExpiresAt.Add(time.Minute); due.After(end) {
		due = end
	}
	if soonest := at.Add(min(s.cfg.SettleFirst, time.Minute)); due.Before(soonest) {
		due = soonest
	}
	return s.schedule(ctx, c, checkouts.Settle, checkouts.SettleData{Quote: state.Quote, Poll: poll + 1}, contract.Timer{
		Aggregate: contract.CheckoutAggregate, AggregateID: state.Quote, What: "settle", Due: due,
	})
}
