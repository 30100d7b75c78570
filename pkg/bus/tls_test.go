package bus_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

// secureServer runs a broker that takes certificates of the authority only.
func secureServer(t *testing.T, a *bustest.Authority, first bool) string {
	t.Helper()
	cert, key := a.Issue(t, "broker")
	cfg, err := server.GenTLSConfig(&server.TLSConfigOpts{CertFile: cert, KeyFile: key, CaFile: a.File, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
		TLS: true, TLSVerify: true, TLSConfig: cfg, TLSHandshakeFirst: first, TLSTimeout: 5,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the broker is not ready")
	}
	return s.ClientURL()
}

func TestTLSWithClientCertificates(t *testing.T) {
	t.Parallel()
	ours, foreign := bustest.NewAuthority(t), bustest.NewAuthority(t)
	cert, key := ours.Issue(t, "pricing")
	strangeCert, strangeKey := foreign.Issue(t, "pricing")
	plain, first := secureServer(t, ours, false), secureServer(t, ours, true)
	for name, c := range map[string]struct {
		url  string
		tls  bus.TLS
		want string // part of the error, which may be cut short by the end of the connection; empty: it connects
	}{
		"our certificate":                {plain, bus.TLS{CA: ours.File, Cert: cert, Key: key}, ""},
		"our certificate, TLS first":     {first, bus.TLS{CA: ours.File, Cert: cert, Key: key, First: true}, ""},
		"no certificate":                 {plain, bus.TLS{CA: ours.File}, "tls"},
		"a certificate of a foreign CA":  {plain, bus.TLS{CA: ours.File, Cert: strangeCert, Key: strangeKey}, "tls"},
		"a broker of a foreign CA":       {plain, bus.TLS{CA: foreign.File, Cert: cert, Key: key}, "unknown authority"},
		"a broker the system trusts not": {plain, bus.TLS{Cert: cert, Key: key}, "unknown authority"},
		"no TLS at all":                  {plain, bus.TLS{}, "unknown authority"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reported, err := connect(t, bus.Config{URL: c.url, TLS: c.tls})
			switch {
			case c.want == "" && err != nil:
				t.Errorf("connect to %s: %v, want a connection", c.url, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "NATS_URL: ")):
				t.Errorf("%v; want an error of NATS_URL with %q", err, c.want)
			case c.want != "" && reported != 1:
				t.Errorf("%d warnings; want one that says why it waits", reported)
			}
		})
	}
}

// connect tries until the first warning, and returns how many there were.
func connect(t *testing.T, cfg bus.Config) (warnings int, err error) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	core, lines := observer.New(zap.WarnLevel)
	cfg.Name = "test"
	cfg.Log = zap.New(core, zap.Hooks(func(zapcore.Entry) error { stop(); return nil }))
	b, err := bus.Connect(ctx, cfg)
	if err == nil {
		defer b.Close()
		err = b.Ready(t.Context())
	}
	return lines.Len(), err
}

func TestTLSFilesThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	a := bustest.NewAuthority(t)
	cert, key := a.Issue(t, "pricing")
	_, otherKey := a.Issue(t, "payment")
	empty, missing := filepath.Join(t.TempDir(), "empty"), filepath.Join(t.TempDir(), "missing")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tls  bus.TLS
		want string
	}{
		{bus.TLS{CA: missing}, "NATS_TLS_CA: open " + missing},
		{bus.TLS{CA: empty}, "NATS_TLS_CA: " + empty + " holds no PEM certificate"},
		{bus.TLS{CA: key}, "NATS_TLS_CA: " + key + " holds no PEM certificate"},
		{bus.TLS{Cert: missing, Key: key}, "NATS_TLS_CERT, NATS_TLS_KEY: open " + missing},
		{bus.TLS{Cert: cert, Key: missing}, "NATS_TLS_CERT, NATS_TLS_KEY: open " + missing},
		{bus.TLS{Cert: cert, Key: otherKey}, "NATS_TLS_CERT, NATS_TLS_KEY: tls: private key does not match"},
		{bus.TLS{Cert: cert}, "NATS_TLS_KEY is required with NATS_TLS_CERT"},
		{bus.TLS{Key: key}, "NATS_TLS_CERT is required with NATS_TLS_KEY"},
	} {
		// Nothing listens there: a wrong file is said at once, not waited for.
		warnings, err := connect(t, bus.Config{URL: "nats://127.0.0.1:1", TLS: c.tls})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || warnings != 0 {
			t.Errorf("%+v: %v after %d warnings; want %q at once", c.tls, err, warnings, c.want)
		}
	}
}

// A renewed certificate is shown by the next connection: nothing is kept.
func TestTLSRenewedCertificate(t *testing.T) {
	t.Parallel()
	a, foreign := bustest.NewAuthority(t), bustest.NewAuthority(t)
	url := secureServer(t, a, false)
	cert, key := foreign.Issue(t, "pricing")
	files := bus.TLS{CA: a.File, Cert: cert, Key: key}
	renewed := false
	core, _ := observer.New(zap.WarnLevel)
	b, err := bus.Connect(t.Context(), bus.Config{URL: url, Name: "test", TLS: files, Log: zap.New(core, zap.Hooks(func(zapcore.Entry) error {
		if renewed {
			return nil
		}
		renewed = true // refused once, by now
		fresh, freshKey := a.Issue(t, "pricing")
		return errors.Join(os.Rename(fresh, cert), os.Rename(freshKey, key))
	}))})
	if err != nil || !renewed {
		t.Fatalf("%v, renewed %t; want no error, true", err, renewed)
	}
	b.Close()
}
