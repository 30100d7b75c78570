// Command standalone runs the whole system in one process.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"boardorder/deploy/standalone"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/run"
	"boardorder/pkg/worker"
)

func main() {
	worker.Main(standalone.Tasks()...)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "standalone:", err)
		os.Exit(1)
	}
}

func start(ctx context.Context) error {
	data := flag.String("data", "data", "folder for everything that is kept")
	addr := flag.String("http", "127.0.0.1:8080", "address of the API and the checkout pages; port 0 = any free port")
	readyFile := flag.String("ready-file", "", "write a JSON file with all addresses once everything is ready")
	flag.Parse()
	vars := environment()
	level := vars["LOG_LEVEL"]
	if level == "" {
		level = "warn"
	}
	log, err := run.Logger("standalone", level)
	if err != nil {
		return err
	}
	// Most of what is allocated lives for one request: collecting less often is
	// worth some memory. There is no limit in bytes: the broker's index grows with
	// what is stored, and beyond a limit collecting would never end.
	if vars["GOGC"] == "" {
		debug.SetGCPercent(300)
	}
	embedded.UseProcessors()
	endTracing, err := run.Tracing(ctx, "standalone")
	if err != nil {
		return err
	}
	defer endTracing(context.WithoutCancel(ctx)) //nolint:errcheck // nobody is left to report it to
	system, err := standalone.Start(ctx, standalone.Config{DataDir: *data, Addr: *addr, Env: vars, Log: log})
	if err != nil {
		return err
	}
	if *readyFile != "" {
		if err := system.Ready().WriteFile(*readyFile); err != nil {
			return err
		}
	}
	fmt.Print(system.Ready().Banner(*data))
	err = system.Wait()
	if closing := system.Close(); err == nil {
		err = closing
	}
	return err
}

func environment() map[string]string {
	vars := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		vars[name] = value
	}
	return vars
}
