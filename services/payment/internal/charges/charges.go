// Package charges finds out how the charge of a saved card ends. A charge whose
// outcome is not known is asked for again with its key, then looked for at the
// processor.
package charges

import (
	"context"
	"errors"
	"strconv"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/payments"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// Charges are the charges of saved cards.
type Charges struct {
	*saga.Env
	Payments *payments.Payments
}

// Finish finds out how the charge of a saved card ends, and gives the
// checkout as it is then: charging still, while that is open. A timer asks on.
func (s *Charges) Finish(ctx context.Context, c contract.Command, attempt checkouts.Checkout, poll int) (checkouts.Checkout, error) {
	err := s.ask(ctx, c, attempt)
	if payments.IsUnanswered(err) {
		s.Log.Warn("cannot read a charge from the card processor", zap.String("quote", attempt.Quote), zap.Error(err), trace.ID(ctx))
		err = nil
	}
	if err != nil {
		return attempt, err
	}
	now, err := s.Checkout(attempt.Quote).Load(ctx)
	if err == nil && now.State.Status == checkouts.Charging {
		err = s.Schedule(ctx, c, checkouts.Settle, checkouts.SettleData{Quote: attempt.Quote, Poll: poll + 1}, contract.Timer{
			Aggregate: contract.CheckoutAggregate, AggregateID: attempt.Quote, What: "settle",
			Due: s.Now().Add(s.Retry.Delay(poll)),
		})
	}
	return now.State, err
}

// ask asks the processor: about the payment where it is known, otherwise
// again for the charge, with the same key. Past the time of that key's use it
// is only looked for.
func (s *Charges) ask(ctx context.Context, c contract.Command, attempt checkouts.Checkout) error {
	if word := checkout.TestScenario(attempt); word != "" {
		outcome, reason := checkout.TestOutcome(word)
		return s.record(ctx, c, attempt, outcome, "", reason)
	}
	if attempt.Saved.Intent != "" {
		p, err := s.ModeOf(attempt.Account).Cards.Payment(ctx, attempt.Saved.Intent)
		if err != nil {
			return err
		}
		return s.applyPayment(ctx, c, attempt, p)
	}
	if !s.Now().Before(attempt.ExpiresAt) {
		return s.find(ctx, c, attempt)
	}
	on := s.ModeOf(attempt.Account)
	result, err := on.Cards.ChargeSaved(ctx, checkout.ChargeRequest(attempt))
	switch {
	case card.KindOf(err) == card.Refused:
		s.Log.Warn("the card processor refuses a charge", zap.String("quote", attempt.Quote), zap.Error(err), trace.ID(ctx))
		return s.record(ctx, c, attempt, checkouts.SavedDeclined, "", "gone")
	case err != nil:
		return err
	case result.Outcome == card.Succeeded:
		return s.Payments.Accept(ctx, c, s.ModeOf(attempt.Account), checkout.ChargeReceipt(attempt, result.PaymentIntent))
	}
	outcome, reason := checkout.OutcomeOf(result)
	if outcome != checkouts.SavedProcessing && result.PaymentIntent != "" {
		// What did not succeed must not succeed later, beside another payment.
		if p, err := s.ModeOf(attempt.Account).Cards.CancelPayment(ctx, result.PaymentIntent); err != nil || p.Status != card.PaymentCanceled {
			return errors.Join(err, cancelError(err))
		}
	}
	return s.record(ctx, c, attempt, outcome, result.PaymentIntent, reason)
}

// cancelError makes an answer that says nothing an error of its own.
func cancelError(err error) error {
	if err != nil {
		return nil
	}
	return &card.Error{Kind: card.Unknown, Code: card.CodeImplausible, Doing: "cancel payment"}
}

// applyPayment goes on from a payment that the processor showed.
func (s *Charges) applyPayment(ctx context.Context, c contract.Command, attempt checkouts.Checkout, p card.Payment) error {
	switch p.Status {
	case card.PaymentSucceeded:
		return s.Payments.Accept(ctx, c, s.ModeOf(attempt.Account), checkout.PaymentReceipt(p))
	case card.PaymentProcessing:
		return s.record(ctx, c, attempt, checkouts.SavedProcessing, p.ID, "")
	case card.PaymentOpen:
		if _, err := s.ModeOf(attempt.Account).Cards.CancelPayment(ctx, p.ID); err != nil {
			return err
		}
	}
	return s.record(ctx, c, attempt, checkouts.SavedDeclined, p.ID, "")
}

// find looks for the charge among the processor's payments.
func (s *Charges) find(ctx context.Context, c contract.Command, attempt checkouts.Checkout) error {
	lost := !s.Now().Before(attempt.ExpiresAt.Add(checkout.ChargeLost)) // before looking: what arrives after it would be missed
	payments, err := s.ModeOf(attempt.Account).Cards.Payments(ctx, attempt.StartedAt.Add(-checkout.ChargeLost))
	if err != nil {
		return err
	}
	for _, p := range payments {
		if checkout.Pays(attempt, p) {
			return s.applyPayment(ctx, c, attempt, p)
		}
	}
	if !lost {
		return nil
	}
	return s.record(ctx, c, attempt, checkouts.SavedNotCharged, "", "")
}

// record records how a charge stands that took nothing, or nothing yet.
func (s *Charges) record(ctx context.Context, c contract.Command, attempt checkouts.Checkout, outcome checkouts.SavedOutcome, intent, reason string) error {
	event := checkouts.EventClosed
	if outcome == checkouts.SavedProcessing {
		event = checkouts.EventPending
	}
	_, err := s.Checkout(attempt.Quote).Step(ctx, c, string(event)+":"+strconv.Itoa(attempt.Attempt), s.Now(),
		func(now saga.CheckoutSnapshot) (*saga.CheckoutChange, error) {
			stays := outcome == checkouts.SavedProcessing && now.State.Saved != nil && now.State.Saved.Outcome == outcome
			if now.State.Status != checkouts.Charging || now.State.Attempt != attempt.Attempt || stays {
				return nil, nil
			}
			return &saga.CheckoutChange{Event: event, State: checkout.RecordCharge(now.State, outcome, intent, reason)}, nil
		})
	return err
}
