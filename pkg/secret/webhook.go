package secret

import "strconv"

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
