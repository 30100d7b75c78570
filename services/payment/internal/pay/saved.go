package pay

import (
	"context"
	"errors"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/flow"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/confirm"
	"boardorder/services/payment/internal/saga"
)

// PaySaved charges a saved card for a quote, once, after its customer confirmed
// the charge with a code. Like begin it takes one step at a time. All calls for
// one confirmation are one command.
func (s *Checkouts) PaySaved(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[checkouts.PaySavedData](c)
	if err != nil {
		return err
	}
	now, err := s.Checkout(data.Quote).Load(ctx)
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
func (s *Checkouts) completePaid(ctx context.Context, c contract.Command, state checkouts.Checkout) error {
	if err := s.Payments.Orders.Ensure(ctx, c, state); err != nil {
		return err
	}
	return s.Payments.Complete(ctx, c, state.Quote)
}

// use marks a confirmation as used by this command.
func (s *Checkouts) use(ctx context.Context, c contract.Command, data checkouts.PaySavedData) (confirmations.Confirmation, error) {
	id := confirmations.ID(confirmations.ForPayment, data.Quote)
	now, err := aggregate.At[confirmations.Confirmation](s.Events, contract.ConfirmationAggregate, id).Step(ctx, c, "used", s.Now(),
		func(now aggregate.Snapshot[confirmations.Confirmation]) (*aggregate.Change[confirmations.Confirmation], error) {
			if now.State.Account != c.Account {
				return nil, confirm.RefuseExpired()
			}
			state, err := confirm.Use(now.State, data.Nonce, c.ID, c.At)
			if err != nil {
				return nil, err
			}
			return &aggregate.Change[confirmations.Confirmation]{Event: confirmations.EventUsed, State: state}, nil
		})
	return now.State, err
}

func (s *Checkouts) takeSavedStep(ctx context.Context, c contract.Command, data checkouts.PaySavedData, by confirmations.Confirmation) (done bool, err error) {
	if by.Charge == nil || by.VerifiedAt == nil { // replaced since by another code
		return true, confirm.RefuseExpired()
	}
	v, now, err := s.View(ctx, checkouts.BeginData{Quote: data.Quote, Version: by.Charge.Version, Language: by.Language, Acknowledgement: by.Charge.Acknowledgement})
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
	state, err := s.Charges.Finish(ctx, c, now.State, 0)
	switch {
	case err != nil:
		return true, err
	case state.Saved.Nonce != data.Nonce, !checkout.Pending(state):
		return false, nil // looked at again
	case state.Saved.Outcome == checkouts.SavedProcessing:
		return true, s.Payments.Complete(ctx, c, data.Quote)
	}
	return true, checkout.Unknown()
}

// takeStep takes a step on the way to the charge. A payment page may turn out to
// be paid.
func (s *Checkouts) takeStep(ctx context.Context, c contract.Command, step checkout.Step, v checkout.View, before saga.CheckoutSnapshot) (done bool, err error) {
	done, err = s.step(ctx, c, step, v, before)
	if contract.RefusalIn(err) == nil {
		return done, err
	}
	now, loadErr := s.Checkout(v.Request.Quote).Load(ctx)
	if loadErr != nil || !isPaid(now.State) {
		return true, errors.Join(err, loadErr)
	}
	return true, s.completePaid(ctx, c, now.State)
}
