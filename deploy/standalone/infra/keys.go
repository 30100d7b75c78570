package infra

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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

// BrokerToken is what connections to a data folder's broker must know, made the
// first time.
func BrokerToken(dir string) (string, error) { return random(dir, "nats.token") }

// WebhookSecret signs the simulator's card notices to the API of a data folder,
// made the first time.
func WebhookSecret(dir string) (string, error) {
	text, err := random(dir, "webhook.secret")
	return "whsec_" + text, err
}

func random(dir, name string) (string, error) {
	text, err := Keep(filepath.Join(dir, name), func() string { return rand.Text() + rand.Text() })
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// Keep gives the content of a file that only its owner can read, writing it the
// first time. A crash or a power cut while writing leaves the file absent, and
// what was given stays: without the master key no quote could be found again.
func Keep(file string, first func() string) (string, error) {
	old, err := os.ReadFile(file)
	if err == nil {
		return string(old), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	text := first()
	if err := writeSynced(file+".new", text); err != nil {
		return "", err
	}
	if err := os.Rename(file+".new", file); err != nil {
		return "", err
	}
	return text, syncFolder(filepath.Dir(file))
}

func writeSynced(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// syncFolder makes a rename in it last.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
