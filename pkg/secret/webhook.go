package secret

import (
	"crypto/ed25519"
	"strconv"
)

// MasterID names the master key that new secrets are made with. It is no secret.
func (k *Keyring) MasterID() string { return k.keys[0].id }

// WebhookSecret is what deliveries to a webhook endpoint are signed with, 32 bytes: derived from
// the master key of an id, another one for each generation. ok is false where that key is not in
// the keyring any more.
func (k *Keyring) WebhookSecret(master, endpoint string, generation int) (secret []byte, ok bool) {
	key, ok := k.keyOf(master)
	if !ok {
		return nil, false
	}
	return sum(key.code, "webhook-secret", endpoint, strconv.Itoa(generation)), true
}

// WebhookSigningKey is what deliveries to a webhook endpoint are signed with whose receiver holds no
// secret: derived as WebhookSecret is.
func (k *Keyring) WebhookSigningKey(master, endpoint string, generation int) (pair ed25519.PrivateKey, ok bool) {
	key, ok := k.keyOf(master)
	if !ok {
		return nil, false
	}
	return ed25519.NewKeyFromSeed(sum(key.code, "webhook-signing-key", endpoint, strconv.Itoa(generation))), true
}
