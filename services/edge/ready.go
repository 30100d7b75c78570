package edge

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

const (
	readyTimeout = 3 * time.Second
	readyFor     = time.Second // an answer is good for this long: anyone may ask
)

// readiness asks broker and stores whether they answer.
type readiness struct {
	deps Deps

	mu  sync.Mutex
	at  time.Time
	err error
}

func (r *readiness) check(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.deps.Now(); now.Sub(r.at) >= readyFor {
		ctx, cancel := context.WithTimeout(ctx, readyTimeout)
		defer cancel()
		r.err = errors.Join(r.deps.Bus.Ready(ctx), r.deps.Docs.Ping(ctx), r.deps.Blobs.Ping(ctx))
		r.at = r.deps.Now()
	}
	return r.err
}

// ready answers GET /readyz.
func (r *readiness) ready(c *web.Call) error {
	if err := r.check(c.Context()); err != nil {
		return problem.Unavailable(err)
	}
	return c.JSON(http.StatusOK, map[string]bool{"ok": true})
}
