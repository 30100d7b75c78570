// Package secret derives what must not be guessed from one master key: quote
// ids, signed links, keyed hashes of codes. Nothing that it makes needs to be
// stored, so no event and no document has to hold it.
package secret

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// MinMaster is the least length of a master key, in bytes.
const MinMaster = 32

// Keyring holds a key for each purpose, derived from the master key (HKDF, SHA-256).
type Keyring struct {
	quote, link, code []byte
}

// New derives the keyring. The master key is at least MinMaster random bytes.
func New(master []byte) (*Keyring, error) {
	if len(master) < MinMaster {
		return nil, fmt.Errorf("master key: %d bytes, need at least %d", len(master), MinMaster)
	}
	var k Keyring
	for _, d := range []struct {
		key  *[]byte
		info string
	}{{&k.quote, "quote-id"}, {&k.link, "upload-link"}, {&k.code, "code"}} {
		key, err := hkdf.Key(sha256.New, master, nil, "boardorder "+d.info, sha256.Size)
		if err != nil {
			return nil, fmt.Errorf("derive %s key: %w", d.info, err)
		}
		*d.key = key
	}
	return &k, nil
}

// Parse reads a master key written as 64 or more hex digits.
func Parse(s string) (*Keyring, error) {
	b, err := hex.DecodeString(strings.TrimSpace(s))
	if err != nil {
		return nil, errors.New("master key: not hexadecimal")
	}
	return New(b)
}

// QuoteID is the secret id of the quote that a request led to: 64 hex
// characters, the same each time it is asked for.
func (k *Keyring) QuoteID(request string) string {
	return hex.EncodeToString(sum(k.quote, request))
}

// CodeHash is what is kept of a code or token that a person is sent.
func (k *Keyring) CodeHash(parts ...string) string {
	return hex.EncodeToString(sum(k.code, parts...))
}

// Errors of signed links.
var (
	ErrLink    = errors.New("the link was altered or is incomplete")
	ErrExpired = errors.New("the link has expired")
)

// Link signs the right to do one thing to subject until expires: a token for
// use in a URL. It reveals the subject and the time, so subject is no secret.
func (k *Keyring) Link(purpose, subject string, expires time.Time) string {
	at := strconv.FormatInt(expires.Unix(), 36)
	mac := base64.RawURLEncoding.EncodeToString(sum(k.link, purpose, subject, at))
	return subject + "." + at + "." + mac
}

// OpenLink gives the subject of a token made by Link for the same purpose.
func (k *Keyring) OpenLink(purpose, token string, now time.Time) (subject string, expires time.Time, err error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return "", time.Time{}, ErrLink
	}
	mac, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || !hmac.Equal(mac, sum(k.link, purpose, parts[0], parts[1])) {
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

func sum(key []byte, parts ...string) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return h.Sum(nil)
}
