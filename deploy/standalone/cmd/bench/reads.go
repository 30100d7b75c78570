package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"

	"go.uber.org/zap"
)

// stored is how many aggregates there are to load.
const stored = 1000

// leaderReads shows what loading an aggregate costs: the broker's leader of its
// stream answers, so that a decision sees every commit before it.
func leaderReads(ctx context.Context, each time.Duration) error {
	dir, err := os.MkdirTemp("", "bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	server, err := embedded.Start(embedded.Config{Dir: filepath.Join(dir, "nats"), Port: -1, Lazy: true})
	if err != nil {
		return err
	}
	defer func() { server.Shutdown(); server.WaitForShutdown() }()
	cfg := bus.Config{InProcess: server, Name: "bench", Log: zap.NewNop()}
	if err := topology.Ensure(ctx, cfg, topology.Config{}); err != nil {
		return err
	}
	b, err := bus.Connect(ctx, cfg)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := b.Verify(ctx); err != nil {
		return err
	}
	if err := storeQuotes(ctx, b); err != nil {
		return err
	}
	fmt.Printf("\nloading an aggregate of %.1f KB from its stream's leader:", float64(len(sample))/1e3)
	for _, n := range []int{1, 16} {
		f, err := load(ctx, n, each, cpuTime, func(ctx context.Context, client, i int) error {
			_, err := b.Last(ctx, contract.QuoteAggregate, quoteNamed(client+i))
			return err
		})
		if err != nil {
			return err
		}
		fmt.Printf("   %d at once: p50 %.0f µs, p99 %.0f µs, CPU %.0f µs", n, micros(f.p50), micros(f.p99), micros(f.cpu))
	}
	fmt.Println()
	return nil
}

func quoteNamed(i int) string { return fmt.Sprintf("bench%d", i%stored) }

func storeQuotes(ctx context.Context, log aggregate.Log) error {
	for i := range stored {
		e := contract.Event{
			ID: quoteNamed(i), Aggregate: contract.QuoteAggregate, AggregateID: quoteNamed(i), Name: quotes.EventPriced,
			Format: contract.FormatOf(contract.QuoteAggregate), Version: 1, At: time.Now().UTC(),
			Data: fmt.Appendf(nil, `{"state":%s}`, sample),
		}
		if _, err := log.Append(ctx, e, 0); err != nil {
			return err
		}
	}
	return nil
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
