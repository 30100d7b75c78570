package notify

import (
	"context"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/emails"
	"boardorder/services/notify/internal/email"
)

// keyEnvelope writes to an account that a key of its was revoked, and why. A test key's
// e-mail is no test: it goes to the same address, and the key is gone.
func (s *Service) keyEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	account, err := state[accounts.Account](ctx, s, contract.AccountAggregate, data.About)
	if err != nil {
		return envelope{}, err
	}
	i := slices.IndexFunc(account.Keys, func(k accounts.APIKey) bool { return k.ID == data.Item })
	if i < 0 || account.Keys[i].RevokedAt == nil || account.Keys[i].RevokedFor != accounts.KeyLeaked {
		return envelope{}, errNotDue
	}
	k := account.Keys[i]
	l, err := s.emails.KeyRevoked(email.KeyRevoked{Name: account.Name, Prefix: k.Prefix, Key: k.Name, At: *k.RevokedAt})
	return envelope{l, account.Email, account.Name, ""}, err
}
