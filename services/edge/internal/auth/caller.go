// Package auth identifies who sends a request: it reads the API key from the
// headers, finds the account it belongs to, and limits guessing. It knows
// no HTTP library.
package auth

import (
	"slices"

	"boardorder/pkg/contract/accounts"
)

// A Caller is whom a request is made for, and the key it used.
type Caller struct {
	Account string // the owner of what the key makes, [accounts.APIKey.Owner]
	Name    string
	Limits  map[string]int // policy name → quota, where it differs from the usual
	Key     accounts.APIKey
	// SeesOffers: replies tell it what every fabricator said.
	SeesOffers bool
}

// May reports whether the caller's key has the scope; the empty scope is everyone's.
func (c Caller) May(scope string) bool { return scope == "" || slices.Contains(c.Key.Scopes, scope) }
