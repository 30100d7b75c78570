package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"
)

const (
	// fresh is how long a document is believed without reading it again, so a
	// revoked key closes everywhere within this time even if every wake-up call
	// is lost.
	fresh = 5 * time.Second
	// readTimeout bounds one look into the store, so that a client soon learns
	// when to come again.
	readTimeout = 5 * time.Second
	// maxKeys bounds the memory: beyond it the oldest entries go.
	maxKeys = 50_000
	// suspectsAtOnce bounds what guessing can cost the store.
	suspectsAtOnce = 4
)

// Keys finds the account of an API key.
type Keys struct {
	docs     projection.Store
	now      func() time.Time
	failures *Failures
	suspects chan struct{} // bounds the look-ups for addresses that guess

	mu    sync.Mutex
	known map[string]entry // by key id
}

type entry struct {
	caller Caller
	readAt time.Time
}

// NewKeys reads keys from the projection.
func NewKeys(docs projection.Store, failures *Failures, now func() time.Time) *Keys {
	return &Keys{docs: docs, now: now, failures: failures, suspects: make(chan struct{}, suspectsAtOnce), known: map[string]entry{}}
}

// Check gives the caller of a key that was sent from an address. ErrUnauthorized
// and ErrGuessing are final, also inside an *ElsewhereError; any other error means
// that it cannot be found out now.
func (k *Keys) Check(ctx context.Context, text, from string) (Caller, error) {
	key, err := secret.ParseAPIKey(text)
	if err != nil {
		return Caller{}, k.fail(from)
	}
	if e, ok := k.readCache(key.ID); ok && key.Matches(e.caller.Key.Hash) {
		return k.usable(e.caller, from)
	}
	caller, err := k.lookUp(ctx, key.ID, from)
	switch {
	case errors.Is(err, projection.ErrNotFound):
		return Caller{}, k.fail(from)
	case err != nil:
		return Caller{}, err
	case !key.Matches(caller.Key.Hash) || key.Live != caller.Key.Live:
		return Caller{}, k.fail(from)
	}
	k.keep(key.ID, caller)
	return k.usable(caller, from)
}

// lookUp reads a key. Addresses that guess share a few places, so that they
// cannot keep the store busy; a good key from there is found all the same.
func (k *Keys) lookUp(ctx context.Context, id, from string) (Caller, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	if k.failures.IsExhausted(from) {
		select {
		case k.suspects <- struct{}{}:
			defer func() { <-k.suspects }()
		case <-ctx.Done():
			return Caller{}, ctx.Err()
		}
	}
	return k.read(ctx, id)
}

func (k *Keys) usable(c Caller, from string) (Caller, error) {
	if !c.Key.Usable(k.now()) {
		return Caller{}, k.fail(from)
	}
	if !c.Key.AllowsAddress(from) {
		return Caller{}, &ElsewhereError{c.Account, c.Key.ID, k.fail(from)}
	}
	return c, nil
}

// Fail counts a request without a usable key.
func (k *Keys) Fail(from string) error { return k.fail(from) }

func (k *Keys) fail(from string) error {
	if !k.failures.Count(from) {
		return ErrGuessing
	}
	return ErrUnauthorized
}

func (k *Keys) readCache(id string) (entry, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, ok := k.known[id]
	return e, ok && k.now().Sub(e.readAt) < fresh
}

func (k *Keys) keep(id string, c Caller) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) >= maxKeys {
		k.known = map[string]entry{} // read again as they come
	}
	k.known[id] = entry{c, k.now()}
}

func (k *Keys) read(ctx context.Context, id string) (Caller, error) {
	doc, err := k.docs.Get(ctx, accounts.KeyDocumentKind, id)
	if err != nil {
		return Caller{}, fmt.Errorf("read api key: %w", err)
	}
	var body accounts.KeyDocument
	if err := json.Unmarshal(doc.Body, &body); err != nil {
		return Caller{}, fmt.Errorf("read api key: %w", err)
	}
	return Caller{Account: body.Key.Owner(body.Account), Name: body.Name, Limits: body.Limits, SeesOffers: body.SeesOffers, Key: body.Key}, nil
}

// Forget drops what is known of an account's keys: they have changed.
func (k *Keys) Forget(account string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, e := range k.known {
		if contract.AccountOf(e.caller.Account) == account {
			delete(k.known, id)
		}
	}
}
