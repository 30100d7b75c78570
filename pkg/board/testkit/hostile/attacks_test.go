package hostile_test

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
	"boardorder/pkg/board/testkit/hostile"
	"boardorder/pkg/board/testkit/processor"
	"boardorder/pkg/board/upload"
)

// gaveUp tells where the work on an attack is given up, and which file is blamed;
// those that are not named are done to the end.
var gaveUp = map[string]string{
	"a million copies on one spot":                  "check board.gtl",
	"a comb less a comb":                            "check board.gtl",
	"wide arcs of a square":                         "check board.gtl",
	"an outline of random lines":                    "read board.gko",
	"random lines on copper":                        "check board.gtl",
	"seven layers of copies":                        "read board.",
	"nested blocks":                                 "read board.gtl",
	"a macro of 20,000 pieces flashed 50,000 times": "check board.gtl",
	"turned flashes of a large macro":               "read board.gtl",
	"ten thousand million copies":                   "read board.gtl",
	"nested primitives":                             "read board.xml",
	"a hole repeated":                               "read board.drl",
	"a pattern of holes repeated":                   "read board.drl",
	"a zone of 400,000 points":                      "check a.kicad_pcb",
	"a million polygon apertures":                   "read board.gtl",
	"long attributes on many objects":               "read board.gtl",
	"a part of 3,000 pads placed 3,000 times":       "read a.brd",
	"a footprint of 3,000 areas placed 3,000 times": "read PCB/b.epcb",
	"a symbol of 100 discs for each pad":            "check job/steps/pcb/layers/top/features",
}

// TestAttacks: each attack ends, within its memory, and what is not done to the end
// is said, with the file that is the cause.
func TestAttacks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	for _, a := range hostile.Attacks() {
		t.Run(a.Name, func(t *testing.T) {
			files := a.Files()
			debug.FreeOSMemory()
			watchHeap(t)
			out := work(t, files)
			want := gaveUp[a.Name]
			blamed := slices.ContainsFunc(out.complex, func(s string) bool { return strings.HasPrefix(s, want) })
			if want == "" && len(out.complex) > 0 || want != "" && !blamed {
				t.Errorf("given up in %q, want %q", out.complex, want)
			}
		})
	}
}

// TestAttacksEndWithTheirContext: what is under way when the context ends stops, at
// whatever moment that is.
func TestAttacksEndWithTheirContext(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	const late = 10 * time.Second // of the processor; a hundred times what it takes
	unbounded := pcb.Limits{Objects: 12_000_000, Steps: 1 << 40}
	for _, a := range hostile.Attacks() {
		t.Run(a.Name, func(t *testing.T) {
			files := a.Files()
			debug.FreeOSMemory()
			watchHeap(t)
			for _, after := range []time.Duration{20 * time.Millisecond, time.Second} {
				ctx, cancel := context.WithTimeout(t.Context(), after)
				cut, end := pcb.WithBudget(ctx, unbounded)
				atEnd := make(chan time.Duration, 1)
				stop := context.AfterFunc(ctx, func() { atEnd <- processor.Time() })
				runAll(cut, files)
				if !stop() {
					if d := processor.Time() - <-atEnd; d > late {
						t.Errorf("worked for %v after its context had ended, want at most %v", d.Round(time.Millisecond), late)
					}
				}
				end()
				cancel()
			}
		})
	}
}

// runAll reads, checks and draws.
func runAll(ctx context.Context, files []upload.File) {
	for _, b := range upload.Read(ctx, files, upload.Options{}).Boards {
		_, err := check.Run(ctx, b, dfm.Options{Limits: limits.Standard(len(b.Copper()), 0)}.WithSmallest(len(b.Copper())))
		_, drawing := render.Side(ctx, b, pcb.Top, render.Options{})
		if errors.Join(err, drawing) != nil {
			return
		}
	}
}
