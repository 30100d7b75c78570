package accounts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract/accounts"
)

func TestParseNetworks(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range accounts.MaxNetworks + 1 {
		many = append(many, fmt.Sprintf("10.0.%d.0/24", i))
	}
	for text, want := range map[string]string{
		"": "", " , \n": "",
		"192.0.2.7":                            "192.0.2.7/32",
		"192.0.2.77/24, 192.0.2.0/24":          "192.0.2.0/24",
		"2001:DB8::1/32\n203.0.113.0/25":       "2001:db8::/32 203.0.113.0/25",
		"2001:db8::1":                          "2001:db8::1/128",
		"::ffff:192.0.2.7 ::ffff:10.0.0.0/104": "192.0.2.7/32 10.0.0.0/8",
		strings.Join(many[1:], ","):            strings.Join(many[1:], " "),
	} {
		got, err := accounts.ParseNetworks(text)
		if err != nil || strings.Join(got, " ") != want || got == nil {
			t.Errorf("ParseNetworks(%q) = %q, %v; want %q", text, got, err, want)
		}
		if again, err := accounts.ParseNetworks(strings.Join(got, ",")); err != nil || !slices.Equal(again, got) {
			t.Errorf("%q read again: %q, %v", got, again, err)
		}
	}
	for _, text := range []string{"office", "192.0.2.0/33", "192.0.2", "0.0.0.0/0", "::/0", "fe80::1%eth0", "::ffff:0:0/80", "::ffff:0.0.0.0/96", strings.Join(many, " ")} {
		if got, err := accounts.ParseNetworks(text); err == nil {
			t.Errorf("ParseNetworks(%q) = %q, want an error", text, got)
		}
	}
}

func TestKeyFrom(t *testing.T) {
	t.Parallel()
	bound := accounts.APIKey{Networks: []string{"192.0.2.0/24", "2001:db8:1::/48"}}
	for address, want := range map[string]bool{
		"192.0.2.1": true, "::ffff:192.0.2.255": true, "2001:db8:1:2::3": true,
		"192.0.3.1": false, "2001:db8:2::1": false, "::192.0.2.1": false, "": false, "pipe": false, "192.0.2.1:80": false,
	} {
		if got := bound.AllowsAddress(address); got != want {
			t.Errorf("AllowsAddress(%q) = %v, want %v", address, got, want)
		}
		if !(accounts.APIKey{}).AllowsAddress(address) {
			t.Errorf("a key without networks is refused from %q", address)
		}
	}
	if (accounts.APIKey{Networks: []string{"what is this"}}).AllowsAddress("192.0.2.1") {
		t.Error("a network that cannot be read lets in")
	}
}
