package copperlayers_test

import (
	"fmt"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/copperlayers"
	"boardorder/pkg/board/upload/findings"
)

// TestStack: copper that the holes contradict is taken out, and the numbers close up.
func TestStack(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	s := uploads.NewStage()
	var pads []string
	for i := range 12 {
		pads = append(pads, fmt.Sprintf("%d,%d", 2+i, 2+i/3))
		at := geom.Pt(int64(2+i)*mm, int64(2+i/3)*mm)
		s.Board.Holes = append(s.Board.Holes, pcb.Hole{A: at, B: at, Diameter: mm / 2, Plating: pcb.Plated})
	}
	s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", pads...))
	stray := s.AddArtwork("stray.gbr", pcb.RoleCopper, pcb.Inner, 2, uploads.Gerber("", "40,40", "50,40"))
	bottom := s.AddArtwork("bottom.gbr", pcb.RoleCopper, pcb.Bottom, 3, uploads.Gerber("", pads...))
	stack := copperlayers.Stack{Upload: s.Upload, List: findings.ListOf(s.Board), Art: s.Art, Board: s.Board}
	stack.DropEmpty()
	stack.SettleRivals()
	if stray.Layer.Role != pcb.RoleCopper {
		t.Fatalf("%s before the holes were asked, want copper", stray.Layer.Role)
	}
	stack.DropContradicted(3)
	stack.TestSpans()
	stack.AskForOrder()
	if stray.Layer.Role != pcb.RoleOther || bottom.Layer.Order != 2 || bottom.Result.Layer != 2 || s.Group.Layers != 2 {
		t.Errorf("the stray file is %s, the bottom layer %d (%d in its report) of %d; want other, 2 (2) of 2", stray.Layer.Role, bottom.Layer.Order, bottom.Result.Layer, s.Group.Layers)
	}
	if len(s.Board.Findings) != 1 || s.Board.Findings[0].Code != "copper_doubtful" {
		t.Errorf("findings %+v, want copper_doubtful alone", s.Board.Findings)
	}
}
