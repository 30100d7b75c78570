package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"

	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
)

// growth checks generated boards of equal density, each about twice as large as
// the one before. Time by n log n stays level when that is how it grows.
func growth(w io.Writer, o options) {
	fmt.Fprintf(w, "\n%10s %10s %10s %14s %14s %9s\n", "objects", "read ms", "check ms", "read ns/nlogn", "check ns/nlogn", "heap MB")
	for n := 1000; n <= o.grow; n *= 2 {
		if n*2 > o.grow {
			n = o.grow
		}
		files := faulty.Series(n).Gerber()
		t := timing{}
		runtime.GC()
		if !t.measure(files, options{runs: min(o.runs, 1+200_000/n)}) {
			fmt.Fprintf(w, "%10d: not read\n", n)
			return
		}
		by := float64(t.objects) * math.Log2(float64(t.objects))
		fmt.Fprintf(w, "%10d %10s %10s %14.2f %14.2f %9.0f\n", t.objects, ms(t.read), ms(t.check),
			float64(t.read.Nanoseconds())/by, float64(t.check.Nanoseconds())/by, peak(files))
	}
}

// peak is the memory that a check leaves to the collector at its end, in MB.
func peak(files []upload.File) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	p := upload.Read(context.Background(), files, upload.Options{})
	inspectAll(p)
	runtime.ReadMemStats(&after)
	return float64(after.HeapSys-min(after.HeapSys, before.HeapReleased)) / 1e6
}
