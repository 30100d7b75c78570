// Command uplocal runs the system on one machine as production runs it: each
// service a process of its own, several pricing workers and edges, over one
// process with the broker and the simulator.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"boardorder/deploy/standalone"
	"boardorder/deploy/standalone/infra"
	"boardorder/deploy/standalone/local"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "uplocal:", err)
		os.Exit(1)
	}
}

func start(ctx context.Context) error {
	cfg := local.Config{Env: map[string]string{}, Counts: map[string]int{}}
	flag.StringVar(&cfg.Data, "data", "data/local", "folder for everything that is kept")
	flag.StringVar(&cfg.Addr, "http", "127.0.0.1:8080", "address of the API and the checkout pages; port 0 = any free port")
	flag.StringVar(&cfg.ConsoleAddr, "console", "", "address of the console; empty = any free port")
	flag.StringVar(&cfg.Bin, "bin", "", "folder of the built programs; empty = this program's")
	readyFile := flag.String("ready-file", "", "write a JSON file with all addresses once everything is ready")
	for name, usual := range local.Usual() {
		if name == "console" {
			continue // it has one address
		}
		flag.Func(name, fmt.Sprintf("how many processes of %s (%d)", name, usual), func(text string) error {
			var n int
			if _, err := fmt.Sscan(text, &n); err != nil || n < 1 || n > 32 {
				return fmt.Errorf("must be a number from 1 to 32")
			}
			cfg.Counts[name] = n
			return nil
		})
	}
	flag.Parse()
	if cfg.Bin == "" {
		program, err := os.Executable()
		if err != nil {
			return err
		}
		cfg.Bin = filepath.Dir(program)
	}
	if n := os.Getenv("DEMO_REQUESTS_PER_MINUTE"); n != "" {
		cfg.Env["DEMO_REQUESTS_PER_MINUTE"] = n
	}
	return serve(ctx, cfg, *readyFile)
}

func serve(ctx context.Context, cfg local.Config, readyFile string) error {
	starting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	system, err := local.Start(starting, cfg)
	if err != nil {
		return err
	}
	defer system.Stop()
	ready := standalone.Ready{
		BaseURL: system.BaseURL, ConsoleURL: system.ConsoleURL, MailboxURL: system.Ready.MailboxURL,
		SimulatorURL: system.Ready.SimulatorURL, NATSURL: system.Ready.NATSURL, APIKey: system.APIKey, NewKey: system.NewKey, PID: os.Getpid(),
	}
	if readyFile != "" {
		if err := infra.WriteJSON(readyFile, ready); err != nil {
			return err
		}
	}
	fmt.Print(ready.Banner(cfg.Data))
	fmt.Printf("\nProcesses and their logs:\n\n%s\n", system.Table())
	var kept sync.WaitGroup
	for _, p := range system.Processes() {
		kept.Go(func() {
			p.Keep(ctx, func(why error) { fmt.Fprintln(os.Stderr, "uplocal: starting again:", why) })
		})
	}
	<-ctx.Done()
	kept.Wait()
	return nil
}
