package designcheck

import (
	"context"

	"boardorder/pkg/run"
	"boardorder/pkg/worker"
)

// Build makes the service as a process runs it.
func Build(_ context.Context, cfg Config, d run.Deps) (run.Service, error) {
	workers, err := worker.Open(worker.Config{
		Workers: cfg.Parallel, Memory: cfg.MemoryMB << 20, CPU: cfg.CPU, Unconfined: cfg.Unconfined, Log: d.Log, Metrics: d.Metrics,
	})
	if err != nil {
		return nil, err
	}
	s, err := New(cfg, d.Bus, d.Blobs, workers, d.Log, d.Now)
	if err != nil {
		workers.Close()
		return nil, err
	}
	return run.Func(func(ctx context.Context) error {
		defer workers.Close()
		return s.Serve(ctx, d.Bus)
	}), nil
}
