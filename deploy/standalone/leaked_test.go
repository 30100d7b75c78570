package standalone_test

import (
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/accounts"
)

// opens tells whether a key opens the API.
func (s *system) opens(t testing.TB) bool {
	t.Helper()
	status, data := s.do(t, http.MethodGet, "/auth/check", "", nil)
	if status != http.StatusOK && status != http.StatusUnauthorized {
		t.Fatalf("/auth/check: %d %s, want 200 or 401", status, data)
	}
	return status == http.StatusOK
}

// TestLeakedKeys: a key that is reported opens nothing within five seconds, and its
// account is written to, once for each; one that was made up changes nothing.
func TestLeakedKeys(t *testing.T) {
	t.Parallel()
	live := start(t, busy)
	test := live.testClient(t)
	if !live.opens(t) || !test.opens(t) {
		t.Fatal("a key does not open")
	}
	type report struct{ kind, before, after string }
	byJSON, byForm := report{"application/json", `{"key":"`, `"}`}, report{"application/x-www-form-urlencoded", "key=", ""}
	send := func(r report, key string) {
		t.Helper()
		anybody := *live
		anybody.APIKey = ""
		if status, data := anybody.post(t, "/leaked-key", r.kind, strings.NewReader(r.before+key+r.after)); status != http.StatusAccepted || strings.Contains(string(data), key) {
			t.Fatalf("report a key as %s: %d %s; want 202 without the key", r.kind, status, data)
		}
	}
	for _, r := range []report{byJSON, byForm} {
		send(r, live.APIKey[:len(live.APIKey)-1]+"?")
	}
	emails := func() int { return len(live.Simulator().Mailbox().Messages("demo@boardorder.example")) }
	for n, x := range []struct {
		key  *system
		how  report
		text string
	}{{test, byForm, "bo_test_"}, {live, byJSON, "bo_live_"}} {
		if !x.key.opens(t) {
			t.Fatalf("%s was revoked before it was reported", x.text)
		}
		send(x.how, x.key.APIKey)
		send(x.how, x.key.APIKey)
		bustest.WaitFor(t, "the key is revoked", func() bool { return !x.key.opens(t) })
		bustest.WaitFor(t, "an e-mail", func() bool { return emails() > n })
		m := live.Simulator().Mailbox().Messages("demo@boardorder.example")[n]
		prefix := x.key.APIKey[:strings.LastIndexByte(x.key.APIKey, '_')]
		if !strings.Contains(m.Text, prefix) || !strings.Contains(m.Text, accounts.KeyLeaked) || strings.Contains(m.Text+m.HTML, x.key.APIKey) {
			t.Errorf("the e-mail, want the key's beginning %s and %q, not the key:\n%s", prefix, accounts.KeyLeaked, m.Text)
		}
	}
	if n := len(live.Simulator().Mailbox().Messages("")); n != 2 {
		t.Errorf("%d e-mails, want 2", n)
	}
}
