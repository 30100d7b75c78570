package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"math/big"
	"regexp"
	"strings"
)

// APIKey is a partner's key: bo_live_<id>_<secret><checksum> or bo_test_….
// The id is public, the secret has 256 random bits, the checksum (CRC-32 of all
// before it) lets typing errors and scanners' false finds be recognised without a look-up.
type APIKey struct {
	ID   string
	Live bool
	Text string // the whole key: shown once, never stored
}

const (
	idLen       = 12
	secretLen   = 43 // 62^43 > 2^256
	checksumLen = 6  // 62^6 > 2^32
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

var apiKey = regexp.MustCompile(`^bo_(live|test)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$`)

// ErrAPIKey says that a text is no API key at all.
var ErrAPIKey = errors.New("not an API key")

// NewAPIKey makes a key.
func NewAPIKey(live bool) APIKey {
	mode := "test"
	if live {
		mode = "live"
	}
	id := randomBase62(idLen)
	body := "bo_" + mode + "_" + id + "_" + randomBase62(secretLen)
	return APIKey{ID: id, Live: live, Text: body + checksum(body)}
}

// ParseAPIKey checks form and checksum.
func ParseAPIKey(text string) (APIKey, error) {
	m := apiKey.FindStringSubmatch(text)
	if m == nil || checksum(text[:len(text)-checksumLen]) != m[4] {
		return APIKey{}, ErrAPIKey
	}
	return APIKey{ID: m[2], Live: m[1] == "live", Text: text}, nil
}

// Prefix is what a key is recognised by in lists and logs.
func (k APIKey) Prefix() string { return k.Text[:strings.LastIndexByte(k.Text, '_')] }

// Hash is what is stored: SHA-256, hex. 256 random bits need no slow hash.
func (k APIKey) Hash() string {
	s := sha256.Sum256([]byte(k.Text))
	return hex.EncodeToString(s[:])
}

// Matches compares with a stored hash in constant time.
func (k APIKey) Matches(hash string) bool {
	return subtle.ConstantTimeCompare([]byte(k.Hash()), []byte(hash)) == 1
}

func checksum(s string) string {
	n := crc32.ChecksumIEEE([]byte(s))
	var out [checksumLen]byte
	for i := checksumLen - 1; i >= 0; i-- {
		out[i] = base62[n%62]
		n /= 62
	}
	return string(out[:])
}

func randomBase62(n int) string {
	out := make([]byte, n)
	max := big.NewInt(62)
	for i := range out {
		d, _ := rand.Int(rand.Reader, max) // never fails
		out[i] = base62[d.Int64()]
	}
	return string(out)
}
