// Package topology owns the streams, consumers and buckets of the broker: it
// compares what is there with what the contract declares, shows what would
// change, and applies it. Services use it never; they only verify.
package topology

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Config is what of the topology is decided where it runs.
type Config struct {
	Replicas int            // of each stream: 1 embedded, 3 in production
	MaxBytes int64          // space for all streams together; 0 = DefaultMaxBytes
	AckWait  time.Duration  // without a heartbeat, until another takes up the work; 0 = bus.DefaultAckWait
	Parts    map[string]int // stream → how many parts it is kept in; 1 unless named
}

// DefaultMaxBytes is the space for all streams unless configured.
const DefaultMaxBytes = 20 << 30

// ErrLoss says that a change would delete messages, or make the broker refuse
// new ones, and was not allowed to.
var ErrLoss = errors.New("it deletes data or may refuse new data; allow it explicitly")

// An Owner changes the topology of one broker.
type Owner struct {
	nc  *nats.Conn
	js  jetstream.JetStream
	cfg Config
}

// Open connects to the broker.
func Open(ctx context.Context, conn bus.Config, cfg Config) (*Owner, error) {
	cfg.Replicas = max(cfg.Replicas, 1)
	if cfg.MaxBytes == 0 {
		cfg.MaxBytes = DefaultMaxBytes
	}
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	nc, err := bus.Dial(ctx, conn)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, err
	}
	return &Owner{nc, js, cfg}, nil
}

// Close ends the connection.
func (o *Owner) Close() { o.nc.Close() }

func (c Config) validate() error {
	split := map[string]bool{}
	for _, s := range registry.Streams() {
		split[s.Name] = s.Split
	}
	for name, n := range c.Parts {
		switch {
		case !split[name]:
			return fmt.Errorf("stream %s cannot be split", name)
		case n < 1 || n > contract.Partitions:
			return fmt.Errorf("stream %s cannot be kept in %d parts, only in 1 to %d", name, n, contract.Partitions)
		}
	}
	return nil
}

// A Change is one thing that differs from the contract.
type Change struct {
	What  string   // "stream EVENTS_QUOTE"
	How   string   // "create", "update"
	Notes []string // each difference, in words
	Loss  string   // why it deletes data or refuses new data; empty: it does not
	apply func(context.Context) error
}

func (c Change) String() string {
	text := c.How + " " + c.What
	if len(c.Notes) > 0 {
		text += ": " + strings.Join(c.Notes, ", ")
	}
	if c.Loss != "" {
		text += " (" + c.Loss + ")"
	}
	return text
}

// Plan gives what has to change so that the broker is as the contract says, in
// the order in which it must be done. It changes nothing.
func (o *Owner) Plan(ctx context.Context) ([]Change, error) {
	var plan []Change
	for _, s := range registry.Streams() {
		changes, err := o.planStream(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("stream %s: %w", s.Name, err)
		}
		plan = append(plan, changes...)
	}
	for _, bucket := range registry.Buckets() {
		change, err := o.planPart(ctx, bucketConfig(bucket, o.cfg), "bucket "+bucket.Name)
		if err != nil {
			return nil, fmt.Errorf("bucket %s: %w", bucket.Name, err)
		}
		plan = append(plan, change...)
	}
	return plan, nil
}

// Apply makes the changes of a plan. Nothing is done if one of them loses data
// and that is not allowed.
func (o *Owner) Apply(ctx context.Context, plan []Change, allowLoss bool) error {
	for _, c := range plan {
		if c.Loss != "" && !allowLoss {
			return fmt.Errorf("%s: %w", c, ErrLoss)
		}
	}
	for _, c := range plan {
		if err := c.apply(ctx); err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
	}
	return nil
}

// Ensure plans and applies, for what is embedded or a test.
func Ensure(ctx context.Context, conn bus.Config, cfg Config) error {
	o, err := Open(ctx, conn, cfg)
	if err != nil {
		return err
	}
	defer o.Close()
	plan, err := o.Plan(ctx)
	if err != nil {
		return err
	}
	return o.Apply(ctx, plan, false)
}
