// Command design-check reads boards.
package main

import (
	"context"

	"boardorder/pkg/run"
	designcheck "boardorder/services/design-check"
)

func main() {
	run.Main("design-check", func(_ context.Context, cfg designcheck.Config, d run.Deps) (run.Service, error) {
		s := designcheck.New(cfg, d.Bus, d.Docs, d.Blobs, d.Log, d.Now)
		return run.Func(func(ctx context.Context) error { return s.Serve(ctx, d.Bus) }), nil
	})
}
