package secret

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// MinMaster is the least length of a master key, in bytes.
const MinMaster = 32

// maxMasters bounds how many master keys there are at once.
const maxMasters = 16

// Keyring derives secrets from master keys. What is new is made with the first
// of them; what any of them made is known as long as it is in the keyring, so
// that a key is replaced while everything runs.
type Keyring struct {
	keys []key // the current one first
}

// key is one master key: its id, which is no secret, and a key for each purpose
// derived from it (HKDF, SHA-256).
type key struct {
	id                      string
	quote, link, code, seal []byte
}

// New derives a keyring from one master key of at least MinMaster random bytes.
func New(master []byte) (*Keyring, error) {
	k, err := derive(usualID(master), master)
	if err != nil {
		return nil, err
	}
	return &Keyring{[]key{k}}, nil
}

// Parse reads master keys, one a line or with commas between, the current one
// first: 64 or more hex digits, with or without an id before them (id:hex).
// Without one the id follows from the key. Empty lines and lines that begin
// with # are passed over.
func Parse(text string) (*Keyring, error) {
	var ring Keyring
	seen := map[string]bool{}
	for line := range strings.Lines(strings.ReplaceAll(text, ",", "\n")) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		k, err := parseLine(line)
		if err != nil {
			return nil, err
		}
		if seen[k.id] {
			return nil, fmt.Errorf("master key: the id %s is there twice", k.id)
		}
		seen[k.id] = true
		ring.keys = append(ring.keys, k)
	}
	if n := len(ring.keys); n == 0 || n > maxMasters {
		return nil, fmt.Errorf("master key: %d keys, need 1 to %d", n, maxMasters)
	}
	return &ring, nil
}

var keyID = regexp.MustCompile(`^[0-9A-Za-z]{1,16}$`)

func parseLine(line string) (key, error) {
	id, digits, named := strings.Cut(line, ":")
	if !named {
		digits = line
	}
	master, err := hex.DecodeString(strings.TrimSpace(digits))
	if err != nil {
		return key{}, errors.New("master key: not hexadecimal")
	}
	if !named {
		id = usualID(master)
	}
	if !keyID.MatchString(id) {
		return key{}, errors.New("master key: an id is 1 to 16 letters and digits")
	}
	return derive(id, master)
}

// usualID names a key by eight hex digits of its hash.
func usualID(master []byte) string {
	sum := sha256.Sum256(append([]byte("boardorder key id "), master...))
	return hex.EncodeToString(sum[:4])
}

func derive(id string, master []byte) (key, error) {
	if len(master) < MinMaster {
		return key{}, fmt.Errorf("master key: %d bytes, need at least %d", len(master), MinMaster)
	}
	k := key{id: id}
	for _, d := range []struct {
		key  *[]byte
		info string
	}{{&k.quote, "quote-id"}, {&k.link, "upload-link"}, {&k.code, "code"}, {&k.seal, "seal"}} {
		derived, err := hkdf.Key(sha256.New, master, nil, "boardorder "+d.info, sha256.Size)
		if err != nil {
			return key{}, fmt.Errorf("derive %s key: %w", d.info, err)
		}
		*d.key = derived
	}
	return k, nil
}
