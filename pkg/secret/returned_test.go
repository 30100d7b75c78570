package secret_test

import (
	"bytes"
	"encoding/hex"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/secret"
)

// TestReturnToken: it stays with its attempt to pay while the key that made the quote is
// known, and fits no other.
func TestReturnToken(t *testing.T) {
	t.Parallel()
	first, second := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	old, err := secret.New(first)
	if err != nil {
		t.Fatal(err)
	}
	ref := contract.SecretRef(old.QuoteID("req_1"))
	token := old.ReturnToken("req_1", ref, 1)
	ring, err := secret.Parse(hex.EncodeToString(second) + "," + hex.EncodeToString(first))
	if err != nil {
		t.Fatal(err)
	}
	other, err := secret.New(second)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name                string
		ring                *secret.Keyring
		token, request, ref string
		attempt             int
		want                bool
	}{
		{"the same key", old, token, "req_1", ref, 1, true},
		{"a newer key came", ring, token, "req_1", ref, 1, true},
		{"another quote", old, token, "req_2", contract.SecretRef(old.QuoteID("req_2")), 1, false},
		{"another key", other, token, "req_1", ref, 1, false},
		{"another attempt", old, token, "req_1", ref, 2, false},
		{"no token", old, "", "req_1", ref, 1, false},
		{"the quote's own id", old, old.QuoteID("req_1"), "req_1", ref, 1, false},
	} {
		if got := tt.ring.IsReturnToken(tt.token, tt.request, tt.ref, tt.attempt); got != tt.want {
			t.Errorf("%s: IsReturnToken(%q, %q, attempt %d) = %v, want %v", tt.name, tt.token, tt.request, tt.attempt, got, tt.want)
		}
	}
}
