// Package infra is what the services of one machine stand on: an embedded NATS
// that syncs every write, the simulator in the place of the companies outside,
// and the key that all services share. The standalone program has it inside;
// services that are processes of their own share one process of it.
package infra

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"boardorder/deploy/simulator"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/bus/topology"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Config says where everything is kept and reached. An empty address is any
// free port of this machine.
type Config struct {
	DataDir   string
	NATSAddr  string
	NATSURL   string            // of a broker that runs elsewhere, with its topology; empty: one runs here
	HTTPAddr  string            // of the simulator
	SMTPAddr  string            // of the simulator
	PublicURL string            // of the API: where the simulator sends card notices
	FabPace   time.Duration     // how long the simulated fabricator leaves an order in each state; 0: the usual
	Env       map[string]string // what decides about the streams, as deploy/topology reads it
	Log       *zap.Logger
}

// Infra is the started infrastructure.
type Infra struct {
	cfg   Config
	nats  *server.Server
	token string // of the broker
	sim   *simulator.Simulator
	stop  context.CancelFunc
	group *errgroup.Group
}

// Start brings it up and returns once it serves. It stops when ctx ends.
func Start(ctx context.Context, cfg Config) (*Infra, error) {
	if cfg.Log == nil {
		cfg.Log = zap.NewNop()
	}
	i := &Infra{cfg: cfg}
	ctx, i.stop = context.WithCancel(ctx)
	i.group, ctx = errgroup.WithContext(ctx)
	if err := i.start(ctx); err != nil {
		return nil, errors.Join(err, i.Close())
	}
	return i, nil
}

func (i *Infra) start(ctx context.Context) error {
	if err := os.MkdirAll(i.cfg.DataDir, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if _, err := MasterKey(i.keyFile()); err != nil {
		return err
	}
	if i.cfg.NATSURL == "" {
		if err := i.startBroker(ctx); err != nil {
			return err
		}
	}
	sim, err := Simulator(i.cfg.DataDir, simulator.Config{
		Addr: i.cfg.HTTPAddr, SMTPAddr: i.cfg.SMTPAddr, FabPace: i.cfg.FabPace,
	}, i.cfg.PublicURL, i.cfg.Log)
	if err != nil {
		return err
	}
	i.sim = sim
	i.group.Go(func() error { return sim.Run(ctx) })
	return nil
}

func (i *Infra) keyFile() string { return filepath.Join(i.cfg.DataDir, "master.key") }

func (i *Infra) startBroker(ctx context.Context) (err error) {
	if i.token, err = BrokerToken(i.cfg.DataDir); err != nil {
		return err
	}
	cfg := embedded.Config{Dir: filepath.Join(i.cfg.DataDir, "nats"), Token: i.token}
	if err := listenAt(&cfg, i.cfg.NATSAddr); err != nil {
		return err
	}
	if i.nats, err = embedded.Start(cfg); err != nil {
		return err
	}
	topologyConfig, err := topology.ParseEnvironment(i.cfg.Env)
	if err != nil {
		return err
	}
	if err := topology.Ensure(ctx, bus.Config{InProcess: i.nats, URL: i.natsURL(), Name: "topology", Log: i.cfg.Log}, topologyConfig); err != nil {
		return fmt.Errorf("topology: %w", err)
	}
	return nil
}

// natsURL is where services reach the broker.
func (i *Infra) natsURL() string {
	if i.nats == nil {
		return i.cfg.NATSURL
	}
	return embedded.URL(i.nats, i.token)
}

// Wait blocks until the infrastructure has stopped, and says why if it was not
// asked to.
func (i *Infra) Wait() error { return i.group.Wait() }

// Close stops the infrastructure and waits for it.
func (i *Infra) Close() error {
	i.stop()
	err := i.group.Wait()
	if i.nats != nil {
		i.nats.Shutdown()
		i.nats.WaitForShutdown()
	}
	return err
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
