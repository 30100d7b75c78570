package panel_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

func TestPanelOfTheBoard(t *testing.T) {
	t.Parallel()
	s := uploads.Ordinary()
	s["x-PTH.drl"] = uploads.Drill("", "5,5", "10,5", "15,5", "5,8")
	for name, data := range uploads.Ordinary() {
		s["panel.zip!/"+strings.Replace(name, "x-", "array-", 1)] = data
	}
	s["panel.zip!/array-Edge_Cuts.gbr"] = uploads.Gerber("", "0,0 20,0", "20,0 20,22", "20,22 0,22", "0,22 0,0")
	s["panel.zip!/array-PTH.drl"] = uploads.Drill("", "5,5", "10,5", "15,5", "5,8", "5,17", "10,17", "15,17", "5,20")
	p := s.Read(t)
	if len(p.Boards) != 2 || !slices.Contains(uploads.Codes(p, pcb.Note), "panel_of_board") {
		t.Fatalf("%d boards, findings %v; want two and panel_of_board", len(p.Boards), uploads.Codes(p, pcb.Note))
	}
	for _, b := range p.Boards {
		if want := b.Name == "array"; b.Facts.Panel.Value != want {
			t.Errorf("%s: panel %v, want %v", b.Name, b.Facts.Panel.Value, want)
		}
	}
}
