package web

import (
	"context"
	"time"
)

// maxUnasked is how much a client may send while it is answered and only has to listen.
const maxUnasked = 16 << 10

// WatchClient gives a context that ends once the client is gone, for a reply that goes on for long:
// a reply that is short finds that out by itself. To know it the connection is read, so it ends with the
// reply. release must be called when there is nothing more to send.
func (c *Call) WatchClient() (ctx context.Context, release func()) {
	c.Fiber.Context().SetConnectionClose()
	whole := c.body.finish() // nobody else reads from the connection from here on
	conn := c.Fiber.Context().Conn()
	if g, ok := conn.(*gentleConn); ok {
		conn = g.Conn // what comes is no request
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.ctx))
	if !whole {
		cancel()
	}
	_ = conn.SetReadDeadline(time.Time{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer cancel()
		var p [64]byte
		for left := maxUnasked; left > 0; {
			n, err := conn.Read(p[:])
			if left -= n; err != nil {
				return
			}
		}
	}()
	return ctx, func() {
		cancel()
		_ = conn.SetReadDeadline(time.Now())
		<-ended
	}
}
