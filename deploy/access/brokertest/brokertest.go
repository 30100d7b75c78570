// Package brokertest runs the broker of tests as production has it: with the users
// and permissions of deploy/nats and all that the topology makes.
package brokertest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/topology"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/zap"
)

// Password is that of every user.
const Password = "k0123456789abcdef"

// A Broker runs until its test ends.
type Broker struct{ Addr string } // host:port

// Start runs a broker with the file that Compose and Kubernetes give theirs, below the
// repository's root, and makes all streams, consumers and buckets as the topology's
// user. passwords are the environment variables by which that file has the users'
// passwords; all are set to [Password].
func Start(t testing.TB, root string, passwords []string) Broker {
	t.Helper()
	for _, name := range passwords {
		if err := os.Setenv(name, Password); err != nil { // the same for all tests, which may run side by side
			t.Fatal(err)
		}
	}
	o, err := server.ProcessConfigFile(filepath.Join(root, "deploy", "nats", "nats.conf"))
	if err != nil {
		t.Fatal(err)
	}
	o.Host, o.Port, o.HTTPPort, o.StoreDir = "127.0.0.1", server.RANDOM_PORT, 0, t.TempDir()
	o.NoSigs, o.NoLog, o.SyncAlways = true, true, false
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the broker is not ready")
	}
	b := Broker{s.Addr().String()}
	if err := topology.Ensure(t.Context(), b.Config("topology"), topology.Config{Parts: map[string]int{}}); err != nil {
		t.Fatalf("the topology's user cannot make the topology: %v", err)
	}
	return b
}

// URL is where a user connects to.
func (b Broker) URL(user string) string { return "nats://" + user + ":" + Password + "@" + b.Addr }

// Config is how a program connects as a user.
func (b Broker) Config(user string) bus.Config {
	return bus.Config{URL: b.URL(user), Name: user, Log: zap.NewNop()}
}
