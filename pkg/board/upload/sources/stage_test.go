package sources_test

import (
	"testing"

	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/sources"
)

// TestRead: each format is read of its own files, and owns the files that its boards came from.
func TestRead(t *testing.T) {
	t.Parallel()
	files := []classify.File{
		{Name: "x.kicad_pcb", Data: []byte(`(kicad_pcb (version 20211014) (general (thickness 1.2)) (layers (0 "F.Cu" signal) (31 "B.Cu" signal) (44 "Edge.Cuts" user)) (gr_rect (start 0 0) (end 30 20) (layer "Edge.Cuts") (width 0.1)))`)},
		{Name: "top.gbr", Data: []byte(uploads.Gerber("", "5,5"))},
	}
	set := classify.Classify(files)
	got := sources.Read(t.Context(), files, set.Formats())
	if len(got) != 1 || got[0].Name != "KiCad project" || len(got[0].Boards) != 1 {
		t.Fatalf("%+v, want one board of a KiCad project", got)
	}
	if b := got[0].Boards[0]; !got[0].Owns(b, files[0].Name, set.Results[0].Format) || got[0].Owns(b, files[1].Name, set.Results[1].Format) {
		t.Errorf("the board owns its own file %v and the Gerber %v, want true and false", got[0].Owns(b, files[0].Name, set.Results[0].Format), got[0].Owns(b, files[1].Name, set.Results[1].Format))
	}
	if !set.HoldsBoard() || classify.Classify(files[1:]).HoldsBoard() {
		t.Error("a whole board is known by its format: want it with the KiCad file, and not without")
	}
}
