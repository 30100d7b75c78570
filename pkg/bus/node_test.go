package bus_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/zap"
)

// A lost connection costs nobody who waits, and nobody waits for those who do.
func TestConsumingGoesOnAfterALostConnection(t *testing.T) {
	t.Parallel()
	srv := bustest.Server(t, topology.Config{})
	b := bustest.Connect(t, srv)
	waiting, live := make(chan struct{}, 2), make(chan struct{})
	other := contract.CommandName{Service: "upload", Verb: "live"}
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Parallel: 1, Handlers: flow.Handlers{
			name: func(context.Context, contract.Command) error {
				waiting <- struct{}{}
				return flow.Snooze(time.Hour, errors.New("not yet"))
			},
			other: func(context.Context, contract.Command) error { close(live); return nil },
		}})
	})
	if err := b.Send(t.Context(), command("waits")); err != nil {
		t.Fatal(err)
	}
	<-waiting
	disconnect(t, srv)
	c := command("live")
	c.Name = other
	bustest.WaitFor(t, "the connection to be there again", func() bool { return b.Send(t.Context(), c) == nil })
	<-live
}

// disconnect ends all connections at the server.
func disconnect(t *testing.T, srv *server.Server) {
	t.Helper()
	all, err := srv.Connz(&server.ConnzOptions{})
	if err != nil || len(all.Conns) == 0 {
		t.Fatalf("%d connections, %v", len(all.Conns), err)
	}
	for _, c := range all.Conns {
		if err := srv.DisconnectClientByID(c.Cid); err != nil {
			t.Fatal(err)
		}
	}
}

// A node that is cut off from those who lead keeps its connections; they leave it.
func TestLeavesANodeThatIsCutOff(t *testing.T) {
	t.Parallel()
	alone := startNode(t, embedded.Cluster{Node: "alone", Host: "127.0.0.1:" + freePort(t), Routes: []string{"127.0.0.1:1"}})
	whole := startNode(t, embedded.Cluster{})
	if err := topology.Ensure(t.Context(), bus.Config{InProcess: whole, Name: "topology", Log: zap.NewNop()}, topology.Config{}); err != nil {
		t.Fatal(err)
	}
	var all []*bus.Bus
	for range 6 { // each begins at either of the two
		b, err := bus.Connect(t.Context(), bus.Config{URL: alone.ClientURL() + "," + whole.ClientURL(), Name: "test", Log: zap.NewNop()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		all = append(all, b)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, b := range all {
		if err := b.Verify(ctx); err != nil {
			t.Errorf("verify: %v", err)
		}
	}
}

func startNode(t *testing.T, c embedded.Cluster) *server.Server {
	t.Helper()
	s, err := embedded.Start(embedded.Config{Dir: t.TempDir(), Lazy: true, Cluster: c})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strings.TrimPrefix(l.Addr().String(), "127.0.0.1:")
}
