package idempotency

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
)

// keyring makes one of master keys that are each a letter, the current one first.
func keyring(t *testing.T, masters string) *secret.Keyring {
	t.Helper()
	var lines []string
	for _, m := range masters {
		lines = append(lines, strings.Repeat(map[rune]string{'a': "11", 'b': "22"}[m], 32))
	}
	ring, err := secret.Parse(strings.Join(lines, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func open(t *testing.T, now func() time.Time) *Keys {
	t.Helper()
	bucket, err := bustest.Start(t).Bucket(t.Context(), contract.IdempotencyKeysBucket)
	if err != nil {
		t.Fatal(err)
	}
	return &Keys{Bucket: bucket, Secrets: keyring(t, "a"), Now: now}
}

// begin names a request that nothing came of yet.
func (k *Keys) begin(t *testing.T, account, key, content string) *Request {
	t.Helper()
	r, err := k.BeginNamed(t.Context(), account, key, emptyOutcomes(), content)
	if err != nil {
		t.Fatalf("begin %s of %s: %v", key, account, err)
	}
	return r
}

// TestOneOfManyClaims: those that come at once are one request, whoever is first.
func TestOneOfManyClaims(t *testing.T) {
	t.Parallel()
	k := open(t, time.Now)
	ids := make([]string, 16)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			r := &Request{keys: k, name: nameOf("acc_a", "k1"), content: []string{"x"}}
			if err := r.load(t.Context()); err != nil {
				t.Error(err)
			}
			if err := r.Claim(t.Context()); err != nil {
				t.Error(err)
			}
			ids[i] = r.ID
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id != ids[0] || id == "" {
			t.Fatalf("requests %q, want one", ids)
		}
	}
}

// TestClaims: what a key names, for whom and how long.
func TestClaims(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	k := open(t, func() time.Time { return now })
	first := k.begin(t, "acc_a", "k1", "x")
	if other := k.begin(t, "acc_a", "k1", "y"); other.Replayed {
		t.Error("a request that claimed nothing took its key")
	}
	first.Note = "a note"
	if err := first.Claim(t.Context()); err != nil || first.Replayed {
		t.Fatalf("claim: %v, replayed %v; want the first", err, first.Replayed)
	}
	again := k.begin(t, "acc_a", "k1", "x") // as after a crash: nothing was sent
	if again.ID != first.ID || !again.At.Equal(first.At) || again.Note != "a note" || !again.Replayed || again.HasEnded() {
		t.Errorf("again %+v, want that of %+v, without an outcome", again, first)
	}
	if r := k.begin(t, "acc_b", "k1", "x"); r.Replayed {
		t.Error("the key of another account named the request")
	}
	if r := k.begin(t, contract.TestOwner("acc_a"), "k1", "x"); r.Replayed {
		t.Error("the key of the other mode named the request")
	}
	if r := k.begin(t, "acc_a", "", "x"); r.IsNamed() || r.ID == first.ID || r.Claim(t.Context()) != nil {
		t.Errorf("without a key: %+v, want a new request that claims nothing", r)
	}
	if _, err := k.BeginNamed(t.Context(), "acc_a", "k1", emptyOutcomes(), "y"); problem.Find(err).Refusal.Code != contract.IdempotencyKeyReused {
		t.Errorf("another content: %v, want %s", err, contract.IdempotencyKeyReused)
	}
	k.Secrets = keyring(t, "ba")
	if r := k.begin(t, "acc_a", "k1", "x"); r.ID != first.ID {
		t.Errorf("after a rotation of the master key the same content is %s, want %s", r.ID, first.ID)
	}
	now = now.Add(Window)
	later := k.begin(t, "acc_a", "k1", "y")
	if err := later.Claim(t.Context()); err != nil || later.Replayed || later.ID == first.ID || later.Note != "" {
		t.Errorf("a day later: %+v, %v; want a new request", later, err)
	}
}

// TestContentIsNoSecretThatIsKept: of a code that is sent with a key nothing can be guessed.
func TestContentIsNoSecretThatIsKept(t *testing.T) {
	t.Parallel()
	k := open(t, time.Now)
	if err := k.begin(t, "acc_a", "k1", "123456").Claim(t.Context()); err != nil {
		t.Fatal(err)
	}
	value, _, err := k.Bucket.Get(t.Context(), nameOf("acc_a", "k1"))
	if err != nil || bytes.Contains(value, []byte("123456")) {
		t.Errorf("kept %s, %v; want no word of the content", value, err)
	}
	if strings.Contains(string(value), keyring(t, "b").CodeHash(purpose, "acc_a", "123456")) {
		t.Error("the hash does not depend on the master key")
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"abc": "abc", ` "a b" `: "a b", `"a\"b"`: `a"b`, `"a\\b"`: `a\b`, `"`: `"`, `""`: "", "": "", "\x01": "", "ü": "",
		strings.Repeat("x", 255): strings.Repeat("x", 255), strings.Repeat("x", 256): "",
	} {
		if got, ok := parse(header); ok != (want != "") || ok && got != want {
			t.Errorf("parse(%q) = %q, %v, want %q", header, got, ok, want)
		}
	}
}

// emptyOutcomes are outcomes of which there is none.
func emptyOutcomes() outcome.Outcomes { return outcome.Outcomes{Docs: empty{}} }

// empty is a projection that holds nothing.
type empty struct{ projection.Store }

func (empty) Get(context.Context, string, string) (projection.Document, error) {
	return projection.Document{}, projection.ErrNotFound
}
