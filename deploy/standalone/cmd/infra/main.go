// Command infra runs what the services of one machine share when each is a
// process of its own: a NATS with JetStream and the simulator, persistent in one
// folder, which also holds the services' SQLite file and their files. With
// BROKER_URL it uses a broker that runs elsewhere.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"boardorder/deploy/standalone/infra"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/run"

	"github.com/caarlos0/env/v11"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "infra:", err)
		os.Exit(1)
	}
}

func start(ctx context.Context) error {
	cfg := infra.Config{Env: env.ToMap(os.Environ())}
	cfg.NATSURL = cfg.Env["BROKER_URL"]
	flag.StringVar(&cfg.DataDir, "data", "data/local", "folder for everything that is kept")
	flag.StringVar(&cfg.NATSAddr, "nats", "", "address of NATS; empty = any free port of this machine")
	flag.StringVar(&cfg.HTTPAddr, "simulator", "", "address of the simulator; empty = any free port of this machine")
	flag.StringVar(&cfg.SMTPAddr, "smtp", "", "address that takes mail; empty = any free port of this machine")
	flag.StringVar(&cfg.PublicURL, "public-url", "http://127.0.0.1:8080", "where the API will be reached")
	flag.DurationVar(&cfg.FabPace, "fabricator-pace", 0, "how long the simulated fabricator leaves an order in each state; 0 = the usual")
	readyFile := flag.String("ready-file", "", "write a JSON file with all addresses and the services' environment once everything is ready")
	flag.Parse()
	embedded.UseProcessors()
	log, err := run.Logger("infra", "warn")
	if err != nil {
		return err
	}
	cfg.Log, cfg.PublicURL = log, strings.TrimRight(cfg.PublicURL, "/")
	system, err := infra.Start(ctx, cfg)
	if err != nil {
		return err
	}
	err = writeReady(system, *readyFile)
	if err == nil {
		err = system.Wait()
	}
	if closing := system.Close(); err == nil {
		err = closing
	}
	return err
}

func writeReady(system *infra.Infra, file string) error {
	ready, err := system.Ready()
	if err != nil {
		return err
	}
	if file != "" {
		return infra.WriteJSON(file, ready)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(ready)
}
