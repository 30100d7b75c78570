package bus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
)

// Config says where the broker is.
type Config struct {
	URL       string                     // nats://host:port[,…]; unused with InProcess
	InProcess nats.InProcessConnProvider // an embedded server, reached without a socket
	Name      string                     // of the service, shown by the server
	Creds     string                     // path of a credentials file, or empty
	TLS       TLS                        // roots and client certificate; unused with InProcess
	Log       *zap.Logger                // required
	Metrics   prometheus.Registerer      // may be nil
	Now       func() time.Time           // time.Now unless a test says otherwise
}

// DefaultAckWait is how long the work of a process that died, or a message that was
// lost with a connection, waits for another delivery. It must be less than the five
// seconds that a request may wait for an orderly restart of a broker: what its consumer
// has put down as delivered as the leader moves is not always sent. With a heartbeat
// each third of it nothing needs more; who is given what another still works on, as
// after an election that took all beats, finds what was done.
const DefaultAckWait = 4500 * time.Millisecond

// Bus is a connection to the broker. It implements aggregate.Core.
type Bus struct {
	nc         *nats.Conn
	js         jetstream.JetStream
	cfg        Config
	log        *zap.Logger
	metrics    *metrics
	clock      clock
	now        func() time.Time
	layout     layout
	publishers publishers
	loads      shared[*jetstream.RawStreamMsg]
	wakes      *wakes
	attempts   *Bucket // nil before Verify
	health     health
	link       *link
	hand       hand
	clustered  bool           // the broker has several nodes
	responses  sync.WaitGroup // under way until they are confirmed
}

// Connect reaches the broker and waits for it until ctx ends. Afterwards the
// connection is kept up for ever. Verify must follow before anything else.
func Connect(ctx context.Context, cfg Config) (*Bus, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	b := &Bus{cfg: cfg, log: cfg.Log, metrics: newMetrics(cfg.Metrics), link: newLink()}
	b.hand.held, b.hand.now = map[*delivery]*InHand{}, cfg.Now
	if cfg.Metrics != nil {
		cfg.Metrics.MustRegister(&b.hand)
	}
	nc, err := dial(ctx, cfg,
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			b.link.noteLoss()
			logDisconnect(cfg.Log, err)
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			b.link.noteRestore()
			logReconnect(cfg.Log)
		}),
		nats.LameDuckModeHandler(func(nc *nats.Conn) { go b.leave(nc) }),
	)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("jetstream: %w", err)
	}
	b.clock.local, b.now = cfg.Now, b.clock.read
	b.nc, b.js, b.wakes, b.clustered = nc, js, newWakes(nc), nc.ConnectedClusterName() != ""
	go b.watchNode()
	return b, nil
}

// Dial reaches the broker, as often as it takes until ctx ends.
func Dial(ctx context.Context, cfg Config) (*nats.Conn, error) { return dial(ctx, cfg) }

func dial(ctx context.Context, cfg Config, more ...nats.Option) (*nats.Conn, error) {
	opts, err := options(cfg)
	if err != nil {
		return nil, err
	}
	opts = append(opts, more...)
	message := ""
	for {
		nc, err := nats.Connect(cfg.URL, opts...)
		if err == nil {
			return nc, nil
		}
		if err.Error() != message {
			message = err.Error()
			cfg.Log.Warn("waiting for the broker", zap.Error(err))
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("NATS_URL: connect to broker: %w", err)
		case <-time.After(200*time.Millisecond + rand.N(100*time.Millisecond)):
		}
	}
}

func options(cfg Config) ([]nats.Option, error) {
	opts := append(inbox(cfg.URL),
		nats.Name(cfg.Name), nats.MaxReconnects(-1), nats.ReconnectWait(250*time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 200*time.Millisecond),
		nats.RetryOnFailedConnect(false), nats.PingInterval(20*time.Second), nats.IgnoreAuthErrorAbort(),
		nats.ReconnectBufSize(-1), // a publish while disconnected fails at once; its caller tries again
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { logDisconnect(cfg.Log, err) }),
		nats.ReconnectHandler(func(*nats.Conn) { logReconnect(cfg.Log) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			cfg.Log.Warn("the connection to the broker reported an error", zap.Error(err))
		}),
	)
	if cfg.InProcess != nil {
		return append(opts, nats.InProcessServer(cfg.InProcess)), nil
	}
	if cfg.Creds != "" {
		opts = append(opts, nats.UserCredentials(cfg.Creds))
	}
	secure, err := cfg.TLS.options()
	return append(opts, secure...), err
}

func logDisconnect(log *zap.Logger, err error) {
	if err != nil { // nil: we are leaving
		log.Warn("broker disconnected", zap.Error(err))
	}
}

func logReconnect(log *zap.Logger) { log.Info("broker reconnected") }

// Ready reports whether the broker answers and everything that this process
// consumes is being consumed.
func (b *Bus) Ready(ctx context.Context) error {
	if _, err := b.js.AccountInfo(ctx); err != nil {
		return fmt.Errorf("broker: %w", err)
	}
	return b.health.err()
}

// Close drains what is under way and leaves.
func (b *Bus) Close() {
	defer b.responses.Wait() // those that nobody confirmed end with the connection
	confirmed, done := make(chan struct{}), make(chan struct{})
	go func() { b.responses.Wait(); close(confirmed) }()
	select {
	case <-confirmed:
	case <-time.After(closeTimeout):
	}
	b.nc.SetClosedHandler(func(*nats.Conn) { close(done) })
	if b.nc.Drain() != nil {
		b.nc.Close()
		return
	}
	select {
	case <-done:
	case <-time.After(closeTimeout):
		b.nc.Close()
	}
}

// closeTimeout bounds each of what Close waits for: that answers are confirmed, and that
// what is under way is handled.
const closeTimeout = 5 * time.Second

// Kill ends the connection as the death of the process does: nothing is given
// back. For tests.
func (b *Bus) Kill() { b.nc.Close() }

// health is what this process consumes, and whether it still does.
type health struct {
	mu      sync.Mutex
	stopped map[string]error // consumer → why it is not being consumed; nil: it is
}

func (h *health) set(consumer string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped == nil {
		h.stopped = map[string]error{}
	}
	h.stopped[consumer] = err
}

func (h *health) remove(consumer string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.stopped, consumer)
}

func (h *health) err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, err := range h.stopped {
		if err != nil {
			return fmt.Errorf("consumer %s: %w", name, err)
		}
	}
	return nil
}
