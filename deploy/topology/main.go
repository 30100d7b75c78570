// Command topology owns the streams, consumers and buckets of the broker: it
// shows what differs from what this version of the software needs, and applies
// it. Services only verify that everything is there.
//
//	topology plan                show what would change
//	topology apply [-allow-loss] change it
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/run"

	"github.com/caarlos0/env/v11"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := start(ctx, os.Args[1:], env.ToMap(os.Environ()), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "topology:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: topology plan | topology apply [-allow-loss]")

func start(ctx context.Context, args []string, vars map[string]string, out io.Writer) error {
	flags := flag.NewFlagSet("topology", flag.ContinueOnError)
	allowLoss := flags.Bool("allow-loss", false, "also make changes that delete data")
	timeout := flags.Duration("timeout", time.Minute, "how long to wait for the broker")
	if len(args) == 0 || args[0] != "plan" && args[0] != "apply" {
		return errUsage
	}
	if err := flags.Parse(args[1:]); err != nil {
		return errUsage
	}
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	owner, err := open(ctx, vars)
	if err != nil {
		return err
	}
	defer owner.Close()
	plan, err := owner.Plan(ctx)
	if err != nil {
		return err
	}
	for _, c := range plan {
		fmt.Fprintln(out, c)
	}
	switch {
	case len(plan) == 0:
		fmt.Fprintln(out, "nothing differs")
	case args[0] == "apply":
		if err := owner.Apply(ctx, plan, *allowLoss); err != nil {
			return err
		}
		fmt.Fprintf(out, "%d changes applied\n", len(plan))
	}
	return nil
}

func open(ctx context.Context, vars map[string]string) (*topology.Owner, error) {
	cfg, err := topology.ParseEnvironment(vars)
	if err != nil {
		return nil, err
	}
	if vars["NATS_URL"] == "" {
		return nil, errors.New("NATS_URL is required")
	}
	log, err := run.Logger("topology", "warn")
	if err != nil {
		return nil, err
	}
	tls, err := env.ParseAsWithOptions[bus.TLS](env.Options{Environment: vars, Prefix: "NATS_TLS_"})
	if err != nil {
		return nil, err
	}
	return topology.Open(ctx, bus.Config{URL: vars["NATS_URL"], Creds: vars["NATS_CREDS"], TLS: tls, Name: "topology", Log: log}, cfg)
}
