package boardsize_test

import (
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/boardsize"
)

// TestMeasure: a stated size goes before what is drawn, and what is drawn is measured once.
func TestMeasure(t *testing.T) {
	t.Parallel()
	s := uploads.NewStage()
	sizes := boardsize.Sizes{}
	if got, ok := sizes.Measure(pcb.NewBoard("empty")); ok {
		t.Errorf("a board without files is %+v, want unknown", got)
	}
	s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", "5,5", "15,8"))
	drawn, ok := sizes.Measure(s.Board)
	if want := (boardsize.Extent{Width: 10_000_000, Height: 3_000_000}); drawn != want || !ok {
		t.Errorf("drawn: %+v %v, want %+v", drawn, ok, want)
	}
	s.Board.Facts.Width, s.Board.Facts.Height = pcb.State(int64(20_000_000), pcb.Source{}, 0.9, ""), pcb.State(int64(10_000_000), pcb.Source{}, 0.9, "")
	stated, _ := sizes.Measure(s.Board)
	if want := (boardsize.Extent{Width: 20_000_000, Height: 10_000_000}); stated != want || stated.Matches(drawn, 1_000_000) || !stated.Matches(boardsize.Extent{Width: 20_000_050, Height: 10_000_000}, 100) {
		t.Errorf("stated: %+v, want %+v, unlike what is drawn", stated, want)
	}
}
