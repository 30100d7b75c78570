package payment

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/confirm"

	"go.uber.org/zap"
)

// paySaved charges a saved card for a quote, once, after its customer confirmed
// the charge with a code. Like begin it takes one step at a time. All calls for
// one confirmation are one command.
func (s *Service) paySaved(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[checkouts.PaySavedData](c)
	if err != nil {
		return err
	}
	now, err := s.checkout(ctx, data.Quote)
	switch {
	case err != nil || now.Did(c.ID):
		return err
	case isPaid(now.State):
		return s.completePaid(ctx, c, now.State)
	}
	confirmed, err := s.use(ctx, c, data)
	if err != nil {
		return err
	}
	for range beginSteps {
		done, err := s.takeSavedStep(ctx, c, data, confirmed)
		if err != nil || done {
			return err
		}
	}
	return fmt.Errorf("payment of quote %s: still moving after %d steps", data.Quote, beginSteps)
}

func isPaid(c checkouts.Checkout) bool { return c.Status == checkouts.Paid }

// completePaid ends a request about a quote that is paid.
func (s *Service) completePaid(ctx context.Context, c contract.Command, state checkouts.Checkout) error {
	if err := s.ensureOrder(ctx, c, state); err != nil {
		return err
	}
	return s.complete(ctx, c, state.Quote)
}

// use marks a confirmation as used by this command.
func (s *Service) use(ctx context.Context, c contract.Command, data checkouts.PaySavedData) (confirmations.Confirmation, error) {
	id := confirmations.ID(confirmations.ForPayment, data.Quote)
	now, err := aggregate.At[confirmations.Confirmation](s.events, contract.ConfirmationAggregate, id).Step(ctx, c, "used", s.now(),
		func(now confirmationNow) (*confirmationChange, error) {
			if now.State.Account != c.Account {
				return nil, confirm.RefuseExpired()
			}
			state, err := confirm.Use(now.State, data.Nonce, c.ID, c.At)
			if err != nil {
				return nil, err
			}
			return &confirmationChange{Event: confirmations.EventUsed, State: state}, nil
		})
	return now.State, err
}

func (s *Service) takeSavedStep(ctx context.Context, c contract.Command, data checkouts.PaySavedData, by confirmations.Confirmation) (done bool, err error) {
	if by.Charge == nil || by.VerifiedAt == nil { // replaced since by another code
		return true, confirm.RefuseExpired()
	}
	v, now, err := s.view(ctx, checkouts.BeginData{Quote: data.Quote, Version: by.Charge.Version, Seen: by.Charge.Seen})
	if err != nil {
		return true, err
	}
	v.Saved = &checkouts.SavedPayment{Nonce: data.Nonce, Card: by.Charge.Card, Key: by.Key, VerifiedAt: *by.VerifiedAt}
	switch state := now.State; {
	case isPaid(state):
		return true, s.completePaid(ctx, c, state)
	case state.Status == checkouts.Closed && state.Saved != nil && state.Saved.Nonce == data.Nonce:
		return true, checkout.RefuseUnpaid(*state.Saved)
	}
	step, err := checkout.ChooseStep(v)
	if err != nil {
		return true, err
	}
	if step != checkout.Charge {
		return s.takeStep(ctx, c, step, v, now)
	}
	state, err := s.finishCharge(ctx, c, now.State, 0)
	switch {
	case err != nil:
		return true, err
	case state.Saved.Nonce != data.Nonce, !checkout.Pending(state):
		return false, nil // looked at again
	case state.Saved.Outcome == checkouts.SavedProcessing:
		return true, s.complete(ctx, c, data.Quote)
	}
	return true, checkout.Unknown()
}

// takeStep takes a step on the way to the charge. A payment page may turn out to
// be paid.
func (s *Service) takeStep(ctx context.Context, c contract.Command, step checkout.Step, v checkout.View, before checkoutNow) (done bool, err error) {
	done, err = s.step(ctx, c, step, v, before)
	if contract.RefusalIn(err) == nil {
		return done, err
	}
	now, loadErr := s.checkout(ctx, v.Request.Quote)
	if loadErr != nil || !isPaid(now.State) {
		return true, errors.Join(err, loadErr)
	}
	return true, s.completePaid(ctx, c, now.State)
}

// finishCharge finds out how the charge of a saved card ends, and gives the
// checkout as it is then: charging still, while that is open. A timer asks on.
func (s *Service) finishCharge(ctx context.Context, c contract.Command, attempt checkouts.Checkout, poll int) (checkouts.Checkout, error) {
	err := s.askCharge(ctx, c, attempt)
	if isUnanswered(err) {
		s.log.Warn("the card processor cannot tell about a charge", zap.String("quote", attempt.Quote), zap.Error(err), trace.ID(ctx))
		err = nil
	}
	if err != nil {
		return attempt, err
	}
	now, err := s.checkout(ctx, attempt.Quote)
	if err == nil && now.State.Status == checkouts.Charging {
		err = s.schedule(ctx, c, checkouts.Settle, checkouts.SettleData{Quote: attempt.Quote, Poll: poll + 1}, contract.Timer{
			Aggregate: contract.CheckoutAggregate, AggregateID: attempt.Quote, What: "settle",
			Due: s.now().Add(growing(s.cfg.RetryFirst, s.cfg.MaxRetry, poll)),
		})
	}
	return now.State, err
}

// askCharge asks the processor: about the payment where it is known, otherwise
// again for the charge, with the same key. Past the time of that key's use only
// the books are asked.
func (s *Service) askCharge(ctx context.Context, c contract.Command, attempt checkouts.Checkout) error {
	if word := checkout.TestWord(attempt); word != "" {
		outcome, reason := checkout.TestOutcome(word)
		return s.chargeEnded(ctx, c, attempt, outcome, "", reason)
	}
	if attempt.Saved.Intent != "" {
		p, err := s.sideOf(attempt.Account).cards.Payment(ctx, attempt.Saved.Intent)
		if err != nil {
			return err
		}
		return s.tookCharge(ctx, c, attempt, p)
	}
	if !s.now().Before(attempt.ExpiresAt) {
		return s.findCharge(ctx, c, attempt)
	}
	on := s.sideOf(attempt.Account)
	result, err := on.cards.ChargeSaved(ctx, checkout.ChargeRequest(attempt))
	switch {
	case card.KindOf(err) == card.Refused:
		s.log.Warn("the card processor refuses a charge", zap.String("quote", attempt.Quote), zap.Error(err), trace.ID(ctx))
		return s.chargeEnded(ctx, c, attempt, checkouts.SavedDeclined, "", "gone")
	case err != nil:
		return err
	case result.Outcome == card.Succeeded:
		return s.accept(ctx, c, s.sideOf(attempt.Account), checkout.ChargeReceipt(attempt, result.PaymentIntent))
	}
	outcome, reason := checkout.OutcomeOf(result)
	if outcome != checkouts.SavedProcessing && result.PaymentIntent != "" {
		// What did not succeed must not succeed later, beside another payment.
		if p, err := s.sideOf(attempt.Account).cards.CancelPayment(ctx, result.PaymentIntent); err != nil || p.Status != card.PaymentCanceled {
			return errors.Join(err, cancelError(err))
		}
	}
	return s.chargeEnded(ctx, c, attempt, outcome, result.PaymentIntent, reason)
}

// cancelError makes an answer that says nothing an error of its own.
func cancelError(err error) error {
	if err != nil {
		return nil
	}
	return &card.Error{Kind: card.Unknown, Code: card.CodeImplausible, Doing: "cancel payment"}
}

// tookCharge goes on from a payment that the processor showed.
func (s *Service) tookCharge(ctx context.Context, c contract.Command, attempt checkouts.Checkout, p card.Payment) error {
	switch p.Status {
	case card.PaymentSucceeded:
		return s.accept(ctx, c, s.sideOf(attempt.Account), checkout.PaymentReceipt(p))
	case card.PaymentProcessing:
		return s.chargeEnded(ctx, c, attempt, checkouts.SavedProcessing, p.ID, "")
	case card.PaymentOpen:
		if _, err := s.sideOf(attempt.Account).cards.CancelPayment(ctx, p.ID); err != nil {
			return err
		}
	}
	return s.chargeEnded(ctx, c, attempt, checkouts.SavedDeclined, p.ID, "")
}

// findCharge looks for the charge in the processor's books.
func (s *Service) findCharge(ctx context.Context, c contract.Command, attempt checkouts.Checkout) error {
	lost := !s.now().Before(attempt.ExpiresAt.Add(checkout.ChargeLost)) // before looking: what arrives after it would be missed
	payments, err := s.sideOf(attempt.Account).cards.Payments(ctx, attempt.StartedAt.Add(-checkout.ChargeLost))
	if err != nil {
		return err
	}
	for _, p := range payments {
		if checkout.Pays(attempt, p) {
			return s.tookCharge(ctx, c, attempt, p)
		}
	}
	if !lost {
		return nil
	}
	return s.chargeEnded(ctx, c, attempt, checkouts.SavedNotCharged, "", "")
}

// chargeEnded records how a charge stands that took nothing, or nothing yet.
func (s *Service) chargeEnded(ctx context.Context, c contract.Command, attempt checkouts.Checkout, outcome checkouts.SavedOutcome, intent, reason string) error {
	event := checkouts.EventClosed
	if outcome == checkouts.SavedProcessing {
		event = checkouts.EventPending
	}
	_, err := aggregate.At[checkouts.Checkout](s.events, contract.CheckoutAggregate, attempt.Quote).Step(ctx, c, string(event)+":"+strconv.Itoa(attempt.Attempt), s.now(),
		func(now checkoutNow) (*checkoutChange, error) {
			stays := outcome == checkouts.SavedProcessing && now.State.Saved != nil && now.State.Saved.Outcome == outcome
			if now.State.Status != checkouts.Charging || now.State.Attempt != attempt.Attempt || stays {
				return nil, nil
			}
			return &checkoutChange{Event: event, State: checkout.RecordCharge(now.State, outcome, intent, reason)}, nil
		})
	return err
}
