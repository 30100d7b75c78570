package run

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/caarlos0/env/v11"
	"github.com/prometheus/client_golang/prometheus"
)

// Command does one thing that a person asked for, with the broker and the
// stores that the environment names for services, and reports how it ended. It
// serves no health and no metrics, so it runs beside a service.
func Command(name string, do func(context.Context, Deps) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var common Common
	if err := env.Parse(&common); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	log, err := Logger(name, cmp.Or(os.Getenv("LOG_LEVEL"), "error"))
	if err != nil {
		return err
	}
	deps, end, err := open(ctx, name, common, log, prometheus.NewRegistry())
	if err != nil {
		return err
	}
	defer end()
	return do(ctx, deps)
}
