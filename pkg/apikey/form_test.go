package apikey_test

import (
	"maps"
	"net/url"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/apikey"
	"boardorder/pkg/contract/accounts"

	"github.com/google/go-cmp/cmp"
)

func TestKeyForm(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	scope := accounts.DefaultScopes()[0]
	for _, tt := range []struct {
		name     string
		form     url.Values
		problems []string
	}{
		{"as it should be", url.Values{"name": {"web shop"}, "scope": {scope}}, nil},
		{"until today", url.Values{"name": {"x"}, "scope": {scope}, "expires": {"2031-05-01"}}, nil},
		{"from networks", url.Values{"name": {"x"}, "scope": {scope}, "networks": {"10.0.0.0/8, 192.0.2.1"}}, nil},
		{"without a name", url.Values{"name": {" \u202e "}, "scope": {scope}}, []string{"name"}},
		{"without a scope", url.Values{"name": {"x"}}, []string{"scope"}},
		{"with a scope that there is not", url.Values{"name": {"x"}, "scope": {scope, "all"}}, []string{"scope"}},
		{"until yesterday", url.Values{"name": {"x"}, "scope": {scope}, "expires": {"2031-04-30"}}, []string{"expires"}},
		{"until a day that no time has", url.Values{"name": {"x"}, "scope": {scope}, "expires": {"9999-12-31"}}, []string{"expires"}},
		{"until some day", url.Values{"name": {"x"}, "scope": {scope}, "expires": {"some day"}}, []string{"expires"}},
		{"from nowhere", url.Values{"name": {"x"}, "scope": {scope}, "networks": {"here"}}, []string{"networks"}},
		{"with nothing", url.Values{}, []string{"name", "scope"}},
	} {
		expires, networks, problems := apikey.ReadForm(tt.form).Parse(now)
		if got := slices.Sorted(maps.Keys(problems)); !slices.Equal(got, tt.problems) {
			t.Errorf("a key %s: problems at %q, want %q (%v)", tt.name, got, tt.problems, problems)
		}
		if len(tt.problems) > 0 {
			continue
		}
		if want := tt.form.Get("expires") != ""; (expires != nil) != want {
			t.Errorf("a key %s: ends %v, want an end: %v", tt.name, expires, want)
		}
		if want := tt.form.Get("networks") != ""; (len(networks) > 0) != want {
			t.Errorf("a key %s: bound to %q, want it bound: %v", tt.name, networks, want)
		}
	}
}

// TestKeyEndsWithItsLastDay, in UTC.
func TestKeyEndsWithItsLastDay(t *testing.T) {
	t.Parallel()
	expires, _, problems := apikey.Form{Name: "x", Scopes: accounts.DefaultScopes(), Expires: "2031-05-01"}.Parse(time.Date(2031, 5, 1, 23, 0, 0, 0, time.UTC))
	if want := time.Date(2031, 5, 2, 0, 0, 0, 0, time.UTC); len(problems) > 0 || expires == nil || !expires.Equal(want) {
		t.Errorf("a key until 2031-05-01 ends %v (%v), want %v", expires, problems, want)
	}
}

// TestKeyInWords: what the trail says of a key is never its hash.
func TestKeyInWords(t *testing.T) {
	t.Parallel()
	end := time.Date(2031, 5, 2, 0, 0, 0, 0, time.UTC)
	got := apikey.Words(accounts.APIKey{ID: "k", Name: "shop", Prefix: "bo_live_k", Hash: "secret", Scopes: []string{"a", "b"}, Networks: []string{"10.0.0.0/8", "192.0.2.1/32"}, ExpiresAt: &end})
	want := map[string]string{"name": "shop", "prefix": "bo_live_k", "scopes": "a b", "revoked": "no", "networks": "10.0.0.0/8 192.0.2.1/32", "expires": "2031-05-02 00:00:00"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Words -want +got:\n%s", diff)
	}
	if got := apikey.Words(accounts.APIKey{Name: "shop"}); got["networks"] != "" || got["expires"] != "" {
		t.Errorf("a key without networks and end: %v, want neither", got)
	}
}
