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
	return m.act(ctx, c, data.By, accounts.ManageKeys, r, func(now aggregate.Snapshot[accounts.Account], by accounts.Member) (*change, error) {
		if err := keyFits(now, data.Key); err != nil {
			return nil, err
		}
		usable := 0
		for _, k := range now.State.Keys {
			if k.Usable(m.now()) {
				usable++
			}
		}
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
