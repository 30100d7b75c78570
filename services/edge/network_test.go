package edge_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/secret"

	"go.uber.org/zap"
)

// bind says where a key may be used from.
func (w *world) bind(k secret.APIKey, networks ...string) {
	w.t.Helper()
	doc := accounts.KeyDocument{Account: account, Name: "Partner", Key: accounts.APIKey{
		ID: k.ID, Name: "bound", Prefix: k.Prefix(), Hash: k.Hash(), Scopes: accounts.DefaultScopes(), Live: k.Live, Networks: networks,
	}}
	if err := w.write(accounts.KeyDocumentKind, k.ID, doc); err != nil {
		w.t.Fatal(err)
	}
}

// TestKeyOpensFromItsNetworksOnly: a stolen key is answered elsewhere as if it did
// not exist, whatever address the thief claims to have.
func TestKeyOpensFromItsNetworksOnly(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.TrustedProxies = []string{"127.0.0.1"} })
	w.key = secret.NewAPIKey(true)
	w.bind(w.key, "192.0.2.0/24", "2001:db8:1::/48")
	for _, from := range []string{"192.0.2.7", "203.0.113.1, 192.0.2.255", "2001:db8:1:2::3"} {
		if a := w.get("/auth/check", "X-Forwarded-For", from); a.status != 200 {
			t.Errorf("from %s = %d %s, want 200", from, a.status, a.body)
		}
	}
	unknown := w.get("/auth/check", "X-Forwarded-For", "203.0.113.9", "X-API-Key", secret.NewAPIKey(true).Text)
	for _, from := range []string{"203.0.113.1", "192.0.2.7, 203.0.113.2", "2001:db8:2::1", "192.0.2.7, nonsense", ""} {
		a := w.get("/auth/check", "X-Forwarded-For", from)
		if a.status != 401 || string(a.body) != string(unknown.body) || a.header.Get("WWW-Authenticate") != unknown.header.Get("WWW-Authenticate") {
			t.Errorf("from %q = %d %s, want as an unknown key, %d %s", from, a.status, a.body, unknown.status, unknown.body)
		}
	}
	if n := w.logs.FilterMessage("key sent from outside its networks").FilterLevelExact(zap.WarnLevel).FilterField(zap.String("key", w.key.ID)).Len(); n != 5 {
		t.Errorf("%d warnings, want 5", n)
	}
	bustest.WaitFor(t, "the account to be told", func() bool { return len(w.commandsOf(accounts.NoteElsewhere)) > 0 })
	sent := w.commandsOf(accounts.NoteElsewhere)
	if len(sent) != 1 || !strings.Contains(string(sent[0].Data), `"account":"`+account+`","key_id":"`+w.key.ID+`","network":"203.0.113.1"`) {
		t.Errorf("the account is told by %+v, want one command with the first network", sent)
	}
	limited := false
	for range 80 {
		limited = limited || w.get("/auth/check", "X-Forwarded-For", "203.0.113.1").status == 429
	}
	if !limited {
		t.Error("uses from elsewhere are not counted as guesses")
	}
	// A change is heard of at once, and known a few seconds later anyway.
	w.bind(w.key, "203.0.113.64/26")
	w.advance(5 * time.Second)
	if a := w.get("/auth/check", "X-Forwarded-For", "192.0.2.7"); a.status != 401 {
		t.Errorf("from where it was bound to before = %d, want 401", a.status)
	}
	if a := w.get("/auth/check", "X-Forwarded-For", "203.0.113.70"); a.status != 200 {
		t.Errorf("from where it is bound to now = %d, want 200", a.status)
	}
}

// TestKeyInAnAddressIsFlaggedFromElsewhere: whoever has it there is the one who
// must not.
func TestKeyInAnAddressIsFlaggedFromElsewhere(t *testing.T) {
	t.Parallel()
	w := start(t) // no proxy is believed
	flags, err := w.bus.Bucket(t.Context(), contract.APIKeyFlagsBucket)
	if err != nil {
		t.Fatal(err)
	}
	k := secret.NewAPIKey(true)
	w.bind(k, "192.0.2.0/24")
	if a := w.get("/auth/check", "X-API-Key", k.Text, "X-Forwarded-For", "192.0.2.7"); a.status != 401 {
		t.Errorf("with an address that nobody vouches for = %d, want 401", a.status)
	}
	w.get("/healthz?a=" + k.Text)
	if _, _, err := flags.Get(t.Context(), k.ID); err != nil {
		t.Errorf("the key is not flagged: %v", err)
	}
}
