package artwork_test

import (
	"context"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/findings"
)

// TestRead: artwork is read with the roles of its files, and what ctx cuts off is left aside.
func TestRead(t *testing.T) {
	t.Parallel()
	s := uploads.NewStage()
	s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", "5,5"))
	s.AddArtwork("mask.gbr", pcb.RoleMask, pcb.Bottom, 0, uploads.Gerber("", "5,5"))
	s.AddProgram("x.drl", pcb.Plated, uploads.Drill("", "5,5"))
	var list findings.List
	files, late := artwork.Read(t.Context(), s.Upload, "x", &list)
	if len(files) != 2 || late || len(list) > 0 {
		t.Fatalf("%d files, late %v, findings %v; want 2 in time without findings", len(files), late, list)
	}
	if l := files[1].Layer; l.Role != pcb.RoleMask || l.Side != pcb.Bottom || files[1].Index != 1 || len(l.Features) != 1 {
		t.Errorf("second file: %s %s of file %d with %d features, want the mask of the bottom, file 1, 1", l.Side, l.Role, files[1].Index, len(l.Features))
	}
	if got := artwork.Copper(files); len(got) != 1 || got[0] != files[0] {
		t.Errorf("copper: %v, want the first file", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if files, late := artwork.Read(ctx, s.Upload, "x", &list); len(files) != 0 || !late || !strings.Contains(s.Result(0).Why, "left aside") {
		t.Errorf("without time: %d files, late %v, why %q; want none, late and left aside", len(files), late, s.Result(0).Why)
	}
}
