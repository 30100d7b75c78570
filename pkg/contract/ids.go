package contract

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// Prefixes of the ids that are no secret.
const (
	RequestPrefix = "req_"
	OrderPrefix   = "ord_"
	AccountPrefix = "acc_"
)

// UploadPrefix starts an upload_id, which is a secret.
const UploadPrefix = "up_"

// NewID makes prefix + ULID. Not for secrets: time shows, and only 80 bits are random.
func NewID(prefix string, at time.Time) string {
	return prefix + ulid.MustNew(ulid.Timestamp(at), rand.Reader).String()
}

// IDFrom makes prefix + ULID whose random part is taken from a digest, so that
// the same cause names the same thing.
func IDFrom(prefix string, at time.Time, parts ...string) string {
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(at)) // fails only past the year 10889
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	_ = id.SetEntropy(sum[:10]) // fails only for another length
	return prefix + id.String()
}

// SecretRef is the aggregate id of what a secret names: events and subjects
// carry it in the secret's place. 160 bits, lower-case base32.
func SecretRef(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return base32Lower(sum[:20])
}

var base32Lowercase = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func base32Lower(b []byte) string { return base32Lowercase.EncodeToString(b) }
