package outside

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"boardorder/pkg/circuit"
	"boardorder/pkg/provider"
	"boardorder/pkg/trace"
)

// answerCap bounds what is read of any answer.
const answerCap = 8 << 20

// Config says how a supplier is called. Zero values mean the defaults.
type Config struct {
	Source    string        // as errors name it
	Timeout   time.Duration // of one call; 10 s
	Parallel  int           // calls at a time; 4
	Quota     Quota         // nil: none
	TripAfter uint32        // failures in a row that open the circuit; 5
	TripFor   time.Duration // how long it stays open; 30 s
	Secrets   []string      // never to be written
	Transport http.RoundTripper
}

// A Client calls one supplier. It is safe for concurrent use.
type Client struct {
	cfg     Config
	http    *http.Client
	slots   chan struct{}
	breaker *circuit.Breaker[Reply]
	redact  *strings.Replacer
}

// A Reply is a supplier's answer, read whole.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// errCallerLeft marks a call that ended because nobody waits for it any more: no
// fault of the supplier's.
var errCallerLeft = errors.New("the caller left")

// New makes a client.
func New(cfg Config) *Client {
	setDefault(&cfg.Timeout, 10*time.Second)
	setDefault(&cfg.Parallel, 4)
	setDefault(&cfg.TripAfter, 5)
	setDefault(&cfg.TripFor, 30*time.Second)
	if cfg.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = cfg.Parallel
		cfg.Transport = t
	}
	c := &Client{
		cfg:   cfg,
		http:  &http.Client{Transport: trace.Transport(cfg.Transport), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		slots: make(chan struct{}, cfg.Parallel),
	}
	var pairs []string
	for _, s := range cfg.Secrets {
		if s != "" {
			pairs = append(pairs, s, "•••", url.QueryEscape(s), "•••")
		}
	}
	c.redact = strings.NewReplacer(pairs...)
	c.breaker = circuit.New[Reply](circuit.Settings{
		Company: cfg.Source, Kind: provider.PartsSupplier, TripAfter: cfg.TripAfter, TripFor: cfg.TripFor,
		Healthy: func(err error) bool { return err == nil || KindOf(err) == OverQuota },
		Ignored: func(err error) bool { return errors.Is(err, errCallerLeft) },
	})
	return c
}

func setDefault[T comparable](v *T, d T) {
	if *v == *new(T) {
		*v = d
	}
}

// Do makes one call, counted against the quota. A reply of status 5xx is an
// error; what other replies mean is the caller's to judge, and judge says so: its
// error counts against the supplier's health.
func (c *Client) Do(ctx context.Context, req *http.Request, judge func(Reply) error) (Reply, error) {
	if c.breaker.Open() {
		return Reply{}, c.open(nil)
	}
	if err := c.count(ctx); err != nil { // waits as long as the caller does
		return Reply{}, err
	}
	parent := ctx
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	if err := c.enter(ctx); err != nil {
		return Reply{}, err
	}
	defer func() { <-c.slots }()
	reply, err := c.breaker.Do(func() (Reply, error) {
		reply, err := c.roundTrip(req.WithContext(ctx))
		if err == nil && judge != nil {
			err = judge(reply)
		}
		if err != nil && parent.Err() != nil {
			err = errors.Join(err, errCallerLeft)
		}
		return reply, err
	})
	if circuit.IsOpen(err) {
		err = c.open(err)
	}
	return reply, err
}

// open is the error while the circuit is open.
func (c *Client) open(err error) error {
	return &Error{Source: c.cfg.Source, Kind: Unavailable, Message: "it failed again and again and is not called for a while", RetryAfter: c.cfg.TripFor, Err: err}
}

func (c *Client) enter(ctx context.Context) error {
	select {
	case c.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return c.Fail(Unavailable, "too many calls are under way", ctx.Err())
	}
}

func (c *Client) count(ctx context.Context) error {
	if c.cfg.Quota == nil {
		return nil
	}
	if wait, ok := c.cfg.Quota.Take(ctx); !ok {
		c.breaker.Exhaust(wait)
		return &Error{Source: c.cfg.Source, Kind: OverQuota, Message: "our calls are used up", RetryAfter: wait}
	}
	return nil
}

func (c *Client) roundTrip(req *http.Request) (Reply, error) {
	res, err := c.http.Do(req)
	if err != nil {
		return Reply{}, c.Fail(Unavailable, "no answer", err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, answerCap+1))
	if err != nil {
		return Reply{}, c.Fail(Unavailable, "a torn answer", err)
	}
	if len(body) > answerCap {
		return Reply{}, c.Fail(InvalidAnswer, "an endless answer", nil)
	}
	r := Reply{res.StatusCode, res.Header, body}
	switch {
	case r.Status == http.StatusTooManyRequests:
		return r, c.RecordLimit(circuit.RetryAfter(r.Header, time.Now(), 24*time.Hour), "too many requests")
	case r.Status == http.StatusUnauthorized:
		return r, c.Fail(Refused, "our credentials are refused", nil)
	}
	return r, nil
}

// RecordLimit is the error for a supplier that says that our calls are used up: it
// is left alone for so long, a minute where it does not say.
func (c *Client) RecordLimit(wait time.Duration, message string) error {
	setDefault(&wait, time.Minute)
	c.breaker.Exhaust(wait)
	if c.cfg.Quota != nil {
		c.cfg.Quota.Exhaust(wait)
	}
	return &Error{Source: c.cfg.Source, Kind: OverQuota, Message: c.clean(message), RetryAfter: wait}
}

// Fail makes an error of this supplier, without secrets.
func (c *Client) Fail(k Kind, message string, err error) error {
	e := &Error{Source: c.cfg.Source, Kind: k, Message: c.clean(message)}
	if err != nil {
		e.Err = redacted{c.clean(err.Error()), err}
	}
	return e
}

// Status is the error for a reply of an unexpected status. Secrets are taken out before the
// reply is cut: of one that is cut through, the rest would stand in the error.
func (c *Client) Status(r Reply) error {
	return c.Fail(Unavailable, fmt.Sprintf("status %d: %.200s", r.Status, c.clean(string(r.Body))), nil)
}

func (c *Client) clean(text string) string { return c.redact.Replace(text) }

// redacted is an error whose text was cleaned; what it wraps can still be told.
type redacted struct {
	text string
	err  error
}

func (r redacted) Error() string        { return r.text }
func (r redacted) Is(target error) bool { return errors.Is(r.err, target) }
