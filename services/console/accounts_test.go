package console_test

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/secret"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAccountsAndKeys(t *testing.T) {
	t.Parallel()
	w := start(t)
	ann := w.signInAs("ann")
	ann.fill("/accounts", "/accounts", "name", " ", "id", "no").wants(t, http.StatusUnprocessableEntity, "An account has a name.", "acc_ and letters")
	opened := ann.fill("/accounts", "/accounts", "name", "Acme Boards")
	opened.wants(t, http.StatusOK, "The account is open", "Acme Boards", "No keys yet")
	at := opened.url.Path
	keys := at + "/keys"
	ann.fill(at, at+"/address", "email", "nobody").wants(t, http.StatusUnprocessableEntity, "This is not an e-mail address")
	ann.fill(at, at+"/address", "email", "dev@acme.example").wants(t, http.StatusOK, "dev@acme.example")
	ann.fill(at, keys, "name", "", "mode", "test", "expires", "2001-01-01", "networks", "office").
		wants(t, http.StatusUnprocessableEntity, "A key has a name", "at least one scope", "A day from today on", "is no network; one looks like 192.0.2.0/24")
	form := ann.form(at, keys)
	for name, value := range map[string]string{"name": "robot", "mode": "test", "scope": "quotes", "expires": "2999-12-31", "networks": "192.0.2.7/24, 2001:db8::/32"} {
		form.Set(name, value)
	}
	made := ann.post(keys, form)
	made.wants(t, http.StatusCreated, "shown only once", "robot")
	text := shownKey.FindString(made.body)
	parsed, err := secret.ParseAPIKey(text)
	if err != nil || parsed.Live {
		t.Fatalf("key %q: %v", text, err)
	}
	key := w.key(parsed.ID)
	if !parsed.Matches(key.Hash) || key.CreatedBy != "ann" || key.ExpiresAt == nil || len(key.Scopes) != 1 || !slices.Equal(key.Networks, []string{"192.0.2.0/24", "2001:db8::/32"}) || !key.Usable(time.Now()) {
		t.Errorf("kept of it: %+v, want it of %s by ann with an end, one scope and both networks, usable", key, parsed.ID)
	}
	ann.post(keys, form).wants(t, http.StatusConflict, "sent before")
	ann.get(at).lacks(t, text, "Sent in an address")
	flags, err := w.bus.Bucket(t.Context(), contract.APIKeyFlagsBucket)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := flags.Create(t.Context(), parsed.ID, []byte("2026-11-22T10:00:00Z")); err != nil {
		t.Fatal(err)
	}
	ann.get(at).wants(t, http.StatusOK, "Sent in a URL on 2026-11-22 10:00:00")
	for _, e := range w.log.All() {
		if strings.Contains(fmt.Sprint(e.Message, e.ContextMap()), text) {
			t.Error("the key is in the log")
		}
	}
	ann.get(at).wants(t, http.StatusOK, "from 192.0.2.0/24, 2001:db8::/32")
	one := keys + "/" + parsed.ID
	ann.fill(one, one, "expires", "2001-01-01").wants(t, http.StatusUnprocessableEntity, "at least one scope", "A day from today on")
	ann.fill(one, one, "scope", "uploads", "expires", "2999-01-01").wants(t, http.StatusOK, "The key is changed", "uploads")
	if key := w.key(parsed.ID); len(key.Scopes) != 1 || key.Scopes[0] != "uploads" || key.ExpiresAt.Year() != 2999 || len(key.Networks) != 2 {
		t.Errorf("changed: %+v, want uploads until 2999, in both networks", key)
	}
	ann.fill(one, one+"/rotate", "days", "100").wants(t, http.StatusUnprocessableEntity, "0 to 90")
	rotated := ann.fill(one, one+"/rotate", "days", "7")
	rotated.wants(t, http.StatusCreated, "shown only once")
	other, err := secret.ParseAPIKey(shownKey.FindString(rotated.body))
	if err != nil || other.ID == parsed.ID {
		t.Fatal("no other key", err)
	}
	if old, fresh := w.key(parsed.ID), w.key(other.ID); old.ExpiresAt == nil || time.Until(*old.ExpiresAt) > 8*24*time.Hour || !old.Usable(time.Now()) || fresh.Scopes[0] != "uploads" || fresh.Name != old.Name {
		t.Errorf("after the rotation: %+v and %+v, want the old one to end within a week, the new one for uploads under its name", old, fresh)
	}
	if fresh := w.key(other.ID); len(fresh.Networks) != 2 {
		t.Errorf("a rotated key is bound to %q, want 2 networks", fresh.Networks)
	}
	ann.fill(one, one, "scope", "uploads", "networks", "").wants(t, http.StatusOK, "The key is changed")
	if key := w.key(parsed.ID); len(key.Networks) != 0 {
		t.Errorf("still bound to %q, want everywhere", key.Networks)
	}
	revoke := keys + "/" + parsed.ID + "/revoke"
	ann.fill(revoke, revoke).wants(t, http.StatusUnprocessableEntity, "tick the box")
	began := time.Now()
	ann.fill(revoke, revoke, "sure", "yes").wants(t, http.StatusOK, "The key is revoked", "by ann")
	if key := w.key(parsed.ID); key.Usable(time.Now()) || key.RevokedBy != "ann" {
		t.Errorf("after %v it is still usable: %+v, want it revoked by ann", time.Since(began), key)
	}
	for _, action := range []string{"opened an account", "created a key", "revoked a key"} {
		w.awaitAudit("ann", action)
	}
}
