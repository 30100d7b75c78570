package gerberout_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/format/ipc2581"
	"boardorder/pkg/board/format/kicad"
	"boardorder/pkg/board/format/odb"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
)

// A source reads whole boards from the files that it wants.
type source struct {
	wants func(name string) bool
	read  func(ctx context.Context, files []corpus.File) []*pcb.Board
}

var sources = map[string]source{
	"KiCad": {kicad.Reads, func(ctx context.Context, files []corpus.File) []*pcb.Board {
		boards, _ := kicad.Read(ctx, corpus.ConvertFiles[kicad.File](files))
		return boards
	}},
	"ODB++": {func(name string) bool { return true }, func(ctx context.Context, files []corpus.File) []*pcb.Board {
		boards, _ := odb.Read(ctx, corpus.ConvertFiles[odb.File](files))
		return boards
	}},
	"IPC-2581": {func(name string) bool {
		e := strings.ToLower(filepath.Ext(name))
		return e == ".xml" || e == ".cvg"
	}, func(ctx context.Context, files []corpus.File) []*pcb.Board {
		boards, _ := ipc2581.Read(ctx, corpus.ConvertFiles[ipc2581.File](files))
		return boards
	}},
}

// explained are the designs whose plot reads differently, and why.
var explained = map[string]string{
	"caravel-v3-flexy": "two unplated holes lie on plated ones, which a reader of drill files takes for the same holes",
}

// TestDesigns plots every board of every real design that comes as more than
// artwork, and reads the plot: the same board must come back.
func TestDesigns(t *testing.T) {
	t.Parallel()
	for _, row := range corpus.Designs(t) {
		design := row["name"]
		t.Run(design, func(t *testing.T) {
			t.Parallel()
			if why := explained[design]; why != "" {
				t.Skip(why)
			}
			files, _ := corpus.Upload(t, design)
			for name, s := range sources {
				if name == "ODB++" && !strings.Contains(design, "odb") && design != "ipc2581-switch-board" {
					continue
				}
				for i, b := range s.read(t.Context(), slices.DeleteFunc(slices.Clone(files), func(f corpus.File) bool { return !s.wants(f.Name) })) {
					if len(b.Copper()) > 0 {
						b.Name = fmt.Sprintf("%s-%s-%d", design, name, i)
						same(t, b, roundTrip(t, b), 3)
					}
				}
			}
		})
	}
}
