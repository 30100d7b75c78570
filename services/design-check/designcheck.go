// Package designcheck reads boards as soon as their files arrive, once for each
// content: facts, what is odd about them, pictures, and one package of all
// files to build from.
package designcheck

import (
	"context"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"

	"go.uber.org/zap"
	"golang.org/x/sync/semaphore"
)

// Config of the design-check service.
type Config struct {
	Parallel    int           `env:"DESIGN_CHECK_PARALLEL" envDefault:"2"`    // uploads read at once
	MemoryMB    int64         `env:"DESIGN_CHECK_MEMORY_MB" envDefault:"512"` // unpacked files in hand at once
	ReadTimeout time.Duration `env:"DESIGN_CHECK_TIMEOUT" envDefault:"2m"`
	OrderKept   time.Duration `env:"ORDER_FILES_RETENTION" envDefault:"8760h"` // files of orders, since the order
}

// Version of the reader: readings of another version are made anew.
const Version = "2"

// Service is the design-check service.
type Service struct {
	cfg    Config
	events aggregate.Core
	docs   projection.Store
	blobs  blob.Store
	memory *semaphore.Weighted
	log    *zap.Logger
	now    func() time.Time
}

// New makes the service.
func New(cfg Config, events aggregate.Core, docs projection.Store, blobs blob.Store, log *zap.Logger, now func() time.Time) *Service {
	return &Service{
		cfg: cfg, events: events, docs: docs, blobs: blobs, log: log, now: now,
		memory: semaphore.NewWeighted(cfg.MemoryMB << 20),
	}
}

// Handlers are the commands that the service carries out.
func (s *Service) Handlers() flow.Handlers {
	return flow.Handlers{contract.ReadBoard: s.read, contract.ForgetBoard: s.forget}
}

// Serve takes commands from the broker until ctx ends.
func (s *Service) Serve(ctx context.Context, b *bus.Bus) error {
	return b.Serve(ctx, bus.Work{
		Service: "design-check", Handlers: s.Handlers(), Parallel: s.cfg.Parallel, Limit: s.cfg.ReadTimeout + time.Minute,
	})
}
