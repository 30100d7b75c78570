package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"text/tabwriter"
	"time"
)

// tenths is how many times growth stops to look.
const tenths = 10

// A stage is what was measured while one more tenth was stored, and then when
// everything was closed and opened again.
type stage struct {
	stored   int // quotes, from the first on
	figure       // of this tenth
	resident int64
	disk     int64         // bytes of everything stored
	restart  time.Duration // until ready again
}

// growth shows what a quote costs while more and more of them are stored: in
// the store of documents alone, then in the whole program.
func growth(ctx context.Context, program string, documents, quotes int) error {
	if documents > 0 {
		fmt.Printf("Store of documents, batches of %d quotes with their outcomes, each read once:\n", batchSize)
		if err := table(func(show func(stage)) error { return growStore(ctx, documents, show) }); err != nil {
			return fmt.Errorf("documents: %w", err)
		}
	}
	if quotes > 0 {
		fmt.Printf("Whole program, %d clients, every quote new:\n", growthClients)
		if err := table(func(show func(stage)) error { return growProgram(ctx, program, quotes, show) }); err != nil {
			return fmt.Errorf("quotes: %w", err)
		}
	}
	return nil
}

// table prints one line for each stage as it comes, and compares the first
// with the last.
func table(run func(show func(stage)) error) error {
	out := tabwriter.NewWriter(os.Stdout, 9, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "stored\tquotes/s\tp50\tp99\tCPU\tmemory\tdisk/quote\trestart\t")
	var all []stage
	err := run(func(s stage) {
		all = append(all, s)
		fmt.Fprintf(out, "%d\t%s\t%.0f MB\t%.2f KB\t%.2f s\t\n",
			s.stored, s.figure, float64(s.resident)/1e6, float64(s.disk)/1e3/float64(s.stored), s.restart.Seconds())
		_ = out.Flush() // standard output; nobody is left to report it to
	})
	if err != nil || len(all) == 0 {
		return err
	}
	first, last := all[0], all[len(all)-1]
	fmt.Printf("last tenth to first: %+.0f %% quotes/s, %+.0f %% CPU a quote\n\n",
		100*(last.rate/first.rate-1), 100*(float64(last.cpu)/float64(first.cpu)-1))
	return nil
}

// times says yes n times, to all who ask together.
func times(n int) (more func() bool) {
	var asked atomic.Int64
	return func() bool { return asked.Add(1) <= int64(n) }
}

// size is how many bytes lie in a folder.
func size(folder string) (int64, error) {
	var total int64
	err := filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
