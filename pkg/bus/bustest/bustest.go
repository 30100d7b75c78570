// Package bustest gives tests a real broker of their own.
package bustest

import (
	"context"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/embedded"

	"go.uber.org/zap"
)

// Start runs an embedded server with all streams and connects to it.
func Start(t testing.TB) *bus.Bus {
	t.Helper()
	s, err := embedded.Start(embedded.Config{Dir: t.TempDir(), Port: -1, Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	b, err := bus.Connect(t.Context(), bus.Config{InProcess: s, Name: "test", Log: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

// Go runs f until the test ends and waits for it. An error fails the test.
func Go(t testing.TB, f func(context.Context) error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// Until waits for a condition that other goroutines bring about.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("waited in vain for %s", what)
}
