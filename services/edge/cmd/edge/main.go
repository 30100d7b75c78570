// Command edge serves HTTP for partners and shoppers.
package main

import (
	"context"
	"fmt"
	"net"

	"boardorder/pkg/run"
	"boardorder/services/edge"
)

type config struct {
	edge.Config
	Addr string `env:"HTTP_ADDR" envDefault:":8080"`
}

type service struct {
	edge *edge.Edge
	ln   net.Listener
}

func (s service) Run(ctx context.Context) error { return s.edge.Run(ctx, s.ln) }

func main() { run.Main("edge", build) }

func build(ctx context.Context, cfg config, d run.Deps) (run.Service, error) {
	e, err := edge.New(ctx, cfg.Config, edge.Deps{
		Bus: d.Bus, Docs: d.Docs, Blobs: d.Blobs, Secrets: d.Secrets, Log: d.Log, Metrics: d.Metrics, Now: d.Now,
	})
	if err != nil {
		return nil, err
	}
	ln, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("HTTP_ADDR: %w", err)
	}
	return service{e, ln}, nil
}
