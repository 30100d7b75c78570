package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"boardorder/deploy/standalone"
	"boardorder/pkg/worker"
)

// asProgram makes this test's program the one that is measured.
const asProgram = "BENCH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	worker.Main(standalone.Tasks()...)
	if os.Getenv(asProgram) != "" {
		if err := runProgram(); err != nil {
			fmt.Fprintln(os.Stderr, "program:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func runProgram() error {
	data, addr, ready := flag.String("data", "", ""), flag.String("http", "", ""), flag.String("ready-file", "", "")
	flag.Parse()
	vars := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		vars[name] = value
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s, err := standalone.Start(ctx, standalone.Config{DataDir: *data, Addr: *addr, Env: vars})
	if err != nil {
		return err
	}
	if err := s.Ready().WriteFile(*ready); err != nil {
		return err
	}
	if err := s.Wait(); err != nil {
		return err
	}
	return s.Close()
}
