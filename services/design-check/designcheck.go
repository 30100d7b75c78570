// Package designcheck reads boards as soon as their files arrive, once for each
// content: facts and what is odd about them, which prices wait for, then pictures and
// one package of all files to build from. When a client asks it holds a board against fabricators'
// limits, once for each content and build.
package designcheck

import (
	"context"
	"fmt"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/flow"
	"boardorder/pkg/retention"
	"boardorder/pkg/worker"
	"boardorder/services/design-check/internal/fab"
	"boardorder/services/design-check/internal/kicadcli"
	"boardorder/services/design-check/internal/report"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"
)

// Config of the design-check service.
type Config struct {
	Parallel int   `env:"DESIGN_CHECK_PARALLEL" envDefault:"2"`     // boards read or checked at once
	InHand   int   `env:"DESIGN_CHECK_IN_HAND" envDefault:"32"`     // commands taken, most of which wait for their turn
	MemoryMB int64 `env:"DESIGN_CHECK_MEMORY_MB" envDefault:"1024"` // of one worker: reading a board takes no more
	// Unconfined is for development: see worker.Config.
	Unconfined   bool          `env:"DEVELOPMENT_UNCONFINED_WORKERS"`
	ReadTimeout  time.Duration `env:"DESIGN_CHECK_TIMEOUT" envDefault:"2m"`   // processor time for reading, and for checking
	CPU          time.Duration `env:"DESIGN_CHECK_CPU" envDefault:"3m"`       // after which either is ended, or twice its timeout if that is less
	ShortTimeout time.Duration `env:"DESIGN_CHECK_SHORT" envDefault:"2s"`     // after which work is long, and has half of the slots
	CheckGivenUp time.Duration `env:"DESIGN_CHECK_GIVEN_UP" envDefault:"30m"` // after which a check that never ended is begun anew
}

// Version of the reader: readings of another version are made anew.
const Version = "30"

// Service is the design-check service.
type Service struct {
	cfg      Config
	events   aggregate.Core
	blobs    blob.Store
	gate     *gate
	flights  singleflight.Group
	workers  Workers
	kicad    kicadcli.Tool // none where it is not installed
	measurer Measure
	versions string
	log      *zap.Logger
	now      func() time.Time
}

// New makes the service. Files are read and measured by workers only.
func New(cfg Config, events aggregate.Core, blobs blob.Store, workers Workers, log *zap.Logger, now func() time.Time) (*Service, error) {
	fabs, err := fab.Load()
	if err != nil {
		return nil, fmt.Errorf("limits of fabricators: %w", err)
	}
	if cfg.CheckGivenUp <= 0 {
		cfg.CheckGivenUp = 30 * time.Minute
	}
	if cfg.ShortTimeout <= 0 {
		cfg.ShortTimeout = 2 * time.Second
	}
	s := &Service{
		cfg: cfg, events: events, blobs: blobs, log: log, now: now,
		gate:    newGate(cfg.Parallel, cfg.InHand/4, cfg.ShortTimeout, time.Now),
		workers: workers, kicad: kicadcli.Find(),
		versions: "reader " + Version + ", rules " + dfm.Version + ", limits " + fabs.Version() + ", report " + report.Version,
	}
	s.measurer = s.measureInWorker
	return s, nil
}

// SetMeasurer has another way of measuring, such as a simulation's.
func (s *Service) SetMeasurer(m Measure) *Service {
	s.measurer = m
	return s
}

// Handlers are the commands that the service carries out.
func (s *Service) Handlers() flow.Handlers {
	return flow.Handlers{
		boards.Read: s.read, boards.Complete: s.complete, boards.Forget: s.forget, boards.DeleteBlobs: s.deleteBlobs, boards.DrawLayers: s.drawLayers,
		designchecks.Check: s.check, designchecks.Measure: s.measure,
	}
}

// GiveUp ends what commands began that become dead letters.
func (s *Service) GiveUp() flow.Handlers {
	return flow.Handlers{boards.Complete: s.giveUpCompleting}
}

// Serve takes commands from the broker until ctx ends.
// Those that wait for their turn then are given back, for other replicas.
func (s *Service) Serve(ctx context.Context, b *bus.Bus) error {
	defer context.AfterFunc(ctx, s.gate.close)()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return b.Serve(ctx, bus.Work{
			Service: "design-check", Handlers: s.Handlers(), GiveUp: s.GiveUp(),
			Risky:    []contract.CommandName{boards.Read, boards.Complete, designchecks.Measure, boards.DrawLayers},
			Parallel: max(s.cfg.InHand, s.cfg.Parallel), Limit: 5*time.Minute + 2*worker.Patience*s.cfg.ReadTimeout,
		})
	})
	group.Go(func() error { return retention.Sweep(ctx, sweepEvery, s.log, s.Sweep) })
	return group.Wait()
}
