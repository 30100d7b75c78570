// Package embedded runs a NATS server with JetStream inside this process, for
// the standalone program, for local work and for tests. Every write is synced.
package embedded

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/bus/embedded/internal/index"

	"github.com/nats-io/nats-server/v2/server"
)

// Config says where the server keeps its data and listens.
type Config struct {
	Dir  string // of the streams
	Host string // 127.0.0.1 unless set
	Port int    // 0 = any free port, -1 = none: in-process connections only
	// Token is what every connection must know, also one in-process; "" = none.
	Token string
	// Lazy leaves syncing to the server's interval. A power cut may lose what was
	// acknowledged; only for tests that do not care.
	Lazy bool
	// Cluster makes the server one node of several.
	Cluster Cluster
}

// Cluster is what the nodes of a cluster know of each other.
type Cluster struct {
	Node   string   // name of this one; empty: there is no cluster
	Host   string   // where it listens for the others, host:port
	Routes []string // where all of them listen, host:port
}

func (c Cluster) set(opts *server.Options) error {
	if c.Node == "" {
		return nil
	}
	var err error
	if opts.Cluster.Host, opts.Cluster.Port, err = split(c.Host); err != nil {
		return err
	}
	opts.ServerName, opts.Cluster.Name = c.Node, "boardorder"
	for _, route := range c.Routes {
		opts.Routes = append(opts.Routes, &url.URL{Scheme: "nats", Host: route})
	}
	return nil
}

func split(addr string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, err
	}
	port, err = strconv.Atoi(text)
	return host, port, err
}

// MaxPayload bounds one message. The largest are readings of uploads with thousands of files.
const MaxPayload = 8 << 20

// maxStore is how much the limits of all streams may come to. What they take is
// bounded by STREAM_MAX_BYTES; the server shall not bound it a second time.
const maxStore = 4 << 40

// URL is how a server is reached, with the token that it asks for.
func URL(s *server.Server, token string) string {
	if token == "" {
		return s.ClientURL()
	}
	return strings.Replace(s.ClientURL(), "://", "://"+token+"@", 1)
}

// Start runs a server until its Shutdown is called.
func Start(cfg Config) (*server.Server, error) {
	opts := &server.Options{
		ServerName: "boardorder", Host: "127.0.0.1", Port: cfg.Port, JetStream: true, StoreDir: cfg.Dir,
		Authorization: cfg.Token, NoSigs: true, NoLog: true, MaxPayload: MaxPayload,
		SyncAlways: !cfg.Lazy, DisableJetStreamBanner: true,
		JetStreamMaxStore: maxStore, JetStreamMaxMemory: 256 << 20,
		WriteDeadline: 10 * time.Second, LameDuckGracePeriod: 10 * time.Second, LameDuckDuration: 30 * time.Second, // as production's
	}
	if cfg.Host != "" {
		opts.Host = cfg.Host
	}
	switch cfg.Port {
	case 0:
		opts.Port = server.RANDOM_PORT
	case -1:
		opts.DontListen = true
	}
	if err := cfg.Cluster.set(opts); err != nil {
		return nil, fmt.Errorf("embedded nats: %w", err)
	}
	if cfg.Cluster.Node == "" {
		index.AdvanceAll(cfg.Dir) // after a kill
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, fmt.Errorf("embedded nats: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("embedded nats: not ready after 10 s (store %s)", cfg.Dir)
	}
	return s, nil
}
