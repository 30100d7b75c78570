package console

import (
	"context"
	"slices"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
)

// erase records who wants a customer's personal data gone, and has the services
// that keep some remove it. Asked again, they look again.
func (a *Accounts) erase(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[erasures.EraseCustomerData](c)
	if err != nil {
		return err
	}
	if data.Operator == "" || !contract.ValidToken(data.Person) {
		return contract.Refuse(contract.InvalidRequest, "An erasure names a person and the operator who wants it.")
	}
	_, err = aggregate.At[erasures.Erasure](a.events, contract.ErasureAggregate, data.Person).Execute(ctx, c, a.now(),
		func(now aggregate.Snapshot[erasures.Erasure]) (*aggregate.Change[erasures.Erasure], error) {
			e := now.State
			e.Person = data.Person
			e.Requests = append(slices.Clone(e.Requests), erasures.Request{Operator: data.Operator, At: a.now()})
			return &aggregate.Change[erasures.Erasure]{Event: erasures.EventRequested, State: e}, nil
		})
	if err != nil {
		return err
	}
	if err := a.eraseCases(ctx, c, data.Person); err != nil {
		return err
	}
	for _, name := range []contract.CommandName{orders.Erase, quotes.Erase, formal.Erase} {
		next, err := c.Follow(name, data.Person, a.now(), erasures.Data{Person: data.Person})
		if err != nil {
			return err
		}
		if err := a.events.Send(ctx, next); err != nil {
			return err
		}
	}
	return nil
}
