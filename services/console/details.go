package console

import (
	"context"
	"strings"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/flow"
)

// setDetails says what the member's account is called and where it is written to, and tells
// the owners. Who reads the old one stays an owner: they may be the only one.
func (m *Members) setDetails(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.SetOwnDetailsData](c)
	if err != nil {
		return err
	}
	r := audits.Record{Action: "set an account's name and address", Kind: "account", ID: data.Account, After: map[string]string{"name": data.Name, "e-mail": data.Email}}
	err = m.act(ctx, c, data.By, accounts.ManageAccount, r, func(now aggregate.Snapshot[accounts.Account], by accounts.Member) (*change, error) {
		return setDetails(now.State, by, data)
	})
	if err != nil {
		return err
	}
	return tellOwners(ctx, m.events, c, data.Account, emails.DetailsSet, func(owner accounts.Member) string { return owner.ID }, m.now())
}

// setDetails takes an address that the member who sets it has read a code at: letters go
// nowhere that nobody asked for them.
func setDetails(account accounts.Account, by accounts.Member, data accounts.SetOwnDetailsData) (*change, error) {
	switch {
	case data.Name == "" || data.Name != untrusted.Line(data.Name, accounts.MaxName):
		return nil, contract.Refuse(contract.InvalidRequest, "An account has a name of one line and at most %d characters.", accounts.MaxName)
	case data.Email == "" || !mailAddress(data.Email):
		return nil, refuseAddress()
	case !strings.EqualFold(data.Email, account.Email) && !strings.EqualFold(data.Email, by.Email):
		return nil, contract.Refuse(contract.InvalidRequest, "We write only to an address that somebody reads. Add %s as an owner, sign in with it, and set it then.", data.Email)
	case account.Name == data.Name && account.Email == data.Email:
		return nil, nil
	}
	account.Members = account.Team()
	account.Name, account.Email = data.Name, data.Email
	return &change{Event: accounts.EventDetailsSet, State: account}, nil
}
