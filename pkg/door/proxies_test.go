package door_test

import (
	"strings"
	"testing"

	"boardorder/pkg/door"
)

func TestClientBehindProxies(t *testing.T) {
	t.Parallel()
	p, err := door.ParseProxies([]string{"10.0.0.0/8", "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ remote, forwarded, want string }{
		"direct":                   {"203.0.113.9:1", "", "203.0.113.9"},
		"direct, lying":            {"203.0.113.9:1", "1.1.1.1", "203.0.113.9"},
		"one proxy":                {"10.1.2.3:1", "198.51.100.7", "198.51.100.7"},
		"client lies to the proxy": {"10.1.2.3:1", "1.1.1.1, 198.51.100.7", "198.51.100.7"},
		"nothing of us":            {"pipe", "198.51.100.7", "pipe"},
		"two proxies":              {"10.1.2.3:1", "198.51.100.7, 192.0.2.1", "198.51.100.7"},
		"nonsense":                 {"10.1.2.3:1", "hello", "10.1.2.3"},
		"proxies only":             {"10.1.2.3:1", "10.9.9.9", "10.9.9.9"},
		"IPv4 in IPv6":             {"[::ffff:10.1.2.3]:1", "198.51.100.7", "198.51.100.7"},
	} {
		got := p.Client(tt.remote, strings.Split(tt.forwarded, ", "))
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	if _, err := door.ParseProxies([]string{"everyone"}); err == nil {
		t.Error("a proxy that is no address was accepted")
	}
}
