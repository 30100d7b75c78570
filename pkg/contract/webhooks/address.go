package webhooks

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Ports are those that endpoints are reached at.
var Ports = []string{"443", "8443"}

// CheckURL says what is wrong with an endpoint's address, in words for its owner. What its name
// stands for is looked at again whenever a connection is made ([MayReach]). With loopback,
// which only a system on one machine has, receivers on that machine pass too, also without TLS.
func CheckURL(text string, loopback bool) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "" || strings.ContainsAny(text, " \t\n\"'<>`\\^{|}"):
		return fmt.Errorf("url is the address of your receiver, such as https://example.com/webhooks")
	case u.User != nil:
		return fmt.Errorf("url names a user or a password, which is not sent: check the signature instead")
	case u.Fragment != "" || strings.HasSuffix(text, "#"):
		return fmt.Errorf("url has a part after #, which is never sent")
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	address, isAddress := netip.ParseAddr(host)
	switch {
	case isAddress != nil && !isHostName(host), strings.HasSuffix(u.Host, ":"):
		return fmt.Errorf("url names no host: that is a name of letters, digits and hyphens between full stops, such as example.com, one in another script as xn--…, or an IP address")
	case loopback && (u.Scheme == "http" || u.Scheme == "https") && isLoopbackName(host):
		return nil
	}
	switch {
	case u.Scheme != "https":
		return fmt.Errorf("url begins with https://: events are sent by TLS only")
	case !slices.Contains(Ports, u.Port()) && u.Port() != "":
		return fmt.Errorf("url has port %s; endpoints are reached at port 443 or 8443", u.Port())
	case isAddress == nil && !MayReach(address, false), isAddress != nil && isPrivateName(host):
		return fmt.Errorf("url names an address that cannot be reached from the internet")
	}
	return nil
}

// isHostName tells names that a name server can have an address of (RFC 1123).
func isHostName(host string) bool {
	if len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	return true
}

func isLoopbackName(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.Unmap().IsLoopback()
}

// isPrivateName tells names that stand for nothing in the internet, and numbers in a spelling
// that some resolvers take for an address (127.1, 0x7f000001, 2130706433).
func isPrivateName(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	number := last != "" && (strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x"))
	return number || !strings.Contains(host, ".") || slices.Contains([]string{"localhost", "local", "internal", "intranet", "home", "lan", "corp", "test", "invalid", "example", "onion", "arpa"}, last)
}

// unreachable are the networks that no endpoint is reached in: those of RFC 6890 and after, and
// with them where clouds keep their metadata.
var unreachable = func() []netip.Prefix {
	var out []netip.Prefix
	for _, text := range strings.Fields(`
		0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
		192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
		168.63.129.16/32
		::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20`) {
		out = append(out, netip.MustParsePrefix(text))
	}
	return out
}()

// MayReach reports whether a connection to an address may be made: only the public part of the
// internet, by IPv4 or IPv6. A mapped address is judged as the IPv4 address that it is; other
// forms that stand for one (NAT64, 6to4, Teredo) are not reached. With loopback, this machine is.
func MayReach(a netip.Addr, loopback bool) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	if loopback && a.Unmap().IsLoopback() {
		return true
	}
	a = a.Unmap()
	return !slices.ContainsFunc(unreachable, func(p netip.Prefix) bool { return p.Contains(a) })
}
