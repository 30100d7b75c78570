package main

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"boardorder/pkg/door/doortest"
)

// TestAmbiguousIsRefused: Caddy as Compose has it passes on nothing that can be understood
// in two ways, with TLS and without.
func TestAmbiguousIsRefused(t *testing.T) {
	t.Parallel()
	for name, pairs := range map[string][]string{"plain": nil, "under TLS": underTLS} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			addr, _ := run(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/hidden" {
					t.Errorf("%s is passed on, want a refusal: it was hidden in another request", r.URL.Path)
				}
				_, _ = io.WriteString(w, "here")
			}), pairs...)
			if pairs != nil {
				addr = "localhost" + port(addr)
				awaitTLS(t, addr)
			}
			doortest.HoldAmbiguous(t, func(t *testing.T) net.Conn {
				if pairs == nil {
					return doortest.Dial(t, addr, 9, 5)
				}
				c, err := tls.Dial("tcp", addr, clientTLS())
				if err != nil {
					t.Fatal(err)
				}
				return c
			})
		})
	}
}

// underTLS has Caddy end TLS for a name, with a certificate of its own.
var underTLS = []string{
	"auto_https disable_redirects", "auto_https disable_redirects\n\tskip_install_trust",
	":8080 {", "https://localhost:8080 {", "reverse_proxy {", "tls internal\n\treverse_proxy {",
}

// awaitTLS waits for Caddy's certificate: it takes connections before it has made it.
func awaitTLS(t *testing.T, addr string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		c, err := tls.Dial("tcp", addr, clientTLS())
		if err == nil {
			_ = c.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// TestTLSOfTheDoor: nothing older than TLS 1.2 is spoken, no cipher without forward
// secrecy or without authentication of what it carries, for no other name than the site's,
// and nothing plain.
func TestTLSOfTheDoor(t *testing.T) {
	t.Parallel()
	addr, _ := run(t, &edge{}, underTLS...)
	addr = "localhost" + port(addr)
	awaitTLS(t, addr)
	weak := []uint16{tls.TLS_RSA_WITH_AES_128_GCM_SHA256, tls.TLS_RSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256, tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, tls.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA, tls.TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA, tls.TLS_RSA_WITH_RC4_128_SHA}
	for name, tt := range map[string]struct {
		change func(*tls.Config)
		met    bool
	}{
		"TLS 1.3":      {func(c *tls.Config) { c.MinVersion = tls.VersionTLS13 }, true},
		"TLS 1.2":      {func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }, true},
		"TLS 1.1":      {func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }, false},
		"TLS 1.0":      {func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS10 }, false},
		"weak ciphers": {func(c *tls.Config) { c.MaxVersion, c.CipherSuites = tls.VersionTLS12, weak }, false},
		"another name": {func(c *tls.Config) { c.ServerName = "other.example" }, false},
		"HTTP/2 alone": {func(c *tls.Config) { c.NextProtos = []string{"h2"} }, false},
		"HTTP/1.1":     {func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} }, true},
	} {
		config := clientTLS()
		tt.change(config)
		c, err := tls.Dial("tcp", addr, config)
		if (err == nil) != tt.met {
			t.Errorf("%s: %v, want that it is met: %t", name, err, tt.met)
		}
		if err == nil {
			_ = c.Close()
		}
	}
	r, err := http.Get("http://" + addr + "/v1/here")
	if err == nil {
		body, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if r.StatusCode < 400 || answers(string(body)) {
			t.Errorf("plain HTTP: %d %s, want a refusal", r.StatusCode, body)
		}
	}
}
