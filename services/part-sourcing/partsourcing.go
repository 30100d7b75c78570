// Package partsourcing holds lists of parts against what the fabricator's
// library, distributors and a search engine have: what can be bought for a
// build, where, and for how much.
package partsourcing

import (
	"context"
	"slices"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/fabricator/open"
	"boardorder/pkg/flow"
	"boardorder/pkg/worker"
	"boardorder/services/part-sourcing/internal/assemblyprice"
	"boardorder/services/part-sourcing/internal/distributor"
	"boardorder/services/part-sourcing/internal/fablib"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/sourcing"
	"boardorder/services/part-sourcing/internal/testparts"

	"go.uber.org/zap"
	"golang.org/x/sync/singleflight"
)

// Config of the part-sourcing service. A supplier without an address is not asked.
type Config struct {
	Parallel int   `env:"PART_SOURCING_PARALLEL" envDefault:"16"`   // lists checked at once
	Workers  int   `env:"PART_SOURCING_WORKERS" envDefault:"1"`     // lists read at once
	MemoryMB int64 `env:"PART_SOURCING_MEMORY_MB" envDefault:"256"` // of one worker
	// Unconfined is for development: see worker.Config.
	Unconfined    bool          `env:"DEVELOPMENT_UNCONFINED_WORKERS"`
	ReadTimeout   time.Duration `env:"PART_SOURCING_READ_TIMEOUT" envDefault:"10s"`     // for reading a list
	BoardTimeout  time.Duration `env:"PART_SOURCING_BOARD_TIMEOUT" envDefault:"2m"`     // for reading a board's parts
	BoardMemoryMB int64         `env:"PART_SOURCING_BOARD_MEMORY_MB" envDefault:"1024"` // of the worker that does
	FabTimeout    time.Duration `env:"PART_SOURCING_FAB_TIMEOUT" envDefault:"10s"`      // for the fabricator's answer
	Timeout       time.Duration `env:"PART_SOURCING_TIMEOUT" envDefault:"45s"`          // for everybody's answers; what is missing then is said to be still checked
	IndexEvery    time.Duration `env:"PART_SOURCING_INDEX_EVERY" envDefault:"12h"`      // how often the fabricator's library is listed
	IndexWait     time.Duration `env:"PART_SOURCING_INDEX_WAIT" envDefault:"20s"`       // for its first list: without one the library is asked by its own codes only
	WatchPercent  int           `env:"PART_WATCH_QUOTA_PERCENT" envDefault:"30"`        // of a distributor's day that may be used up, by whomever, when the parts of open quotes are asked about again

	Fabricators  open.Rows        `envPrefix:"FABRICATOR"`  // the library of the first is looked up; none: it is not asked
	Distributors distributor.Rows `envPrefix:"DISTRIBUTOR"` // DISTRIBUTOR_0_NAME and so on
	Search       Search           `envPrefix:"PART_SEARCH_"`
}

// Service is the part-sourcing service.
type Service struct {
	cfg     Config
	events  aggregate.Core
	look    Lookup
	tests   Lookup // for test keys
	later   Lookup // for test keys, once a quote was priced
	boards  Assembler
	rates   assemblyprice.Table
	workers Workers
	flights singleflight.Group
	log     *zap.Logger
	now     func() time.Time
}

// Workers are processes that do the service's [Tasks]; a *worker.Pool.
type Workers interface {
	Run(ctx context.Context, o worker.Order) error
}

// A Lookup says what suppliers have of a list, which it is given as it was read:
// the fabricator alone, or all of them. It ends soon after ctx does, with what it
// has by then.
type Lookup func(ctx context.Context, list List, everywhere bool) partchecks.Report

// New makes the service over ways to look lists up and to work assemblies out.
func New(cfg Config, events aggregate.Core, look Lookup, boards Assembler, workers Workers, log *zap.Logger, now func() time.Time) (*Service, error) {
	rates, err := assemblyprice.LoadBuiltIn()
	if err != nil {
		return nil, err
	}
	return &Service{cfg: cfg, events: events, look: look, tests: testLookup(cfg.testSourcer(now, false)), later: testLookup(cfg.testSourcer(now, true)), boards: boards, rates: rates, workers: workers, log: log, now: now}, nil
}

// lookOf is who is asked for an owner: suppliers, or for test keys the catalogue that
// is built in, so that they use up no supplier's calls. It has other stock and prices by the
// time that open quotes are looked at again.
func (s *Service) lookOf(owner string, again bool) Lookup {
	switch {
	case !contract.IsTest(owner):
		return s.look
	case again:
		return s.later
	}
	return s.tests
}

// testSourcer asks the built-in catalogue of test keys, in the rounds of suppliers.
func (c Config) testSourcer(now func() time.Time, later bool) *sourcing.Sourcer {
	return &sourcing.Sourcer{
		Engine: lookup.New(lookup.NewMemory(1, now), now, testparts.Supplies(now, later, fablib.Name, c.Distributors.Schemes(), part.Aggregator)...),
		Rounds: c.rounds(),
	}
}

// testLookup says of each list that its parts are made up.
func testLookup(s *sourcing.Sourcer) Lookup {
	ask := suppliers(s)
	return func(ctx context.Context, l List, everywhere bool) partchecks.Report {
		l.notes = append(slices.Clone(l.notes), testparts.Notice)
		return ask(ctx, l, everywhere)
	}
}

// suppliers is the [Lookup] that ships.
func suppliers(s *sourcing.Sourcer) Lookup {
	return func(ctx context.Context, l List, everywhere bool) partchecks.Report {
		if everywhere {
			return l.report(s.Complete(ctx, l.request))
		}
		return l.report(s.Fab(ctx, l.request))
	}
}

// Handlers are the commands that the service carries out.
func (s *Service) Handlers() flow.Handlers {
	return flow.Handlers{partchecks.Check: s.check, assemblies.Assemble: s.assemble, assemblies.Erase: s.eraseAssemblies}
}

// serve takes commands from the broker until ctx ends.
func (s *Service) serve(ctx context.Context, b *bus.Bus) error {
	return b.Serve(ctx, bus.Work{
		Service: "part-sourcing", Handlers: s.Handlers(), Parallel: s.cfg.Parallel, Limit: assemblies.GivenUp,
		Risky: []contract.CommandName{assemblies.Assemble},
	})
}
