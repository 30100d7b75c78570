package bus

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/nats-io/nats.go"
)

// TLS says whom the connection trusts and what it shows of itself. The zero
// value leaves it to the URL: tls:// trusts the system's roots. The files are
// read again for every connection, so renewed certificates need no restart.
type TLS struct {
	CA    string `env:"CA"`    // PEM file of the roots that the broker's certificate must lead to
	Cert  string `env:"CERT"`  // PEM file of our certificate, for brokers that require one
	Key   string `env:"KEY"`   // PEM file of its private key
	First bool   `env:"FIRST"` // handshake before the broker's greeting, where the broker has handshake_first
}

// options checks the files once, so that a wrong path stops the start with the
// name of its variable, where a broker that is unreachable is waited for.
func (t TLS) options() ([]nats.Option, error) {
	var opts []nats.Option
	if t.CA != "" {
		if err := readableRoots(t.CA); err != nil {
			return nil, fmt.Errorf("NATS_TLS_CA: %w", err)
		}
		opts = append(opts, nats.RootCAs(t.CA))
	}
	switch {
	case t.Cert != "" && t.Key != "":
		if _, err := tls.LoadX509KeyPair(t.Cert, t.Key); err != nil {
			return nil, fmt.Errorf("NATS_TLS_CERT, NATS_TLS_KEY: %w", err)
		}
		opts = append(opts, nats.ClientCert(t.Cert, t.Key))
	case t.Cert != "":
		return nil, errors.New("NATS_TLS_KEY is required with NATS_TLS_CERT")
	case t.Key != "":
		return nil, errors.New("NATS_TLS_CERT is required with NATS_TLS_KEY")
	}
	if t.First {
		opts = append(opts, nats.TLSHandshakeFirst())
	}
	return opts, nil
}

func readableRoots(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !x509.NewCertPool().AppendCertsFromPEM(text) {
		return fmt.Errorf("%s holds no PEM certificate", file)
	}
	return nil
}

// InboxPrefix is where a broker user receives replies: _INBOX.<user>. Messages
// that a consumer delivers are replies too, so users who shared one prefix could
// read each other's commands.
func InboxPrefix(user string) string { return "_INBOX." + user }

// inbox is the option for the user of a URL, or none for a URL without one.
func inbox(urls string) []nats.Option {
	first, _, _ := strings.Cut(urls, ",")
	u, err := url.Parse(strings.TrimSpace(first))
	if err != nil || u.User.Username() == "" {
		return nil
	}
	return []nats.Option{nats.CustomInboxPrefix(InboxPrefix(u.User.Username()))}
}
