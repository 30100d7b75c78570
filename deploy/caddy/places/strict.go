package places

import (
	"net"

	"boardorder/pkg/door/strict"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
)

func init() { caddy.RegisterModule(Strict{}) }

// Strict has a server refuse messages whose end can be understood in two ways, as the
// edges do: Caddy itself takes one with both Content-Length and Transfer-Encoding. It
// stands after tls, because it reads requests:
//
//	listener_wrappers {
//		tls
//		strict
//	}
type Strict struct{}

// maxHead is beyond what servers here take (max_header_size 8KB, and what Go adds).
const maxHead = 16 << 10

// CaddyModule names the module.
func (Strict) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "caddy.listeners.strict", New: func() caddy.Module { return new(Strict) }}
}

// UnmarshalCaddyfile reads the word above, which takes nothing.
func (Strict) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next()
	if d.NextArg() || d.NextBlock(0) {
		return d.ArgErr()
	}
	return nil
}

// WrapListener has connections guarded.
func (Strict) WrapListener(ln net.Listener) net.Listener {
	return strict.Guard{Listener: ln, MaxHead: maxHead}
}
