// Package erasure removes a customer's personal data, or all that tells of a design,
// from checkouts and orders, after ending what is under way.
package erasure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/services/payment/internal/charges"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/fulfilment"
	"boardorder/services/payment/internal/pay"
	"boardorder/services/payment/internal/payers"
	"boardorder/services/payment/internal/payments"
	"boardorder/services/payment/internal/refunds"
	"boardorder/services/payment/internal/saga"
)

// Erasure erases what checkouts, orders and customers hold.
type Erasure struct {
	*saga.Env
	Checkouts *pay.Checkouts
	Charges   *charges.Charges
	Payments  *payments.Payments
	Orders    *fulfilment.Orders
	Refunds   *refunds.Refunds
	Customers *payers.Customers
}

// Erase removes a customer's personal data, or all that tells of a design, from
// checkouts and orders. First it ends what is under way: open payment pages are
// closed, and orders of a design are held for people to decide about. What is paid
// on a closed page nevertheless is given back. A customer's order that is on its way to be built and shipped
// keeps the address until then; it is looked at again every day.
func (s *Erasure) Erase(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[erasures.Data](c)
	if err != nil {
		return err
	}
	eraser := aggregate.Eraser{Core: s.Events, Command: c, Labels: data.Labels(), At: s.Now()}
	quotes, err := findLabelled(ctx, eraser)
	if err != nil {
		return err
	}
	waiting, customers := 0, 0
	var again error
	if !data.IsControlled() {
		customers, again = s.Customers.Erase(ctx, eraser)
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
	eraser.At = s.Now()
	return eraser.Record(ctx, data.Person, erased, waiting)
}

// findLabelled gives the quotes that a checkout or an order with a label is of.
func findLabelled(ctx context.Context, eraser aggregate.Eraser) ([]string, error) {
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
func (s *Erasure) eraseQuote(ctx context.Context, eraser aggregate.Eraser, data erasures.Data, quote string) (done bool, err error) {
	c := eraser.Command
	o, err := s.endCheckout(ctx, c, quote)
	if err != nil {
		return false, err
	}
	if o.State.Money == orders.MoneyOpen { // an earlier delivery called it off, or the team did
		if err := s.Refunds.Reconcile(ctx, c, orders.SettleMoneyData{Quote: quote}); err != nil {
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

// endCheckout closes the payment pages of a quote that are open, and gives the
// order that it led to, if it was paid.
func (s *Erasure) endCheckout(ctx context.Context, c contract.Command, quote string) (saga.OrderSnapshot, error) {
	now, err := s.Checkout(quote).Load(ctx)
	for _, page := range checkout.Pages(now.State) {
		if err == nil {
			err = s.retirePage(ctx, c, page)
		}
	}
	if err == nil {
		now, err = s.Checkout(quote).Load(ctx)
	}
	if err == nil && now.State.Payment != nil {
		err = s.Orders.Ensure(ctx, c, now.State)
	}
	if err != nil {
		return saga.OrderSnapshot{}, err
	}
	return s.Order(quote).Load(ctx)
}

// retirePage closes the page of an attempt. One whose making was begun is made,
// so that it can be closed. A payment that its bank is still deciding about is
// given back when it comes.
func (s *Erasure) retirePage(ctx context.Context, c contract.Command, attempt checkouts.Checkout) error {
	if attempt.Status == checkouts.Charging {
		now, err := s.Charges.Finish(ctx, c, attempt, 0)
		if err == nil && checkout.Pending(now) {
			err = fmt.Errorf("quote %s: a saved card is being charged", attempt.Quote)
		}
		return err
	}
	if attempt.Status == checkouts.Starting {
		made, err := s.Checkouts.CreatePage(ctx, attempt)
		if card.KindOf(err) == card.Refused {
			return s.Payments.Close(ctx, c, attempt)
		}
		if err != nil {
			return err
		}
		attempt.SessionID = made.ID
	}
	on := s.ModeOf(attempt.Account)
	session, err := on.Cards.ExpireSession(ctx, attempt.SessionID)
	switch {
	case card.IsCode(err, card.CodeNotFound):
		return s.Payments.Close(ctx, c, attempt)
	case err != nil:
		return err
	case session.Paid:
		return s.Payments.Accept(ctx, c, on, checkout.SessionReceipt(session))
	case session.Status == card.SessionExpired:
		return s.Payments.Close(ctx, c, attempt)
	}
	failed, err := s.Payments.CancelUnpaid(ctx, on, session)
	if err != nil || !failed {
		return err
	}
	return s.Payments.Close(ctx, c, attempt)
}

// redact leaves what accounting needs.
func (s *Erasure) redact(ctx context.Context, eraser aggregate.Eraser, data erasures.Data, quote string) error {
	paying := func(c checkouts.Checkout) checkouts.Checkout { return c.Redact(s.Now()) }
	ordered := func(o orders.Order) orders.Order { return o.Redact(s.Now()) }
	if data.IsControlled() {
		paying, ordered = checkouts.Checkout.Withdraw, orders.Order.Withdraw
	}
	eraser.At = s.Now() // after what was ended before
	err := aggregate.Redact(ctx, eraser, contract.CheckoutAggregate, quote, paying)
	if err != nil {
		return err
	}
	for _, key := range slices.Concat(data.DuplicateKeys, []string{duplicates.Unknown}) {
		if !data.IsControlled() {
			break
		}
		if err := s.Events.ForgetDuplicate(ctx, contract.OrderAggregate, key, quote); err != nil {
			return err
		}
	}
	o, err := s.Order(quote).Load(ctx)
	if err != nil || o.Seq == 0 {
		return err
	}
	return aggregate.Redact(ctx, eraser, contract.OrderAggregate, quote, ordered)
}

// waitingEvery is how often an erasure looks whether an order was shipped.
const waitingEvery = 24 * time.Hour

// eraseAgain sets the timer for the next look: a second one for what was under
// way at the first, and one a day while orders wait.
func (s *Erasure) eraseAgain(ctx context.Context, c contract.Command, data erasures.Data, waiting int) error {
	due := s.Now().Add(erasures.SecondLook)
	if data.Again && waiting == 0 {
		return nil
	}
	if data.Again {
		due = s.Now().Add(waitingEvery)
	}
	data.Again = true
	return s.Schedule(ctx, c, orders.Erase, data, contract.Timer{
		Aggregate: contract.CheckoutAggregate, AggregateID: data.Target(), What: "erase", Due: due,
	})
}
