package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"boardorder/pkg/board/upload"
)

// script times KiCad loading a board and checking it, in seconds.
const script = `
import sys, time, pcbnew
start = time.perf_counter()
board = pcbnew.LoadBoard(sys.argv[1])
pcbnew.WriteDRCReport(board, sys.argv[2], pcbnew.EDA_UNITS_MILLIMETRES, False)
print("seconds", time.perf_counter() - start)
`

// timeout is how long KiCad may take.
const timeout = 5 * time.Minute

// compare times KiCad with the first board that it opens, and us with the same
// project alone.
func (t *timing) compare(files []upload.File, runs int) {
	i := slices.IndexFunc(files, isBoard)
	if i < 0 || python() == "" {
		return
	}
	stem := strings.TrimSuffix(files[i].Name, ".kicad_pcb")
	var project []upload.File
	for _, f := range files {
		if strings.HasPrefix(f.Name, stem+".") {
			project = append(project, f)
		}
	}
	t.kicad = kicad(project, runs)
	if t.kicad == 0 {
		return
	}
	t.ours = timeBest(runs, func() {
		inspectAll(upload.Read(context.Background(), project, upload.Options{}))
	})
}

// kicad gives the best time of the runs; 0 when KiCad does not open the board.
func kicad(project []upload.File, runs int) time.Duration {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return 0
	}
	defer os.RemoveAll(dir)
	board := ""
	for _, f := range project {
		path := filepath.Join(dir, "demo"+filepath.Ext(f.Name))
		if isBoard(f) {
			board = path
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			return 0
		}
	}
	least := time.Duration(0)
	for range max(1, runs) {
		d, ok := runOnce(board, filepath.Join(dir, "report"))
		if !ok {
			return 0
		}
		if least == 0 || d < least {
			least = d
		}
	}
	return least
}

func runOnce(board, report string) (time.Duration, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, python(), "-c", script, board, report).Output()
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(out) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "seconds "); ok {
			s, err := strconv.ParseFloat(text, 64)
			return time.Duration(s * float64(time.Second)), err == nil
		}
	}
	return 0, false
}

// python is an interpreter that has KiCad's module; "" when there is none.
var python = sync.OnceValue(func() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import pcbnew").Run() == nil {
			return name
		}
	}
	return ""
})
