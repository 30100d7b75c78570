package auth_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/auth"

	"go.uber.org/zap"
)

type keyring struct {
	store *sqlite.Store
	keys  *auth.Keys
	clock atomic.Int64
	seq   uint64
}

func (r *keyring) now() time.Time { return time.Unix(1_800_000_000, r.clock.Load()) }

func newKeyring(t *testing.T) *keyring {
	t.Helper()
	r := &keyring{}
	var err error
	if r.store, err = sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.store.Close() })
	r.keys = auth.NewKeys(r.store, auth.NewFailures(r.now), r.now)
	return r
}

func (r *keyring) put(t *testing.T, id string, key accounts.APIKey) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"account": "acc_a", "account_name": "A", "limits": map[string]int{"requests": 7}, "sees_offers": true, "key": key})
	if err != nil {
		t.Fatal(err)
	}
	r.seq++
	if err := r.store.Put(t.Context(), projection.Document{Kind: accounts.KeyDocumentKind, ID: id, Seq: r.seq, At: r.now(), Body: body}); err != nil {
		t.Fatal(err)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	r := newKeyring(t)
	key, other := secret.NewAPIKey(true), secret.NewAPIKey(true)
	r.put(t, key.ID, accounts.APIKey{ID: key.ID, Hash: key.Hash(), Live: true, Scopes: []string{"uploads"}})
	c, err := r.keys.Check(t.Context(), key.Text, "1.1.1.1")
	if err != nil || c.Account != "acc_a" || c.Limits["requests"] != 7 || !c.SeesOffers || !c.May("uploads") || c.May("quotes") || !c.May("") {
		t.Errorf("Check = %+v, %v", c, err)
	}
	// Another key's secret under a known id.
	r.put(t, other.ID, accounts.APIKey{ID: other.ID, Hash: key.Hash(), Live: true})
	for _, text := range []string{"", "x", other.Text, secret.NewAPIKey(false).Text} {
		if _, err := r.keys.Check(t.Context(), text, "1.1.1.1"); !errors.Is(err, auth.ErrUnauthorized) {
			t.Errorf("Check(%.12s…) = %v", text, err)
		}
	}
}

func TestExpiredKeyClosesWithoutBeingReadAgain(t *testing.T) {
	t.Parallel()
	r := newKeyring(t)
	key, ends := secret.NewAPIKey(true), r.now().Add(time.Second)
	r.put(t, key.ID, accounts.APIKey{ID: key.ID, Hash: key.Hash(), Live: true, ExpiresAt: &ends})
	if _, err := r.keys.Check(t.Context(), key.Text, "a"); err != nil {
		t.Fatal(err)
	}
	r.clock.Store(int64(time.Second))
	if _, err := r.keys.Check(t.Context(), key.Text, "a"); !errors.Is(err, auth.ErrUnauthorized) {
		t.Errorf("Check = %v", err)
	}
}

// silentStore is one that gives no answer.
type silentStore struct{ projection.Store }

func (silentStore) Get(ctx context.Context, _, _ string) (projection.Document, error) {
	<-ctx.Done()
	return projection.Document{}, ctx.Err()
}

// Whoever asks while the store is silent learns soon that it has to come again.
func TestSilentStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		keys := auth.NewKeys(silentStore{}, auth.NewFailures(time.Now), time.Now)
		began, key := time.Now(), secret.NewAPIKey(true)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := keys.Check(ctx, key.Text, "a"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Check = %v, want that it was too late", err)
		}
		if took, limit := time.Since(began), 10*time.Second; took > limit {
			t.Errorf("it took %s, want %s at most", took, limit)
		}
	})
}

// Nobody is let in on an old word when the store cannot be asked.
func TestStoreThatIsDownOpensNothing(t *testing.T) {
	t.Parallel()
	r := newKeyring(t)
	key := secret.NewAPIKey(true)
	r.put(t, key.ID, accounts.APIKey{ID: key.ID, Hash: key.Hash(), Live: true})
	if _, err := r.keys.Check(t.Context(), key.Text, "a"); err != nil {
		t.Fatal(err)
	}
	_ = r.store.Close()
	if _, err := r.keys.Check(t.Context(), key.Text, "a"); err != nil {
		t.Errorf("a fresh word is not believed: %v", err)
	}
	r.clock.Store(int64(5 * time.Second))
	if _, err := r.keys.Check(t.Context(), key.Text, "a"); err == nil || errors.Is(err, auth.ErrUnauthorized) {
		t.Errorf("Check = %v, want another error", err)
	}
}

func TestTouchNotesOnceAMinute(t *testing.T) {
	t.Parallel()
	bucket, err := bustest.Start(t).Bucket(t.Context(), contract.APIKeyUseBucket)
	if err != nil {
		t.Fatal(err)
	}
	var clock atomic.Int64
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	touch := auth.NewTouch(bucket, func() time.Time { return start.Add(time.Duration(clock.Load())) }, zap.NewNop())
	bustest.Go(t, func(ctx context.Context) error { touch.Run(ctx); return nil })
	revision := func(want uint64) string {
		var value []byte
		bustest.WaitFor(t, "the note", func() bool {
			var rev uint64
			value, rev, err = bucket.Get(t.Context(), "k")
			return err == nil && rev >= want
		})
		return string(value)
	}
	touch.Use("k")
	if got, want := revision(1), "2026-11-21T12:00:00Z"; got != want {
		t.Errorf("last use %s, want %s", got, want)
	}
	touch.Use("k")
	clock.Store(int64(time.Minute))
	touch.Use("k")
	if got, want := revision(2), "2026-11-21T12:01:00Z"; got != want {
		t.Errorf("last use %s, want %s", got, want)
	}
}

// TestGoodKeyOfAGuessingAddressWorks: a key that was never seen before is
// looked up, whatever its address did.
func TestGoodKeyOfAGuessingAddressWorks(t *testing.T) {
	t.Parallel()
	r := newKeyring(t)
	for i := range 75 {
		_, err := r.keys.Check(t.Context(), secret.NewAPIKey(true).Text, "2001:db8::"+strconv.Itoa(i+1))
		if want := auth.ErrUnauthorized; i < 60 && !errors.Is(err, want) {
			t.Fatalf("guess %d: %v", i, err)
		} else if i >= 60 && !errors.Is(err, auth.ErrGuessing) {
			t.Fatalf("guess %d of the same network: %v", i, err)
		}
	}
	key := secret.NewAPIKey(true)
	r.put(t, key.ID, accounts.APIKey{ID: key.ID, Hash: key.Hash(), Live: true})
	if _, err := r.keys.Check(t.Context(), key.Text, "2001:db8::1"); err != nil {
		t.Errorf("the good key of a guessing address: %v", err)
	}
}
