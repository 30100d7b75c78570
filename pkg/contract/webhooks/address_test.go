package webhooks_test

import (
	"net/netip"
	"strings"
	"testing"

	"boardorder/pkg/contract/webhooks"
)

// TestCheckURL: which addresses an endpoint may have, and that loopback is for one machine alone.
func TestCheckURL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		url             string
		usual, loopback bool
	}{
		{"https://example.com/hooks", true, true},
		{"https://example.com:443/hooks?tenant=7", true, true},
		{"https://sub.example.com:8443", true, true},
		{"https://93.184.216.34/hooks", true, true},
		{"https://[2606:2800:220:1::1]/hooks", true, true},
		{"http://example.com/hooks", false, false},
		{"ftp://example.com/hooks", false, false},
		{"https://example.com:8080/hooks", false, false},
		{"https://example.com:22/hooks", false, false},
		{"https://user:pass@example.com/hooks", false, false},
		{"https://example.com/hooks#top", false, false},
		{"https://example.com/hooks#", false, false},
		{"https://exa mple.com/", false, false},
		{"example.com/hooks", false, false},
		{"https:///hooks", false, false},
		{"", false, false},
		{"https://localhost/hooks", false, true},
		{"https://LOCALHOST./hooks", false, true},
		{"http://127.0.0.1:9000/hooks", false, true},
		{"http://[::1]:9000/hooks", false, true},
		{"http://[::ffff:127.0.0.1]/hooks", false, true},
		{"https://10.0.0.1/hooks", false, false},
		{"https://169.254.169.254/latest/meta-data", false, false},
		{"https://[::ffff:10.0.0.1]/", false, false},
		{"https://[fd00:ec2::254]/", false, false},
		{"https://EXAMPLE.com./hooks", true, true},
		{"https://xn--bcher-kva.example.com/", true, true},
		{"https://1.example.com/", true, true},
		{"https://" + strings.Repeat("a", 63) + ".com/", true, true},
		{"https://" + strings.Repeat("a", 64) + ".com/", false, false},
		{"https://" + strings.Repeat("a.", 126) + "com/", false, false},
		{"https://a..b/", false, false},
		{"https://.example.com/", false, false},
		{"https://example.com../", false, false},
		{"https://example.com:/", false, false},
		{"https://example.com:0443/", false, false},
		{"https://-a.example.com/", false, false},
		{"https://a-.example.com/", false, false},
		{"https://a_b.example.com/", false, false},
		{"https://a*b.example.com/", false, false},
		{"https://a,b.example.com/", false, false},
		{"https://bücher.example.com/", false, false},
		{"https://１２７.0.0.1/", false, false},
		{"https://ex%61mple.com/", false, false},
		{"https://example%2ecom/", false, false},
		{"https://[::1/", false, false},
		{"https://[example.com]/", false, false},
		{"http://127..0.1/", false, false},
		{"https://127.1/hooks", false, false},
		{"https://0x7f000001/hooks", false, false},
		{"https://2130706433/hooks", false, false},
		{"https://0177.0.0.1/hooks", false, false},
		{"https://nats/hooks", false, false},
		{"https://nats.default.svc.cluster.local/hooks", false, false},
		{"https://metadata.google.internal/", false, false},
	} {
		for loopback, want := range map[bool]bool{false: tt.usual, true: tt.loopback} {
			if err := webhooks.CheckURL(tt.url, loopback); (err == nil) != want {
				t.Errorf("CheckURL(%q, loopback %t) = %v, want it taken: %t", tt.url, loopback, err, want)
			}
		}
	}
}

// TestMayReach: connections are made to the public internet alone, however an address is written.
func TestMayReach(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"1.1.1.1 93.184.216.34 100.63.255.255 172.15.0.1 172.32.0.1 192.167.1.1 223.255.255.255 2606:4700::1111 2a00:1450::1 2001:4860:4860::8888": true,
		"0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.8.8.8 169.254.169.254 172.16.0.1 172.31.255.255 192.168.0.1":            false,
		"192.0.0.8 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 168.63.129.16":       false,
		":: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 64:ff9b::a00:1 64:ff9b:1::1 100::1":                            false,
		"2002:7f00:1:: 2002:a00:1:: 2001:0:a00:1:: 2001:db8::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 3fff::1 4000::1":                      false,
		"fe80::1%eth0 2606:4700::1111%eth0": false,
	} {
		for one := range strings.FieldsSeq(text) {
			if got := webhooks.MayReach(netip.MustParseAddr(one), false); got != want {
				t.Errorf("MayReach(%s) = %t, want %t", one, got, want)
			}
		}
	}
	for text, want := range map[string]bool{"127.0.0.1": true, "::1": true, "::ffff:127.0.0.1": true, "10.0.0.1": false, "169.254.169.254": false, "::127.0.0.1": false} {
		if got := webhooks.MayReach(netip.MustParseAddr(text), true); got != want {
			t.Errorf("MayReach(%s, with loopback) = %t, want %t", text, got, want)
		}
	}
	if webhooks.MayReach(netip.Addr{}, true) {
		t.Error("MayReach(no address) = true, want false")
	}
}
