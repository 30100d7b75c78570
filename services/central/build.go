package central

import (
	"context"

	"boardorder/pkg/run"
)

// Build makes the service as a process runs it.
func Build(_ context.Context, cfg Config, d run.Deps) (run.Service, error) {
	s := New(cfg, d.Bus, d.Blobs, d.Log, d.Now)
	return run.Func(func(ctx context.Context) error { return s.Serve(ctx, d.Bus) }), nil
}
