// Command projector keeps the projection; with -rebuild it makes it anew from
// the streams and ends.
package main

import (
	"context"
	"flag"

	"boardorder/pkg/run"
	"boardorder/services/projector"
)

func main() {
	rebuild := flag.Bool("rebuild", false, "make all documents anew from the streams, swap them in and end")
	flag.Parse()
	run.Main("projector", func(_ context.Context, cfg projector.Config, d run.Deps) (run.Service, error) {
		p := projector.New(cfg, d)
		if *rebuild {
			return run.Once(p.Rebuild), nil
		}
		return p, nil
	})
}
