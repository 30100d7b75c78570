// Command bench measures the pipeline, and beside it what this machine can do
// when the same work is written bare, in one run and one table.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"boardorder/pkg/bus/embedded"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	program := flag.String("program", "bin/standalone", "the standalone program to measure")
	each := flag.Duration("each", 5*time.Second, "how long each row is measured")
	waiting := flag.Int("waiting", 5000, "clients that wait at once for the memory figure; 0 for the table of the pipeline alone")
	grow := flag.Bool("growth", false, "show instead how cost grows with what is stored")
	documents := flag.Int("documents", 0, "with -growth: quotes put into a store of documents; 0 for none")
	quotes := flag.Int("quotes", 1_000_000, "with -growth: quotes asked of the program; 0 for none")
	filled := flag.Int("filled", 0, "with -growth: quotes that are stored after the first tenth without being asked for, which is sooner done")
	designs := flag.String("price", "", "show instead how long the designs of this folder, or those named, wait from the first byte to a price")
	told := flag.Bool("events", false, "show instead how soon accounts are told of events, and how many")
	streams := flag.Int("streams", 1000, "with -events: streams that are open at once")
	rate := flag.Int("rate", 500, "with -events: events a second")
	endpoints := flag.Int("endpoints", 1000, "with -events: webhook endpoints, of an account each")
	backlog := flag.Int("backlog", 100_000, "with -events: events that one client reads")
	burst := flag.Int("burst", 0, "with -events: measure instead a partner's burst of so many quotes, of which it hears by a webhook endpoint alone")
	at := flag.String("clients", "1,16,256", "numbers of clients to measure the pipeline with")
	flag.Parse()
	embedded.UseProcessors() // the bare line has a broker in here
	run := func() error {
		var clients []int
		for text := range strings.SplitSeq(*at, ",") {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				return fmt.Errorf("-clients: %q is no number of clients", text)
			}
			clients = append(clients, n)
		}
		return bench(ctx, *program, clients, *each, *waiting)
	}
	if *grow {
		run = func() error { return growth(ctx, *program, *documents, *quotes, *filled) }
	}
	if *told {
		run = func() error {
			if *burst > 0 {
				return partner(ctx, *program, *burst)
			}
			return events(ctx, *program, feedLoad{streams: *streams, rate: *rate, each: *each, backlog: *backlog, endpoints: *endpoints})
		}
	}
	if *designs != "" {
		run = func() error { return price(ctx, *program, *designs, flag.Args()) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// rounds is how often the bare line and the pipeline take turns, so that what
// else the machine does falls on both.
const rounds = 5

func bench(ctx context.Context, program string, clients []int, each time.Duration, waiting int) error {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "clients\tbare/s\tp50\tp99\tCPU\tquotes/s\tp50\tp99\tCPU\tquotes/bare\trounds\tremembered\t")
	for _, n := range clients {
		c, err := compare(ctx, program, n, each)
		if err != nil {
			return fmt.Errorf("%d clients: %w", n, err)
		}
		fmt.Fprintf(out, "%d\t%s\t%s\t%.0f %%\t%.0f–%.0f %%\t%.0f %%\t\n",
			n, c.bare, c.quotes, 100*c.quotes.rate/c.bare.rate, 100*slices.Min(c.ratios), 100*slices.Max(c.ratios), 100*c.remembered)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Printf("\nbare: one work-queue publish, one handler publish, one projection upsert, one read, every write synced; CPU with its client.\n"+
		"quotes: of %d boards, up to %d of each, for %d destinations; CPU of the program alone, without client and fabricator.\n"+
		"remembered: asked for before, so that a price which still holds may have answered.\n", burstBoards, burstQuantity, len(burstPlaces))
	if waiting == 0 {
		return nil
	}
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
