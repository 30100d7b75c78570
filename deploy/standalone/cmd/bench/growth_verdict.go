package main

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// What growth must hold.
const (
	maxSlower  = 0.15 // of the first tenth's rate may be missing in the last
	maxRestart = 2 * time.Second
	maxKilled  = 10 * time.Second // until ready again after a kill
)

// errBounds says that growth does not hold its bounds; the verdict says which.
var errBounds = errors.New("the bounds of growth do not hold")

// change is how much more the last tenth has than the first: 0.1 is a tenth more.
func change(stages []stage, of func(stage) float64) float64 {
	first, last := of(stages[0]), of(stages[len(stages)-1])
	return last/first - 1
}

// slower compares the last tenth with the first.
func slower(stages []stage) string {
	return fmt.Sprintf("last tenth to first: %+.0f %% quotes/s, %+.0f %% p99, %+.0f %% CPU a quote",
		100*change(stages, func(s stage) float64 { return s.rate }), 100*change(stages, func(s stage) float64 { return float64(s.p99) }),
		100*change(stages, func(s stage) float64 { return float64(s.cpu) }))
}

// heapOfQuote is how many bytes of heap each stored quote keeps, and what there
// is without any. It needs two stages.
func heapOfQuote(stages []stage) (each, base float64) {
	first, last := stages[0], stages[len(stages)-1]
	each = float64(last.heap-first.heap) / float64(last.stored-first.stored)
	return each, float64(first.heap) - each*float64(first.stored)
}

// memoryOf says what the heap of the stored quotes comes to.
func memoryOf(stages []stage) string {
	each, base := heapOfQuote(stages)
	at := func(n float64) float64 { return (base + each*n) / 1e9 }
	return fmt.Sprintf("heap in use: %.0f bytes a stored quote, so %.2f GB at a million and %.1f GB at ten million; what is resident is up to four times that (GOGC=300)",
		each, at(1e6), at(1e7))
}

// judge prints whether the bounds hold, and fails when they do not.
func judge(w io.Writer, stages []stage) error {
	rate := change(stages, func(s stage) float64 { return s.rate })
	var restart, killed time.Duration
	for _, s := range stages {
		restart, killed = max(restart, s.restart), max(killed, s.killed)
	}
	level, soon, again := rate >= -maxSlower, restart <= maxRestart, killed <= maxKilled
	fmt.Fprintf(w, "verdict: quotes/s of the last tenth %+.0f %% (%.0f %% less at most): %s; ready again after an orderly end within %s (%s at most): %s; after a kill within %s (%s at most): %s\n",
		100*rate, 100*maxSlower, holds(level), seconds(restart), seconds(maxRestart), holds(soon), seconds(killed), seconds(maxKilled), holds(again))
	if !level || !soon || !again {
		return errBounds
	}
	return nil
}

func holds(is bool) string {
	if is {
		return "holds"
	}
	return "DOES NOT HOLD"
}
