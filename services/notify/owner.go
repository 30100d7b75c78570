package notify

import (
	"context"
	"slices"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/emails"
	"boardorder/services/notify/internal/email"
)

// owner gives an account and one of its owners, errNotDue where they are none any more.
func (s *Service) owner(ctx context.Context, account, member string) (accounts.Account, accounts.Member, error) {
	a, err := state[accounts.Account](ctx, s, contract.AccountAggregate, account)
	if err != nil {
		return a, accounts.Member{}, err
	}
	m, known := a.Member(member)
	if !known || m.Role != accounts.Owner {
		return a, m, errNotDue
	}
	return a, m, nil
}

// keyMadeEnvelope writes to an owner that there is another live key, unless it is revoked by then.
func (s *Service) keyMadeEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	key, member, _ := strings.Cut(data.Item, ".")
	account, to, err := s.owner(ctx, data.About, member)
	if err != nil {
		return envelope{}, err
	}
	i := slices.IndexFunc(account.Keys, func(k accounts.APIKey) bool { return k.ID == key })
	if i < 0 || account.Keys[i].RevokedAt != nil {
		return envelope{}, errNotDue
	}
	k := account.Keys[i]
	l, err := s.emails.KeyMade(email.KeyMade{Account: account.Name, Key: k.Name, Prefix: k.Prefix, By: k.CreatedBy, At: k.CreatedAt, Networks: k.Networks, URL: s.cfg.PublicURL + "/portal/keys"})
	return envelope{l, to.Email, "", ""}, err
}

// detailsEnvelope writes to an owner where the account is written to from now on.
func (s *Service) detailsEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	account, to, err := s.owner(ctx, data.About, data.Item)
	if err != nil {
		return envelope{}, err
	}
	l, err := s.emails.DetailsSet(email.DetailsSet{Account: account.Name, Email: account.Email, URL: s.cfg.PublicURL + "/portal"})
	return envelope{l, to.Email, "", ""}, err
}
