package mcp

import (
	"bytes"
	"context"
	"net/http"

	"boardorder/services/edge/internal/web"
)

// sessionHeader has what a client before 2026-07-28 was told to send with each message.
const sessionHeader = "Mcp-Session-Id"

// request is a call as the SDK reads it, from net/http, without the key, which the SDK does not
// need, and the session, of which it has none.
func request(ctx context.Context, c *web.Call) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, path, bytes.NewReader(c.Text()))
	if err != nil {
		return nil, err
	}
	c.Fiber.Request().Header.VisitAll(func(name, value []byte) { r.Header.Add(string(name), string(value)) })
	for _, name := range []string{"Authorization", "X-API-Key", sessionHeader} {
		r.Header.Del(name)
	}
	return r, nil
}

// A writer holds a reply until it is whole.
type writer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) { w.status = status }

func (w *writer) Write(p []byte) (int, error) { return w.body.Write(p) }

// Flush does nothing: see [writer].
func (w *writer) Flush() {}
