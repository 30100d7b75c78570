package door

import "net/netip"

// Network is what one client can easily have all addresses of: an address of IPv4,
// or a network of IPv6 of 64 bits.
func Network(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits) // none of no address
	return p
}

// NetworkName names the network of an address, which is the address itself where that
// stands alone. What is no address stands for itself.
func NetworkName(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	p := Network(a)
	if p.IsSingleIP() {
		return p.Addr().String()
	}
	return p.String()
}
