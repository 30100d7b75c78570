// Package webhooks sends accounts their public events, to the endpoints that they named, by the
// Standard Webhooks specification. The feed's stream is the queue: nothing of it is copied. Of each
// endpoint a small record says how far it was delivered to, and which objects wait for another
// attempt. Replicas share the endpoints (package share); each is delivered to by a goroutine of its
// own with connections of its own, so none delays another.
package webhooks

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	contractwebhooks "boardorder/pkg/contract/webhooks"
	"boardorder/pkg/flow"
	"boardorder/pkg/run"
	"boardorder/pkg/secret"
	"boardorder/services/webhooks/internal/feedcache"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Config of the webhooks service.
type Config struct {
	PublicURL   string `env:"PUBLIC_URL,required"`                   // where clients reach the edge: events link there
	Parallel    int    `env:"WEBHOOKS_PARALLEL" envDefault:"8"`      // commands that run at once
	Connections int    `env:"WEBHOOKS_CONNECTIONS" envDefault:"512"` // of all endpoints, beside the first of each
	// AllowLoopback lets endpoints be on this machine, also without TLS: for a system on a
	// developer's machine, and for no other.
	AllowLoopback bool `env:"WEBHOOK_ALLOW_LOOPBACK"`
}

// Core is what the service does to the event system; a [*bus.Bus] is one.
type Core interface {
	aggregate.Log
	aggregate.Sender
	FeedState(ctx context.Context) (bus.FeedState, error)
}

// Log is what deliveries read and write besides; a [*bus.Bus] is one.
type Log interface {
	feedcache.Source
	// PublicSeqAt gives the sequence after which all events lie that were stored at a time or later.
	PublicSeqAt(ctx context.Context, at time.Time) (uint64, error)
	LogDelivery(ctx context.Context, endpoint string, d contractwebhooks.Delivery) error
	Deliveries(ctx context.Context, endpoint string, below uint64, limit int) ([]contractwebhooks.Delivery, error)
}

// Bucket is where progress lies: a [bus.Bucket].
type Bucket interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
	Create(ctx context.Context, key string, value []byte) (rev uint64, err error)
	Update(ctx context.Context, key string, value []byte, rev uint64) (uint64, error)
	Delete(ctx context.Context, key string) error
	Keys(ctx context.Context) ([]string, error)
}

// Service carries out commands about endpoints.
type Service struct {
	cfg      Config
	events   Core
	progress Bucket
	log      *zap.Logger
	now      func() time.Time
}

// New makes the service.
func New(cfg Config, events Core, progress Bucket, log *zap.Logger, now func() time.Time) *Service {
	cfg.PublicURL = strings.TrimRight(cfg.PublicURL, "/")
	cfg.Parallel = cmp.Or(max(cfg.Parallel, 0), 8)
	cfg.Connections = cmp.Or(max(cfg.Connections, 0), 512)
	return &Service{cfg: cfg, events: events, progress: progress, log: log, now: now}
}

// Handlers are the commands that the service carries out.
func (s *Service) Handlers() flow.Handlers {
	return flow.Handlers{
		contractwebhooks.Create: s.create,
		contractwebhooks.Change: s.change,
		contractwebhooks.Delete: s.delete,

		contractwebhooks.Rotate:  s.rotate,
		contractwebhooks.Test:    s.test,
		contractwebhooks.Resend:  s.resend,
		contractwebhooks.Disable: s.disable,
	}
}

// Build makes the service as a process runs it.
func Build(ctx context.Context, cfg Config, d run.Deps) (run.Service, error) {
	progress, err := d.Bus.Bucket(ctx, contract.WebhookProgressBucket)
	if err != nil {
		return nil, err
	}
	shares, err := d.Bus.Bucket(ctx, contract.WebhookSharesBucket)
	if err != nil {
		return nil, err
	}
	s := New(cfg, d.Bus, progress, d.Log, d.Now)
	if cfg.AllowLoopback {
		d.Log.Warn("webhook endpoints may be on this machine, also without TLS: WEBHOOK_ALLOW_LOOPBACK is for a developer's machine")
	}
	sender := newSender(s, d.Bus, d.Secrets, d.Metrics)
	return run.Func(func(ctx context.Context) error { return s.serve(ctx, d.Bus, sender, shares) }), nil
}

func (s *Service) serve(ctx context.Context, b *bus.Bus, sender *sender, shares *bus.Bucket) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return b.Serve(ctx, bus.Work{Service: "webhooks", Handlers: s.Handlers(), Parallel: s.cfg.Parallel})
	})
	group.Go(func() error { return sender.run(ctx, b, shares) })
	return group.Wait()
}

// keys derive the secrets that deliveries are signed with.
type keys interface {
	WebhookSecret(master, endpoint string, generation int) (secret []byte, ok bool)
	WebhookSigningKey(master, endpoint string, generation int) (pair ed25519.PrivateKey, ok bool)
	QuoteIDOf(request, ref string) string
}

var _ keys = (*secret.Keyring)(nil)

// measures count what is sent.
type measures struct {
	attempts *prometheus.CounterVec
	delay    prometheus.Histogram
	held     prometheus.Gauge
	failing  prometheus.Gauge
	ended    *prometheus.CounterVec
}

func newMeasures(to prometheus.Registerer) measures {
	m := measures{
		prometheus.NewCounterVec(prometheus.CounterOpts{Name: "boardorder_webhook_attempts_total", Help: "Attempts to deliver an event to an endpoint, by outcome."}, []string{"outcome"}),
		prometheus.NewHistogram(prometheus.HistogramOpts{Name: "boardorder_webhook_delay_seconds", Help: "From an event's publication to its arrival at the first attempt.", Buckets: []float64{.02, .05, .1, .2, .3, .5, 1, 2, 5, 15, 60}}),
		prometheus.NewGauge(prometheus.GaugeOpts{Name: "boardorder_webhook_endpoints", Help: "Endpoints that this replica delivers to."}),
		prometheus.NewGauge(prometheus.GaugeOpts{Name: "boardorder_webhook_endpoints_failing", Help: "Those of them of which the last attempt failed."}),
		prometheus.NewCounterVec(prometheus.CounterOpts{Name: "boardorder_webhook_endpoints_disabled_total", Help: "Endpoints that this replica gave up, by reason."}, []string{"reason"}),
	}
	for _, reason := range []contractwebhooks.Reason{contractwebhooks.Gone, contractwebhooks.Failing} {
		m.ended.WithLabelValues(string(reason)) // so that the first is an increase
	}
	if to != nil {
		to.MustRegister(m.attempts, m.delay, m.held, m.failing, m.ended)
	}
	return m
}
