package notify

import (
	"context"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/letters"
	"boardorder/services/notify/internal/letter"
)

// keyPage writes to an account that a key of its was revoked, and why. A test key's
// letter is no test: it goes to the same address, and the key is gone.
func (s *Service) keyPage(ctx context.Context, data letters.SendData) (page, error) {
	account, err := state[accounts.Account](ctx, s, contract.AccountAggregate, data.About)
	if err != nil {
		return page{}, err
	}
	i := slices.IndexFunc(account.Keys, func(k accounts.APIKey) bool { return k.ID == data.Item })
	if i < 0 || account.Keys[i].RevokedAt == nil || account.Keys[i].RevokedFor != accounts.KeyLeaked {
		return page{}, errNotDue
	}
	k := account.Keys[i]
	l, err := s.letters.KeyRevoked(letter.KeyRevoked{Name: account.Name, Prefix: k.Prefix, Key: k.Name, At: *k.RevokedAt})
	return page{l, account.Email, account.Name, ""}, err
}
