package console_test

import (
	"net"
	"strings"
	"testing"

	"boardorder/pkg/door/doortest"
)

// TestAmbiguousIsRefused: what can be understood in two ways is answered once, with 400.
func TestAmbiguousIsRefused(t *testing.T) {
	t.Parallel()
	w := start(t)
	doortest.HoldAmbiguous(t, func(t *testing.T) net.Conn { return doortest.Dial(t, strings.TrimPrefix(w.url, "http://"), 0, 0) })
}
