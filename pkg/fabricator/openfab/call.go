package openfab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"boardorder/pkg/circuit"
	"boardorder/pkg/fabricator"
)

// errCallerLeft marks a call that ended because whoever wanted it went away:
// no fault of the fabricator's.
var errCallerLeft = errors.New("the caller left")

// A request is one call before it is sent.
type request struct {
	path    string
	body    io.Reader
	signed  []byte // what is signed of body
	kind    string // content type
	length  int64  // of body; -1 when it is not known
	timeout time.Duration
	create  bool // a failure after sending leaves the outcome unknown
}

const apiRoot = "/overseas/openapi/"

// post sends in as JSON and decodes the reply's data into out.
func (c *Client) post(ctx context.Context, path string, in, out any) error {
	return c.postAs(ctx, path, in, out, false)
}

func (c *Client) postAs(ctx context.Context, path string, in, out any, create bool) error {
	body, err := json.Marshal(in)
	if err != nil {
		return &fabricator.Error{Kind: fabricator.Internal, Message: "encode " + path, Err: err}
	}
	return c.exchange(ctx, request{
		path: path, body: bytes.NewReader(body), signed: body, length: int64(len(body)),
		kind: "application/json", timeout: c.cfg.Timeout, create: create,
	}, out)
}

// exchange sends one request through the bucket, the slots and the breaker, and
// decodes what comes back.
func (c *Client) exchange(ctx context.Context, r request, out any) error {
	parent := ctx
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer func() { <-c.slots }()
	data, err := c.breaker.Do(func() ([]byte, error) {
		data, err := c.roundTrip(ctx, r)
		if err != nil && parent.Err() != nil {
			return nil, errors.Join(err, errCallerLeft)
		}
		return data, err
	})
	if circuit.IsOpen(err) {
		return &fabricator.Error{
			Kind: fabricator.Unavailable, Message: "it failed again and again, so it is left alone for a while",
			RetryAfter: c.cfg.TripFor, Err: err,
		}
	}
	if err != nil {
		return err
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(data, out); err != nil {
		return r.doubt("its answer to "+r.path+" is of another form", err)
	}
	return nil
}

// enter waits for a token and a slot. Giving up here means nothing was sent.
func (c *Client) enter(ctx context.Context) error {
	if err := c.bucket.Wait(ctx); err != nil {
		return &fabricator.Error{Kind: fabricator.Unavailable, Message: "our own limit of calls is used up", RetryAfter: time.Second, Err: err}
	}
	select {
	case c.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return &fabricator.Error{Kind: fabricator.Unavailable, Message: "too many calls are under way", RetryAfter: time.Second, Err: ctx.Err()}
	}
}

// roundTrip returns the data of a reply that says success.
func (c *Client) roundTrip(ctx context.Context, r request) ([]byte, error) {
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	req, err := c.newRequest(ctx, r)
	if err != nil {
		return nil, &fabricator.Error{Kind: fabricator.Internal, Message: "build " + r.path, Err: err}
	}
	res, err := c.http.Do(req)
	if err != nil {
		r.create = r.create && sent.Load()
		return nil, r.doubt("no answer to "+r.path, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, responseCap+1))
	if err != nil {
		return nil, r.doubt("a torn answer to "+r.path, err)
	}
	if len(body) > responseCap {
		return nil, r.doubt("an endless answer to "+r.path, nil)
	}
	return r.judge(res, body, circuit.RetryAfter(res.Header, c.cfg.Now(), longestWait))
}

func (c *Client) newRequest(ctx context.Context, r request) (*http.Request, error) {
	u := c.base.JoinPath(apiRoot, r.path)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), r.body)
	if err != nil {
		return nil, err
	}
	req.ContentLength = r.length
	if !r.create && r.length >= 0 {
		// Marks it as safe to send again on a connection that turns out to be
		// dead; being empty, the header itself is not sent.
		req.Header["Idempotency-Key"] = nil
	}
	req.Header.Set("Content-Type", r.kind)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", c.sign.header(req.Method, apiRoot+r.path, r.signed, c.cfg.Now(), newNonce()))
	return req, nil
}

// envelope is around every answer. Production progress is known to come under
// "date".
type envelope struct {
	Code    *int            `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
	Date    json.RawMessage `json:"date"`
}

// judge gives the data of an answer that says success. wait is how long the
// fabricator asks to be left alone.
func (r request) judge(res *http.Response, body []byte, wait time.Duration) ([]byte, error) {
	trace := res.Header.Get("J-Trace-ID")
	switch {
	case res.StatusCode == http.StatusTooManyRequests:
		return nil, &fabricator.Error{Kind: fabricator.Unavailable, Message: "too many requests", RetryAfter: wait, Code: 429, Trace: trace}
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		return nil, &fabricator.Error{Kind: fabricator.Internal, Message: fmt.Sprintf("it refuses our credentials or permissions with %d", res.StatusCode), Code: res.StatusCode, Trace: trace}
	case res.StatusCode >= 300 && res.StatusCode < 400, res.StatusCode >= 500:
		err := r.doubt(fmt.Sprintf("status %d to %s", res.StatusCode, r.path), nil)
		err.Trace, err.RetryAfter = trace, wait
		return nil, err
	}
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil || e.Code == nil {
		d := r.doubt(fmt.Sprintf("no JSON of the documented form (status %d) to %s", res.StatusCode, r.path), err)
		d.Trace = trace
		return nil, d
	}
	if *e.Code != 200 {
		return nil, r.refusal(*e.Code, e.Message, trace)
	}
	if len(e.Data) == 0 && len(e.Date) > 0 {
		return e.Date, nil
	}
	return e.Data, nil
}

// doubt is a failure to get a trustworthy answer.
func (r request) doubt(message string, err error) *fabricator.Error {
	kind := fabricator.Unavailable
	if r.create {
		kind = fabricator.Unknown
	}
	return &fabricator.Error{Kind: kind, Message: message, Err: err}
}

// longestWait bounds how long the fabricator is left alone at its word.
const longestWait = 10 * time.Minute

// unhealthy reports whether err counts against the fabricator's health.
func unhealthy(err error) bool {
	if err == nil {
		return false
	}
	k := fabricator.KindOf(err)
	return k == fabricator.Unavailable || k == fabricator.Unknown
}
