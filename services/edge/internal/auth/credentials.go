package auth

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"boardorder/pkg/secret"
)

// Errors of credentials.
var (
	// ErrUnauthorized is one and the same for a missing, a malformed, an unknown
	// and a revoked key.
	ErrUnauthorized = errors.New("no usable API key")
	// ErrTwoKeys says that the two headers carry different keys.
	ErrTwoKeys = errors.New("X-API-Key and Authorization carry different keys")
	// ErrGuessing says that an address sent too many keys that open nothing.
	ErrGuessing = errors.New("too many unusable keys from this address")
)

// ElsewhereError is that a key which opens something else was sent from outside
// the networks that it is bound to. Err is what the sender is told:
// ErrUnauthorized or ErrGuessing, as for any other key.
type ElsewhereError struct {
	Account, Key string // the key's id
	Err          error
}

func (e *ElsewhereError) Error() string { return "API key outside its networks: " + e.Err.Error() }

// Unwrap is what the sender is told.
func (e *ElsewhereError) Unwrap() error { return e.Err }

// KeyIn finds the key in the headers X-API-Key and Authorization.
func KeyIn(apiKey, authorization string) (string, error) {
	apiKey = strings.TrimSpace(apiKey)
	scheme, token, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") {
		token = ""
	}
	switch {
	case apiKey == "" && token == "":
		return "", ErrUnauthorized
	case apiKey == "":
		return token, nil
	case token == "" || token == apiKey:
		return apiKey, nil
	default:
		return "", ErrTwoKeys
	}
}

var keyParameter = regexp.MustCompile(`(?i)^(x[-_]?)?(api|access)[-_]?(key|token)$|^key$|^authorization$`)

// KeyInQuery gives the name of a query parameter that carries a key or is named
// like one, and the key if there is one: addresses end up in logs and
// histories, so keys never belong there.
func KeyInQuery(query string) (name, key string, found bool) {
	values, _ := url.ParseQuery(query) // what cannot be read is no key
	for name, vs := range values {
		for _, v := range vs {
			if k, err := secret.ParseAPIKey(v); err == nil {
				return name, k.Text, true
			}
		}
	}
	for name, vs := range values {
		if keyParameter.MatchString(name) || slices.ContainsFunc(vs, beginsLikeKey) {
			return name, "", true
		}
	}
	return "", "", false
}

func beginsLikeKey(v string) bool {
	return strings.HasPrefix(v, "bo_live_") || strings.HasPrefix(v, "bo_test_")
}
