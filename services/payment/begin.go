package payment

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/pkg/retention"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/checkout"

	"go.uber.org/zap"
)

type (
	checkoutNow    = aggregate.Snapshot[checkouts.Checkout]
	checkoutChange = aggregate.Change[checkouts.Checkout]
)

// beginSteps bounds how many steps one request to pay takes: closing an old page
// and opening a new one are four.
const beginSteps = 8

// begin leads a shopper to a page where the quote is paid. It looks at the
// state, takes one step and looks again; each step can be taken twice.
func (s *Service) begin(ctx context.Context, c contract.Command) error {
	request, err := flow.Decode[checkouts.BeginData](c)
	if err != nil {
		return err
	}
	for range beginSteps {
		v, now, err := s.view(ctx, request)
		if err != nil {
			return err
		}
		if now.HasRefused(c.ID) {
			return aggregate.ErrSettled
		}
		if now.Did(c.ID) { // an earlier delivery opened the page
			return s.watch(ctx, c, now.State)
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

func (s *Service) view(ctx context.Context, request checkouts.BeginData) (checkout.View, checkoutNow, error) {
	v := checkout.View{Request: request, Now: s.now()}
	q, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, request.Quote).Load(ctx)
	if err != nil {
		return v, checkoutNow{}, err
	}
	o, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, request.Quote).Load(ctx)
	if err != nil {
		return v, checkoutNow{}, err
	}
	now, err := s.checkout(ctx, request.Quote)
	if err != nil {
		return v, now, err
	}
	if q.Exists() {
		v.Quote = &q.State
		err = s.viewFiles(ctx, &v)
	}
	if now.Exists() {
		v.Checkout = &now.State
	}
	v.Ordered = o.Exists()
	return v, now, err
}

// viewFiles looks at what the quote's board was read from.
func (s *Service) viewFiles(ctx context.Context, v *checkout.View) error {
	u, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, v.Quote.Upload).Load(ctx)
	if err != nil {
		return err
	}
	read, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, v.Quote.Digest).Load(ctx)
	v.ITAR = u.State.IsDeclaredFor(v.Quote.Account)
	v.Package = read.State.PackageOf(v.Quote.Board)
	return err
}

func (s *Service) checkout(ctx context.Context, quote string) (checkoutNow, error) {
	return aggregate.At[checkouts.Checkout](s.events, contract.CheckoutAggregate, quote).Load(ctx)
}

// step takes one step; done ends the command.
func (s *Service) step(ctx context.Context, c contract.Command, step checkout.Step, v checkout.View, now checkoutNow) (done bool, err error) {
	switch step {
	case checkout.Start:
		return false, s.start(ctx, c, v, now)
	case checkout.Open:
		return s.open(ctx, c, v)
	case checkout.Check:
		session, err := s.sideOf(v.Checkout.Account).cards.Session(ctx, v.Checkout.SessionID)
		if card.KindOf(err) == card.Unavailable {
			return true, s.complete(ctx, c, v.Request.Quote) // the page may be open; the processor's own status decides
		}
		return s.handleSession(ctx, c, v, session, err)
	case checkout.Retire:
		session, err := s.sideOf(v.Checkout.Account).cards.ExpireSession(ctx, v.Checkout.SessionID)
		return s.handleSession(ctx, c, v, session, err)
	case checkout.Charge:
		return s.resolveCharge(ctx, c, *v.Checkout)
	default:
		return false, s.close(ctx, c, *v.Checkout)
	}
}

// maxSettle is how long after a page's end its payment may still become known.
const maxSettle = 7 * 24 * time.Hour

// start writes a new attempt down, before the processor is called.
func (s *Service) start(ctx context.Context, c contract.Command, v checkout.View, before checkoutNow) error {
	if err := s.partsHold(ctx, c, *v.Quote); err != nil {
		return err
	}
	next, err := checkout.Begin(v)
	if err != nil {
		return err
	}
	_, err = retention.Need(ctx, s.events, next.Digest, c, "checkout", next.ExpiresAt.Add(maxSettle), s.now())
	if errors.Is(err, retention.ErrGone) {
		return contract.Refuse(contract.QuoteNotPayable, "The design files of this quote are not kept any more. Please upload them again for a new quote.")
	}
	if err != nil {
		return err
	}
	_, err = aggregate.At[checkouts.Checkout](s.events, contract.CheckoutAggregate, next.Quote).Step(ctx, c, "begun:"+strconv.Itoa(next.Attempt), s.now(),
		func(now checkoutNow) (*checkoutChange, error) {
			if now.Seq != before.Seq {
				return nil, nil // somebody else was faster; look again
			}
			return &checkoutChange{Event: checkouts.EventBegun, State: next}, nil
		})
	return err
}

// open has the processor make the page of an attempt that was written down.
// Asked again it answers with the same page.
func (s *Service) open(ctx context.Context, c contract.Command, v checkout.View) (done bool, err error) {
	attempt := *v.Checkout
	session, err := s.createPage(ctx, attempt)
	switch kind := card.KindOf(err); {
	case kind == card.Refused:
		s.log.Warn("the card processor refuses a checkout", zap.String("quote", attempt.Quote), zap.Error(err), trace.ID(ctx))
		if err := s.close(ctx, c, attempt); err != nil {
			return false, err
		}
		if attempt.ExpiresAt.Sub(s.now()) < 30*time.Minute {
			return false, nil // it was too late for that attempt; the next one has its full time
		}
		return true, unavailable("The card processor did not accept this payment. Please try again later.")
	case err != nil:
		s.log.Warn("the card processor cannot make a page", zap.String("quote", attempt.Quote), zap.Error(err), trace.ID(ctx))
		return true, unavailable("The card processor cannot be reached at the moment. Nothing was charged; please try again in a minute.")
	}
	change := func(now checkoutNow) (*checkoutChange, error) {
		if now.State.Status != checkouts.Starting || now.State.Attempt != attempt.Attempt {
			return nil, nil
		}
		return &checkoutChange{Event: checkouts.EventOpened, State: checkout.MarkOpen(now.State, session)}, nil
	}
	if !v.Fits(attempt) { // an older request's page, opened to be closed
		_, err := aggregate.At[checkouts.Checkout](s.events, contract.CheckoutAggregate, attempt.Quote).Step(ctx, c, "opened:"+strconv.Itoa(attempt.Attempt), s.now(), change)
		return false, err
	}
	now, err := aggregate.At[checkouts.Checkout](s.events, contract.CheckoutAggregate, attempt.Quote).Execute(ctx, c, s.now(), change)
	if err != nil || !now.Did(c.ID) {
		return false, err
	}
	return true, s.watch(ctx, c, now.State)
}

// createTries is how often a lost answer is asked for again at once.
const createTries = 3

func (s *Service) createPage(ctx context.Context, attempt checkouts.Checkout) (session card.Session, err error) {
	request := checkout.Request(attempt, s.page(attempt))
	for range createTries {
		if session, err = s.sideOf(attempt.Account).cards.CreateCheckout(ctx, request); card.KindOf(err) != card.Unknown {
			break
		}
	}
	return session, err
}

// page is the quote's own checkout page. Its address is a secret: it is derived
// when it is needed and never stored.
func (s *Service) page(c checkouts.Checkout) string {
	return s.cfg.PublicURL + "/checkout/" + s.secrets.QuoteIDOf(c.Request, c.Quote)
}

// handleSession goes on from what the processor said of a page.
func (s *Service) handleSession(ctx context.Context, c contract.Command, v checkout.View, session card.Session, err error) (done bool, _ error) {
	on := s.sideOf(v.Checkout.Account)
	switch {
	case card.IsCode(err, card.CodeNotFound):
		return false, s.close(ctx, c, *v.Checkout)
	case err != nil:
		s.log.Warn("the card processor cannot tell about a page", zap.String("quote", v.Request.Quote), zap.Error(err), trace.ID(ctx))
		return true, unavailable("The card processor cannot be reached at the moment. Nothing was charged; please try again in a minute.")
	case session.Paid:
		if err := s.accept(ctx, c, on, checkout.SessionReceipt(session)); err != nil {
			return false, err
		}
		return true, checkout.RefusePaid()
	case session.Status == card.SessionExpired:
		return false, s.close(ctx, c, *v.Checkout)
	case session.Status == card.SessionOpen:
		return true, s.giveOut(ctx, c, *v.Checkout, session.URL)
	}
	failed, err := s.cancelUnpaid(ctx, on, session)
	if failed {
		return false, s.close(ctx, c, *v.Checkout)
	}
	if err != nil {
		s.log.Warn("the card processor cannot tell about a payment", zap.String("quote", v.Request.Quote), zap.Error(err), trace.ID(ctx))
	}
	return true, refuseUndecided()
}

// giveOut ends a request with the open page of an attempt, at the address where
// the processor has it now.
func (s *Service) giveOut(ctx context.Context, c contract.Command, attempt checkouts.Checkout, url string) error {
	if url == "" || url == attempt.SessionURL {
		return s.complete(ctx, c, attempt.Quote)
	}
	now, err := aggregate.At[checkouts.Checkout](s.events, contract.CheckoutAggregate, attempt.Quote).Execute(ctx, c, s.now(), func(now checkoutNow) (*checkoutChange, error) {
		if now.State.Status != checkouts.Open || now.State.Attempt != attempt.Attempt {
			return nil, nil
		}
		now.State.SessionURL = url
		return &checkoutChange{Event: checkouts.EventOpened, State: now.State}, nil
	})
	if err != nil || now.Did(c.ID) {
		return err
	}
	return s.complete(ctx, c, attempt.Quote)
}

// refuseUndecided refuses a payment while another one may still come.
func refuseUndecided() *contract.Refusal {
	r := contract.Refuse(contract.QuoteNotPayable, "The bank is still deciding about a payment for this quote. Please do not pay again.")
	r.RetryAfterS = 60
	return r
}

// resolveCharge goes on for a shopper who wants a payment page while a saved card
// is being charged.
func (s *Service) resolveCharge(ctx context.Context, c contract.Command, attempt checkouts.Checkout) (done bool, err error) {
	now, err := s.finishCharge(ctx, c, attempt, 0)
	if err == nil && checkout.Pending(now) {
		err = refuseUndecided()
	}
	return err != nil, err
}

// cancelUnpaid finds out whether a session that is complete without being paid will
// stay so: its bank said no in the end. Its payment is cancelled, so that it
// cannot succeed after all.
func (s *Service) cancelUnpaid(ctx context.Context, on side, session card.Session) (bool, error) {
	if session.Status != card.SessionComplete || session.Paid || session.PaymentIntent == "" {
		return false, nil
	}
	p, err := on.cards.Payment(ctx, session.PaymentIntent)
	if err != nil || p.Status == card.PaymentProcessing || p.Status == card.PaymentSucceeded {
		return false, err
	}
	if p.Status == card.PaymentOpen {
		_, err = on.cards.CancelPayment(ctx, p.ID)
	}
	return err == nil, err
}

// close records that an attempt cannot be paid any more.
func (s *Service) close(ctx context.Context, c contract.Command, attempt checkouts.Checkout) error {
	_, err := aggregate.At[checkouts.Checkout](s.events, contract.CheckoutAggregate, attempt.Quote).Step(ctx, c, "closed:"+strconv.Itoa(attempt.Attempt), s.now(),
		func(now checkoutNow) (*checkoutChange, error) {
			if !checkout.Pending(now.State) || now.State.Attempt != attempt.Attempt {
				return nil, nil
			}
			return &checkoutChange{Event: checkouts.EventClosed, State: checkout.MarkClosed(now.State)}, nil
		})
	return err
}

// complete ends a request with the checkout as it is.
func (s *Service) complete(ctx context.Context, c contract.Command, quote string) error {
	return aggregate.At[checkouts.Checkout](s.events, contract.CheckoutAggregate, quote).Complete(ctx, c, s.now())
}

func unavailable(message string) *contract.Refusal {
	r := contract.Refuse(contract.PaymentUnavailable, "%s", message)
	r.RetryAfterS = 30
	return r
}
