package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
)

// ErrSealed says that a sealed text was altered, or sealed for something else, or
// with a master key that is not in the keyring any more.
var ErrSealed = errors.New("the sealed text cannot be opened")

// Seal encrypts text (AES-256-GCM) so that only a keyring with the same master
// key can read it, for the same purpose and subject only. It gives <key id>.<text>.
func (k *Keyring) Seal(purpose, subject string, text []byte) string {
	key := k.keys[0]
	box := key.box()
	nonce := make([]byte, box.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	sealed := box.Seal(nonce, nonce, text, additionalData(purpose, subject))
	return key.id + "." + base64.RawURLEncoding.EncodeToString(sealed)
}

// Unseal is the inverse of Seal, or ErrSealed.
func (k *Keyring) Unseal(purpose, subject, sealed string) ([]byte, error) {
	id, text, _ := strings.Cut(sealed, ".")
	key, known := k.keyOf(id)
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if !known || err != nil {
		return nil, ErrSealed
	}
	box := key.box()
	if len(raw) < box.NonceSize() {
		return nil, ErrSealed
	}
	plain, err := box.Open(nil, raw[:box.NonceSize()], raw[box.NonceSize():], additionalData(purpose, subject))
	if err != nil {
		return nil, ErrSealed
	}
	return plain, nil
}

// box never fails: the key has 32 bytes.
func (k key) box() cipher.AEAD {
	block, err := aes.NewCipher(k.seal)
	if err != nil {
		panic(err)
	}
	box, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return box
}

func additionalData(purpose, subject string) []byte { return []byte(purpose + "\x00" + subject) }
