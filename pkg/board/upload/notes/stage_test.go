package notes_test

import (
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/notes"
)

// TestReader: a text beside the only board states facts, and what is not understood is named.
func TestReader(t *testing.T) {
	t.Parallel()
	s := uploads.NewStage()
	s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", "5,5"))
	r := s.AddBeside("readme.txt", classify.FormatReadme, "Board thickness: 1.0 mm\nSurface finish: ENIG\n")
	s.AddBeside("build.txt", classify.FormatText, "nothing to see")
	s.Board.Facts.Thickness = pcb.State(int64(1_600_000), pcb.Source{File: "x.gbrjob"}, 0.9, "job file")
	var list findings.List
	notes.Reader{Files: s.Files, Set: s.Set, Boards: []*pcb.Board{s.Board}, List: &list}.Read()
	if f := s.Board.Facts; f.Thickness.Value != 1_000_000 || f.Finish.Value == "" || !r.Used {
		t.Errorf("thickness %+v, finish %+v, used %v; want 1 mm, a finish, used", f.Thickness, f.Finish, r.Used)
	}
	if len(s.Board.Findings) != 1 || s.Board.Findings[0].Code != "notes_differ" {
		t.Errorf("findings of the board: %+v, want notes_differ alone", s.Board.Findings)
	}
	if len(list) != 1 || list[0].Code != "files_unread" || list[0].File != "build.txt" {
		t.Errorf("findings of the upload: %+v, want files_unread of build.txt", list)
	}
}
