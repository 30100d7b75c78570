package ipc2581

import (
	"math"
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
)

// TestAllegro reads a board that Allegro wrote; the numbers are those of the
// corpus's truth file.
func TestAllegro(t *testing.T) {
	t.Parallel()
	files, _ := corpus.Upload(t, "ipc2581-testcase3")
	files = slices.DeleteFunc(files, func(f corpus.File) bool { return f.Name != "testcase3-RevC-Assembly.xml" })
	if len(files) != 1 || !Is("", files[0].Data) {
		t.Fatalf("found %d files, want testcase3-RevC-Assembly.xml, recognised", len(files))
	}
	boards, findings := Read(t.Context(), corpus.ConvertFiles[File](files))
	if len(boards) != 1 || len(findings) != 0 {
		t.Fatalf("%d boards, findings %v; want one board, no findings", len(boards), findings)
	}
	b := boards[0]
	box := b.Outline.Bounds()
	if w, h := float64(box.Width())/1e6, float64(box.Height())/1e6; math.Abs(w-99.06) > 0.1 || math.Abs(h-110.49) > 0.1 {
		t.Errorf("size %.3f × %.3f mm, want 99.06 × 110.49", w, h)
	}
	if n := b.Facts.CopperLayers.Value; n != 2 {
		t.Errorf("copper layers %d, want 2", n)
	}
	if len(b.Components) != 42 {
		t.Errorf("components %d, want 42", len(b.Components))
	}
	if len(b.Holes) != 174 {
		t.Errorf("holes %d, want 174", len(b.Holes))
	}
	inList := 0
	for _, c := range b.Components {
		if !c.NoBOM {
			inList++
		}
	}
	if inList != 41 {
		t.Errorf("parts on the list %d, want 41", inList)
	}
	for _, f := range b.Findings {
		if f.Code != "partial_file" || f.Level != pcb.Warning { // written for assembly
			t.Errorf("finding %+v, want warnings of partial_file alone", f)
		}
	}
	if len(b.Copper()[0].Features) < 500 || len(b.Nets) < 10 {
		t.Errorf("top copper has %d features, the board %d nets; want 500 and 10 at least", len(b.Copper()[0].Features), len(b.Nets))
	}
	for _, h := range b.Holes {
		if h.Plating == pcb.PlatingUnknown {
			t.Errorf("hole without plating: %+v", h)
			break
		}
	}
}
