package infra

import (
	"context"
	"fmt"
	"net"
	"strconv"

	"boardorder/pkg/bus/embedded"
)

// Node is one node of a broker of several, a process of its own. Its topology is
// applied from outside.
type Node struct {
	Cluster embedded.Cluster
	DataDir string
	Addr    string // for clients
	Token   string // what every client must know; empty: nothing
	Monitor string // serves /healthz: 200 once everything that it stores is current
}

// RunNode runs a node until ctx ends.
func RunNode(ctx context.Context, n Node) error {
	cfg := embedded.Config{Dir: n.DataDir, Token: n.Token, Monitor: n.Monitor, Cluster: n.Cluster}
	if err := listenAt(&cfg, n.Addr); err != nil {
		return err
	}
	s, err := embedded.Start(cfg)
	if err != nil {
		return err
	}
	<-ctx.Done()
	s.Shutdown()
	s.WaitForShutdown()
	return nil
}

// listenAt sets where a broker listens for clients; empty is any free port.
func listenAt(cfg *embedded.Config, addr string) error {
	if addr == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("address of NATS: %w", err)
	}
	if cfg.Port, err = strconv.Atoi(port); err != nil {
		return fmt.Errorf("address of NATS: %w", err)
	}
	cfg.Host = host
	return nil
}
