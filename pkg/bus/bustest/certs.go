package bustest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// An Authority issues certificates for one test.
type Authority struct {
	File string // PEM of its root

	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// NewAuthority makes a root of its own, valid for a day.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{key: newKey(t)}
	root := &x509.Certificate{
		Subject: pkix.Name{CommonName: "root"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der := sign(t, root, root, &a.key.PublicKey, a.key)
	var err error
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.File = writePEM(t, "root.crt", "CERTIFICATE", der)
	return a
}

// Issue makes a certificate for name on 127.0.0.1, for servers and clients
// alike, and gives the PEM files of it and of its key. Changes make it another one.
func (a *Authority) Issue(t testing.TB, name string, changes ...func(*x509.Certificate)) (cert, key string) {
	t.Helper()
	own := newKey(t)
	leaf := &x509.Certificate{
		// Brokers look for each other's addresses among the names.
		Subject: pkix.Name{CommonName: name}, DNSNames: []string{name, "localhost", "127.0.0.1"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, change := range changes {
		change(leaf)
	}
	der, err := x509.MarshalPKCS8PrivateKey(own)
	if err != nil {
		t.Fatal(err)
	}
	return writePEM(t, name+".crt", "CERTIFICATE", sign(t, leaf, a.cert, &own.PublicKey, a.key)), writePEM(t, name+".key", "PRIVATE KEY", der)
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t testing.TB, c, parent *x509.Certificate, public *ecdsa.PublicKey, key *ecdsa.PrivateKey) []byte {
	t.Helper()
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		t.Fatal(err)
	}
	c.SerialNumber = serial
	if c.NotAfter.IsZero() {
		c.NotBefore, c.NotAfter = time.Now().Add(-time.Minute), time.Now().Add(24*time.Hour)
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, public, key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func writePEM(t testing.TB, name, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
