package operator

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// What a hash costs: 19 MiB, two passes (OWASP's first choice for argon2id).
const (
	memoryKiB = 19 * 1024
	passes    = 2
	threads   = 1
	saltLen   = 16
	sumLen    = 32
	// maxKiB and maxPasses bound what a hash in the file can cost us.
	maxKiB    = 256 * 1024
	maxPasses = 10
)

// MinPassword is the least length of a password, in bytes.
const MinPassword = 12

// ErrHash says that a text is no hash of a password.
var ErrHash = errors.New("not an argon2id hash; `console operator hash` makes one")

// hash is a parsed $argon2id$v=19$m=…,t=…,p=…$salt$sum.
type hash struct {
	memory, passes uint32
	threads        uint8
	salt, sum      []byte
}

// HashPassword gives what to keep of a password.
func HashPassword(password string) (string, error) {
	if len(password) < MinPassword {
		return "", fmt.Errorf("a password has at least %d characters", MinPassword)
	}
	h := hash{memory: memoryKiB, passes: passes, threads: threads, salt: make([]byte, saltLen)}
	_, _ = rand.Read(h.salt) // never fails
	h.sum = h.derive(password, sumLen)
	return h.String(), nil
}

func (h hash) derive(password string, n uint32) []byte {
	return argon2.IDKey([]byte(password), h.salt, h.passes, h.memory, h.threads, n)
}

func (h hash) String() string {
	b := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.memory, h.passes, h.threads,
		b.EncodeToString(h.salt), b.EncodeToString(h.sum))
}

func parse(text string) (hash, error) {
	var h hash
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return h, ErrHash
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.passes, &h.threads); err != nil {
		return h, ErrHash
	}
	var err1, err2 error
	h.salt, err1 = base64.RawStdEncoding.DecodeString(parts[4])
	h.sum, err2 = base64.RawStdEncoding.DecodeString(parts[5])
	switch {
	case err1 != nil, err2 != nil, len(h.salt) < 8, len(h.sum) < 16, len(h.sum) > 64:
		return h, ErrHash
	case h.memory < 8*uint32(h.threads), h.memory > maxKiB, h.passes < 1, h.passes > maxPasses, h.threads < 1:
		return h, ErrHash
	}
	return h, nil
}

// nobody is what is compared with when there is no such operator, so that the
// answer takes as long.
var nobody = hash{memory: memoryKiB, passes: passes, threads: threads, salt: make([]byte, saltLen), sum: make([]byte, sumLen)}

// matches reports whether password is what text was made of. An empty text costs
// as much as a wrong password.
func matches(text, password string) bool {
	h, err := parse(text)
	if err != nil {
		h = nobody
	}
	same := subtle.ConstantTimeCompare(h.derive(password, uint32(len(h.sum))), h.sum) == 1
	return same && err == nil
}
