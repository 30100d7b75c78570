package upload

import (
	"context"
	"fmt"

	"boardorder/pkg/run"
	"boardorder/pkg/worker"
	"boardorder/services/upload/internal/scan"
)

// Build makes the service as a process runs it.
func Build(_ context.Context, cfg Config, d run.Deps) (run.Service, error) {
	scanner, err := scan.Open(cfg.Scanner)
	if err != nil {
		return nil, fmt.Errorf("UPLOAD_SCANNER: %w", err)
	}
	workers, err := worker.Open(worker.Config{
		Workers: cfg.Workers, Memory: cfg.MemoryMB << 20, Unconfined: cfg.Unconfined, Log: d.Log, Metrics: d.Metrics,
	})
	if err != nil {
		return nil, err
	}
	s := New(cfg, d.Bus, d.Blobs, workers, scanner, d.Log, d.Now)
	return run.Func(func(ctx context.Context) error {
		defer workers.Close()
		return s.Serve(ctx, d.Bus)
	}), nil
}
