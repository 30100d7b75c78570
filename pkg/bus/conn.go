package bus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
)

// Config says where the broker is and how the streams are kept.
type Config struct {
	URL       string                     // nats://host:port[,…]; unused with InProcess
	InProcess nats.InProcessConnProvider // an embedded server, reached without a socket
	Name      string                     // of the service, shown by the server
	Replicas  int                        // of each stream: 1 embedded, 3 in production
	MaxBytes  int64                      // space for all streams together
	Creds     string                     // path of a credentials file, or empty
	AckWait   time.Duration              // without a sign of life, until another takes up the work; 0 = DefaultAckWait
	Log       *zap.Logger                // required
	Metrics   prometheus.Registerer      // may be nil
	Now       func() time.Time           // time.Now unless a test says otherwise
}

// DefaultMaxBytes is the space for all streams unless configured.
const DefaultMaxBytes = 20 << 30

// DefaultAckWait is how long the work of a process that died waits for another.
const DefaultAckWait = 30 * time.Second

// Bus is a connection to the broker. It implements aggregate.Core.
type Bus struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	cfg     Config
	log     *zap.Logger
	metrics *metrics
	now     func() time.Time
	waits   waits
}

// Connect reaches the broker and waits for it until ctx ends. Afterwards the
// connection is kept up for ever.
func Connect(ctx context.Context, cfg Config) (*Bus, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Replicas = max(cfg.Replicas, 1)
	if cfg.MaxBytes == 0 {
		cfg.MaxBytes = DefaultMaxBytes
	}
	if cfg.AckWait <= 0 {
		cfg.AckWait = DefaultAckWait
	}
	nc, err := dial(ctx, cfg)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(4096))
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("jetstream: %w", err)
	}
	return &Bus{nc: nc, js: js, cfg: cfg, log: cfg.Log, metrics: newMetrics(cfg.Metrics), now: cfg.Now}, nil
}

func dial(ctx context.Context, cfg Config) (*nats.Conn, error) {
	opts := []nats.Option{
		nats.Name(cfg.Name), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 200*time.Millisecond),
		nats.RetryOnFailedConnect(false), nats.PingInterval(20 * time.Second), nats.IgnoreAuthErrorAbort(),
		nats.ReconnectBufSize(-1), // a publish while disconnected fails at once; its caller tries again
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // nil: we are leaving
				cfg.Log.Warn("broker lost", zap.Error(err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { cfg.Log.Info("broker back") }),
	}
	if cfg.InProcess != nil {
		opts = append(opts, nats.InProcessServer(cfg.InProcess))
	}
	if cfg.Creds != "" {
		opts = append(opts, nats.UserCredentials(cfg.Creds))
	}
	for {
		nc, err := nats.Connect(cfg.URL, opts...)
		if err == nil {
			return nc, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("connect to broker: %w", err)
		case <-time.After(200*time.Millisecond + rand.N(100*time.Millisecond)):
		}
	}
}

// Ready tells whether the broker answers.
func (b *Bus) Ready(ctx context.Context) error {
	if _, err := b.js.AccountInfo(ctx); err != nil {
		return fmt.Errorf("broker: %w", err)
	}
	return nil
}

// Close drains what is under way and leaves.
func (b *Bus) Close() {
	done := make(chan struct{})
	b.nc.SetClosedHandler(func(*nats.Conn) { close(done) })
	if b.nc.Drain() != nil {
		b.nc.Close()
		return
	}
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		b.nc.Close()
	}
}

// Ensure creates or updates every stream of the contract.
func (b *Bus) Ensure(ctx context.Context) error {
	for _, s := range contract.Streams() {
		if err := b.ensure(ctx, s); err != nil {
			return fmt.Errorf("stream %s: %w", s.Name, err)
		}
	}
	return nil
}

func (b *Bus) ensure(ctx context.Context, s contract.Stream) error {
	cfg := jetstream.StreamConfig{
		Name: s.Name, Description: s.About, Subjects: s.Subjects,
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardNew,
		MaxBytes: b.cfg.MaxBytes / 100 * int64(s.Share), MaxAge: s.MaxAge,
		Storage: jetstream.FileStorage, Replicas: b.cfg.Replicas,
		AllowDirect: true, Duplicates: duplicateWindow,
		Compression: jetstream.S2Compression,
	}
	switch {
	case s.WorkQueue:
		cfg.Retention, cfg.Compression = jetstream.WorkQueuePolicy, jetstream.NoCompression
	case s.Schedules:
		// One message a subject: setting a timer again replaces it. The server
		// refuses schedules together with discard-new.
		cfg.AllowMsgSchedules, cfg.AllowMsgTTL, cfg.MaxMsgsPerSubject = true, true, 1
		cfg.Discard = jetstream.DiscardOld
	}
	_, err := setUp(ctx, b, "stream "+s.Name, func() (jetstream.Stream, error) { return b.js.CreateOrUpdateStream(ctx, cfg) })
	return err
}

// duplicateWindow is how long the server remembers message ids. It saves work;
// nothing relies on it.
const duplicateWindow = 10 * time.Minute
