package processes_test

import (
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/processes"
)

// TestReader: layers and drill programs say what a plain board is made without.
func TestReader(t *testing.T) {
	t.Parallel()
	s := uploads.NewStage()
	s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", "5,5"))
	s.AddArtwork("carbon.gbr", pcb.RoleCarbon, pcb.Top, 0, uploads.Gerber("", "5,5"))
	s.AddArtwork("peelable.gbr", pcb.RolePeelable, pcb.Top, 0, uploads.Gerber(""))
	s.AddProgram("x.drl", pcb.Plated, uploads.Drill("", "5,5")).Result.Process = pcb.ViaFilling
	processes.Reader{Files: s.Files, Set: s.Set, Boards: []*pcb.Board{s.Board}}.State()
	var got []pcb.Process
	for _, p := range s.Board.Facts.Processes {
		got = append(got, p.Value)
	}
	if want := []pcb.Process{pcb.CarbonPrinting, pcb.ViaFilling}; !slices.Equal(got, want) || len(s.Board.Findings) != 2 {
		t.Errorf("processes %v with %d findings, want %v with 2", got, len(s.Board.Findings), want)
	}
}
