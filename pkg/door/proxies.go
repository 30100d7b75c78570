package door

import (
	"fmt"
	"net/netip"
	"strings"
)

// Proxies are the networks whose word about a client's address is believed.
type Proxies []netip.Prefix

// ParseProxies reads addresses and networks.
func ParseProxies(list []string) (Proxies, error) {
	var out Proxies
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

// Trust reports whether an address is a proxy's.
func (p Proxies) Trust(a netip.Addr) bool {
	for _, n := range p {
		if n.Contains(a.Unmap()) {
			return true
		}
	}
	return false
}

// Client is the address that a request came from whose connection is of remote, an
// address with a port: the last one in X-Forwarded-For that is no proxy of ours. What
// stands further left is what the client itself claims. What is no address stands for
// itself.
func (p Proxies) Client(remote string, forwarded []string) string {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	addr := at.Addr().Unmap()
	if !p.Trust(addr) {
		return addr.String()
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		if addr = hop.Unmap(); !p.Trust(addr) {
			break
		}
	}
	return addr.String()
}
