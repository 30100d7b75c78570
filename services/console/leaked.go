package console

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
)

// reporter stands in the trail for whoever reported a key: nobody knows them.
const reporter = "leaked-key report"

// Reports revokes API keys that were reported as leaked. Whoever reports a key has
// it, so what they say needs no other proof than the key's hash.
type Reports struct {
	events aggregate.Core
	docs   projection.Store
	trail  *Trail
	now    func() time.Time
}

// NewReports makes it. The projection only says whose a key is.
func NewReports(events aggregate.Core, docs projection.Store, now func() time.Time) *Reports {
	return &Reports{events, docs, NewTrail(events, now), now}
}

// Handlers are the commands that report keys.
func (r *Reports) Handlers() flow.Handlers {
	return flow.Handlers{accounts.ReportKey: r.report}
}

// report revokes a key, records it and has its account written to. Delivered again,
// the command finds that it was the one that revoked, and does what is left.
func (r *Reports) report(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.ReportKeyData](c)
	if err != nil {
		return err
	}
	account, err := r.owner(ctx, data.KeyID)
	if err != nil || account == "" {
		return err
	}
	c.Account = account
	snap, err := aggregate.At[accounts.Account](r.events, contract.AccountAggregate, account).Execute(ctx, c, r.now(),
		func(now aggregate.Snapshot[accounts.Account]) (*change, error) {
			return revokeLeaked(now.State, data, r.now()), nil
		})
	if err != nil || !snap.Did(c.ID) {
		return err
	}
	i := slices.IndexFunc(snap.State.Keys, func(k accounts.APIKey) bool { return k.ID == data.KeyID })
	if i < 0 || snap.State.Keys[i].RevokedAt == nil {
		return fmt.Errorf("key %s of %s was revoked and is not", data.KeyID, account)
	}
	return r.tell(ctx, c, snap.State.Keys[i])
}

// owner finds the account of a key; "" where there is none.
func (r *Reports) owner(ctx context.Context, key string) (string, error) {
	doc, err := r.docs.Get(ctx, accounts.KeyDocumentKind, key)
	if errors.Is(err, projection.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("whose key %s is: %w", key, err)
	}
	var body accounts.KeyDocument
	if err := json.Unmarshal(doc.Body, &body); err != nil {
		return "", fmt.Errorf("whose key %s is: %w", key, err)
	}
	return body.Account, nil
}

// revokeLeaked revokes a key of the account whose hash was given, unless it was before.
func revokeLeaked(account accounts.Account, data accounts.ReportKeyData, at time.Time) *change {
	i := slices.IndexFunc(account.Keys, func(k accounts.APIKey) bool {
		return k.ID == data.KeyID && k.Hash != "" && subtle.ConstantTimeCompare([]byte(k.Hash), []byte(data.Hash)) == 1
	})
	if i < 0 || account.Keys[i].RevokedAt != nil {
		return nil
	}
	account.Keys = slices.Clone(account.Keys)
	account.Keys[i].RevokedAt, account.Keys[i].RevokedFor = &at, accounts.KeyLeaked
	return &change{Event: accounts.EventKeyRevoked, State: account}
}

// tell records what was done, and sends the e-mail about it.
func (r *Reports) tell(ctx context.Context, c contract.Command, key accounts.APIKey) error {
	err := r.trail.record(ctx, contract.DeriveID(c.ID, "audit"), audits.Record{
		Operator: reporter, Action: "revoked a key", Kind: "key", ID: key.ID, Account: c.Account, Key: key.ID,
		Outcome: "done", After: map[string]string{"reason": accounts.KeyLeaked},
	})
	if err != nil {
		return err
	}
	email, err := c.Follow(emails.Send, key.ID, *key.RevokedAt, emails.SendData{
		Kind: emails.KeyRevoked, About: c.Account, Item: key.ID,
		ID: contract.DeriveID("email", string(emails.KeyRevoked), c.Account, key.ID),
	})
	if err != nil {
		return err
	}
	if err := r.events.Send(ctx, email); err != nil {
		return fmt.Errorf("e-mail about key %s: %w", key.ID, err)
	}
	return nil
}
