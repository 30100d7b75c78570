package kit_test

import (
	"testing"

	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
	"boardorder/services/part-sourcing/internal/kit"
)

// TestCorpus: what real uploads say about the parts of their first board.
func TestCorpus(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		design        string
		lines, placed int // at least
		ofFiles       bool
	}{
		{"re-quad-igbt", 5, 20, true}, // list and placements as tables
		{"glasgow-revc3", 40, 100, true},
		{"kd-stickhub", 10, 30, false}, // of the design itself
		{"simple-none", 0, 0, false},
	} {
		if tt.design == "simple-none" {
			if _, ok := kit.Read(t.Context(), []upload.File{{Name: "notes.txt", Data: []byte("none")}}, nil, "board"); ok {
				t.Error("a board of no files")
			}
			continue
		}
		loose, _ := corpus.Upload(t, tt.design)
		var files []upload.File
		for _, f := range loose {
			files = append(files, upload.File(f))
		}
		project := upload.Read(t.Context(), files, upload.Options{})
		if len(project.Boards) == 0 {
			t.Fatalf("%s: no board", tt.design)
		}
		k, ok := kit.Read(t.Context(), files, nil, project.Boards[0].Name)
		placed := 0
		for _, l := range k.Places {
			placed += len(l.Parts)
		}
		if !ok || len(k.List.Lines) < tt.lines || placed < tt.placed || (len(k.Files) > 0) != tt.ofFiles || len(k.Outlines) == 0 {
			t.Errorf("%s: found %v, %d lines, %d placed, %d outlines, of %v; want true, %d and %d at least, some, of files: %v", tt.design, ok, len(k.List.Lines), placed, len(k.Outlines), k.Files, tt.lines, tt.placed, tt.ofFiles)
		}
		for ref, o := range k.Outlines {
			if o.Box.Empty() || !k.Frame.Grow(20_000_000).Overlaps(o.Box) {
				t.Errorf("%s: %s lies at %v, want it on the board, %v", tt.design, ref, o.Box, k.Frame)
			}
		}
	}
}
