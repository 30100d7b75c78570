package pricing

import (
	"context"
	"sync"

	"boardorder/pkg/contract"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/run"
	"boardorder/services/pricing/internal/ecb"
	"boardorder/services/pricing/internal/exchange"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Build makes the service with its real adapters, as a process runs it.
func Build(ctx context.Context, cfg Config, d run.Deps) (run.Service, error) {
	fabs, err := cfg.Fabricators.Open(d.Now)
	if err != nil {
		return nil, err
	}
	ports := Ports{Fabricators: make(fabricator.List[Pricer], len(fabs))}
	for i, f := range fabs {
		if f.Unproven {
			d.Log.Warn("this fabricator's interface was written from its public documents and is unproven: compare its prices and place its orders with care, then set FABRICATOR_n_PROVEN=true", zap.String("fabricator", f.Name))
		}
		ports.Fabricators[i] = Fabricator{Name: f.Name, Country: f.Country, Wait: f.Wait, Adapter: f}
	}
	published, err := d.Bus.Bucket(ctx, contract.RatesBucket)
	if err != nil {
		return nil, err
	}
	source, err := ecb.New(ecb.Config{URL: cfg.RatesURL, MaxAge: cfg.RatesMaxDays, Kept: publisher{published}.publish, Log: d.Log, Now: d.Now})
	if err != nil {
		return nil, err
	}
	stackups, err := d.Bus.Bucket(ctx, contract.StackupsBucket)
	if err != nil {
		return nil, err
	}
	ports.Rates, ports.Stackups = &rates{source: source, log: d.Log}, stackups
	s, err := New(cfg, d.Bus, d.Secrets, ports, d.Log, d.Now)
	if err != nil {
		return nil, err
	}
	poller := stackupPoller{fab: fabs[0], catalog: s.catalog, store: stackups, log: d.Log, pause: cfg.StackupPause}
	return run.ReportProviders(ctx, d, run.Func(func(ctx context.Context) error {
		group, ctx := errgroup.WithContext(ctx)
		group.Go(func() error { return source.Run(ctx) })
		group.Go(func() error { return s.Serve(ctx, d.Bus) })
		group.Go(func() error { return poller.run(ctx) })
		return group.Wait()
	}))
}

// rates gives none where none are fresh: what needs them is then not priced.
type rates struct {
	source *ecb.Source
	log    *zap.Logger
	warned sync.Once
}

func (r *rates) Rates(context.Context) exchange.Rates {
	fresh, err := r.source.Rates()
	if err != nil {
		r.warned.Do(func() { r.log.Warn("no exchange rates yet", zap.Error(err)) })
	}
	return fresh
}
