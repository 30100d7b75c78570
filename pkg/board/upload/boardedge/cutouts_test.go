package boardedge_test

import (
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestCutoutsOfTheirOwn: a file that is called cutouts, beside that of the edge, is cut out of
// the board where its lines close within the edge; where they do not, it is told of.
func TestCutoutsOfTheirOwn(t *testing.T) {
	t.Parallel()
	box := func(x1, y1, x2, y2 string) []string {
		return []string{x1 + "," + y1 + " " + x2 + "," + y1, x2 + "," + y1 + " " + x2 + "," + y2, x2 + "," + y2 + " " + x1 + "," + y2, x1 + "," + y2 + " " + x1 + "," + y1}
	}
	for _, c := range []struct {
		name     string
		file     string
		items    []string
		holes    int
		reported bool
	}{
		{"closed within the edge", "x-cutouts.gbr", box("7", "7", "9", "9"), 1, false},
		{"two of them", "x-milling.gbr", append(box("7", "7", "9", "9"), box("11", "7", "13", "9")...), 2, false},
		{"open", "x-cutouts.gbr", box("7", "7", "9", "9")[:2], 0, true},
		{"across the edge", "x-cutouts.gbr", box("19", "7", "21", "9"), 0, true},
		{"beside the board", "x-cutouts.gbr", box("27", "7", "29", "9"), 0, true},
		{"the edge again", "x-cutouts.gbr", uploads.OutlineLines, 0, false},
		{"nothing", "x-cutouts.gbr", nil, 0, false},
		{"called an outline too", "x-border.gbr", box("7", "7", "9", "9"), 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := uploads.Ordinary().Merge(uploads.Set{c.file: uploads.Gerber("", c.items...)}).Read(t)
			b := p.Boards[0]
			if len(b.Outline.Areas) != 1 || b.Facts.Width.Value != 20e6 || b.Facts.Height.Value != 10e6 {
				t.Fatalf("%d areas, %v by %v; want one, 20 by 10 mm", len(b.Outline.Areas), b.Facts.Width, b.Facts.Height)
			}
			reported := slices.Contains(uploads.Codes(p, pcb.Warning), "cutouts_doubtful")
			if n := len(b.Outline.Areas[0].Holes); n != c.holes || reported != c.reported {
				t.Errorf("%d cutouts, want %d; said %v, want %v: %v", n, c.holes, reported, c.reported, uploads.Codes(p, pcb.Note))
			}
		})
	}
}
