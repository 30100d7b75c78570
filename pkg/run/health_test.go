package run

import (
	"net"
	"net/http"
	"testing"

	"boardorder/pkg/door/doortest"

	"github.com/prometheus/client_golang/prometheus"
)

// TestHealthIsStrict: the port of health and metrics takes no message that can be
// understood in two ways.
func TestHealthIsStrict(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	ctx := t.Context()
	go func() { done <- serveHealth(ctx, l, prometheus.NewRegistry(), Deps{}) }()
	t.Cleanup(func() {
		if err := <-done; err != nil {
			t.Errorf("Health = %v", err)
		}
	})
	addr := l.Addr().String()
	for _, path := range []string{"/healthz", "/metrics"} {
		r, err := http.Get("http://" + addr + path)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("GET %s: %v, %v; want 200", path, r, err)
		}
		_ = r.Body.Close()
	}
	doortest.HoldAmbiguous(t, func(t *testing.T) net.Conn { return doortest.Dial(t, addr, 0, 0) })
}
