package accounts

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// MaxNetworks bounds how many networks a key may be bound to.
const MaxNetworks = 32

// AllowsAddress reports whether the key may be used from an address. A key that is bound
// to networks is used from nowhere while the address cannot be told.
func (k APIKey) AllowsAddress(address string) bool {
	if len(k.Networks) == 0 {
		return true
	}
	a, err := netip.ParseAddr(address)
	if err != nil {
		return false
	}
	a = a.Unmap().WithZone("")
	return slices.ContainsFunc(k.Networks, func(n string) bool {
		p, err := netip.ParsePrefix(n)
		return err == nil && p.Contains(a)
	})
}

// ParseNetworks reads what stands between commas and white space: addresses and
// networks in CIDR notation. It gives them in one spelling, each once; none is
// an empty list. The error is made to be shown.
func ParseNetworks(text string) ([]string, error) {
	out := []string{}
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }) {
		n, err := network(s)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	if len(out) > MaxNetworks {
		return nil, fmt.Errorf("a key is bound to %d networks at most", MaxNetworks)
	}
	return out, nil
}

// network is the one spelling of a network: an address stands for itself alone,
// and an IPv4 network is written as such also where it came as IPv6.
func network(s string) (string, error) {
	none := fmt.Errorf("%.60q is no network; one looks like 192.0.2.0/24 or 2001:db8::/32", s)
	if a, err := netip.ParseAddr(s); err == nil {
		if a.Zone() != "" {
			return "", none
		}
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()).String(), nil
	}
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return "", none
	}
	if p.Addr().Is4In6() {
		if p.Bits() < 96 {
			return "", none
		}
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	if p.Bits() == 0 {
		return "", fmt.Errorf("%s is everywhere; a key that is bound to no network may be used from everywhere", s)
	}
	return p.Masked().String(), nil
}
