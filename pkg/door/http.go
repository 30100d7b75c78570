package door

import (
	"context"
	"net"
	"net/http"
)

type connKey struct{}

// ConnContext lets Handler and Keep know the connection of a request: it belongs
// into [http.Server.ConnContext].
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	for {
		if held, ok := c.(*Conn); ok {
			return context.WithValue(ctx, connKey{}, held)
		}
		outer, ok := c.(interface{ NetConn() net.Conn })
		if !ok {
			return ctx
		}
		c = outer.NetConn()
	}
}

// Handler has a connection wait anew once a head came, and once h has answered it.
func Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if held, ok := r.Context().Value(connKey{}).(*Conn); ok {
			held.Progress()
			defer held.Wait()
		}
		h.ServeHTTP(w, r)
	})
}

// Keep has the connection of a request keep its place until it is answered:
// somebody known sent it.
func Keep(ctx context.Context) {
	if held, ok := ctx.Value(connKey{}).(*Conn); ok {
		held.Keep()
	}
}
