// Package screening asks an external provider whether the recipient of an order is on
// a sanctions list. Which lists those are, and how alike names must be, is theirs.
package screening

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"boardorder/pkg/trace"
)

// Config says who is asked.
type Config struct {
	URL     string        // https, or http on this machine
	Token   string        // sent as a bearer; empty: none is
	Timeout time.Duration // of one question, the answer included; 0: 10 s
}

// Request is whom an order is for. An order that is asked about again is asked
// about under the same reference.
type Request struct {
	Reference    string   `json:"reference"` // the order's id
	Name         string   `json:"name"`
	Company      string   `json:"company"`
	Email        string   `json:"email"`
	AddressLines []string `json:"address_lines"`
	City         string   `json:"city"`
	State        string   `json:"state"`
	PostalCode   string   `json:"postal_code"`
	Country      string   `json:"country"` // ISO 3166-1 alpha-2
}

// Result is the answer.
type Result struct {
	Hit       bool   // people must look
	Reference string // theirs, for finding the case: 1 to 100 of A-Z a-z 0-9 . _ : -
}

// maxAnswer bounds an answer, in bytes.
const maxAnswer = 4 << 10

// reference leaves no room for names: it is kept longer than they are.
var reference = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,100}$`)

// Client asks. It is safe for concurrent use.
type Client struct {
	cfg  Config
	http *http.Client
}

// New makes a client; it asks nobody yet. The error does not show the address,
// which may hold what is secret.
func New(cfg Config) (*Client, error) {
	u, err := url.Parse(cfg.URL)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return nil, errors.New("it is no https address without a password, such as https://screening.example/check; http is for this machine only")
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = 10 * time.Second
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxResponseHeaderBytes = 64 << 10
	return &Client{cfg: cfg, http: &http.Client{
		Transport:     trace.Transport(t),
		Timeout:       cfg.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Close lets go of connections that wait for the next question.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Screen asks about a recipient. Whatever is not an answer exactly as agreed is an
// error, which holds nothing of the question or of the answer: either may name people.
func (c *Client) Screen(ctx context.Context, r Request) (Result, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return Result{}, errors.New("screening: the question cannot be written")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.cfg.URL, bytes.NewReader(body))
	if err != nil {
		return Result{}, errors.New("screening: the question cannot be sent")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if c.cfg.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.cfg.Token)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return Result{}, connectionError(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return Result{}, fmt.Errorf("screening: the answer has status %d", res.StatusCode)
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return Result{}, connectionError(err)
	case len(answer) > maxAnswer:
		return Result{}, fmt.Errorf("screening: the answer has more than %d bytes", maxAnswer)
	}
	return read(answer)
}

// read takes an answer of exactly two members: one more might take back what they say.
func read(answer []byte) (Result, error) {
	var a struct {
		Hit       *bool  `json:"hit"`
		Reference string `json:"reference"`
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if d.Decode(&a) != nil || a.Hit == nil || !reference.MatchString(a.Reference) {
		return Result{}, errors.New(`screening: the answer is not {"hit": true or false, "reference": "…"}`)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Result{}, errors.New("screening: the answer goes on after its end")
	}
	return Result{Hit: *a.Hit, Reference: a.Reference}, nil
}

// connectionError says what is wrong with the connection. Other errors may quote what was
// received, and all of them quote the address.
func connectionError(err error) error {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return errors.New("screening: no answer in time")
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("screening: no answer: %w", e)
	}
	if e, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fmt.Errorf("screening: no answer: %w", e)
	}
	return errors.New("screening: no answer")
}
