// Package pay leads a shopper to a page where a quote is paid, or charges a saved card
// for it. It takes one step at a time and looks at the state again after each; each
// step can be taken twice.
package pay

import (
	"context"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/pkg/secret"
	"boardorder/services/payment/internal/charges"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/payments"
	"boardorder/services/payment/internal/saga"
)

// Checkouts are the ways to pay quotes.
type Checkouts struct {
	*saga.Env
	Payments  *payments.Payments
	Charges   *charges.Charges
	Secrets   *secret.Keyring
	PublicURL string // where shoppers reach the checkout pages
}

// beginSteps bounds how many steps one request to pay takes: closing an old page
// and opening a new one are four, and other browsers may have three more open.
const beginSteps = 12

// Begin leads a shopper to a page where the quote is paid. It looks at the
// state, takes one step and looks again; each step can be taken twice.
func (s *Checkouts) Begin(ctx context.Context, c contract.Command) error {
	request, err := flow.Decode[checkouts.BeginData](c)
	if err != nil {
		return err
	}
	for range beginSteps {
		v, now, err := s.View(ctx, request)
		if err != nil {
			return err
		}
		if now.HasRefused(c.ID) {
			return aggregate.ErrSettled
		}
		if now.Did(c.ID) { // an earlier delivery opened the page
			return s.Payments.Watch(ctx, c, now.State, 0)
		}
		step, err := checkout.ChooseStep(v)
		if err != nil {
			return err
		}
		if v.Quote != nil { // it may have gone while a card is being charged
			c.Account = v.Quote.Account
		}
		if done, err := s.step(ctx, c, step, v, now); err != nil || done {
			return err
		}
	}
	return fmt.Errorf("checkout of quote %s: still moving after %d steps", request.Quote, beginSteps)
}

// View gives what a decision about paying a quote looks at, and the checkout of it.
func (s *Checkouts) View(ctx context.Context, request checkouts.BeginData) (checkout.View, saga.CheckoutSnapshot, error) {
	v := checkout.View{Request: request, Now: s.Now()}
	q, err := aggregate.At[quotes.Quote](s.Events, contract.QuoteAggregate, request.Quote).Load(ctx)
	if err != nil {
		return v, saga.CheckoutSnapshot{}, err
	}
	o, err := s.Order(request.Quote).Load(ctx)
	if err != nil {
		return v, saga.CheckoutSnapshot{}, err
	}
	now, err := s.Checkout(request.Quote).Load(ctx)
	if err != nil {
		return v, now, err
	}
	if q.Exists() {
		v.Quote, v.Unbuilt = &q.State, !s.HasBuilder(q.State)
		err = s.viewFiles(ctx, &v)
	}
	if now.Exists() {
		v.Checkout = &now.State
	}
	v.Ordered = o.Exists()
	return v, now, err
}

// viewFiles looks at what the quote's board was read from.
func (s *Checkouts) viewFiles(ctx context.Context, v *checkout.View) error {
	u, err := aggregate.At[uploads.Upload](s.Events, contract.UploadAggregate, v.Quote.Upload).Load(ctx)
	if err != nil {
		return err
	}
	read, err := aggregate.At[boards.ReadFiles](s.Events, contract.BoardAggregate, v.Quote.Digest).Load(ctx)
	v.ITAR = u.State.IsDeclaredFor(v.Quote.Account)
	v.Package = read.State.PackageOf(v.Quote.Board)
	return err
}

// step takes one step; done ends the command.
func (s *Checkouts) step(ctx context.Context, c contract.Command, step checkout.Step, v checkout.View, now saga.CheckoutSnapshot) (done bool, err error) {
	switch step {
	case checkout.Start:
		return false, s.start(ctx, c, v, now)
	case checkout.Open:
		return s.open(ctx, c, v)
	case checkout.Check:
		session, err := s.ModeOf(v.Checkout.Account).Cards.Session(ctx, v.Checkout.SessionID)
		if card.KindOf(err) == card.Unavailable {
			return true, s.Payments.Complete(ctx, c, v.Request.Quote) // the page may be open; the processor's own status decides
		}
		return s.handleSession(ctx, c, v, session, err)
	case checkout.Retire:
		session, err := s.ModeOf(v.Checkout.Account).Cards.ExpireSession(ctx, v.Checkout.SessionID)
		return s.handleSession(ctx, c, v, session, err)
	case checkout.Charge:
		return s.resolveCharge(ctx, c, *v.Checkout)
	case checkout.Recall:
		return false, s.recall(ctx, c, v, now)
	default:
		return false, s.Payments.Close(ctx, c, *v.Checkout)
	}
}
