// Command projector keeps the projection; with -rebuild it makes it anew from
// the streams and ends, with -indexes it makes the store's indexes and ends.
package main

import (
	"context"
	"flag"

	"boardorder/pkg/run"
	"boardorder/services/projector"
)

func main() {
	rebuild := flag.Bool("rebuild", false, "make all documents anew from the streams, swap them in and end")
	indexes := flag.Bool("indexes", false, "make the indexes that this version needs, however long it takes, and end")
	flag.Parse()
	run.Main("projector", func(ctx context.Context, cfg projector.Config, d run.Deps) (run.Service, error) {
		switch {
		case *rebuild:
			return run.Oneshot(projector.New(cfg, d).Rebuild), nil
		case *indexes:
			return run.Oneshot(projector.New(cfg, d).MakeIndexes), nil
		}
		return projector.Build(ctx, cfg, d)
	})
}
