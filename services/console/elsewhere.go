package console

import (
	"context"
	"slices"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/flow"
)

// noteElsewhere notes that a key was sent from outside its networks, once a day: whoever has a
// stolen key decides from where and how often it is sent. Nothing else of the key changes.
func (a *Accounts) noteElsewhere(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.NoteElsewhereData](c)
	if err != nil {
		return err
	}
	_, err = aggregate.At[accounts.Account](a.events, contract.AccountAggregate, data.Account).Execute(ctx, c, a.now(),
		func(now aggregate.Snapshot[accounts.Account]) (*change, error) {
			next := now.State
			i := slices.IndexFunc(next.Keys, func(k accounts.APIKey) bool { return k.ID == data.KeyID })
			at := a.now()
			if i < 0 || !next.Keys[i].Usable(at) || next.Keys[i].Elsewhere != nil && at.Sub(next.Keys[i].Elsewhere.At) < accounts.ElsewherePause {
				return nil, nil
			}
			next.Keys = slices.Clone(next.Keys)
			next.Keys[i].Elsewhere = &accounts.Elsewhere{At: at, Network: data.Network}
			return &change{Event: accounts.EventKeyElsewhere, State: next}, nil
		})
	return err
}
