package stackup_test

import (
	"fmt"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/stackup"
)

// TestTable: a table that somebody wrote is the stackup of the board that it lies beside.
func TestTable(t *testing.T) {
	t.Parallel()
	s := uploads.NewStage()
	s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", "5,5"))
	s.AddArtwork("bottom.gbr", pcb.RoleCopper, pcb.Bottom, 2, uploads.Gerber("", "5,5"))
	s.AddBeside("stack.csv", classify.FormatStackup, "Layer,Name,Type,Material,Thickness (mm)\n1,Top,Signal,Copper,0.035\n,Core,Core,FR-4,0.9\n2,Bottom,Signal,Copper,0.035\n")
	stackup.Table{Upload: s.Upload, List: findings.ListOf(s.Board), Board: s.Board}.ReadBeside()
	f := &s.Board.Facts
	got := fmt.Sprintln(len(s.Board.Stackup), f.CopperLayers.Value, f.Thickness.Value, f.OuterCopper.Value, f.Material.Value, s.Result(2).Used, len(s.Board.Findings))
	if want := "3 2 970000 1 FR-4 true 0\n"; got != want {
		t.Errorf("stackup and facts: %swant %s", got, want)
	}
}
