package oidc_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"boardorder/services/console/internal/oidc"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
)

// provider is an identity provider at which one person is signed in already.
type provider struct {
	*httptest.Server
	key     *rsa.PrivateKey
	claims  map[string]any
	request url.Values // what the token was asked for with
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider{key: key}
	known := &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "k", Algorithm: "RS256"}}}
	mux := http.NewServeMux()
	mux.Handle("/", known)
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		p.request = r.PostForm
		claims, _ := json.Marshal(p.claims)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"access_token": "a", "token_type": "Bearer", "id_token": %q}`, oidctest.SignIDToken(p.key, "k", "RS256", string(claims)))
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	known.SetIssuer(p.URL)
	return p
}

func TestOperator(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	client := oidc.New(oidc.Config{Issuer: p.URL, ID: "console", Secret: "s", Claim: "email", Redirect: "https://console.example/sign-in/provider/back"})
	visit := oidc.VisitOf("a secret of the browser")
	to, err := client.Address(t.Context(), visit)
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	q := address.Query()
	if !visit.Is(q.Get("state")) || oidc.VisitOf("another").Is(q.Get("state")) || q.Get("code_challenge_method") != "S256" || q.Get("client_id") != "console" {
		t.Errorf("address %s, want the visit's own state, S256, of console", to)
	}
	good := func() map[string]any {
		return map[string]any{"iss": p.URL, "aud": "console", "sub": "1", "exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix(),
			"nonce": q.Get("nonce"), "email": "Ann@Example.com", "email_verified": true}
	}
	for name, tt := range map[string]struct {
		change func(map[string]any)
		want   string
	}{
		"good":             {func(map[string]any) {}, "ann@example.com"},
		"another visit":    {func(c map[string]any) { c["nonce"] = "x" }, ""},
		"another client":   {func(c map[string]any) { c["aud"] = "shop" }, ""},
		"another issuer":   {func(c map[string]any) { c["iss"] = "https://evil.example" }, ""},
		"old":              {func(c map[string]any) { c["exp"] = time.Now().Add(-time.Hour).Unix() }, ""},
		"not verified":     {func(c map[string]any) { c["email_verified"] = false }, ""},
		"nothing verified": {func(c map[string]any) { delete(c, "email_verified") }, ""},
		"no name":          {func(c map[string]any) { delete(c, "email") }, ""},
	} {
		p.claims = good()
		tt.change(p.claims)
		got, err := client.Operator(t.Context(), visit, "code")
		if got != tt.want || (tt.want == "") != errors.Is(err, oidc.ErrRefused) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, tt.want)
		}
	}
	if p.request.Get("code_verifier") == "" || p.request.Get("code") != "code" {
		t.Errorf("the token was asked for with %v, want the code and its verifier", p.request)
	}
	p.claims = good()
	p.key, err = rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := client.Operator(t.Context(), visit, "code"); !errors.Is(err, oidc.ErrRefused) {
		t.Errorf("signed by another key: %q, %v", got, err)
	}
	if oidc.New(oidc.Config{}) != nil {
		t.Error("a client without a provider")
	}
}
