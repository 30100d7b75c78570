package edge

import (
	"context"
	"errors"
	"net/http"
	"time"

	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

const readyPatience = 3 * time.Second

// ready answers GET /readyz: whether broker and stores answer.
func (e *Edge) ready(c *web.Call) error {
	ctx, cancel := context.WithTimeout(c.Context(), readyPatience)
	defer cancel()
	d := e.deps
	if err := errors.Join(d.Bus.Ready(ctx), d.Docs.Ping(ctx), d.Blobs.Ping(ctx)); err != nil {
		return problem.Unavailable(err)
	}
	return c.JSON(http.StatusOK, map[string]bool{"ok": true})
}
