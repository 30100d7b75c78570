// Command bench measures the pipeline, and beside it what this machine can do
// when the same work is written bare, in one run and one table.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	program := flag.String("program", "bin/standalone", "the standalone program to measure")
	each := flag.Duration("each", 5*time.Second, "how long each row is measured")
	waiting := flag.Int("waiting", 5000, "clients that wait at once for the memory figure")
	grow := flag.Bool("growth", false, "show instead how cost grows with what is stored")
	documents := flag.Int("documents", 0, "with -growth: quotes put into a store of documents; 0 for none")
	quotes := flag.Int("quotes", 1_000_000, "with -growth: quotes asked of the program; 0 for none")
	flag.Parse()
	run := func() error { return bench(ctx, *program, *each, *waiting) }
	if *grow {
		run = func() error { return growth(ctx, *program, *documents, *quotes) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

var clients = []int{1, 16, 256}

func bench(ctx context.Context, program string, each time.Duration, waiting int) error {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "clients\tbare/s\tp50\tp99\tCPU\tquotes/s\tp50\tp99\tCPU\tquotes/bare\t")
	for _, n := range clients {
		limit, err := bare(ctx, n, each)
		if err != nil {
			return fmt.Errorf("bare: %w", err)
		}
		got, err := quotes(ctx, program, n, each)
		if err != nil {
			return fmt.Errorf("quotes: %w", err)
		}
		fmt.Fprintf(out, "%d\t%s\t%s\t%.0f %%\t\n", n, limit, got, 100*got.rate/limit.rate)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Println("\nbare: one work-queue publish, one handler publish, one projection upsert, one read, every write synced.\nCPU: of one, client included.")
	if err := leaderReads(ctx, each/2); err != nil {
		return fmt.Errorf("loads: %w", err)
	}
	if err := scaling(ctx, programs(program), each); err != nil {
		return fmt.Errorf("scaling: %w", err)
	}
	return memory(ctx, program, waiting)
}

// String is a figure as four cells of the table.
func (f figure) String() string {
	return fmt.Sprintf("%.0f\t%s\t%s\t%.2f ms", f.rate, show(f.p50), show(f.p99), millis(f.cpu))
}

func show(d time.Duration) string { return fmt.Sprintf("%.1f ms", millis(d)) }

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
