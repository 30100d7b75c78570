package notes_test

import (
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestSizeOfTheFrame: a size in the notes that is the frame's stops, for rails may be wanted; any
// other is warned of.
func TestSizeOfTheFrame(t *testing.T) {
	t.Parallel()
	frame := []string{"-10,-10 30,-10", "30,-10 30,20", "30,20 -10,20", "-10,20 -10,-10"}
	for size, want := range map[string]pcb.Level{"40 mm x 30 mm": pcb.Problem, "40.5 mm x 30 mm": pcb.Problem, "50 mm x 30 mm": pcb.Warning, "20 mm x 10 mm": pcb.Note} {
		p := uploads.Ordinary().Merge(uploads.Set{
			"x-Edge_Cuts.gbr": uploads.Gerber("", slices.Concat(uploads.OutlineLines, frame)...),
			"ReadMe.txt":      "board size: " + size + "\nboard thickness: 1.6 mm\nsurface finish: ENIG\n",
		}).Read(t)
		got, answered := pcb.Note, 0
		if f := uploads.FindingOf(p, "size_mismatch"); f != nil {
			got, answered = f.Level, len(f.Answers)
		}
		if got != want || (answered > 0) != (want == pcb.Problem) {
			t.Errorf("notes of %s on a board of 20 x 10 mm in a frame of 40 x 30: size_mismatch of level %v with %d answers, want %v", size, got, answered, want)
		}
	}
	pieces := []string{"0,5 20,5"} // part the board in two, as cuts along its rails do
	p := uploads.Ordinary().Merge(uploads.Set{
		"x-Edge_Cuts.gbr": uploads.Gerber("", slices.Concat(uploads.OutlineLines, pieces, frame)...),
		"ReadMe.txt":      "boards per panel: 2\nboard size: 40 mm x 30 mm\nboard thickness: 1.6 mm\n",
	}).Read(t)
	if f := uploads.FindingOf(p, "size_mismatch"); !p.Boards[0].Facts.Panel.Value || f == nil || f.Level != pcb.Problem {
		t.Errorf("notes of 40 mm x 30 mm on a panel of 20 x 10 mm in a frame of 40 x 30: panel %v, finding %+v; want a panel and a problem", p.Boards[0].Facts.Panel.Value, f)
	}
}
