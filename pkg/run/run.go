// Package run starts a service as a process: configuration from the
// environment, logger, broker, stores, health and metrics, and an orderly end.
// The services themselves know none of it: they are given Deps.
package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"

	"boardorder/pkg/blob"
	blobopen "boardorder/pkg/blob/open"
	"boardorder/pkg/bus"
	"boardorder/pkg/circuit"
	"boardorder/pkg/projection"
	docopen "boardorder/pkg/projection/open"
	"boardorder/pkg/rows"
	"boardorder/pkg/secret"
	"boardorder/pkg/tlsfiles"

	"github.com/caarlos0/env/v11"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"golang.org/x/sync/errgroup"
)

// Deps is what every service works with.
type Deps struct {
	Bus     *bus.Bus
	Docs    projection.Store
	Blobs   blob.Store
	Secrets *secret.Keyring
	Log     *zap.Logger
	Metrics prometheus.Registerer
	Now     func() time.Time
}

// A Service works until ctx ends, then finishes what is running.
type Service interface {
	Run(ctx context.Context) error
}

// Common is the configuration that all services share.
type Common struct {
	NATSURL   string  `env:"NATS_URL,required"`
	NATSCreds string  `env:"NATS_CREDS"`
	NATSTLS   bus.TLS `envPrefix:"NATS_TLS_"`
	// TopologyTimeout is how long a start waits for streams and consumers that are missing.
	TopologyTimeout time.Duration `env:"TOPOLOGY_TIMEOUT" envDefault:"1m"`
	DocsURL         string        `env:"MONGO_URI,required"` // mongodb://… or sqlite:<file>
	BlobsURL        string        `env:"S3_URL,required"`    // s3://… or file:<folder>
	// Own roots and client certificates of the two, beside what the URLs say.
	DocsTLS     tlsfiles.Files `envPrefix:"MONGO_TLS_"`
	BlobsTLS    tlsfiles.Files `envPrefix:"S3_TLS_"`
	MasterKey   string         `env:"MASTER_KEY,unset"` // 64 hex digits, or several keys as secret.Parse reads them
	MasterFile  string         `env:"MASTER_KEY_FILE"`  // or a file that holds them
	MetricsAddr string         `env:"METRICS_ADDR" envDefault:":9090"`
	LogLevel    string         `env:"LOG_LEVEL" envDefault:"info"`
	// ClockOffset sets the process's clock wrong, for tests of what then happens.
	ClockOffset time.Duration `env:"CLOCK_OFFSET"`
}

// Main runs one service until it is asked to stop, and is the whole of its main
// function. C is the service's own configuration, with env tags.
func Main[C any](name string, build func(context.Context, C, Deps) (Service, error)) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := start(ctx, name, build); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

func start[C any](ctx context.Context, name string, build func(context.Context, C, Deps) (Service, error)) error {
	var common Common
	var own C
	if err := errors.Join(env.Parse(&common), env.Parse(&own), rows.CheckNumbers[C](os.Environ())); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	log, err := Logger(name, common.LogLevel)
	if err != nil {
		return err
	}
	defer log.Sync() //nolint:errcheck // nothing is left to report it to
	endTracing, err := Tracing(ctx, name)
	if err != nil {
		return err
	}
	metrics := Registry()
	deps, end, err := open(ctx, name, common, log, metrics)
	if err != nil {
		return err
	}
	defer end()
	metrics.MustRegister(Availability(deps))
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if err := endTracing(ctx); err != nil {
			log.Warn("the last spans were not sent", zap.Error(err))
		}
	}()
	service, err := build(ctx, own, deps)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return service.Run(ctx) })
	group.Go(func() error { return Health(ctx, common.MetricsAddr, metrics, deps) })
	log.Info("started")
	err = group.Wait()
	log.Info("stopped")
	if errors.Is(err, errDone) {
		return nil
	}
	return err
}

// Registry makes a registry with what the Go runtime reports of itself, and which
// companies outside are left alone.
func Registry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(liveHeap)), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), circuit.Metrics())
	return r
}

// liveHeap is what the last collection of garbage found in use, which tells what
// memory a process needs better than what it has allocated since.
var liveHeap = collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile(`^/gc/heap/live:bytes$`)}

// Logger writes JSON lines to standard error, times in UTC.
func Logger(name, level string) (*zap.Logger, error) {
	cfg := zap.NewProductionConfig()
	if err := cfg.Level.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("LOG_LEVEL: %w", err)
	}
	cfg.Sampling, cfg.DisableCaller, cfg.DisableStacktrace = nil, true, true
	cfg.EncoderConfig = encoding()
	log, err := cfg.Build()
	if err != nil {
		return nil, fmt.Errorf("logger: %w", err)
	}
	return log.Named(name), nil
}

// encoding gives the keys of a line. A logger's name is its service, so that a service
// within another program stands once in a line, behind that program's name.
func encoding() zapcore.EncoderConfig {
	cfg := zap.NewProductionEncoderConfig()
	cfg.TimeKey, cfg.NameKey, cfg.EncodeTime = "time", "service", utcTime
	return cfg
}

func open(ctx context.Context, name string, c Common, log *zap.Logger, metrics prometheus.Registerer) (Deps, func(), error) {
	none := func() {}
	keys, err := Keyring(c.MasterKey, c.MasterFile)
	if err != nil {
		return Deps{}, none, err
	}
	docs, err := docopen.Open(ctx, c.DocsURL, docopen.TLS(c.DocsTLS))
	if err != nil {
		return Deps{}, none, fmt.Errorf("MONGO_URI: %w", err)
	}
	blobs, err := blobopen.Open(ctx, c.BlobsURL, blobopen.TLS(c.BlobsTLS))
	if err != nil {
		return Deps{}, none, errors.Join(fmt.Errorf("S3_URL: %w", err), docs.Close())
	}
	b, err := bus.Connect(ctx, bus.Config{
		URL: c.NATSURL, Creds: c.NATSCreds, TLS: c.NATSTLS, Name: name, Log: log, Metrics: metrics, Now: c.clock,
	})
	if err != nil {
		return Deps{}, none, errors.Join(err, docs.Close())
	}
	end := func() {
		b.Close()
		if err := docs.Close(); err != nil {
			log.Warn("the document store did not close cleanly", zap.Error(err))
		}
	}
	limited, cancel := context.WithTimeout(ctx, c.TopologyTimeout)
	defer cancel()
	if err := b.Verify(limited); err != nil {
		end()
		return Deps{}, none, err
	}
	return Deps{Bus: b, Docs: docs, Blobs: blobs, Secrets: keys, Log: log, Metrics: metrics, Now: b.Now}, end, nil
}

// clock is the process's clock.
func (c Common) clock() time.Time { return time.Now().Add(c.ClockOffset) }

// Keyring reads the master key, from a value or else from a file.
func Keyring(value, file string) (*secret.Keyring, error) {
	if value == "" && file == "" {
		return nil, errors.New("MASTER_KEY or MASTER_KEY_FILE is required: 64 hex digits, the same for every service")
	}
	variable := "MASTER_KEY"
	if value == "" {
		variable = "MASTER_KEY_FILE"
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", variable, err)
		}
		value = string(b)
	}
	keys, err := secret.Parse(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", variable, err)
	}
	return keys, nil
}

// Oneshot is a service that does one thing and ends the process.
func Oneshot(do func(context.Context) error) Service { return once(do) }

type once func(context.Context) error

func (o once) Run(ctx context.Context) error {
	if err := o(ctx); err != nil {
		return err
	}
	return errDone
}

// errDone ends a process whose work is done.
var errDone = errors.New("done")

// Func makes a service of its Run method.
type Func func(ctx context.Context) error

// Run implements Service.
func (f Func) Run(ctx context.Context) error { return f(ctx) }
