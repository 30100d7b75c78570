package console

import (
	"context"
	"maps"
	"slices"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/apikey"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/flow"
)

// createKey adds a key that a member made. One that takes the place of another gives that
// one its end in the same event.
func (m *Members) createKey(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.CreateOwnKeyData](c)
	if err != nil {
		return err
	}
	r := audits.Record{Action: "created a key", Kind: "key", ID: data.Key.ID, Key: data.Key.ID, After: apikey.Words(data.Key)}
	if data.Replaces != "" {
		maps.Copy(r.After, map[string]string{"in place of": data.Replaces})
	}
	err = m.act(ctx, c, data.By, accounts.ManageKeys, r, func(now aggregate.Snapshot[accounts.Account], by accounts.Member) (*change, error) {
		if err := keyFits(now, data.Key); err != nil {
			return nil, err
		}
		usable := countUsable(now.State, m.now())
		if usable >= accounts.MaxOwnUsableKeys || len(now.State.Keys) >= accounts.MaxOwnKeys {
			return nil, contract.Refuse(contract.Conflict, "The account has %d usable keys of at most %d, and had %d of at most %d. Revoke some, or write to us.", usable, accounts.MaxOwnUsableKeys, len(now.State.Keys), accounts.MaxOwnKeys)
		}
		account := now.State
		account.Keys = slices.Clone(account.Keys)
		if err := limitReplaced(account.Keys, data); err != nil {
			return nil, err
		}
		data.Key.CreatedBy = by.Email
		account.Keys = append(account.Keys, data.Key)
		return &change{Event: accounts.EventKeyCreated, State: account}, nil
	})
	if err != nil {
		return err
	}
	return tellOfKey(ctx, m.events, c, data.Account, data.Key, m.now())
}

func countUsable(account accounts.Account, now time.Time) (n int) {
	for _, k := range account.Keys {
		if k.Usable(now) {
			n++
		}
	}
	return n
}

// tellOfKey writes to the owners of an account that it has another live key. Delivered again, it
// writes the same letters, which go out once.
func tellOfKey(ctx context.Context, events aggregate.Core, c contract.Command, account string, key accounts.APIKey, now time.Time) error {
	if !key.Live {
		return nil
	}
	return tellOwners(ctx, events, c, account, emails.KeyMade, func(owner accounts.Member) string { return key.ID + "." + owner.ID }, now)
}

// tellOwners writes to each owner of an account. item says of which letter it is.
func tellOwners(ctx context.Context, events aggregate.Core, c contract.Command, account string, kind emails.Kind, item func(accounts.Member) string, now time.Time) error {
	snap, err := aggregate.At[accounts.Account](events, contract.AccountAggregate, account).Load(ctx)
	if err != nil {
		return err
	}
	for _, m := range snap.State.Team() {
		if m.Role != accounts.Owner {
			continue
		}
		email, err := c.Follow(emails.Send, m.ID, now, emails.SendData{Kind: kind, About: account, Item: item(m), ID: contract.DeriveID("email", string(kind), c.ID, m.ID)})
		if err != nil {
			return err
		}
		if err := events.Send(ctx, email); err != nil {
			return err
		}
	}
	return nil
}

// changeKey sets what a key of the member's account is called, what it may do, until when and from where.
func (m *Members) changeKey(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.ChangeOwnKeyData](c)
	if err != nil {
		return err
	}
	after := accounts.APIKey{ID: data.KeyID, Name: data.Name, Scopes: data.Scopes, ExpiresAt: data.ExpiresAt, Networks: data.Networks}
	r := audits.Record{Action: "changed a key", Kind: "key", ID: data.KeyID, Key: data.KeyID, After: apikey.Words(after)}
	delete(r.After, "prefix")
	return m.act(ctx, c, data.By, accounts.ManageKeys, r, func(now aggregate.Snapshot[accounts.Account], _ accounts.Member) (*change, error) {
		next, err := alterKey(now, data.KeyID, func(k *accounts.APIKey) {
			k.Name, k.Scopes, k.ExpiresAt, k.Networks = data.Name, data.Scopes, data.ExpiresAt, data.Networks
		})
		if next != nil && countUsable(next.State, m.now()) > max(accounts.MaxOwnUsableKeys, countUsable(now.State, m.now())) {
			return nil, contract.Refuse(contract.Conflict, "The account has as many usable keys as it may, %d. Revoke some, or write to us.", accounts.MaxOwnUsableKeys)
		}
		return next, err
	})
}

// limitReplaced gives the key an end that another takes the place of. The other may no more.
func limitReplaced(keys []accounts.APIKey, data accounts.CreateOwnKeyData) error {
	if data.Replaces == "" {
		return nil
	}
	i := slices.IndexFunc(keys, func(k accounts.APIKey) bool { return k.ID == data.Replaces })
	switch {
	case i < 0:
		return contract.Refuse(contract.NotFound, "The account has no such key.")
	case keys[i].RevokedAt != nil:
		return contract.Refuse(contract.Conflict, "This key was revoked.")
	case keys[i].Live != data.Key.Live || data.Until == nil:
		return contract.Refuse(contract.InvalidRequest, "A key takes the place of one of its own mode, which gets an end.")
	}
	if keys[i].ExpiresAt == nil || keys[i].ExpiresAt.After(*data.Until) {
		keys[i].ExpiresAt = data.Until
	}
	return nil
}

// revokeKey ends a key of the member's account.
func (m *Members) revokeKey(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.RevokeOwnKeyData](c)
	if err != nil {
		return err
	}
	r := audits.Record{Action: "revoked a key", Kind: "key", ID: data.KeyID, Key: data.KeyID, After: map[string]string{"revoked": "yes"}}
	return m.act(ctx, c, data.By, accounts.ManageKeys, r, func(now aggregate.Snapshot[accounts.Account], by accounts.Member) (*change, error) {
		return endKey(now.State, data.KeyID, by.Email, m.now())
	})
}

// endKey revokes a key of an account in somebody's name; nil where it was revoked before.
func endKey(account accounts.Account, id, by string, at time.Time) (*change, error) {
	i := slices.IndexFunc(account.Keys, func(k accounts.APIKey) bool { return k.ID == id })
	if i < 0 {
		return nil, contract.Refuse(contract.NotFound, "The account has no such key.")
	}
	if account.Keys[i].RevokedAt != nil {
		return nil, nil
	}
	account.Keys = slices.Clone(account.Keys)
	account.Keys[i].RevokedAt, account.Keys[i].RevokedBy = &at, by
	return &change{Event: accounts.EventKeyRevoked, State: account}, nil
}
