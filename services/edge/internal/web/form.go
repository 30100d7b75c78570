package web

import (
	"io"
	"net/url"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/problem"
)

const maxForm = 64 << 10

// Form reads the body as a page's form, of at most 64 KB.
func (c *Call) Form() (url.Values, error) {
	if err := c.PlainBody(); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(c.body, maxForm+1))
	switch {
	case err != nil:
		return nil, problem.New(contract.InvalidRequest, "The form did not arrive completely.").Answering(400)
	case len(data) > maxForm:
		return nil, problem.New(contract.BodyTooLarge, "The form is too large.")
	}
	values, err := url.ParseQuery(string(data))
	if err != nil {
		return nil, problem.New(contract.InvalidRequest, "The form cannot be read.").Answering(400)
	}
	return values, nil
}

// HTML replies with a page under a content security policy of its own, packed
// where the client takes it. What an attacker can put into a page and a secret
// never stand in one reply to a request that another site can have made: the
// address itself is the secret.
func (c *Call) HTML(status int, policy string, page []byte) error {
	c.Set("Content-Security-Policy", policy)
	return c.Compress(status, "text/html; charset=utf-8", page)
}

// Compress replies with a body that is packed where the client takes it. See [Call.HTML] for
// when that is safe.
func (c *Call) Compress(status int, kind string, page []byte) error {
	c.Set("Vary", "Accept-Encoding")
	if takesGzip(c.Header("Accept-Encoding")) {
		if packed := packFast(page); packed != nil {
			c.Set("Content-Encoding", "gzip")
			page = packed
		}
	}
	return c.Bytes(status, kind, page)
}
