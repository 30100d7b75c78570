package infra

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"boardorder/pkg/run"
	"boardorder/pkg/secret"
)

// MasterKey reads the key of a data folder, making one the first time.
func MasterKey(file string) (*secret.Keyring, error) {
	text, err := Keep(file, func() string {
		var b [secret.MinMaster]byte
		_, _ = rand.Read(b[:]) // never fails
		return hex.EncodeToString(b[:])
	})
	if err != nil {
		return nil, fmt.Errorf("master key: %w", err)
	}
	return run.Keyring(text, "")
}

// Keep gives the content of a file that only its owner can read, writing it the
// first time. A crash while writing leaves the file absent.
func Keep(file string, first func() string) (string, error) {
	old, err := os.ReadFile(file)
	if err == nil {
		return string(old), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	text := first()
	if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
		return "", err
	}
	return text, os.Rename(file+".new", file)
}
