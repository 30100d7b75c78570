// Package codes sends customers the codes by which they confirm a charge of a saved
// card or look at what they ordered, and checks what they enter.
package codes

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"
	"boardorder/services/payment/internal/checkout"
	"boardorder/services/payment/internal/confirm"
	"boardorder/services/payment/internal/pay"
	"boardorder/services/payment/internal/saga"
)

type (
	snapshot = aggregate.Snapshot[confirmations.Confirmation]
	change   = aggregate.Change[confirmations.Confirmation]
)

// Codes are the codes of confirmations.
type Codes struct {
	*saga.Env
	Secrets   *secret.Keyring
	Docs      saga.Docs // for finding only: nothing is decided by what they say
	Checkouts *pay.Checkouts
}

// Send makes a code. The same is done for an address that is no customer's,
// so that neither an answer nor its time gives it away; only no e-mail follows.
func (s *Codes) Send(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[confirmations.SendCodeData](c)
	if err != nil {
		return err
	}
	about, to, err := s.recipient(ctx, c, data)
	if err != nil {
		return err
	}
	if data.Confirmation != confirmations.ID(data.Purpose, about) {
		return flow.Permanent(errors.New("a code whose confirmation has another name"))
	}
	_, err = aggregate.At[confirmations.Confirmation](s.Events, contract.ConfirmationAggregate, data.Confirmation).Execute(ctx, c, s.Now(),
		func(snapshot) (*change, error) {
			code := confirm.Code{Nonce: rand.Text()}
			_, code.Hash = s.Secrets.Code(data.Confirmation, code.Nonce)
			state := confirm.Request(data, about, c.Account, code, to, s.Now())
			// Of an earlier code nothing stays.
			return &change{Event: confirmations.EventRequested, State: state, Forget: true}, nil
		})
	return err
}

// recipient finds what a code is about, and whom it goes to: nobody, where there
// is no such customer.
func (s *Codes) recipient(ctx context.Context, c contract.Command, data confirmations.SendCodeData) (about string, to confirm.Recipient, err error) {
	switch data.Purpose {
	case confirmations.ForPayment:
		to, err = s.payer(ctx, c, data.Quote)
		return data.Quote, to, err
	case confirmations.ForHistory:
		about = customers.Ref(c.Account, data.Email)
		customer, err := aggregate.At[customers.Customer](s.Events, contract.CustomerAggregate, about).Load(ctx)
		if err != nil {
			return about, to, err
		}
		known, err := s.hasOrders(ctx, about)
		if err == nil && known {
			to = confirm.Recipient{Email: data.Email, Language: customer.State.Language}
		}
		return about, to, err
	}
	return "", to, flow.Permanent(errors.New("a code for nothing that is known"))
}

// payer is the customer whose saved card can pay a quote, and what it would be
// charged; nobody if there is none.
func (s *Codes) payer(ctx context.Context, c contract.Command, quote string) (to confirm.Recipient, err error) {
	v, _, err := s.Checkouts.View(ctx, checkouts.BeginData{Quote: quote})
	if err != nil {
		return to, err
	}
	if v.Quote == nil || v.Quote.Account != c.Account {
		return to, contract.Refuse(contract.NotFound, "There is no quote with this quote_id.")
	}
	v.Request.Version, v.Request.Acknowledgement = v.Quote.Version, v.Quote.AcknowledgementHash() // the code is what confirms them
	if err := checkout.Sellable(v); err != nil || v.Quote.Delivery == nil {
		return to, err
	}
	email := v.Quote.Delivery.ShipTo.Email
	customer, err := aggregate.At[customers.Customer](s.Events, contract.CustomerAggregate, customers.Ref(c.Account, email)).Load(ctx)
	if err != nil || customer.State.Saved == nil {
		return to, err
	}
	if err := checkout.Payable(v); err != nil {
		return to, err
	}
	charge := checkout.ChargeOf(*v.Quote, customer.State.Saved.Card)
	return confirm.Recipient{Email: customer.State.Email, Language: cmp.Or(v.Quote.Language, customer.State.Language), Charge: &charge}, nil
}

// hasOrders reports whether a customer paid or requested something. The
// projection is good enough: what is missing from it now is found a moment later.
func (s *Codes) hasOrders(ctx context.Context, customer string) (bool, error) {
	found := false
	for _, kind := range []contract.Aggregate{contract.OrderAggregate, contract.QuoteAggregate} {
		docs, _, err := s.Docs.List(ctx, string(kind), customers.Key, customer, projection.Page{Limit: 1})
		if err != nil {
			return false, err
		}
		found = found || len(docs) > 0
	}
	return found, nil
}

// Verify looks at a code that was entered, after it was counted.
func (s *Codes) Verify(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[confirmations.VerifyCodeData](c)
	if err != nil {
		return err
	}
	id := data.Confirmation
	now, err := aggregate.At[confirmations.Confirmation](s.Events, contract.ConfirmationAggregate, id).Load(ctx)
	if err != nil || now.Did(c.ID) {
		return err
	}
	if now.State.Account != c.Account {
		return confirm.RefuseExpired()
	}
	_, err = aggregate.At[confirmations.Confirmation](s.Events, contract.ConfirmationAggregate, id).Step(ctx, c, "tried", s.Now(),
		func(now snapshot) (*change, error) {
			state, err := confirm.Try(now.State, data.Nonce, s.Now())
			if err != nil {
				return nil, err
			}
			return &change{Event: confirmations.EventTried, State: state}, nil
		})
	if err != nil {
		return err
	}
	var quote quotes.Quote
	if now.State.Charge != nil {
		q, err := aggregate.At[quotes.Quote](s.Events, contract.QuoteAggregate, now.State.About).Load(ctx)
		if err != nil {
			return err
		}
		quote = q.State
	}
	_, err = aggregate.At[confirmations.Confirmation](s.Events, contract.ConfirmationAggregate, id).Execute(ctx, c, s.Now(),
		func(now snapshot) (*change, error) {
			state, err := confirm.Verify(now.State, data, s.Now())
			if err == nil {
				err = confirm.Holds(now.State, quote)
			}
			if err != nil {
				return nil, err
			}
			return &change{Event: confirmations.EventVerified, State: state}, nil
		})
	return err
}
