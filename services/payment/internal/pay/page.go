package pay

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/retention"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// maxSettle is how long after a page's end its payment may still become known.
const maxSettle = 7 * 24 * time.Hour

// start writes a new attempt down, before the processor is called.
func (s *Checkouts) start(ctx context.Context, c contract.Command, v checkout.View, before saga.CheckoutSnapshot) error {
	if err := s.checkParts(ctx, c, *v.Quote); err != nil {
		return err
	}
	next, err := checkout.Begin(v)
	if err != nil {
		return err
	}
	_, err = retention.Need(ctx, s.Events, next.Digest, c, "checkout", next.ExpiresAt.Add(maxSettle), s.Now())
	if errors.Is(err, retention.ErrGone) {
		return contract.Refuse(contract.QuoteNotPayable, "The design files of this quote are no longer kept. Please upload them again for a new quote.")
	}
	if err != nil {
		return err
	}
	_, err = s.Checkout(next.Quote).Step(ctx, c, "begun:"+strconv.Itoa(next.Attempt), s.Now(),
		func(now saga.CheckoutSnapshot) (*saga.CheckoutChange, error) {
			if now.Seq != before.Seq {
				return nil, nil // somebody else was faster; look again
			}
			return &saga.CheckoutChange{Event: checkouts.EventBegun, State: next}, nil
		})
	return err
}

// recall goes on with the shopper's own page, which is open beside one of another browser.
func (s *Checkouts) recall(ctx context.Context, c contract.Command, v checkout.View, before saga.CheckoutSnapshot) error {
	own, _ := checkout.PageOf(*v.Checkout, v.Request.Browser)
	_, err := s.Checkout(v.Request.Quote).Step(ctx, c, fmt.Sprintf("recalled:%d:%d", own.Attempt, before.Seq), s.Now(),
		func(now saga.CheckoutSnapshot) (*saga.CheckoutChange, error) {
			if now.Seq != before.Seq {
				return nil, nil // somebody else was faster; look again
			}
			return &saga.CheckoutChange{Event: checkouts.EventOpened, State: checkout.Promote(now.State, own.Attempt)}, nil
		})
	return err
}

// open has the processor make the page of an attempt that was written down.
// Asked again it answers with the same page.
func (s *Checkouts) open(ctx context.Context, c contract.Command, v checkout.View) (done bool, err error) {
	attempt := *v.Checkout
	session, err := s.CreatePage(ctx, attempt)
	switch kind := card.KindOf(err); {
	case kind == card.Refused:
		s.Log.Warn("the card processor refuses a checkout", zap.String("quote", attempt.Quote), zap.Error(err), trace.ID(ctx))
		if err := s.Payments.Close(ctx, c, attempt); err != nil {
			return false, err
		}
		if attempt.ExpiresAt.Sub(s.Now()) < 30*time.Minute {
			return false, nil // it was too late for that attempt; the next one has its full time
		}
		return true, checkout.RefuseUnavailable("The card processor did not accept this payment. Please try again later.")
	case err != nil:
		s.Log.Warn("the card processor cannot make a page", zap.String("quote", attempt.Quote), zap.Error(err), trace.ID(ctx))
		return true, checkout.RefuseUnavailable("The card processor cannot be reached at the moment. Nothing was charged; please try again in a minute.")
	}
	change := func(now saga.CheckoutSnapshot) (*saga.CheckoutChange, error) {
		if now.State.Status != checkouts.Starting || now.State.Attempt != attempt.Attempt {
			return nil, nil
		}
		return &saga.CheckoutChange{Event: checkouts.EventOpened, State: checkout.MarkOpen(now.State, session)}, nil
	}
	if !v.Fits(attempt) { // an older request's page, opened to be closed, or another browser's
		_, err := s.Checkout(attempt.Quote).Step(ctx, c, "opened:"+strconv.Itoa(attempt.Attempt), s.Now(), change)
		return false, err
	}
	now, err := s.Checkout(attempt.Quote).Execute(ctx, c, s.Now(), change)
	if err != nil || !now.Did(c.ID) {
		return false, err
	}
	return true, s.Payments.Watch(ctx, c, now.State, 0)
}

// createTries is how often a lost answer is asked for again at once.
const createTries = 3

// CreatePage has the processor make the page of an attempt. Done again it gives the same page.
func (s *Checkouts) CreatePage(ctx context.Context, attempt checkouts.Checkout) (session card.Session, err error) {
	request := checkout.Request(attempt, s.page(attempt), s.Secrets.ReturnToken(attempt.Request, attempt.Quote, attempt.Attempt))
	for range createTries {
		if session, err = s.ModeOf(attempt.Account).Cards.CreateCheckout(ctx, request); card.KindOf(err) != card.Unknown {
			break
		}
	}
	return session, err
}

// page is the quote's own checkout page. Its address is a secret: it is derived
// when it is needed and never stored.
func (s *Checkouts) page(c checkouts.Checkout) string {
	return s.PublicURL + "/checkout/" + s.Secrets.QuoteIDOf(c.Request, c.Quote)
}

// handleSession goes on from what the processor said of a page.
func (s *Checkouts) handleSession(ctx context.Context, c contract.Command, v checkout.View, session card.Session, err error) (done bool, _ error) {
	on := s.ModeOf(v.Checkout.Account)
	switch {
	case card.IsCode(err, card.CodeNotFound):
		return false, s.Payments.Close(ctx, c, *v.Checkout)
	case err != nil:
		s.Log.Warn("cannot read a page from the card processor", zap.String("quote", v.Request.Quote), zap.Error(err), trace.ID(ctx))
		return true, checkout.RefuseUnavailable("The card processor cannot be reached at the moment. Nothing was charged; please try again in a minute.")
	case session.Paid:
		if err := s.Payments.Accept(ctx, c, on, checkout.SessionReceipt(session)); err != nil {
			return false, err
		}
		return true, checkout.RefusePaid()
	case session.Status == card.SessionExpired:
		return false, s.Payments.Close(ctx, c, *v.Checkout)
	case session.Status == card.SessionOpen:
		return true, s.giveOut(ctx, c, *v.Checkout, session.URL)
	}
	failed, err := s.Payments.CancelUnpaid(ctx, on, session)
	if failed {
		return false, s.Payments.Close(ctx, c, *v.Checkout)
	}
	if err != nil {
		s.Log.Warn("cannot read a payment from the card processor", zap.String("quote", v.Request.Quote), zap.Error(err), trace.ID(ctx))
	}
	return true, refuseUndecided()
}

// giveOut ends a request with the open page of an attempt, at the address where
// the processor has it now.
func (s *Checkouts) giveOut(ctx context.Context, c contract.Command, attempt checkouts.Checkout, url string) error {
	if url == "" || url == attempt.SessionURL {
		return s.Payments.Complete(ctx, c, attempt.Quote)
	}
	now, err := s.Checkout(attempt.Quote).Execute(ctx, c, s.Now(), func(now saga.CheckoutSnapshot) (*saga.CheckoutChange, error) {
		if now.State.Status != checkouts.Open || now.State.Attempt != attempt.Attempt {
			return nil, nil
		}
		now.State.SessionURL = url
		return &saga.CheckoutChange{Event: checkouts.EventOpened, State: now.State}, nil
	})
	if err != nil || now.Did(c.ID) {
		return err
	}
	return s.Payments.Complete(ctx, c, attempt.Quote)
}

// refuseUndecided refuses a payment while another one may still come.
func refuseUndecided() *contract.Refusal {
	r := contract.Refuse(contract.QuoteNotPayable, "The bank is still deciding about a payment for this quote. Please do not pay again.")
	r.RetryAfterS = 60
	return r
}

// resolveCharge goes on for a shopper who wants a payment page while a saved card
// is being charged.
func (s *Checkouts) resolveCharge(ctx context.Context, c contract.Command, attempt checkouts.Checkout) (done bool, err error) {
	now, err := s.Charges.Finish(ctx, c, attempt, 0)
	if err == nil && checkout.Pending(now) {
		err = refuseUndecided()
	}
	return err != nil, err
}
