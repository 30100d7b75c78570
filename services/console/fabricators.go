package console

import (
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/flow"
)

// setFabricators says by what rule an account's fabricators are chosen, and whether it sees
// what others offer.
func (a *Accounts) setFabricators(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.SetFabricatorsData](c)
	if err != nil {
		return err
	}
	if data.Rule != nil {
		if err := data.Rule.Check(); err != nil {
			return contract.Refuse(contract.InvalidRequest, "%s", contract.Sentence(err.Error()))
		}
	}
	at := aggregate.At[accounts.Account](a.events, contract.AccountAggregate, data.Account)
	snap, err := at.Execute(ctx, c, a.now(), func(now aggregate.Snapshot[accounts.Account]) (*change, error) {
		if !now.Exists() {
			return nil, contract.Refuse(contract.NotFound, "There is no such account.")
		}
		account := now.State
		if sameRule(account.FabricatorRule, data.Rule) && account.SeesOffers == data.SeesOffers {
			return nil, nil
		}
		account.FabricatorRule, account.SeesOffers = data.Rule, data.SeesOffers
		return &change{Event: accounts.EventFabricatorsSet, State: account}, nil
	})
	if err != nil || snap.Did(c.ID) {
		return err
	}
	return at.Complete(ctx, c, a.now())
}

func sameRule(a, b *accounts.FabricatorRule) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}
