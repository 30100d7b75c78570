package compat_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardorder/deploy/compat/peers"
	docopen "boardorder/pkg/projection/open"
	"boardorder/pkg/tlsfiles"
	"boardorder/pkg/tlsfiles/tlstest"
)

// TestMongoTLS: MongoDB set up as the handbook says takes whoever shows a certificate of
// ours that is good for it, over TLS 1.2 or later, and nobody else: as programs meet it,
// and as strangers do.
func TestMongoTLS(t *testing.T) {
	t.Parallel()
	ours, foreign := tlstest.NewAuthority(t), tlstest.NewAuthority(t)
	server := ours.Files(t)
	pair := filepath.Join(t.TempDir(), "server.pem")
	var text []byte
	for _, file := range []string{server.Cert, server.Key} {
		part, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, part...)
	}
	if err := os.WriteFile(pair, text, 0o600); err != nil {
		t.Fatal(err)
	}
	good := ours.Files(t, tlstest.RestrictToClients)
	m := peers.StartMongod(t, good, "--tlsMode", "requireTLS", "--tlsCertificateKeyFile", pair, "--tlsCAFile", server.CA, "--tlsDisabledProtocols", "TLS1_0,TLS1_1")
	address := m.Addr
	for name, tt := range map[string]struct {
		files tlsfiles.Files
		met   bool
	}{
		"a program's":          {good, true},
		"none":                 {tlsfiles.Files{CA: good.CA}, false},
		"of another authority": {pairOf(good.CA, foreign.Files(t)), false},
		"one that has ended":   {ours.Files(t, tlstest.Expire), false},
		"a server's":           {ours.Files(t, func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth} }), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := url.URL{Scheme: "mongodb", Host: address, Path: "/boards", RawQuery: "directConnection=true&serverSelectionTimeoutMS=5000"}
			store, err := docopen.Open(t.Context(), u.String(), docopen.TLS(tt.files))
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			if err := store.Ping(ctx); (err == nil) != tt.met {
				t.Errorf("%v, want that the server answers: %t", err, tt.met)
			}
		})
	}
	own, err := good.Config()
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		change func(*tls.Config)
		met    bool
	}{
		"TLS 1.3":      {func(c *tls.Config) { c.MinVersion = tls.VersionTLS13 }, true},
		"TLS 1.2":      {func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }, true},
		"TLS 1.1":      {func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }, false},
		"weak ciphers": {func(c *tls.Config) { c.MaxVersion, c.CipherSuites = tls.VersionTLS12, weakCiphers }, false},
	} {
		config := own.Clone()
		tt.change(config)
		c, err := tls.DialWithDialer(&net.Dialer{Timeout: 30 * time.Second}, "tcp", address, config)
		if (err == nil) != tt.met {
			t.Errorf("%s: %v, want that it is spoken: %t", name, err, tt.met)
		}
		if err == nil {
			_ = c.Close()
		}
	}
}

// weakCiphers have no forward secrecy, or are broken.
var weakCiphers = []uint16{
	tls.TLS_RSA_WITH_AES_128_GCM_SHA256, tls.TLS_RSA_WITH_AES_256_GCM_SHA384, tls.TLS_RSA_WITH_AES_128_CBC_SHA, tls.TLS_RSA_WITH_3DES_EDE_CBC_SHA,
	tls.TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA, tls.TLS_RSA_WITH_RC4_128_SHA, tls.TLS_ECDHE_ECDSA_WITH_RC4_128_SHA,
}

// pairOf trusts an authority, and shows what another one issued.
func pairOf(ca string, f tlsfiles.Files) tlsfiles.Files {
	f.CA = ca
	return f
}
