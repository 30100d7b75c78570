package partsourcing

import (
	"context"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/run"
	"boardorder/pkg/worker"
	"boardorder/services/part-sourcing/internal/assemblyprice"
	"boardorder/services/part-sourcing/internal/fablib"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/shared"
	"boardorder/services/part-sourcing/internal/sourcing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Build makes the service with its real adapters, as a process runs it.
func Build(ctx context.Context, cfg Config, d run.Deps) (run.Service, error) {
	p, err := cfg.build(ctx, d)
	if err != nil {
		return nil, err
	}
	workers, err := worker.Open(worker.Config{
		Workers: cfg.Workers, Memory: cfg.MemoryMB << 20, CPU: 2 * cfg.ReadTimeout, Unconfined: cfg.Unconfined, Log: d.Log, Metrics: d.Metrics,
	})
	if err != nil {
		return nil, err
	}
	boards, err := worker.Open(worker.Config{
		Workers: 1, Memory: cfg.BoardMemoryMB << 20, CPU: 2 * cfg.BoardTimeout, Unconfined: cfg.Unconfined, Log: d.Log,
	})
	if err != nil {
		workers.Close()
		return nil, err
	}
	made, err := cfg.newAssembler(d.Bus, d.Blobs, boards, p.sourcer, d.Now)
	if err != nil {
		workers.Close()
		boards.Close()
		return nil, err
	}
	p.service, err = New(cfg, d.Bus, suppliers(p.sourcer), made, workers, d.Log, d.Now)
	if err != nil {
		workers.Close()
		boards.Close()
		return nil, err
	}
	return run.ReportProviders(ctx, d, run.Func(func(ctx context.Context) error {
		defer workers.Close()
		defer boards.Close()
		defer p.sourcer.Engine.Close()
		return p.run(ctx, d)
	}))
}

// A process is the service with what it stands on.
type process struct {
	service *Service
	sourcer *sourcing.Sourcer
	library *library // nil: the primary fabricator has none
	// indexWait is how long commands wait for the library's first list.
	indexWait time.Duration
}

// build opens what replicas share and makes the adapters.
func (c Config) build(ctx context.Context, d run.Deps) (*process, error) {
	answers, err := d.Bus.Bucket(ctx, contract.PartAnswersBucket)
	if err != nil {
		return nil, err
	}
	claims, err := d.Bus.Bucket(ctx, contract.PartClaimsBucket)
	if err != nil {
		return nil, err
	}
	quotas, err := d.Bus.Bucket(ctx, contract.SupplierQuotasBucket)
	if err != nil {
		return nil, err
	}
	supplies, err := c.supplies(func(supplier string, limits ...outside.Limit) outside.Quota {
		return &shared.Quota{Bucket: quotas, Name: supplier, Limits: limits, Now: d.Now, Log: d.Log}
	}, promauto.With(d.Metrics).NewCounterVec(prometheus.CounterOpts{
		Name: "boardorder_watched_parts_unasked_total", Help: "Parts of open quotes that a supplier was not asked about again, since what is left of the day's calls is for others.",
	}, []string{"supplier"}), d.Now)
	if err != nil {
		return nil, err
	}
	p := &process{indexWait: c.IndexWait}
	if p.library, err = c.library(d.Log, d.Now); err != nil {
		return nil, err
	}
	if p.library != nil {
		supplies = append(supplies, lookup.Supply{Source: p.library.client, Policy: keep(contract.PartAnswerRetention)})
	}
	p.sourcer = &sourcing.Sourcer{
		Engine: lookup.NewShared(shared.Cache{Bucket: answers}, &shared.Claims{Bucket: claims}, d.Now, supplies...),
		Rounds: c.rounds(),
	}
	return p, nil
}

// library is the parts library of the primary fabricator; nil where there is none.
func (c Config) library(log *zap.Logger, now func() time.Time) (*library, error) {
	if len(c.Fabricators) == 0 {
		return nil, nil
	}
	primary, err := c.Fabricators[:1].Open(now)
	if err != nil {
		return nil, err
	}
	fab, ok := primary[0].Adapter.(interface {
		fablib.Library
		fablib.Lister
	})
	if !ok {
		return nil, nil
	}
	table, err := assemblyprice.LoadBuiltIn()
	if err != nil {
		return nil, err
	}
	rates, ok := table.RatesOn(now())
	if !ok {
		return nil, fmt.Errorf("no rates of assembly on %s", now())
	}
	return &library{client: fablib.New(fab, rates.Economic.Feeder, now), lister: fab, every: c.IndexEvery, log: log}, nil
}

// run serves until ctx ends. Commands are taken once the library is listed.
func (p *process) run(ctx context.Context, d run.Deps) error {
	group, ctx := errgroup.WithContext(ctx)
	ready := make(chan struct{})
	if p.library == nil {
		close(ready)
	} else {
		group.Go(func() error { return p.library.run(ctx, sync.OnceFunc(func() { close(ready) })) })
	}
	group.Go(func() error {
		t := time.NewTimer(p.indexWait)
		defer t.Stop()
		select {
		case <-ready:
		case <-t.C:
		case <-ctx.Done():
			return nil
		}
		return p.service.serve(ctx, d.Bus)
	})
	return group.Wait()
}
