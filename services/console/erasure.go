package console

import (
	"context"
	"slices"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// erase records who wants a customer's personal data gone, and has the services
// that keep some remove it. Asked again, they look again.
func (a *Accounts) erase(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.EraseCustomerData](c)
	if err != nil {
		return err
	}
	if data.Operator == "" || !contract.ValidToken(data.Person) {
		return contract.Refuse(contract.InvalidRequest, "An erasure names a person and the operator who wants it.")
	}
	_, err = aggregate.At[contract.Erasure](a.events, contract.ErasureAggregate, data.Person).Execute(ctx, c, a.now(),
		func(now aggregate.Snapshot[contract.Erasure]) (*aggregate.Change[contract.Erasure], error) {
			e := now.State
			e.Person = data.Person
			e.Requests = append(slices.Clone(e.Requests), contract.ErasureRequest{Operator: data.Operator, At: a.now()})
			return &aggregate.Change[contract.Erasure]{Event: contract.ErasureRequested, State: e}, nil
		})
	if err != nil {
		return err
	}
	if err := a.eraseCases(ctx, c, data.Person); err != nil {
		return err
	}
	for _, name := range []contract.CommandName{contract.EraseOrders, contract.EraseQuotes, contract.EraseCentral} {
		next, err := c.Follow(name, data.Person, a.now(), contract.EraseData{Person: data.Person})
		if err != nil {
			return err
		}
		if err := a.events.Send(ctx, next); err != nil {
			return err
		}
	}
	return nil
}
