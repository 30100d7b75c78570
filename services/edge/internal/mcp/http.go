package mcp

import (
	"bytes"
	"context"
	"net/http"

	"boardorder/services/edge/internal/web"
)

// request is a call as the SDK reads it, from net/http, without the key: the SDK needs none.
func request(ctx context.Context, c *web.Call) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, path, bytes.NewReader(c.Text()))
	if err != nil {
		return nil, err
	}
	c.Fiber.Request().Header.VisitAll(func(name, value []byte) { r.Header.Add(string(name), string(value)) })
	r.Header.Del("Authorization")
	r.Header.Del("X-API-Key")
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
