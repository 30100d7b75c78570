package boardedge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestRoutedAreas: filled areas of a film of routing, by its name or by its own word, are cut out of
// the board whose edge another file draws, or are told of; the way round the board is not.
func TestRoutedAreas(t *testing.T) {
	t.Parallel()
	area := func(x, y, w, h int) string {
		return fmt.Sprintf("G36*\nX%d0000Y%d0000D02*\nX%d0000Y%d0000D01*\nX%d0000Y%d0000D01*\nX%d0000Y%d0000D01*\nX%d0000Y%d0000D01*\nG37*\n", x, y, x+w, y, x+w, y+h, x, y+h, x, y)
	}
	film := func(head string, items ...string) string {
		return head + "%FSLAX24Y24*%\n%MOMM*%\n%ADD10C,0.1*%\nD10*\n" + strings.Join(items, "") + "M02*\n"
	}
	const routed, plated = "%TF.FileFunction,NonPlated,1,2,NPTH,Route*%\n", "%TF.FileFunction,Plated,1,2,PTH,Route*%\n"
	for _, c := range []struct {
		name, file, data string
		holes            int
		reported         bool
	}{
		{"called routing", "x-routing.gbr", film("", area(7, 7, 2, 2)), 1, false},
		{"by its extension", "x.gml", film("", area(7, 7, 2, 2), area(11, 7, 2, 2)), 2, false},
		{"by its own word", "x-npth.gbr", film(routed, area(7, 7, 2, 2)), 1, false},
		{"plated", "x-pth.gbr", film(plated, area(7, 7, 2, 2)), 0, false},
		{"beside lines that do not close", "x-routing.gbr", film("", area(7, 7, 2, 2), "X110000Y70000D02*\nX130000Y70000D01*\n"), 0, true},
		{"the edge again", "x-routing.gbr", uploads.Gerber("", uploads.OutlineLines...), 0, false},
		{"beside the board", "x-routing.gbr", film("", area(27, 7, 2, 2)), 0, false},
		{"letters", "x-routing.gbr", film("", "G36*\nX70000Y70000D02*\nX73000Y70000D01*\nX73000Y72000D01*\nX70000Y72000D01*\nX70000Y70000D01*\nG37*\n", "X110000Y70000D02*\nX130000Y70000D01*\n"), 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := uploads.Ordinary().Merge(uploads.Set{c.file: c.data}).Read(t)
			b := p.Boards[0]
			codes := uploads.Codes(p, pcb.Warning)
			if len(b.Outline.Areas) != 1 || b.Facts.Width.Value != 20e6 || len(b.Outline.Areas[0].Holes) != c.holes || slices.Contains(codes, "cutouts_doubtful") != c.reported {
				t.Errorf("%d areas, %v wide, outline %+v, warnings %v; want one 20 mm wide with %d cutouts, said %v", len(b.Outline.Areas), b.Facts.Width, b.Outline, codes, c.holes, c.reported)
			}
		})
	}
}

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
