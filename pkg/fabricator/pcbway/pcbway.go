// Package pcbway asks PCBWay's partner API for prices. Orders are placed there by hand.
//
// It is unproven: written from the API's public help pages (api-partner.pcbway.com/Help,
// POST api/Pcb/PcbQuotation) and from an open client of it (nabheet/pcbway-mcp-server, MIT),
// and has met the real service nowhere. What these do not tell is not guessed: a board that
// needs it is fabricator.Review with that reason. Orders are not placed by it, since no page
// tells of a reference of ours by which an order could be found again after its outcome was
// lost: Place marks them Manual, as a price table does.
//
// Amounts are taken as US dollars and weights as grams, as the client shows them; the pages
// name neither unit.
package pcbway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"boardorder/pkg/circuit"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/provider"
	"boardorder/pkg/trace"
)

// Config says where the API is and who we are there.
type Config struct {
	Name      string // public, as metrics name it
	URL       string // https://host
	APIKey    string
	PerSecond float64       // calls; 2
	Timeout   time.Duration // of one call; 20 s
	PriceTTL  time.Duration // how long a price holds; 60 s
	Now       func() time.Time
	Transport http.RoundTripper // nil: the usual one
}

// A Client asks the API. It is safe for concurrent use.
type Client struct {
	cfg     Config
	base    *url.URL
	http    *http.Client
	bucket  *rate.Limiter
	breaker *circuit.Breaker[quotation]
}

const (
	tripAfter = 5 // failures in a row
	tripFor   = 15 * time.Second
	// responseCap is more than an answer of the documented form holds, in bytes.
	responseCap = 1 << 20
)

// New checks the configuration and returns a client. It calls nobody.
func New(cfg Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(cfg.URL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" {
		return nil, errors.New("the API's URL is no http(s) address")
	}
	if cfg.APIKey == "" || strings.ContainsAny(cfg.APIKey, "\r\n") {
		return nil, errors.New("the API key is missing or malformed")
	}
	if cfg.PerSecond <= 0 {
		cfg.PerSecond = 2
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = 20 * time.Second
	}
	if cfg.PriceTTL <= 0 {
		cfg.PriceTTL = time.Minute
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Transport == nil {
		cfg.Transport = http.DefaultTransport
	}
	c := &Client{
		cfg: cfg, base: base, bucket: rate.NewLimiter(rate.Limit(cfg.PerSecond), max(1, int(2*cfg.PerSecond))),
		http: &http.Client{
			Transport:     trace.Transport(cfg.Transport),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	c.breaker = circuit.New[quotation](circuit.Settings{
		Company: cfg.Name, Kind: provider.Fabricator, TripAfter: tripAfter, TripFor: tripFor,
		Healthy: func(err error) bool { return err == nil || fabricator.KindOf(err) != fabricator.Unavailable },
		Ignored: func(err error) bool { return errors.Is(err, context.Canceled) },
	})
	return c, nil
}

// ask sends one request for a price.
func (c *Client) ask(ctx context.Context, in request) (quotation, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	if err := c.bucket.Wait(ctx); err != nil {
		return quotation{}, &fabricator.Error{Kind: fabricator.Unavailable, Message: "our own limit of calls is used up", RetryAfter: time.Second, Err: err}
	}
	q, err := c.breaker.Do(func() (quotation, error) { return c.exchange(ctx, in) })
	if circuit.IsOpen(err) {
		return q, &fabricator.Error{Kind: fabricator.Unavailable, Message: "it failed again and again, so it is left alone for a while", RetryAfter: tripFor, Err: err}
	}
	return q, err
}

func (c *Client) exchange(ctx context.Context, in request) (quotation, error) {
	var q quotation
	body, err := json.Marshal(in)
	if err != nil {
		return q, &fabricator.Error{Kind: fabricator.Internal, Message: "encode the request", Err: err}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.JoinPath("/api/Pcb/PcbQuotation").String(), bytes.NewReader(body))
	if err != nil {
		return q, &fabricator.Error{Kind: fabricator.Internal, Message: "build the request", Err: err}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("api-key", c.cfg.APIKey)
	res, err := c.http.Do(req)
	if err != nil {
		return q, &fabricator.Error{Kind: fabricator.Unavailable, Message: "no answer", Err: err}
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, responseCap))
	if err != nil {
		return q, &fabricator.Error{Kind: fabricator.Unavailable, Message: "a torn answer", Err: err}
	}
	return judge(res.StatusCode, answer)
}

// judge believes an answer only if it is of the documented form and says that it is well.
func judge(status int, answer []byte) (quotation, error) {
	var q quotation
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return q, &fabricator.Error{Kind: fabricator.Internal, Message: fmt.Sprintf("it refuses our key with %d", status), Code: status}
	case status != http.StatusOK:
		return q, &fabricator.Error{Kind: fabricator.Unavailable, Message: fmt.Sprintf("status %d", status), Code: status}
	}
	if err := json.Unmarshal(answer, &q); err != nil {
		return q, &fabricator.Error{Kind: fabricator.Unavailable, Message: "no answer of the documented form", Err: err}
	}
	switch q.Status {
	case "ok":
		return q, nil
	case "error": // which of its errors mean what is not documented
		return q, &fabricator.Error{Kind: fabricator.Review, Message: q.ErrorText, Code: q.Code, Reasons: []string{"The fabricator gives no automatic price for this board."}}
	}
	return q, &fabricator.Error{Kind: fabricator.Unavailable, Message: fmt.Sprintf("an answer of status %.40q", q.Status)}
}
