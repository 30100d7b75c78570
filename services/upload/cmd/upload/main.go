// Command upload takes files in.
package main

import (
	"context"

	"boardorder/pkg/run"
	"boardorder/services/upload"
)

func main() {
	run.Main("upload", func(_ context.Context, cfg upload.Config, d run.Deps) (run.Service, error) {
		s := upload.New(cfg, d.Bus, d.Blobs, d.Log, d.Now)
		return run.Func(func(ctx context.Context) error { return s.Serve(ctx, d.Bus) }), nil
	})
}
