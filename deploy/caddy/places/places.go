// Package places has Caddy bound the connections that it holds, in all and by
// network, as pkg/door does it. A server is told so where its listener is set up:
//
//	listener_wrappers {
//		places {
//			all 6000
//			network 512
//			proxies 192.0.2.0/24
//		}
//		tls
//	}
//
// Proxies, if any, bring the connections of many and are no network. A connection is
// one request at a time, so the server speaks HTTP/1.1 alone: one of HTTP/2 is as
// many as its client likes, and HTTP/3 has no connections that could be counted here.
package places

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"

	"boardorder/pkg/door"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
)

func init() { caddy.RegisterModule(new(Places)) }

// Places are how many connections a server holds at once.
type Places struct {
	All     int      `json:"all,omitempty"`
	Network int      `json:"network,omitempty"`
	Proxies []string `json:"proxies,omitempty"`

	proxies door.Proxies
}

// CaddyModule names the module.
func (*Places) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "caddy.listeners.places", New: func() caddy.Module { return new(Places) }}
}

// UnmarshalCaddyfile reads the block above.
func (p *Places) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next()
	if d.NextArg() {
		return d.ArgErr()
	}
	numbers := map[string]*int{"all": &p.All, "network": &p.Network}
	for d.NextBlock(0) {
		name, args := d.Val(), d.RemainingArgs()
		number := numbers[name]
		switch {
		case name == "proxies":
			p.Proxies = append(p.Proxies, args...)
		case number == nil:
			return d.Errf("places knows no %s", name)
		case len(args) != 1:
			return d.ArgErr()
		default:
			var err error
			if *number, err = strconv.Atoi(args[0]); err != nil {
				return d.Errf("%s: %v", name, err)
			}
		}
	}
	return nil
}

// Provision has the server say what each connection does: before all of its routes
// stands one that does. What stands nowhere cannot be forgotten.
func (p *Places) Provision(ctx caddy.Context) (err error) {
	server, ok := ctx.Value(caddyhttp.ServerCtxKey).(*caddyhttp.Server)
	switch {
	case !ok:
		return errors.New("places are those of a server of HTTP")
	case p.All < 1 || p.Network < 1:
		return errors.New("places: all and network must be 1 or more")
	case server.ListenProtocols != nil || !slices.Equal(server.Protocols, []string{"h1"}):
		return errors.New("places: a place is one request, so protocols must be h1 alone")
	}
	if p.proxies, err = door.ParseProxies(p.Proxies); err != nil {
		return err
	}
	server.RegisterConnContext(connContext)
	server.Routes = append(caddyhttp.RouteList{{Handlers: []caddyhttp.MiddlewareHandler{relay{}}}}, server.Routes...)
	return nil
}

// WrapListener puts the bounds around a listener.
func (p *Places) WrapListener(ln net.Listener) net.Listener {
	return listener{door.Limit(ln, door.Bounds{All: p.All, Network: p.Network, Exempt: p.proxies.Trust})}
}

type listener struct{ *door.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return conn{c.(*door.Conn)}, nil
}

// conn is found again from its address: Caddy and TLS put connections of their own
// around it, which say nothing else of what is in them.
type conn struct{ *door.Conn }

func (c conn) RemoteAddr() net.Addr { return addr{c.Conn.RemoteAddr(), c.Conn} }

type addr struct {
	net.Addr
	of *door.Conn
}

func connContext(ctx context.Context, c net.Conn) context.Context {
	if a, ok := c.RemoteAddr().(addr); ok {
		return door.ConnContext(ctx, a.of)
	}
	return ctx
}

// relay says of each request when it has come, and when its reply begins.
type relay struct{}

func (relay) ServeHTTP(w http.ResponseWriter, r *http.Request, next caddyhttp.Handler) (err error) {
	r.Body = clientBody{r.Body}
	door.Relay(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err = next.ServeHTTP(w, r)
	})).ServeHTTP(w, r)
	return err
}

// clientBody is a body whose end before its time is its client's doing. Caddy takes it
// for a failure of the server behind, and would leave that alone for a while: whoever
// breaks requests off would have all of them left alone.
type clientBody struct{ io.ReadCloser }

func (b clientBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %w", context.Canceled, err)
	}
	return n, err
}

var (
	_ caddy.Provisioner     = (*Places)(nil)
	_ caddy.ListenerWrapper = (*Places)(nil)
	_ caddyfile.Unmarshaler = (*Places)(nil)
)
