package payment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/equals"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/services/payment/internal/checkout"
)

// erase removes a customer's personal data, or all that tells of a design, from
// checkouts and orders. First it ends what is under way: open payment pages are
// closed, and orders of a design are held for people to decide about. What is paid
// on a closed page nevertheless is given back. A customer's order that is on its way to be built and shipped
// keeps the address until then; it is looked at again every day.
func (s *Service) erase(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[erasures.Data](c)
	if err != nil {
		return err
	}
	eraser := aggregate.Eraser{Core: s.events, Command: c, Marks: data.Marks(), At: s.now()}
	quotes, err := findMarked(ctx, eraser)
	if err != nil {
		return err
	}
	waiting, customers := 0, 0
	var again error
	if !data.IsControlled() {
		customers, again = s.eraseCustomer(ctx, eraser)
	}
	for _, quote := range quotes {
		done, err := s.eraseQuote(ctx, eraser, data, quote)
		switch {
		case err != nil:
			again = errors.Join(again, err)
		case !done:
			waiting++
		}
	}
	if again != nil {
		return flow.Snooze(time.Minute, again)
	}
	if err := s.eraseAgain(ctx, c, data, waiting); err != nil || data.IsControlled() {
		return err
	}
	erased := map[contract.Aggregate]int{contract.OrderAggregate: len(quotes) - waiting, contract.CustomerAggregate: customers}
	return eraser.Record(ctx, data.Person, erased, waiting)
}

// findMarked gives the quotes that a checkout or an order with a mark is of.
func findMarked(ctx context.Context, eraser aggregate.Eraser) ([]string, error) {
	paying, err := eraser.Find(ctx, contract.CheckoutAggregate)
	if err != nil {
		return nil, err
	}
	ordered, err := eraser.Find(ctx, contract.OrderAggregate)
	quotes := slices.Concat(paying, ordered)
	slices.Sort(quotes)
	return slices.Compact(quotes), err
}

// eraseQuote is not done while an order is on its way to the customer.
func (s *Service) eraseQuote(ctx context.Context, eraser aggregate.Eraser, data erasures.Data, quote string) (done bool, err error) {
	c := eraser.Command
	o, err := s.endCheckout(ctx, c, quote)
	if err != nil {
		return false, err
	}
	if o.State.Money == orders.MoneyOpen { // an earlier delivery called it off, or the team did
		if err := s.askReturns(ctx, c, orders.SettleMoneyData{Quote: quote}); err != nil {
			return false, err
		}
	}
	switch {
	case !o.Exists() || o.State.HasEnded():
	case !data.IsControlled():
		return false, nil
	default:
		if err := s.holdControlled(ctx, c, o); err != nil {
			return false, err
		}
	}
	return true, s.redact(ctx, eraser, data, quote)
}

// endCheckout closes the payment page of a quote, if one is open, and gives the
// order that it led to, if it was paid.
func (s *Service) endCheckout(ctx context.Context, c contract.Command, quote string) (orderNow, error) {
	now, err := s.checkout(ctx, quote)
	if err == nil && checkout.Pending(now.State) {
		if err = s.retirePage(ctx, c, now.State); err == nil {
			now, err = s.checkout(ctx, quote)
		}
	}
	if err == nil && now.State.Payment != nil {
		err = s.ensureOrder(ctx, c, now.State)
	}
	if err != nil {
		return orderNow{}, err
	}
	return aggregate.At[orders.Order](s.events, contract.OrderAggregate, quote).Load(ctx)
}

// retirePage closes the page of an attempt. One whose making was begun is made,
// so that it can be closed. A payment that its bank is still deciding about is
// given back when it comes.
func (s *Service) retirePage(ctx context.Context, c contract.Command, attempt checkouts.Checkout) error {
	if attempt.Status == checkouts.Charging {
		now, err := s.finishCharge(ctx, c, attempt, 0)
		if err == nil && checkout.Pending(now) {
			err = fmt.Errorf("quote %s: a saved card is being charged", attempt.Quote)
		}
		return err
	}
	if attempt.Status == checkouts.Starting {
		made, err := s.createPage(ctx, attempt)
		if card.KindOf(err) == card.Refused {
			return s.close(ctx, c, attempt)
		}
		if err != nil {
			return err
		}
		attempt.SessionID = made.ID
	}
	on := s.sideOf(attempt.Account)
	session, err := on.cards.ExpireSession(ctx, attempt.SessionID)
	switch {
	case card.IsCode(err, card.CodeNotFound):
		return s.close(ctx, c, attempt)
	case err != nil:
		return err
	case session.Paid:
		return s.accept(ctx, c, on, checkout.SessionReceipt(session))
	case session.Status == card.SessionExpired:
		return s.close(ctx, c, attempt)
	}
	failed, err := s.cancelUnpaid(ctx, on, session)
	if err != nil || !failed {
		return err
	}
	return s.close(ctx, c, attempt)
}

// controlled is why an order of a design that was declared stands still.
const controlled = "the design was declared ITAR-controlled and its files are deleted, so it cannot be built here: write to the customer, or cancel it, which gives the money back"

// holdControlled has people decide about an order of a design that was declared:
// whoever declares need not be whoever paid. Nothing is given back without them.
func (s *Service) holdControlled(ctx context.Context, c contract.Command, o orderNow) error {
	why := controlled
	switch o.State.Status {
	case orders.Placing:
		return fmt.Errorf("order %s is being placed just now", o.State.ID)
	case orders.Placed, orders.InProduction:
		why += ". The fabricator has the order: cancel it there first"
	case orders.Held:
		if strings.HasSuffix(o.State.Held, why) {
			return nil
		}
		why = o.State.Held + "; then " + why
	}
	return s.hold(ctx, c, o, why)
}

// redact leaves what the books need.
func (s *Service) redact(ctx context.Context, eraser aggregate.Eraser, data erasures.Data, quote string) error {
	paying := func(c checkouts.Checkout) checkouts.Checkout { return c.Redact(s.now()) }
	ordered := func(o orders.Order) orders.Order { return o.Redact(s.now()) }
	if data.IsControlled() {
		paying, ordered = checkouts.Checkout.Withdraw, orders.Order.Withdraw
	}
	err := aggregate.Redact(ctx, eraser, contract.CheckoutAggregate, quote, paying)
	if err != nil {
		return err
	}
	for _, key := range slices.Concat(data.Equal, []string{equals.Unknown}) {
		if !data.IsControlled() {
			break
		}
		if err := s.events.ForgetEqual(ctx, contract.OrderAggregate, key, quote); err != nil {
			return err
		}
	}
	o, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, quote).Load(ctx)
	if err != nil || o.Seq == 0 {
		return err
	}
	return aggregate.Redact(ctx, eraser, contract.OrderAggregate, quote, ordered)
}

// waitingEvery is how often an erasure looks whether an order was shipped.
const waitingEvery = 24 * time.Hour

// eraseAgain sets the timer for the next look: a second one for what was under
// way at the first, and one a day while orders wait.
func (s *Service) eraseAgain(ctx context.Context, c contract.Command, data erasures.Data, waiting int) error {
	due := s.now().Add(erasures.SecondLook)
	if data.Again && waiting == 0 {
		return nil
	}
	if data.Again {
		due = s.now().Add(waitingEvery)
	}
	data.Again = true
	return s.schedule(ctx, c, orders.Erase, data, contract.Timer{
		Aggregate: contract.CheckoutAggregate, AggregateID: data.Target(), What: "erase", Due: due,
	})
}

// holdEqual holds orders of files that an account declared ITAR-controlled, for
// people to look at: those that the command concerns. Nothing is taken from them. What
// is declared with a test key holds nothing of live.
func (s *Service) holdEqual(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[equals.HoldData](c)
	if err != nil {
		return err
	}
	quotes, err := s.equalTo(ctx, data)
	if err != nil {
		return err
	}
	for _, quote := range quotes {
		o, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, quote).Load(ctx)
		if err != nil {
			return err
		}
		if !data.Concerns(o.State.Account, o.State.Sold.Upload) {
			continue
		}
		equal := slices.ContainsFunc(data.Content, func(content string) bool {
			return boards.FilesDigest(o.State.Digest) == boards.Digest(o.State.Sold.Upload, content)
		})
		if !equal || o.State.HasEnded() || o.State.Status == orders.Held {
			continue
		}
		if o.State.Status == orders.Placing {
			return flow.Snooze(time.Minute, fmt.Errorf("order %s is being placed just now", o.State.ID))
		}
		why := equalDeclared
		if data.Upload != "" {
			why = accountDeclared
		}
		if err := s.hold(ctx, c, o, why); err != nil {
			return err
		}
	}
	return nil
}
