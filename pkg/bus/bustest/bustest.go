// Package bustest gives tests a real broker of their own, of one node or three.
package bustest

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/bus/topology"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// Start runs an embedded server with all streams and connects to it.
func Start(t testing.TB) *bus.Bus {
	t.Helper()
	return Connect(t, Server(t, topology.Config{}))
}

// Server runs an embedded server with all streams.
func Server(t testing.TB, cfg topology.Config) *server.Server {
	t.Helper()
	s, err := embedded.Start(embedded.Config{Dir: t.TempDir(), Port: -1, Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if err := topology.Ensure(t.Context(), bus.Config{InProcess: s, Name: "topology", Log: zap.NewNop()}, cfg); err != nil {
		t.Fatal(err)
	}
	return s
}

// Connect gives another connection to a server, as another replica has.
func Connect(t testing.TB, s *server.Server) *bus.Bus {
	t.Helper()
	b, err := bus.Connect(t.Context(), bus.Config{InProcess: s, Name: "test", Log: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

// DropBefore removes what a stream has before a sequence, as age does.
func DropBefore(t testing.TB, s *server.Server, stream string, seq uint64) {
	t.Helper()
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	of, err := js.Stream(t.Context(), stream)
	if err == nil {
		err = of.Purge(t.Context(), jetstream.WithPurgeSequence(seq))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Cluster runs three nodes with all streams on three replicas.
func Cluster(t testing.TB, cfg topology.Config) []*server.Server {
	t.Helper()
	const nodes = 3
	servers, err := startNodes(t, nodes)
	for tries := 1; err != nil && tries < 5; tries++ { // somebody else took an address that was free
		servers, err = startNodes(t, nodes)
	}
	if err != nil {
		t.Fatal(err)
	}
	WaitFor(t, "the cluster to have a leader", func() bool {
		for _, s := range servers {
			if s.JetStreamIsLeader() {
				return len(s.JetStreamClusterPeers()) == nodes
			}
		}
		return false
	})
	cfg.Replicas = nodes
	if err := topology.Ensure(t.Context(), bus.Config{InProcess: servers[0], Name: "topology", Log: zap.NewNop()}, cfg); err != nil {
		t.Fatal(err)
	}
	return servers
}

// startNodes starts so many nodes that know each other, or none.
func startNodes(t testing.TB, nodes int) (servers []*server.Server, err error) {
	t.Helper()
	addresses := make([]string, nodes)
	for i := range addresses {
		addresses[i] = freeAddress(t)
	}
	stop := func() {
		for _, s := range servers {
			s.Shutdown()
			s.WaitForShutdown()
		}
	}
	for i := range nodes {
		s, err := embedded.Start(embedded.Config{Dir: t.TempDir(), Port: 0, Lazy: true, Cluster: embedded.Cluster{
			Node: fmt.Sprint("node-", i), Host: addresses[i], Routes: addresses,
		}})
		if err != nil {
			stop()
			return nil, err
		}
		servers = append(servers, s)
	}
	t.Cleanup(stop)
	return servers, nil
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
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

// patience is how long a condition may take: no test fails for want of a processor.
const patience = 5 * time.Minute

// WaitFor waits for a condition that other goroutines bring about. It looks often at
// first, then ever more rarely, down to forty times a second: who looks takes the
// processor from those it waits for.
func WaitFor(t testing.TB, what string, ok func() bool) {
	t.Helper()
	const shortest, longest = time.Millisecond, 25 * time.Millisecond
	pause := shortest
	for end := time.Now().Add(patience); time.Now().Before(end); pause = min(pause*5/4, longest) {
		if ok() {
			return
		}
		time.Sleep(pause)
	}
	t.Fatalf("waited in vain for %s", what)
}
