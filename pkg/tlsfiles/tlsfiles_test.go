package tlsfiles_test

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/tlsfiles"
	"boardorder/pkg/tlsfiles/tlstest"
)

func TestNoFiles(t *testing.T) {
	t.Parallel()
	if c, err := (tlsfiles.Files{}).Config(); c != nil || err != nil {
		t.Errorf("Config() = %v, %v; want nothing", c, err)
	}
}

func TestConfigErrors(t *testing.T) {
	t.Parallel()
	good := tlstest.NewAuthority(t).Files(t)
	other := tlstest.NewAuthority(t).Files(t)
	for name, spoil := range map[string]func(f *tlsfiles.Files){
		"no such file":         func(f *tlsfiles.Files) { f.CA += ".missing" },
		"holds no certificate": func(f *tlsfiles.Files) { f.CA = f.Key },
		"both be given":        func(f *tlsfiles.Files) { f.Key = "" },
		"must both":            func(f *tlsfiles.Files) { f.Cert = "" },
		"does not match":       func(f *tlsfiles.Files) { f.Key = other.Key },
	} {
		f := good
		spoil(&f)
		if _, err := f.Config(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Config() = %v, want %q", err, name)
		}
	}
}

// TestRenewed: a certificate that is renewed on disk is shown without a restart.
func TestRenewed(t *testing.T) {
	t.Parallel()
	authority := tlstest.NewAuthority(t)
	address, met := authority.Listen(t)
	files := authority.Files(t)
	c, err := files.Config()
	if err != nil {
		t.Fatal(err)
	}
	call := func() error {
		conn, err := tls.Dial("tcp", address, c)
		if err == nil {
			_, _ = conn.Write([]byte("x")) // refused or not, the listener reports it
			_ = conn.Close()
		}
		return <-met
	}
	if err := call(); err != nil {
		t.Errorf("with the first certificate: %v", err)
	}
	foreign := tlstest.NewAuthority(t).Files(t)
	replace(t, files.Cert, foreign.Cert)
	replace(t, files.Key, foreign.Key)
	if err := call(); err == nil {
		t.Error("the certificate that was replaced is still shown")
	}
}

func replace(t *testing.T, path, by string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Clean(by))
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
