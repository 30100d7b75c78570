package door_test

import (
	"testing"

	"boardorder/pkg/door"
)

func TestNetworkName(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"2001:db8:1:2::1": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64", "pipe": "pipe",
	} {
		if got := door.NetworkName(address); got != want {
			t.Errorf("NetworkName(%s) = %s, want %s", address, got, want)
		}
	}
}
