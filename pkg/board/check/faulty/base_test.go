package faulty_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/check/faulty"
	"boardorder/pkg/board/draw"
	"boardorder/pkg/board/reader"
)

// TestBaseReads reads the base in both forms: one board, nothing odd.
func TestBaseReads(t *testing.T) {
	t.Parallel()
	for form, files := range map[string][]reader.File{"gerber": faulty.Base().Gerber(), "kicad": faulty.Base().KiCad()} {
		p := reader.Read(context.Background(), files, reader.Options{})
		if len(p.Boards) != 1 {
			t.Fatalf("%s: %d boards, findings %+v", form, len(p.Boards), p.Findings)
		}
		b := p.Boards[0]
		if len(b.Copper()) != 4 || len(b.Outline.Areas) != 1 || !b.Outline.Closed || len(b.Holes) != 5 {
			t.Errorf("%s: %d copper layers, %d areas, %d holes", form, len(b.Copper()), len(b.Outline.Areas), len(b.Holes))
		}
		for _, f := range append(p.Findings, b.Findings...) {
			if f.Level >= board.Warning {
				t.Errorf("%s: %s %s: %s", form, f.Code, f.File, f.Message)
			}
		}
		if dir := os.Getenv("FAULTY_DUMP"); dir != "" {
			dump(t, filepath.Join(dir, form), files, b)
		}
	}
}

// dump writes files and pictures for people to look at.
func dump(t *testing.T, dir string, files []reader.File, b *board.Board) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, side := range []board.Side{board.Top, board.Bottom} {
		img, err := draw.Side(b, side, draw.Options{Width: 1000})
		if err != nil {
			t.Fatal(err)
		}
		out, err := os.Create(filepath.Join(dir, side.String()+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if err := draw.PNG(out, img); err != nil {
			t.Fatal(err)
		}
		out.Close()
	}
}
