package console

import (
	"context"
	"net/mail"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/apikey"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/flow"
)

// Accounts carries out the operators' commands on accounts and their API keys, on
// customers, and on the team's own cases.
type Accounts struct {
	events aggregate.Core
	now    func() time.Time
}

// NewAccounts makes it.
func NewAccounts(events aggregate.Core, now func() time.Time) *Accounts {
	return &Accounts{events, now}
}

// Handlers are the commands on accounts.
func (a *Accounts) Handlers() flow.Handlers {
	return flow.Handlers{
		accounts.Open:           a.open,
		accounts.SetAddress:     a.setAddress,
		accounts.CreateKey:      a.createKey,
		accounts.SetFabricators: a.setFabricators,
		accounts.ChangeKey:      a.changeKey,
		accounts.RevokeKey:      a.revokeKey,

		accounts.NoteElsewhere: a.noteElsewhere,

		erasures.EraseCustomer: a.erase,

		cases.Take:            a.takeCase,
		cases.RequestApproval: a.requestApproval,
		cases.Decide:          a.decide,
		cases.AddNote:         a.addNote,
	}
}

type change = aggregate.Change[accounts.Account]

// open is repeatable: an account that exists with the same name is not changed.
func (a *Accounts) open(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.OpenData](c)
	if err != nil {
		return err
	}
	if data.ID == "" || data.Name == "" || !contract.ValidToken(data.ID) {
		return contract.Refuse(contract.InvalidRequest, "An account has an id and a name.")
	}
	if !mailAddress(data.Email) {
		return refuseAddress()
	}
	snap, err := aggregate.At[accounts.Account](a.events, contract.AccountAggregate, data.ID).Execute(ctx, c, a.now(),
		func(now aggregate.Snapshot[accounts.Account]) (*change, error) {
			if now.Exists() && now.State.Name == data.Name {
				return nil, nil
			}
			if now.Exists() {
				return nil, contract.Refuse(contract.AccountExists, "There is an account of this id with another name.")
			}
			return &change{Event: accounts.EventOpened, State: accounts.Account{
				ID: data.ID, Name: data.Name, Email: data.Email, CreatedAt: a.now(), Keys: []accounts.APIKey{}, Limits: data.Limits,
			}}, nil
		})
	if err != nil || snap.Did(c.ID) {
		return err
	}
	return aggregate.At[accounts.Account](a.events, contract.AccountAggregate, data.ID).Complete(ctx, c, a.now())
}

// mailAddress tells whether s is a plain e-mail address, or none.
func mailAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return s == "" || err == nil && a.Address == s && len(s) <= 254
}

func refuseAddress() *contract.Refusal {
	return contract.Refuse(contract.InvalidRequest, "This is not an e-mail address; one looks like name@example.com.")
}

// setAddress says where a partner is written to.
func (a *Accounts) setAddress(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.SetAddressData](c)
	if err != nil {
		return err
	}
	if !mailAddress(data.Email) {
		return refuseAddress()
	}
	snap, err := aggregate.At[accounts.Account](a.events, contract.AccountAggregate, data.Account).Execute(ctx, c, a.now(),
		func(now aggregate.Snapshot[accounts.Account]) (*change, error) {
			if !now.Exists() {
				return nil, contract.Refuse(contract.NotFound, "There is no such account.")
			}
			if now.State.Email == data.Email {
				return nil, nil
			}
			account := now.State
			account.Email = data.Email
			return &change{Event: accounts.EventAddressSet, State: account, Forget: data.Email == ""}, nil
		})
	if err != nil || snap.Did(c.ID) {
		return err
	}
	return aggregate.At[accounts.Account](a.events, contract.AccountAggregate, data.Account).Complete(ctx, c, a.now())
}

func (a *Accounts) createKey(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.CreateKeyData](c)
	if err != nil {
		return err
	}
	_, err = aggregate.At[accounts.Account](a.events, contract.AccountAggregate, data.Account).Execute(ctx, c, a.now(),
		func(now aggregate.Snapshot[accounts.Account]) (*change, error) {
			if err := keyFits(now, data.Key); err != nil {
				return nil, err
			}
			account := now.State
			data.Key.CreatedBy = data.Operator
			account.Keys = append(slices.Clone(account.Keys), data.Key)
			return &change{Event: accounts.EventKeyCreated, State: account}, nil
		})
	if err != nil || data.Operator == "" { // the system's own first key is no news
		return err
	}
	return tellOfKey(ctx, a.events, c, data.Account, data.Key, a.now())
}

func keyFits(now aggregate.Snapshot[accounts.Account], key accounts.APIKey) error {
	switch {
	case !now.Exists():
		return contract.Refuse(contract.NotFound, "There is no such account.")
	case key.ID == "" || key.Hash == "" || key.Name == "":
		return contract.Refuse(contract.InvalidRequest, "A key has an id, a hash and a name.")
	}
	for _, s := range key.Scopes {
		if !slices.Contains(accounts.DefaultScopes(), s) {
			return contract.Refuse(contract.InvalidRequest, "A key's scopes are among %v.", accounts.DefaultScopes())
		}
	}
	networks, err := accounts.ParseNetworks(strings.Join(key.Networks, ","))
	if err != nil || !slices.Equal(networks, append([]string{}, key.Networks...)) {
		return contract.Refuse(contract.InvalidRequest, "A key's networks are in CIDR notation, each once and in its shortest spelling, and %d at most.", accounts.MaxNetworks)
	}
	return nil
}

// changeKey sets what a key may do, until when and from where. One that was revoked stays so.
func (a *Accounts) changeKey(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.ChangeKeyData](c)
	if err != nil {
		return err
	}
	snap, err := aggregate.At[accounts.Account](a.events, contract.AccountAggregate, data.Account).Execute(ctx, c, a.now(),
		func(now aggregate.Snapshot[accounts.Account]) (*change, error) {
			return alterKey(now, data.KeyID, func(k *accounts.APIKey) {
				k.Scopes, k.ExpiresAt = data.Scopes, data.ExpiresAt
				if data.Networks != nil {
					k.Networks = *data.Networks
				}
			})
		})
	if err != nil || snap.Did(c.ID) {
		return err
	}
	return aggregate.At[accounts.Account](a.events, contract.AccountAggregate, data.Account).Complete(ctx, c, a.now())
}

// alterKey changes a key that was not revoked; nil where it stays as it is.
func alterKey(now aggregate.Snapshot[accounts.Account], id string, alter func(*accounts.APIKey)) (*change, error) {
	i := slices.IndexFunc(now.State.Keys, func(k accounts.APIKey) bool { return k.ID == id })
	if i < 0 {
		return nil, contract.Refuse(contract.NotFound, "The account has no such key.")
	}
	key := now.State.Keys[i]
	changed := key
	alter(&changed)
	switch err := keyFits(now, changed); {
	case key.RevokedAt != nil:
		return nil, contract.Refuse(contract.Conflict, "This key was revoked.")
	case len(changed.Scopes) == 0:
		return nil, contract.Refuse(contract.InvalidRequest, "A key needs at least one scope.")
	case err != nil:
		return nil, err
	case key.Name == changed.Name && slices.Equal(key.Scopes, changed.Scopes) && sameTime(key.ExpiresAt, changed.ExpiresAt) && slices.Equal(key.Networks, changed.Networks):
		return nil, nil
	}
	account := now.State
	account.Keys = slices.Clone(account.Keys)
	account.Keys[i] = changed
	return &change{Event: accounts.EventKeyChanged, State: account}, nil
}

func sameTime(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

func (a *Accounts) revokeKey(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.RevokeKeyData](c)
	if err != nil {
		return err
	}
	snap, err := aggregate.At[accounts.Account](a.events, contract.AccountAggregate, data.Account).Execute(ctx, c, a.now(),
		func(now aggregate.Snapshot[accounts.Account]) (*change, error) {
			return endKey(now.State, data.KeyID, data.Operator, a.now())
		})
	if err != nil || snap.Did(c.ID) {
		return err
	}
	return aggregate.At[accounts.Account](a.events, contract.AccountAggregate, data.Account).Complete(ctx, c, a.now())
}

// NewKey makes a key and what is kept of it. The key's text is shown to whoever
// asked for it and never stored.
func NewKey(name string, live bool, scopes []string, expires *time.Time, at time.Time) (text string, key accounts.APIKey) {
	return apikey.New(name, live, scopes, expires, at)
}

// ParseKey is what is kept of a key whose text was made before.
func ParseKey(text, name string, at time.Time) (accounts.APIKey, error) {
	return apikey.Parse(text, name, at)
}
