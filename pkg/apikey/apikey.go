// Package apikey makes API keys and what is kept of them.
package apikey

import (
	"strings"
	"time"

	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/secret"
)

// New makes a key and what is kept of it. The key's text is shown to whoever
// asked for it and never stored. No scopes are all scopes.
func New(name string, live bool, scopes []string, expires *time.Time, at time.Time) (text string, key accounts.APIKey) {
	k := secret.NewAPIKey(live)
	return k.Text, record(k, name, scopes, expires, at)
}

// Parse is what is kept of a key whose text was made before.
func Parse(text, name string, at time.Time) (accounts.APIKey, error) {
	k, err := secret.ParseAPIKey(text)
	if err != nil {
		return accounts.APIKey{}, err
	}
	return record(k, name, nil, nil, at), nil
}

func record(k secret.APIKey, name string, scopes []string, expires *time.Time, at time.Time) accounts.APIKey {
	if scopes == nil {
		scopes = accounts.DefaultScopes()
	}
	return accounts.APIKey{
		ID: k.ID, Name: name, Prefix: k.Prefix(), Hash: k.Hash(), Scopes: scopes, Live: k.Live,
		CreatedAt: at.UTC(), ExpiresAt: expires,
	}
}

// Words are what the trail says of a key.
func Words(k accounts.APIKey) map[string]string {
	words := map[string]string{"name": k.Name, "prefix": k.Prefix, "scopes": strings.Join(k.Scopes, " "), "revoked": "no"}
	if len(k.Networks) > 0 {
		words["networks"] = strings.Join(k.Networks, " ")
	}
	if k.ExpiresAt != nil {
		words["expires"] = k.ExpiresAt.UTC().Format(time.DateTime)
	}
	return words
}
