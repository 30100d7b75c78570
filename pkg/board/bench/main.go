// Command bench reads and draws the boards of a folder, and times other programs
// doing the same where the machine has them: gerbv for every Gerber layer at 600
// dpi in one PNG, KiCad's Python module for loading a .kicad_pcb.
//
//	bench [-runs 3] folder [design...]
//
// Every sub-folder is one upload. Times are the best of the runs, wall clock.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"boardorder/pkg/board"
	"boardorder/pkg/board/draw"
	"boardorder/pkg/board/reader"
)

func main() {
	runs := flag.Int("runs", 3, "how often each is timed; the best counts")
	flag.Parse()
	if flag.NArg() < 1 {
		fmt.Fprintln(os.Stderr, "usage: bench [-runs n] folder [design...]")
		os.Exit(2)
	}
	if err := run(os.Stdout, *runs, flag.Arg(0), flag.Args()[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run prints one line a design.
func run(w io.Writer, runs int, folder string, names []string) error {
	if len(names) == 0 {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.IsDir() {
				names = append(names, e.Name())
			}
		}
	}
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "design\tMB\tobjects\tread ms\tread+600 dpi ms\tgerbv ms\ttimes\tsides PNG ms\tsides SVG ms\tKiCad load ms\theap MB\t\n")
	var reads []time.Duration
	for _, name := range names {
		files, err := load(filepath.Join(folder, name))
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			continue
		}
		m := measure(files, runs)
		if m.board == nil {
			continue
		}
		reads = append(reads, m.read)
		m.others(files, runs)
		m.print(t, name)
	}
	if len(reads) > 0 {
		slices.Sort(reads)
		fmt.Fprintf(t, "median\t\t\t%s\t\t\t\t\t\t\t\t\n", ms(reads[len(reads)/2]))
	}
	return t.Flush()
}

// times is what was measured of one design; 0 is not measured.
type times struct {
	board                              *board.Board
	size, objects                      int
	read, stack, gerbv, png, svg, load time.Duration
	heap                               uint64
}

func measure(files []reader.File, runs int) times {
	var m times
	for _, f := range files {
		m.size += len(f.Data)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m.read = best(runs, func() {
		if p := reader.Read(context.Background(), files, reader.Options{}); len(p.Boards) > 0 {
			m.board = p.Boards[0]
		}
	})
	if m.board == nil {
		return m
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	m.heap = after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
	for _, l := range m.board.Layers {
		m.objects += len(l.Features)
	}
	m.stack = best(runs, func() {
		p := reader.Read(context.Background(), files, reader.Options{})
		if img, err := draw.Stack(p.Boards[0], draw.Options{DPI: 600}); err == nil {
			_ = draw.PNG(io.Discard, img)
		}
	})
	m.png = best(runs, func() { sides(m.board, false) })
	m.svg = best(runs, func() { sides(m.board, true) })
	return m
}

// sides draws the finished top and bottom.
func sides(b *board.Board, svg bool) {
	for _, side := range []board.Side{board.Top, board.Bottom} {
		if svg {
			_ = draw.SVG(io.Discard, b, side, draw.Options{})
			continue
		}
		if img, err := draw.Side(b, side, draw.Options{Width: 1600}); err == nil {
			_ = draw.PNG(io.Discard, img)
		}
	}
}

func best(runs int, f func()) time.Duration {
	least := time.Duration(0)
	for range max(1, runs) {
		start := time.Now()
		f()
		if d := time.Since(start); least == 0 || d < least {
			least = d
		}
	}
	return least
}

func (m *times) print(w io.Writer, name string) {
	ratio := ""
	if m.gerbv > 0 {
		ratio = fmt.Sprintf("%.1fx", float64(m.gerbv)/float64(m.stack))
	}
	fmt.Fprintf(w, "%s\t%.1f\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.0f\t\n", name, float64(m.size)/1e6, m.objects,
		ms(m.read), ms(m.stack), ms(m.gerbv), ratio, ms(m.png), ms(m.svg), ms(m.load), float64(m.heap)/1e6)
}

func ms(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000)
}
