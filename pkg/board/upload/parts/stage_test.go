package parts_test

import (
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/parts"
)

// TestTakePlaced: what another file said of a part stays.
func TestTakePlaced(t *testing.T) {
	t.Parallel()
	s := uploads.NewStage()
	s.AddArtwork("parts.gbr", pcb.RoleAssembly, pcb.Top, 0, "%TF.FileFunction,Component,L1,Top*%\n%FSLAX46Y46*%\n%MOMM*%\n%TA.AperFunction,ComponentMain*%\n%ADD10C,0.3*%\nG01*\n"+
		"%TO.C,R1*%\n%TO.CVal,10k*%\n%TO.CFtp,R_0603*%\nD10*\nX5000000Y4000000D03*\nM02*\n")
	c := &s.Board.Components[s.Board.Component("R1")]
	c.Value = "12k"
	parts.TakePlaced(s.Art, s.Board)
	c = &s.Board.Components[s.Board.Component("R1")]
	if len(s.Board.Components) != 1 || c.Value != "12k" || c.Footprint != "R_0603" || !c.HasAt || !s.Art[0].Result.Used {
		t.Errorf("%d components, R1 %+v, file used %v; want one, its value 12k, placed, used", len(s.Board.Components), c, s.Art[0].Result.Used)
	}
}
