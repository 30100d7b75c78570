package faulty_test

import (
	"context"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
)

// TestBaseReads reads the base in both forms: one board, nothing odd.
func TestBaseReads(t *testing.T) {
	t.Parallel()
	for form, files := range map[string][]upload.File{"gerber": faulty.Base().Gerber(), "kicad": faulty.Base().KiCad()} {
		p := upload.Read(context.Background(), files, upload.Options{})
		if len(p.Boards) != 1 {
			t.Fatalf("%s: %d boards, want one; findings %+v", form, len(p.Boards), p.Findings)
		}
		b := p.Boards[0]
		if len(b.Copper()) != 4 || len(b.Outline.Areas) != 1 || !b.Outline.Closed || len(b.Holes) != 5 {
			t.Errorf("%s: %d copper layers, %d areas, closed %v, %d holes; want 4, 1, true, 5", form, len(b.Copper()), len(b.Outline.Areas), b.Outline.Closed, len(b.Holes))
		}
		for _, f := range append(p.Findings, b.Findings...) {
			if f.Level >= pcb.Warning {
				t.Errorf("%s: finding %s of %s: %s; want none from a warning on", form, f.Code, f.File, f.Message)
			}
		}
	}
}
