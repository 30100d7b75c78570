// Package client orders printed circuit boards at a Board Ordering Service.
//
//	c, err := client.New("https://api.example.com", os.Getenv("BOARD_API_KEY"))
//	upload, err := c.UploadFolder(ctx, "hardware")
//	quote, err := c.Quote(ctx, client.QuoteRequest{UploadID: upload.UploadID, Quantity: 10, StandardForUnstated: true})
//	fmt.Println(quote.Total, quote.CheckoutURL)
//
// A call that fails gives an *Error, whose Class and Code say why; what may pass is
// tried again first, under one Idempotency-Key. Amounts are integers of the smallest
// unit of their currency. Types of requests and replies are the interface's own;
// /docs of the service describes them.
package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxReply bounds what is read of a reply, in bytes.
const maxReply = 64 << 20

// A Client calls one service with one key. It may be used by many goroutines at once.
type Client struct {
	base      *url.URL
	key       string
	http      *http.Client
	retries   int
	agent     string
	plainHTTP bool
	sleep     func(context.Context, time.Duration) error
}

// An Option changes how a Client works.
type Option func(*Client)

// HTTPClient has h carry the requests. Its redirects are not followed.
func HTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// Retries says how often a call that failed is tried again: 2 unless it is said.
func Retries(n int) Option { return func(c *Client) { c.retries = n } }

// UserAgent names the program that calls.
func UserAgent(name string) Option { return func(c *Client) { c.agent = name } }

// PlainHTTP allows an address without TLS that is not this machine's. The key can then
// be read on the way.
func PlainHTTP() Option { return func(c *Client) { c.plainHTTP = true } }

// New makes a client of the service at address, with an API key (`bo_live_…`, or
// `bo_test_…` to try things out).
func New(address, key string, options ...Option) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil {
		return nil, fmt.Errorf("client: the address of the service: %w", err)
	}
	c := &Client{base: base, key: strings.TrimSpace(key), http: &http.Client{Transport: transport()}, retries: 2, agent: "boardorder-go", sleep: sleep}
	for _, o := range options {
		o(c)
	}
	switch {
	case base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" || base.Scheme != "https" && base.Scheme != "http":
		return nil, fmt.Errorf("client: the address of the service is like https://api.example.com, not %q", base.Redacted())
	case base.Scheme == "http" && !c.plainHTTP && !loopback(base.Hostname()):
		return nil, fmt.Errorf("client: %s has no TLS, and the key could be read on the way", base)
	case c.key == "" || strings.ContainsFunc(c.key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("client: an API key is needed, such as bo_test_…")
	}
	carrier := *c.http
	carrier.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.http = &carrier
	return c, nil
}

// transport waits longer for a reply than the service ever takes.
func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	t.ResponseHeaderTimeout = 4 * time.Minute
	return t
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A CallOption changes one call.
type CallOption func(*call)

// IdempotencyKey names what a call makes, for 24 hours, so that the call can be made
// again by another process. Without it each call has a random one.
func IdempotencyKey(key string) CallOption { return func(c *call) { c.idempotencyKey = key } }

// Raw keeps the body of the last reply as it came, that of a refusal too.
func Raw(body *json.RawMessage) CallOption { return func(c *call) { c.raw = body } }

// TellProgress is told, in words, how far a call is that takes long.
func TellProgress(tell func(Progress)) CallOption { return func(c *call) { c.progress = tell } }

// Progress is how far a call is.
type Progress struct {
	Text    string        // a sentence of the service
	Elapsed time.Duration // since the call was taken in
}

// A call is one request, however often it is sent.
type call struct {
	method, path   string
	query          url.Values
	body           []byte
	contentType    string
	idempotencyKey string
	raw            *json.RawMessage
	progress       func(Progress)
}

// reply is what came of a call.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// Do calls path ("/v1/capabilities") with body as JSON, unless it is nil, and reads the
// reply into out, unless that is nil. It is what all other calls are made of, for what
// they leave out.
func (c *Client) Do(ctx context.Context, method, path string, query url.Values, body, out any, options ...CallOption) error {
	_, err := c.do(ctx, method, path, query, body, out, options)
	return err
}

func (c *Client) do(ctx context.Context, method, path string, query url.Values, body, out any, options []CallOption) (*reply, error) {
	k := &call{method: method, path: path, query: query}
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("client: %w", err)
		}
		k.body, k.contentType = text, "application/json"
	}
	return c.run(ctx, k, out, options)
}

func (c *Client) run(ctx context.Context, k *call, out any, options []CallOption) (*reply, error) {
	for _, o := range options {
		o(k)
	}
	switch {
	case k.method == http.MethodGet:
		k.idempotencyKey = ""
	case k.method == http.MethodPost && k.idempotencyKey == "":
		k.idempotencyKey = newUUID()
	}
	r, err := c.try(ctx, k)
	if r != nil && k.raw != nil {
		*k.raw = r.body
	}
	if err != nil {
		return r, err
	}
	return r, r.decode(out)
}

// try sends k until it is answered for good.
func (c *Client) try(ctx context.Context, k *call) (*reply, error) {
	for attempt := 1; ; attempt++ {
		r, err := c.send(ctx, k)
		if err == nil {
			return r, nil
		}
		var e *Error
		if ctx.Err() != nil || !errors.As(err, &e) {
			return r, err
		}
		wait, again := retryDelay(k.method, k.idempotencyKey != "", attempt, c.retries, e)
		if !again {
			return r, err
		}
		if c.sleep(ctx, wait) != nil {
			return r, err
		}
	}
}

func (c *Client) send(ctx context.Context, k *call) (*reply, error) {
	address := *c.base
	address.Path, address.RawPath = "", ""
	target := address.String() + c.base.Path + k.path
	if len(k.query) > 0 {
		target += "?" + k.query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, k.method, target, bytes.NewReader(k.body))
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	maps.Copy(request.Header, http.Header{"X-Api-Key": {c.key}, "User-Agent": {c.agent}, "Accept": {"application/json"}})
	if k.contentType != "" {
		request.Header.Set("Content-Type", k.contentType)
	}
	if k.idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", k.idempotencyKey)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, newConnectionError(err)
	}
	defer response.Body.Close()
	r := &reply{status: response.StatusCode, header: response.Header}
	r.body, err = io.ReadAll(io.LimitReader(response.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, newConnectionError(err)
	case len(r.body) > maxReply:
		return nil, &Error{Class: Protocol, Status: r.status, RequestID: r.header.Get("Request-Id"), Message: "the reply is larger than any of this service"}
	case r.status < 200 || r.status > 299:
		return r, newError(r.status, r.header, r.body)
	}
	return r, nil
}

func (r *reply) decode(out any) error {
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(r.body, out); err != nil {
		return &Error{Class: Protocol, Status: r.status, RequestID: r.header.Get("Request-Id"), Message: "the reply is not what this service answers", cause: err}
	}
	return nil
}

// seconds is a whole number of seconds that a header says, or -1.
func seconds(text string) int {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && n >= 0 {
		return n
	}
	return -1
}

// newUUID is a random UUID, version 4.
func newUUID() string {
	var b [16]byte
	rand.Read(b[:]) //nolint:errcheck // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
