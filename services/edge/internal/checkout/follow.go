package checkout

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

// followTime is how long one stream of changes lasts; the browser opens the next.
// It is shorter than the server's limit for a reply.
const followTime = 45 * time.Second

// follow answers GET /checkout/{quote_id}/events: server-sent events, one each
// time the order has changed. They say that it changed and nothing of what.
func (p *Pages) follow(c *web.Call) error {
	s, err := p.read(c)
	if err != nil {
		return err
	}
	if s.order == nil {
		return problem.New(contract.NotFound, "There is no order yet.")
	}
	w := p.Waiters.Join(wait.Subject{Of: contract.OrderAggregate, ID: s.ref})
	if w == nil {
		return problem.New(contract.Unavailable, "Too many pages are being followed just now.")
	}
	c.Set("Content-Type", "text/event-stream")
	c.Set("X-Accel-Buffering", "no") // proxies pass each event on
	c.Fiber.Status(http.StatusOK)
	seen, ctx := mark(s.order), context.WithoutCancel(c.Context())
	c.Fiber.Context().SetBodyStreamWriter(func(out *bufio.Writer) {
		defer w.Leave()
		p.stream(ctx, out, w, s.ref, seen)
	})
	return nil
}

// stream writes an event for each change, and something now and then, so that a
// connection whose browser has gone is noticed.
func (p *Pages) stream(ctx context.Context, out *bufio.Writer, w *wait.Waiter, ref, seen string) {
	_, _ = out.WriteString("retry: 3000\n\n")
	if out.Flush() != nil {
		return
	}
	end := time.Now().Add(followTime)
	_, _ = w.Await(ctx, time.Until(end), func(ctx context.Context) (bool, error) {
		order, found, err := outcome.Read[orders.Order](ctx, p.Docs, string(contract.OrderAggregate), ref)
		line := ": still here\n\n"
		if err == nil && found {
			if now := mark(&order); now != seen {
				seen, line = now, "data: changed\n\n"
			}
		}
		_, _ = out.WriteString(line)
		return out.Flush() != nil, nil
	})
}

// mark distinguishes an order from what it was before.
func mark(o *orders.Order) string {
	data, err := json.Marshal(o)
	if err != nil {
		return ""
	}
	return contract.DeriveID(string(data))
}
