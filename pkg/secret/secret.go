// Package secret derives what must not be guessed from master keys: quote ids,
// signed links, keyed hashes of codes. Nothing that it makes needs to be stored,
// so no event and no document has to hold it.
package secret

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
)

// QuoteID is the secret id of the quote that a request shall lead to: 64 hex
// characters, the same each time it is asked for while the current key stays.
func (k *Keyring) QuoteID(request string) string { return k.keys[0].quoteID(request) }

func (k key) quoteID(request string) string { return hex.EncodeToString(sum(k.quote, request)) }

// QuoteRefs are the refs that a request's quote may have, by each key: the
// current one's first.
func (k *Keyring) QuoteRefs(request string) []string {
	refs := make([]string, len(k.keys))
	for i, key := range k.keys {
		refs[i] = contract.SecretRef(key.quoteID(request))
	}
	return refs
}

// QuoteIDOf is the secret id of the quote that a request led to, whose ref is
// known: by whichever key made it. Without that key it is the current one's.
func (k *Keyring) QuoteIDOf(request, ref string) string {
	for _, key := range k.keys {
		if id := key.quoteID(request); contract.SecretRef(id) == ref {
			return id
		}
	}
	return k.QuoteID(request)
}

// CodeHash is what is kept of a code or token that a person is sent.
func (k *Keyring) CodeHash(parts ...string) string { return k.keys[0].codeHash(parts) }

// IsCodeHash reports whether a hash was made of the same parts, by any key.
func (k *Keyring) IsCodeHash(hash string, parts ...string) bool {
	same := false
	for _, key := range k.keys {
		same = hmac.Equal([]byte(hash), []byte(key.codeHash(parts))) || same
	}
	return same
}

// Code gives six digits that follow from parts, and their CodeHash with the same
// parts.
func (k *Keyring) Code(parts ...string) (code, hash string) {
	code = k.keys[0].digits(parts)
	return code, k.CodeHash(append(parts[:len(parts):len(parts)], code)...)
}

// CodeOf gives the digits whose hash Code gave with the same parts, by whichever
// key made them. ok is false where that key is gone.
func (k *Keyring) CodeOf(hash string, parts ...string) (code string, ok bool) {
	for _, one := range k.keys {
		code = one.digits(parts)
		if k.IsCodeHash(hash, append(parts[:len(parts):len(parts)], code)...) {
			return code, true
		}
	}
	return "", false
}

// digits are near enough to uniform: 2^64 is no multiple of a million by one part
// in 10^13.
func (k key) digits(parts []string) string {
	n := binary.BigEndian.Uint64(sum(k.code, append([]string{"digits"}, parts...)...))
	return fmt.Sprintf("%06d", n%1_000_000)
}

func (k key) codeHash(parts []string) string { return hex.EncodeToString(sum(k.code, parts...)) }

// Errors of signed links.
var (
	ErrLink    = errors.New("the link was altered or is incomplete")
	ErrExpired = errors.New("the link has expired")
)

// Link signs the right to do one thing to subject until expires: a token for
// use in a URL. It reveals the subject, the time and the id of the key that
// signed it, so subject is no secret; it holds no dot.
func (k *Keyring) Link(purpose, subject string, expires time.Time) string {
	at := strconv.FormatInt(expires.Unix(), 36)
	return subject + "." + at + "." + k.keys[0].id + "." + k.keys[0].signature(purpose, subject, at)
}

func (k key) signature(purpose, subject, at string) string {
	return base64.RawURLEncoding.EncodeToString(sum(k.link, purpose, subject, at, k.id))
}

// OpenLink gives the subject of a token made by Link for the same purpose. Each
// right has one spelling: anything else is ErrLink.
func (k *Keyring) OpenLink(purpose, token string, now time.Time) (subject string, expires time.Time, err error) {
	parts := strings.Split(token, ".")
	if len(parts) != 4 {
		return "", time.Time{}, ErrLink
	}
	key, known := k.keyOf(parts[2])
	if !known || !hmac.Equal([]byte(parts[3]), []byte(key.signature(purpose, parts[0], parts[1]))) {
		return "", time.Time{}, ErrLink
	}
	at, err := strconv.ParseInt(parts[1], 36, 64)
	if err != nil {
		return "", time.Time{}, ErrLink
	}
	expires = time.Unix(at, 0).UTC()
	if !now.Before(expires) {
		return parts[0], expires, ErrExpired
	}
	return parts[0], expires, nil
}

func (k *Keyring) keyOf(id string) (key, bool) {
	for _, key := range k.keys {
		if key.id == id {
			return key, true
		}
	}
	return key{}, false
}

func sum(key []byte, parts ...string) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return h.Sum(nil)
}
