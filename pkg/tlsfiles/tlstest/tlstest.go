// Package tlstest makes certificates for tests.
package tlstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/tlsfiles"
)

// An Authority issues certificates for 127.0.0.1.
type Authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// NewAuthority makes an authority, whose files go with the test.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{dir: t.TempDir(), key: newKey(t)}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err == nil {
		a.cert, err = x509.ParseCertificate(der)
	}
	if err != nil {
		t.Fatal(err)
	}
	write(t, a.path("ca.pem"), "CERTIFICATE", der)
	return a
}

func (a *Authority) path(name string) string { return filepath.Join(a.dir, name) }

// Files are the authority's root and a certificate that it issued. Changes make it
// another one.
func (a *Authority) Files(t testing.TB, changes ...func(*x509.Certificate)) tlsfiles.Files {
	t.Helper()
	key := newKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, change := range changes {
		change(template)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() // others' pairs of the same authority stay as they are
	f := tlsfiles.Files{CA: a.path("ca.pem"), Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	write(t, f.Cert, "CERTIFICATE", der)
	write(t, f.Key, "PRIVATE KEY", private)
	return f
}

// Server is a configuration that demands a certificate of the authority.
func (a *Authority) Server(t testing.TB, changes ...func(*x509.Certificate)) *tls.Config {
	t.Helper()
	f := a.Files(t, changes...)
	pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(a.cert)
	return &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: roots, ClientAuth: tls.RequireAndVerifyClientCert}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func write(t testing.TB, path, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Expire is a change to a certificate that has ended.
func Expire(c *x509.Certificate) {
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(-time.Minute)
}

// Rename is a change to a certificate of another server.
func Rename(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"other.example"} }

// RestrictToClients is a change to a certificate that no server may show, as programs have.
func RestrictToClients(c *x509.Certificate) {
	c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
}

// HoldImpostors has meet connect to servers that are not the one that is meant, and
// fails the test for each that it does not refuse: it must send nothing. meet returns
// when the server was refused or ctx has ended.
func (a *Authority) HoldImpostors(t *testing.T, meet func(address string)) {
	t.Helper()
	old := a.Server(t)
	old.MaxVersion = tls.VersionTLS11
	for name, c := range map[string]*tls.Config{
		"of another name": a.Server(t, Rename), "whose certificate has ended": a.Server(t, Expire),
		"that shows a program's certificate": a.Server(t, RestrictToClients), "that speaks TLS 1.1 at most": old,
		"of another authority": NewAuthority(t).Server(t),
	} {
		c.ClientAuth = tls.NoClientCert // it takes whoever comes
		l, err := tls.Listen("tcp", "127.0.0.1:0", c)
		if err != nil {
			t.Fatal(err)
		}
		met := make(chan int, 1)
		go func() {
			conn, err := l.Accept()
			if err != nil {
				met <- 0
				return
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
			n, _ := conn.Read(make([]byte, 100))
			met <- n
		}()
		meet(l.Addr().String())
		_ = l.Close()
		if n := <-met; n > 0 {
			t.Errorf("a server %s is sent %d bytes", name, n)
		}
	}
}

// Listen starts a listener that demands a certificate of the authority. For
// each connection it reports why the handshake failed, or nil once the client
// has sent something after it; then it closes the connection.
func (a *Authority) Listen(t testing.TB) (address string, met <-chan error) {
	t.Helper()
	l, err := tls.Listen("tcp", "127.0.0.1:0", a.Server(t))
	if err != nil {
		t.Fatal(err)
	}
	reports := make(chan error, 100)
	var done sync.WaitGroup
	done.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			// One after another: a connection ends with its first byte or error.
			_ = c.SetDeadline(time.Now().Add(10 * time.Second))
			_, err = c.Read(make([]byte, 1)) // shakes hands first
			_ = c.Close()
			select {
			case reports <- err:
			default: // nobody reads so many
			}
		}
	})
	t.Cleanup(func() {
		_ = l.Close() // it only listens
		done.Wait()
	})
	return l.Addr().String(), reports
}
