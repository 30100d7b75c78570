package web

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// proxies are the networks whose word about the client's address is believed.
type proxies []netip.Prefix

func parseProxies(list []string) (proxies, error) {
	var out proxies
	for _, s := range list {
		if addr, err := netip.ParseAddr(s); err == nil {
			out = append(out, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, fmt.Errorf("trusted proxy %q is no address or network", s)
		}
		out = append(out, p.Masked())
	}
	return out, nil
}

func (p proxies) trust(a netip.Addr) bool {
	for _, n := range p {
		if n.Contains(a.Unmap()) {
			return true
		}
	}
	return false
}

// client is the address that the request came from: the last one in
// X-Forwarded-For that is no proxy of ours. What stands further left is what
// the client itself claims.
func (p proxies) client(remote net.Addr, forwarded string) string {
	at, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return remote.String()
	}
	addr := at.Addr().Unmap()
	if !p.trust(addr) {
		return addr.String()
	}
	hops := strings.Split(forwarded, ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		if addr = hop.Unmap(); !p.trust(addr) {
			break
		}
	}
	return addr.String()
}

// Address is where a call came from.
func (s *Server) Address(c *Call) string {
	ctx := c.Fiber.Context()
	forwarded := bytes.Join(ctx.Request.Header.PeekAll("X-Forwarded-For"), []byte(","))
	if len(forwarded) > 0 && len(s.proxies) == 0 {
		s.noProxy.Do(func() {
			s.cfg.Log.Warn("requests name the client that they are forwarded for, but TRUSTED_PROXIES is empty: all count as one client")
		})
	}
	return s.proxies.client(ctx.RemoteAddr(), string(forwarded))
}
