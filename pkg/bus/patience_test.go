package bus_test

import (
	"net"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/embedded"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

func TestSetUpWaitsForTheBroker(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := broker(t, embedded.Config{Dir: dir, Lazy: true})
	core, logs := observer.New(zap.WarnLevel)
	b, err := bus.Connect(t.Context(), bus.Config{URL: first.ClientURL(), Name: "test", Log: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	port := first.Addr().(*net.TCPAddr).Port
	first.Shutdown()
	first.WaitForShutdown()
	done := make(chan error, 1)
	go func() { done <- b.Ensure(t.Context()) }()
	bustest.Until(t, "a word about waiting", func() bool { return logs.FilterMessage("the broker is waited for").Len() > 0 })
	broker(t, embedded.Config{Dir: dir, Lazy: true, Port: port})
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := b.Ready(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSetUpStopsAtARefusal(t *testing.T) {
	t.Parallel()
	s := broker(t, embedded.Config{Dir: t.TempDir(), Lazy: true})
	b, err := bus.Connect(t.Context(), bus.Config{URL: s.ClientURL(), Name: "test", Log: zap.NewNop(), Replicas: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.Ensure(t.Context()); err == nil {
		t.Error("a single server keeps three replicas")
	}
	if _, err := b.Bucket(t.Context(), bus.BucketConfig{Name: "no bucket", TTL: time.Hour}); err == nil {
		t.Error("a bucket has a name with a blank")
	}
}

func broker(t *testing.T, cfg embedded.Config) *server.Server {
	t.Helper()
	s, err := embedded.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}
