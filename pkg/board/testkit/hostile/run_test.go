package hostile_test

import (
	"context"
	"errors"
	"io"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
	"boardorder/pkg/board/upload"
)

// What an upload may take in these tests.
const (
	maxTime = time.Minute // for each of reading, checking and drawing: not a measure, machines are shared
	maxHeap = 2 << 30
)

// outcome is how the work on an upload ended.
type outcome struct {
	complex []string // the steps that gave up, and the file that each blames
	boards  int
}

// work reads, checks and draws an upload, each within maxTime.
func work(t *testing.T, files []upload.File) outcome {
	t.Helper()
	var out outcome
	p := read(t, files, &out)
	out.boards = len(p.Boards)
	for _, b := range p.Boards[:min(2, len(p.Boards))] {
		checkBoard(t, b, &out)
		drawBoard(t, b, &out)
	}
	return out
}

func read(t *testing.T, files []upload.File, out *outcome) *pcb.Project {
	ctx, cancel := context.WithTimeout(t.Context(), maxTime)
	defer cancel()
	p := upload.Read(ctx, files, upload.Options{})
	if ctx.Err() != nil {
		t.Errorf("reading takes longer than %v", maxTime)
	}
	if i := slices.IndexFunc(p.Findings, func(f pcb.Finding) bool { return f.Code == pcb.TooComplexCode }); i >= 0 {
		out.complex = append(out.complex, "read "+p.Findings[i].File)
		if f := p.Findings[i]; len(p.Boards) > 0 || f.Level != pcb.Problem || f.Message == "" {
			t.Errorf("too complex: %d boards and %+v, want no board, and a problem with a message", len(p.Boards), f)
		}
	}
	return p
}

func checkBoard(t *testing.T, b *pcb.Board, out *outcome) {
	ctx, cancel := context.WithTimeout(t.Context(), maxTime)
	defer cancel()
	r, err := check.Run(ctx, b, dfm.Options{Limits: limits.Standard(len(b.Copper()), 0)}.WithSmallest(len(b.Copper())))
	if err != nil {
		t.Errorf("checking: %v", err)
	}
	for _, f := range r.Faults {
		t.Errorf("a rule broke down: %v", f)
	}
	if i := slices.IndexFunc(r.Findings, func(f dfm.Finding) bool { return f.Check == dfm.TooComplex }); i >= 0 {
		out.complex = append(out.complex, "check "+strings.TrimPrefix(r.Findings[i].What, `"`))
		if r.Findings[i].Level != dfm.MustFix || len(r.Unchecked) == 0 && len(b.Layers) > 0 { // of a board that could not be read nothing is left to check
			t.Errorf("%+v, unchecked %v; want it to be mended, and what was not checked", r.Findings[i], r.Unchecked)
		}
	}
}

func drawBoard(t *testing.T, b *pcb.Board, out *outcome) {
	ctx, cancel := context.WithTimeout(t.Context(), maxTime)
	defer cancel()
	_, err := render.Side(ctx, b, pcb.Top, render.Options{Width: 1200, Height: 1200})
	note(t, out, err)
	_, err = render.Stack(ctx, b, render.Options{Width: 1200})
	note(t, out, err)
	note(t, out, render.SVG(ctx, io.Discard, b, pcb.Top, render.Options{}))
}

// note takes down how drawing ended.
func note(t *testing.T, out *outcome, err error) {
	if e, ok := errors.AsType[*pcb.TooComplex](err); ok {
		out.complex = append(out.complex, "draw "+e.File)
	} else if err != nil && !errors.Is(err, render.ErrNothing) {
		t.Errorf("drawing: %v", err)
	}
}

// alone keeps tests that watch the heap apart.
var alone sync.Mutex

// watchHeap fails the test when the objects on the heap take more than maxHeap at
// any time that it looks. Garbage is collected as early as in a worker process.
func watchHeap(t *testing.T) {
	alone.Lock()
	usual := debug.SetMemoryLimit(maxHeap / 4 * 3)
	done, ended := make(chan struct{}), make(chan struct{})
	var peak atomic.Uint64
	go func() {
		defer close(ended)
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				metrics.Read(sample)
				peak.Store(max(peak.Load(), sample[0].Value.Uint64()))
			}
		}
	}()
	t.Cleanup(func() {
		close(done)
		<-ended
		debug.SetMemoryLimit(usual)
		alone.Unlock()
		if n := peak.Load(); n > maxHeap {
			t.Errorf("the heap grew to %d MiB, want %d at most", n>>20, maxHeap>>20)
		} else {
			t.Logf("heap %d MiB", n>>20)
		}
	})
}
