package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
	heap     int64         // bytes that are in use, of the program; 0: not known
	disk     int64         // bytes of everything stored
	stop     time.Duration // how long an orderly end takes; 0: not measured
	restart  time.Duration // until ready again after an orderly end
	killed   time.Duration // until ready again after it was killed under way; 0: not measured
}

// growth shows what a quote costs while more and more of them are stored: in
// the store of documents alone, then in the whole program. It fails when the whole
// program does not hold its bounds.
func growth(ctx context.Context, program string, documents, quotes, filled int) error {
	if documents > 0 {
		fmt.Printf("Store of documents, batches of %d quotes with their outcomes, each read once:\n", batchSize)
		stages, err := table(os.Stdout, func(show func(stage)) error { return growStore(ctx, documents, show) })
		if err != nil {
			return fmt.Errorf("documents: %w", err)
		}
		fmt.Println(slower(stages))
	}
	if quotes == 0 {
		return nil
	}
	fmt.Printf("Whole program, %d clients, every quote new, as a partner asks in a burst:\n", growthClients)
	g := growing{program: program, quotes: quotes, filled: filled, parts: tenths, kills: map[int]bool{1: true, tenths / 2: true, tenths: true}, progress: os.Stderr}
	stages, err := table(os.Stdout, func(show func(stage)) error { return g.run(ctx, show) })
	if err != nil {
		return fmt.Errorf("quotes: %w", err)
	}
	fmt.Println(slower(stages))
	fmt.Println(memoryOf(stages))
	return judge(os.Stdout, stages)
}

// table prints one line for each stage as it comes, and returns all of them.
func table(w io.Writer, run func(show func(stage)) error) ([]stage, error) {
	out := tabwriter.NewWriter(w, 10, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "stored\tquotes/s\tp50\tp99\tCPU\tresident\theap\tdisk\ta quote\tstop\trestart\tkilled\t")
	var all []stage
	err := run(func(s stage) {
		all = append(all, s)
		fmt.Fprintln(out, s.row())
		_ = out.Flush() // standard output; nobody is left to report it to
	})
	return all, err
}

func (s stage) row() string {
	return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%.2f KB\t%s\t%s\t%s\t", s.stored, s.figure, megabytes(s.resident), megabytes(s.heap), megabytes(s.disk),
		float64(s.disk)/1e3/float64(s.stored), seconds(s.stop), seconds(s.restart), seconds(s.killed))
}

func megabytes(n int64) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f MB", float64(n)/1e6)
}

func seconds(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
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
