// Command work does our side of what bench measures in a process of its own, which
// like the programs that it is held against cannot unpack archives.
//
// Usage:
//
//	work [-out folder] facts|layers|svg|sides folder
//
// It reads the files of the folder: facts reads them as an upload; layers reads
// Gerber files alone and draws all of them into one PNG; svg and sides read an
// upload and draw both sides of its boards as SVG, sides as PNG too. What was done
// is told as JSON.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
)

func main() {
	out := flag.String("out", "", "folder that pictures are written to")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: work [-out folder] facts|layers|svg|sides folder")
		os.Exit(2)
	}
	// A process that soon ends may let some garbage lie; the peak memory that is
	// told has it in it.
	debug.SetGCPercent(200)
	if err := perform(os.Stdout, flag.Arg(0), flag.Arg(1), *out); err != nil {
		fmt.Fprintln(os.Stderr, "work:", err)
		os.Exit(1)
	}
}
