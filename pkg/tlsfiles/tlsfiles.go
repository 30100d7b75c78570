// Package tlsfiles reads from files what connections to servers trust and show:
// the roots of a private authority and a client certificate.
package tlsfiles

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
)

// Files are paths of PEM files. "" is none.
type Files struct {
	// CA holds the roots that a server's certificate must come from, instead
	// of the system's.
	CA string `env:"CA"`
	// Cert and Key are the client certificate and its private key.
	Cert string `env:"CERT"`
	Key  string `env:"KEY"`
}

// Config reads the files; nil when none is named. The client certificate is
// read again for each connection, so that a new one needs no restart.
func (f Files) Config() (*tls.Config, error) {
	if f == (Files{}) {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if err := f.roots(c); err != nil {
		return nil, fmt.Errorf("TLS roots: %w", err)
	}
	if f.Cert == "" && f.Key == "" {
		return c, nil
	}
	if _, err := f.certificate(nil); err != nil {
		return nil, err
	}
	c.GetClientCertificate = f.certificate
	return c, nil
}

func (f Files) roots(c *tls.Config) error {
	if f.CA == "" {
		return nil
	}
	text, err := os.ReadFile(f.CA)
	if err != nil {
		return err
	}
	c.RootCAs = x509.NewCertPool()
	if !c.RootCAs.AppendCertsFromPEM(text) {
		return fmt.Errorf("%s holds no certificate", f.CA)
	}
	return nil
}

func (f Files) certificate(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
	if f.Cert == "" || f.Key == "" {
		return nil, errors.New("TLS client certificate: certificate and key must both be given")
	}
	pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
	if err != nil {
		return nil, fmt.Errorf("TLS client certificate: %w", err)
	}
	return &pair, nil
}
