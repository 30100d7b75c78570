// Command bench reads and checks the boards of a folder and, where the machine
// has KiCad's Python module, times KiCad loading and checking the same boards;
// then it checks boards of its own that grow to a million objects.
//
//	bench [-runs 3] [-grow 1000000] [-rules] folder [design...]
//
// Every sub-folder is one upload. Times are wall clock, the best of the runs,
// within the process: KiCad's without the start of Python.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/pprof"
)

func main() {
	o := options{}
	flag.IntVar(&o.runs, "runs", 3, "how often each is timed; the best counts")
	flag.IntVar(&o.grow, "grow", 1_000_000, "objects of the largest generated board; 0 leaves the series out")
	flag.BoolVar(&o.rules, "rules", false, "time every check by itself")
	profile := flag.String("cpuprofile", "", "write a profile of the processor's time to this file")
	flag.Parse()
	debug.SetGCPercent(200) // as the workers do
	if flag.NArg() < 1 {
		fmt.Fprintln(os.Stderr, "usage: bench [-runs n] [-grow n] [-rules] folder [design...]")
		os.Exit(2)
	}
	stop, err := startProfile(*profile)
	if err == nil {
		err = run(os.Stdout, o, flag.Arg(0), flag.Args()[1:])
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	runs, grow int
	rules      bool
}

func run(w io.Writer, o options, folder string, names []string) error {
	if err := designs(w, o, folder, names); err != nil {
		return err
	}
	if o.grow > 0 {
		growth(w, o)
	}
	return nil
}

func startProfile(path string) (stop func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		f.Close()
	}, nil
}
