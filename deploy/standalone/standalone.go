// Package standalone is the whole system in one process: every service, an
// embedded NATS, the embedded stores and the simulator, all persistent under
// one folder. Real servers take the embedded ones' place one by one.
package standalone

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"boardorder/deploy/access"
	"boardorder/deploy/simulator"
	"boardorder/deploy/standalone/infra"
	blobopen "boardorder/pkg/blob/open"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/bus/topology"
	docopen "boardorder/pkg/projection/open"
	"boardorder/pkg/run"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Config says where the system keeps its data and where it is reached.
type Config struct {
	DataDir string
	Addr    string            // of the API and the checkout pages; port 0 = any free port
	Env     map[string]string // NATS_URL, MONGO_URI, S3_URL and all that the services read
	Log     *zap.Logger
	// LazySync leaves syncing of the embedded NATS to its interval: for tests
	// that do not cut the power.
	LazySync bool
}

// System is a started system.
type System struct {
	cfg      Config
	log      *zap.Logger
	metrics  *prometheus.Registry
	nats     *server.Server // nil with an outside one
	natsURL  string         // with the token that it asks for
	sim      *simulator.Simulator
	deps     run.Deps // of no service in particular
	listener net.Listener
	console  net.Listener
	stop     context.CancelFunc
	group    *errgroup.Group
	closing  sync.Mutex
	closers  []func()
	ready    Ready
}

// Start brings the system up and returns once it serves. It stops when ctx ends.
func Start(ctx context.Context, cfg Config) (*System, error) {
	if cfg.Log == nil {
		cfg.Log = zap.NewNop()
	}
	s := &System{cfg: cfg, log: cfg.Log, metrics: run.Registry()}
	ctx, s.stop = context.WithCancel(ctx)
	s.group, ctx = errgroup.WithContext(ctx)
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *System) start(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		s.openBroker, s.openStores, s.listen, s.startHealth, s.startSimulator, s.startServices, s.openDemoAccount, s.writeSample,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Wait blocks until the system has stopped, and says why if it was not asked to.
func (s *System) Wait() error { return s.group.Wait() }

// Close stops the system and waits for it.
func (s *System) Close() error {
	s.stop()
	err := s.group.Wait()
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.closers = nil
	return err
}

func (s *System) addCloser(f func()) {
	s.closing.Lock()
	defer s.closing.Unlock()
	s.closers = append(s.closers, f)
}

func (s *System) path(name string) string { return filepath.Join(s.cfg.DataDir, name) }

func (s *System) openBroker(ctx context.Context) error {
	if err := os.MkdirAll(s.cfg.DataDir, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if s.natsURL = s.cfg.Env["NATS_URL"]; s.natsURL != "" {
		return nil
	}
	token, err := infra.BrokerToken(s.cfg.DataDir)
	if err != nil {
		return err
	}
	broker, err := embedded.Start(embedded.Config{Dir: s.path("nats"), Token: token, Lazy: s.cfg.LazySync})
	if err != nil {
		return err
	}
	s.nats, s.natsURL = broker, embedded.URL(broker, token)
	s.addCloser(func() { broker.Shutdown(); broker.WaitForShutdown() })
	cfg, err := topology.ParseEnvironment(s.cfg.Env)
	if err != nil {
		return err
	}
	if err := topology.Ensure(ctx, bus.Config{InProcess: broker, URL: s.natsURL, Name: "topology", Log: s.log}, cfg); err != nil {
		return fmt.Errorf("topology: %w", err)
	}
	return nil
}

// verifyTimeout is how long the start waits for the streams of an outside broker.
const verifyTimeout = 30 * time.Second

// connect gives each service a connection of its own, as apart processes have.
func (s *System) connect(ctx context.Context, name string) (run.Deps, error) {
	cfg := bus.Config{
		URL: s.natsURL, Name: name, Log: s.log.Named(name),
		Metrics: prometheus.WrapRegistererWith(prometheus.Labels{"service": name}, s.metrics),
	}
	if s.nats != nil {
		cfg.InProcess = s.nats
	}
	b, err := bus.Connect(ctx, cfg)
	if err != nil {
		return run.Deps{}, err
	}
	s.addCloser(b.Close)
	limited, cancel := context.WithTimeout(ctx, verifyTimeout)
	defer cancel()
	if err := b.Verify(limited); err != nil {
		return run.Deps{}, err
	}
	d := s.deps
	d.Bus, d.Log, d.Metrics = b, cfg.Log, cfg.Metrics
	d.Docs, d.Blobs = access.Confine(name, d.Docs, d.Blobs) // as the stores of production would
	return d, nil
}

func (s *System) openStores(ctx context.Context) error {
	keys, err := infra.MasterKey(s.path("master.key"))
	if err != nil {
		return err
	}
	docs, err := docopen.Open(ctx, coalesce(s.cfg.Env["MONGO_URI"], "sqlite:"+s.path("projection.db")))
	if err != nil {
		return fmt.Errorf("MONGO_URI: %w", err)
	}
	s.addCloser(func() {
		if err := docs.Close(); err != nil {
			s.log.Warn("the document store did not close cleanly", zap.Error(err))
		}
	})
	blobs, err := blobopen.Open(ctx, coalesce(s.cfg.Env["S3_URL"], "file:"+s.path("files")))
	if err != nil {
		return fmt.Errorf("S3_URL: %w", err)
	}
	s.deps = run.Deps{Docs: docs, Blobs: blobs, Secrets: keys, Log: s.log, Now: time.Now}
	if s.deps, err = s.connect(ctx, "standalone"); err != nil {
		return err
	}
	return nil
}

// listen takes the ports before anything is said about them.
func (s *System) listen(context.Context) error {
	var err error
	if s.listener, err = net.Listen("tcp", s.cfg.Addr); err != nil {
		return fmt.Errorf("API address: %w", err)
	}
	s.console, err = net.Listen("tcp", coalesce(s.cfg.Env["CONSOLE_ADDR"], "127.0.0.1:0"))
	if err != nil {
		return fmt.Errorf("CONSOLE_ADDR: %w", err)
	}
	return nil
}

// startHealth serves health and metrics where METRICS_ADDR says; else nowhere: the
// program of one machine has nobody who asks.
func (s *System) startHealth(ctx context.Context) error {
	if addr := s.cfg.Env["METRICS_ADDR"]; addr != "" {
		s.goes(ctx, "health", run.Func(func(ctx context.Context) error { return run.Health(ctx, addr, s.metrics, s.deps) }))
	}
	return nil
}

func coalesce(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Simulator is the stand-in for the companies outside: its ledger and its faults.
func (s *System) Simulator() *simulator.Simulator { return s.sim }
