package panel_test

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/panel"
)

// TestState: what speaks for a panel, by layers, pieces and names.
func TestState(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	area := func(x int64) geom.Polygon {
		return geom.Polygon{Outer: geom.Rect(geom.Box{Min: geom.Pt(x*mm, 0), Max: geom.Pt((x+20)*mm, 10*mm)})}
	}
	for name, c := range map[string]struct {
		board  string
		areas  []geom.Polygon
		scores []string
		known  bool
	}{
		"one board":         {"x", []geom.Polygon{area(0)}, nil, false},
		"scores across":     {"x", []geom.Polygon{area(0)}, []string{"10,0 10,10"}, true},
		"scores along it":   {"x", []geom.Polygon{area(0)}, []string{"0,0 20,0"}, false},
		"scores beside it":  {"x", []geom.Polygon{area(0)}, []string{"-5,20 25,20"}, false},
		"two pieces":        {"x", []geom.Polygon{area(0), area(30)}, nil, true},
		"a name":            {"x panel", []geom.Polygon{area(0)}, nil, true},
		"a panel of a case": {"x front panel", []geom.Polygon{area(0)}, nil, false},
	} {
		s := uploads.NewStage()
		s.Board.Name, s.Board.Outline.Areas = c.board, c.areas
		s.AddArtwork("score.gbr", pcb.RoleVCut, pcb.NoSide, 0, uploads.Gerber("", c.scores...))
		panel.State(pcb.Meter{}, s.Art, s.Board)
		if got := s.Board.Facts.Panel; got.Known != c.known {
			t.Errorf("%s: panel %+v, want known %v", name, got, c.known)
		}
	}
}
