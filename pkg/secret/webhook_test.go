package secret_test

import (
	"bytes"
	"strings"
	"testing"

	"boardorder/pkg/secret"
)

// TestWebhookSecret: it stays while the master key that made it is known, and is another one for
// each endpoint, generation and key.
func TestWebhookSecret(t *testing.T) {
	t.Parallel()
	parse := func(text string) *secret.Keyring {
		t.Helper()
		k, err := secret.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	a, b := strings.Repeat("11", 32), strings.Repeat("22", 32)
	old, rotated := parse(a), parse(b+","+a)
	first, ok := old.WebhookSecret(old.MasterID(), "we_1", 1)
	if !ok || len(first) != 32 {
		t.Fatalf("WebhookSecret = %d bytes, %t; want 32", len(first), ok)
	}
	if again, ok := rotated.WebhookSecret(old.MasterID(), "we_1", 1); !ok || !bytes.Equal(again, first) {
		t.Errorf("after a new master key: %x, %t; want %x as before", again, ok, first)
	}
	for name, of := range map[string]struct {
		master, endpoint string
		generation       int
	}{"another endpoint": {old.MasterID(), "we_2", 1}, "another generation": {old.MasterID(), "we_1", 2}, "another master key": {rotated.MasterID(), "we_1", 1}} {
		if got, ok := rotated.WebhookSecret(of.master, of.endpoint, of.generation); !ok || bytes.Equal(got, first) {
			t.Errorf("%s: %x, %t; want another secret", name, got, ok)
		}
	}
	pair, ok := rotated.WebhookSigningKey(old.MasterID(), "we_1", 1)
	if again, same := old.WebhookSigningKey(old.MasterID(), "we_1", 1); !ok || !same || !pair.Equal(again) || bytes.Equal(pair.Seed(), first) {
		t.Errorf("WebhookSigningKey = %x, then %x; want the same, which the secret says nothing of", pair, again)
	}
	if other, _ := old.WebhookSigningKey(old.MasterID(), "we_1", 2); other.Equal(pair) {
		t.Errorf("WebhookSigningKey of another generation = %x as well, want another", other)
	}
	if got, ok := parse(b).WebhookSigningKey(old.MasterID(), "we_1", 1); ok {
		t.Errorf("a signing key without its master key: %x, want none", got)
	}
	if got, ok := parse(b).WebhookSecret(old.MasterID(), "we_1", 1); ok {
		t.Errorf("without its master key: %x, want none", got)
	}
}
