package drawings_test

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/drawings"
	"boardorder/pkg/board/upload/findings"
)

// TestSettle: strokes along the edge go, other strokes of a drawing are marked.
func TestSettle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		closed bool
		left   int
		codes  int
	}{
		"a closed outline": {true, 2, 1}, "an open one": {false, 6, 0},
	} {
		s := uploads.NewStage()
		s.AddArtwork("edge.gbr", pcb.RoleOutline, pcb.NoSide, 0, uploads.Gerber("", uploads.OutlineLines...))
		top := s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", append([]string{"5,5", "5,5 15,5"}, uploads.OutlineLines...)...))
		s.Board.Outline = pcb.Outline{Closed: c.closed, Areas: []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(20*geom.Millimetre, 10*geom.Millimetre)})}}}
		d := drawings.Find(pcb.Meter{}, s.Board)
		d.Settle(pcb.Meter{}, s.Board, findings.ListOf(s.Board))
		if got := len(top.Layer.Features); d.Empty() == c.closed || got != c.left || len(s.Board.Findings) != c.codes {
			t.Errorf("%s: empty %v, %d features are left, findings %+v; want %v, %d, %d", name, d.Empty(), got, s.Board.Findings, !c.closed, c.left, c.codes)
		}
	}
}
