// Command bench reads and draws the boards of a folder, and times other programs
// doing the same where the machine has them:
//
//   - gerbv: reading every Gerber file and drawing all of them at 600 dpi into one PNG;
//   - tracespace (@tracespace/core): reading Gerber and drill files and drawing both
//     finished sides as SVG; TRACESPACE names the folder whose node_modules has it;
//   - KiCad's Python module: loading a .kicad_pcb.
//
// Usage:
//
//	bench [-runs 3] folder [design...]
//
// Every sub-folder is one upload. Each measurement is of a whole process, from
// its start to its end, files read from and written to disk; our side of it is
// command work beside this one, which is built first. The programs take turns, small
// designs more often than asked for, and the best run of each counts; after the
// stroke is the processor time of all cores together. Peak memory is that of the
// hungriest of our processes, beside ten times the unpacked files plus 50 MB.
//
// Like is compared with like: for layers both programs get the same files and draw
// all that is in them, over each other, into one picture of the same size, which
// Mpixel tells. Ours is anti-aliased, gerbv's is not unless asked to be. Both sides
// as SVG are held against tracespace; what customers are shown, SVG and PNG, stands
// beside it.
//
// How cost grows with the number of objects is shown by go test -bench Growth.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	runs := flag.Int("runs", 3, "how often each is timed at least; the best counts")
	flag.Parse()
	if flag.NArg() < 1 {
		fmt.Fprintln(os.Stderr, "usage: bench [-runs n] folder [design...]")
		os.Exit(2)
	}
	if err := compare(*runs, flag.Arg(0), flag.Args()[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// compare measures every design of the folder, or those named.
func compare(runs int, folder string, names []string) error {
	if len(names) == 0 {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return fmt.Errorf("list the designs: %w", err)
		}
		for _, e := range entries {
			if e.IsDir() {
				names = append(names, e.Name())
			}
		}
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := findPrograms(dir)
	if err != nil {
		return err
	}
	t := newTable(os.Stdout)
	for _, name := range names {
		m, err := p.measure(filepath.Join(folder, name), runs)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			continue
		}
		m.name = name
		t.add(m)
	}
	t.summary()
	return nil
}
