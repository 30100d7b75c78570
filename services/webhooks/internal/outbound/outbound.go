// Package outbound makes requests to addresses that strangers named: by TLS, to the public internet
// alone, without redirects, in bounded time and memory. What may be reached is decided where a
// connection is made, by the address that is connected to, so no answer of a name server can lead
// elsewhere.
package outbound

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"boardorder/pkg/contract/webhooks"
)

const (
	connectTimeout = 5 * time.Second
	// timeout is for all of one request: connecting, sending, and what is read of the reply.
	timeout = 15 * time.Second
	// maxReply is how much of a reply is read. The rest is left where it is.
	maxReply   = 4 << 10
	maxHeaders = 32 << 10
	// idleTime is how long a connection is kept for the endpoint's next event.
	idleTime = 30 * time.Second
)

// ErrUnreachable says that an address is not of the public internet.
var ErrUnreachable = errors.New("the address is not of the public internet")

// A Client sends to one endpoint. Its connections are no other's.
type Client struct {
	http *http.Client
}

// New makes a client. loopback lets it reach this machine too. roots are trusted in place of the
// system's where they are not nil.
func New(loopback bool, tlsConfig *tls.Config) *Client {
	return newClient(&net.Dialer{}, loopback, tlsConfig)
}

func newClient(dialer *net.Dialer, loopback bool, tlsConfig *tls.Config) *Client {
	dialer.Timeout, dialer.Control = connectTimeout, func(_, address string, _ syscall.RawConn) error { return checkAddress(address, loopback) }
	cfg := &tls.Config{}
	if tlsConfig != nil {
		cfg = tlsConfig.Clone()
	}
	cfg.MinVersion = tls.VersionTLS12
	return &Client{&http.Client{
		Transport: &http.Transport{ // no proxy: what is connected to is what was asked for
			DialContext: dialer.DialContext, TLSClientConfig: cfg, TLSHandshakeTimeout: connectTimeout, TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{},
			DisableCompression: true, MaxResponseHeaderBytes: maxHeaders, MaxIdleConnsPerHost: 8, IdleConnTimeout: idleTime,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// checkAddress is called with the address that a socket is about to connect to.
func checkAddress(address string, loopback bool) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !webhooks.MayReach(to.Addr(), loopback) {
		return ErrUnreachable
	}
	return nil
}

// Close ends the connections that wait for another event.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// A Reply is what came of a request. Status is 0 where there was no reply; then Problem says why, in
// words for the endpoint's owner.
type Reply struct {
	Status     int
	Body       string // the first 4 kB
	Problem    string
	RetryAfter time.Duration
	Took       time.Duration
}

// IsDelivered reports whether the receiver took the event.
func (r Reply) IsDelivered() bool { return r.Status >= 200 && r.Status < 300 }

// Post sends a body. Nothing that the receiver does takes it longer than 15 seconds.
func (c *Client) Post(ctx context.Context, url string, header http.Header, body []byte) Reply {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	begun := time.Now()
	r := c.post(ctx, url, header, body)
	r.Took = time.Since(begun)
	return r
}

func (c *Client) post(ctx context.Context, url string, header http.Header, body []byte) Reply {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(string(body)))
	if err != nil {
		return Reply{Problem: "The address cannot be used."}
	}
	request.Header = header
	response, err := c.http.Do(request)
	if err != nil {
		return Reply{Problem: explain(err)}
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusSwitchingProtocols { // what follows has no end, and no deadline of ours
		return Reply{Status: response.StatusCode, Problem: "The receiver changed to another protocol, for which it was not asked."}
	}
	text, _ := io.ReadAll(io.LimitReader(response.Body, maxReply)) // the status is known, and decides
	return Reply{Status: response.StatusCode, Body: strings.ToValidUTF8(string(text), "\uFFFD"), RetryAfter: retryAfter(response.Header)}
}

// explain says why there was no reply. What the resolver or the network said beyond that is ours.
func explain(err error) string {
	var (
		dns  *net.DNSError
		cert *tls.CertificateVerificationError
	)
	switch {
	case errors.Is(err, ErrUnreachable):
		return "The host stands for an address that is not of the public internet. Nothing was sent."
	case errors.As(err, &dns) && !dns.IsTimeout:
		return "The host was not found."
	case errors.As(err, &cert):
		return fmt.Sprintf("The certificate was not accepted: %v.", cert.Err)
	case errors.Is(err, http.ErrSchemeMismatch):
		return "The receiver did not speak TLS."
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return fmt.Sprintf("There was no complete reply within %d seconds.", int(timeout/time.Second))
	case errors.Is(err, syscall.ECONNREFUSED):
		return "The connection was refused."
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "The receiver closed the connection before it replied."
	}
	return "There was no valid reply."
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}
