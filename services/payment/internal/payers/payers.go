// Package payers keeps who paid, with card and address where the customer agreed.
package payers

import (
	"context"
	"slices"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/erasures"
	"boardorder/services/payment/internal/saga"
)

type (
	snapshot = aggregate.Snapshot[customers.Customer]
	change   = aggregate.Change[customers.Customer]
)

// Customers are the customers of an account.
type Customers struct{ *saga.Env }

// Keep opens the account of whoever paid, and keeps card and address for
// later orders where the customer agreed. Done again it finds what is there.
func (s *Customers) Keep(ctx context.Context, c contract.Command, paid checkouts.Checkout) error {
	id := customers.Ref(paid.Account, paid.ShipTo.Email)
	if id == "" || paid.Payment == nil { // erased, or none of ours
		return nil
	}
	erased, err := aggregate.At[erasures.Erasure](s.Events, contract.ErasureAggregate, contract.PersonRef(paid.ShipTo.Email)).Load(ctx)
	if err != nil || slices.ContainsFunc(erased.State.Requests, func(r erasures.Request) bool { return r.At.After(paid.Payment.At) }) {
		return err
	}
	_, err = aggregate.At[customers.Customer](s.Events, contract.CustomerAggregate, id).Step(ctx, c, "paid:"+paid.Quote, s.Now(),
		func(now snapshot) (*change, error) {
			next, event := applyPayment(now.State, id, paid)
			if event == "" {
				return nil, nil
			}
			return &change{Event: event, State: next}, nil
		})
	return err
}

// applyPayment is the customer after a payment; without an event nothing changes.
func applyPayment(known customers.Customer, id string, paid checkouts.Checkout) (customers.Customer, contract.EventName) {
	next, event := known, contract.EventName("")
	if next.ID == "" {
		next = customers.Customer{ID: id, Account: paid.Account, Email: paid.ShipTo.Email, OpenedAt: paid.Payment.At, Language: paid.Language}
		event = customers.EventOpened
	}
	p := paid.Payment
	if !p.Keep || p.Card == nil || p.Card.Customer == "" || p.Card.Method == "" {
		return next, event
	}
	if next.Saved != nil && !p.At.After(next.Saved.At) {
		return next, event
	}
	next.Language = paid.Language
	next.Saved = &customers.Saved{Card: *p.Card, ShipTo: paid.ShipTo, Quote: paid.Quote, Words: customers.ConsentWords, At: p.At}
	return next, customers.EventSaved
}

// Erase removes what is kept of customers and of codes that they were
// sent, at the processor first.
func (s *Customers) Erase(ctx context.Context, eraser aggregate.Eraser) (int, error) {
	customers, err := eraser.Find(ctx, contract.CustomerAggregate)
	if err != nil {
		return 0, err
	}
	for _, id := range customers {
		if err := s.forgetCard(ctx, id); err != nil {
			return 0, err
		}
		if err := eraser.Remove(ctx, contract.CustomerAggregate, id); err != nil {
			return 0, err
		}
	}
	codes, err := eraser.Find(ctx, contract.ConfirmationAggregate)
	if err != nil {
		return 0, err
	}
	for _, id := range codes {
		if err := eraser.Remove(ctx, contract.ConfirmationAggregate, id); err != nil {
			return 0, err
		}
	}
	return len(customers), nil
}

func (s *Customers) forgetCard(ctx context.Context, id string) error {
	now, err := aggregate.At[customers.Customer](s.Events, contract.CustomerAggregate, id).Load(ctx)
	if err != nil || now.State.Saved == nil {
		return err
	}
	err = s.ModeOf(now.State.Account).Cards.ForgetCustomer(ctx, now.State.Saved.Card.Customer)
	if card.KindOf(err) == card.Refused {
		return nil // it has none of that name
	}
	return err
}
