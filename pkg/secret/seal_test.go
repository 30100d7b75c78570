package secret_test

import (
	"errors"
	"strings"
	"testing"

	"boardorder/pkg/secret"
)

func TestSeal(t *testing.T) {
	t.Parallel()
	old, now := strings.Repeat("11", 32), strings.Repeat("22", 32)
	parse := func(text string) *secret.Keyring {
		t.Helper()
		k, err := secret.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	before := parse(old)
	sealed := before.Seal("factor", "ann", []byte("a secret"))
	if strings.Contains(sealed, "secret") || sealed == before.Seal("factor", "ann", []byte("a secret")) {
		t.Errorf("sealed %q, want no word of it, and another text each time", sealed)
	}
	for name, ring := range map[string]*secret.Keyring{"the same key": before, "after a rotation": parse(now + "\n" + old)} {
		if got, err := ring.Unseal("factor", "ann", sealed); err != nil || string(got) != "a secret" {
			t.Errorf("%s: Unseal = %q, %v; want %q", name, got, err, "a secret")
		}
	}
	altered := []byte(sealed)
	altered[len(altered)-2] ^= 1
	for name, open := range map[string]func() ([]byte, error){
		"another subject": func() ([]byte, error) { return before.Unseal("factor", "ben", sealed) },
		"another purpose": func() ([]byte, error) { return before.Unseal("other", "ann", sealed) },
		"another key":     func() ([]byte, error) { return parse(now).Unseal("factor", "ann", sealed) },
		"altered":         func() ([]byte, error) { return before.Unseal("factor", "ann", string(altered)) },
		"nothing":         func() ([]byte, error) { return before.Unseal("factor", "ann", "") },
		"short": func() ([]byte, error) {
			return before.Unseal("factor", "ann", strings.SplitN(sealed, ".", 2)[0]+".AAAA")
		},
	} {
		if got, err := open(); !errors.Is(err, secret.ErrSealed) {
			t.Errorf("%s: Unseal = %q, %v; want %v", name, got, err, secret.ErrSealed)
		}
	}
}
