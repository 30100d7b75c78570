package web

import (
	"net"
	"net/netip"
	"testing"
)

func TestClientBehindProxies(t *testing.T) {
	t.Parallel()
	p, err := parseProxies([]string{"10.0.0.0/8", "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ remote, forwarded, want string }{
		"direct":                   {"203.0.113.9:1", "", "203.0.113.9"},
		"direct, lying":            {"203.0.113.9:1", "1.1.1.1", "203.0.113.9"},
		"one proxy":                {"10.1.2.3:1", "198.51.100.7", "198.51.100.7"},
		"client lies to the proxy": {"10.1.2.3:1", "1.1.1.1, 198.51.100.7", "198.51.100.7"},
		"two proxies":              {"10.1.2.3:1", "198.51.100.7, 192.0.2.1", "198.51.100.7"},
		"nonsense":                 {"10.1.2.3:1", "hello", "10.1.2.3"},
		"proxies only":             {"10.1.2.3:1", "10.9.9.9", "10.9.9.9"},
		"IPv4 in IPv6":             {"[::ffff:10.1.2.3]:1", "198.51.100.7", "198.51.100.7"},
	} {
		got := p.client(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(tt.remote)), tt.forwarded)
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	if _, err := parseProxies([]string{"everyone"}); err == nil {
		t.Error("a proxy that is no address was accepted")
	}
}

func TestPreferredWait(t *testing.T) {
	t.Parallel()
	for prefer, want := range map[string]int{
		"wait=10": 10, "respond-async, wait=0": 0, `wait="5"`: 5, "": -1, "wait=151": -1, "wait=-1": -1, "wait": -1, "waiting=3": -1,
	} {
		n, ok := preferredWait(prefer)
		if !ok {
			n = -1
		}
		if n != want {
			t.Errorf("preferredWait(%q) = %d, want %d", prefer, n, want)
		}
	}
}

func TestTakesGzip(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{"": false, "gzip": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "gzip; q=0": false, "x-gzip": false} {
		if got := takesGzip(accept); got != want {
			t.Errorf("takesGzip(%q) = %v", accept, got)
		}
	}
}
