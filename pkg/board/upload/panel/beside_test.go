package panel_test

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/panel"
)

// TestReportScoresBeside: V-scores outside of the outline are told with their file, and those that
// a layer is called by ask for the panel; frames, tables, dimensions and lines on the board are
// none.
func TestReportScoresBeside(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	line := func(x1, y1, x2, y2 int64) pcb.Feature {
		return pcb.Feature{Kind: pcb.LineFeature, A: geom.Pt(x1*mm, y1*mm), B: geom.Pt(x2*mm, y2*mm)}
	}
	below, left := line(-5, -8, 45, -8), line(-8, -5, -8, 35)
	frame := []pcb.Feature{line(-10, -10, 50, -10), line(50, -10, 50, 40), line(50, 40, -10, 40), line(-10, 40, -10, -10)}
	dimension := []pcb.Feature{line(-1, -8, 41, -8), line(-1, -9, -1, 0), line(41, -9, 41, 0)}
	var table []pcb.Feature
	for i := range int64(41) {
		table = append(table, line(-5, -10-i, 45, -10-i))
	}
	for name, c := range map[string]struct {
		role   pcb.Role
		word   string
		lines  []pcb.Feature
		want   int
		wanted bool
	}{
		"of V-scores":                       {pcb.RoleVCut, "", []pcb.Feature{below, left}, 2, true},
		"of V-scores, shorter than it":      {pcb.RoleVCut, "", []pcb.Feature{line(50, 0, 50, 10)}, 1, true},
		"of V-scores, letters":              {pcb.RoleVCut, "", []pcb.Feature{line(50, 0, 52, 0)}, 0, false},
		"of V-scores, through the board":    {pcb.RoleVCut, "", []pcb.Feature{line(20, -5, 20, 35)}, 0, false},
		"of V-scores, along the edge":       {pcb.RoleVCut, "", []pcb.Feature{line(0, -5, 0, 35)}, 0, false},
		"mechanical, with the word":         {pcb.RoleMechanical, "V-CUT", []pcb.Feature{below, line(0, -12, 3, -12)}, 1, true},
		"mechanical, with the word, a list": {pcb.RoleMechanical, "V-CUT", append(table, below), 42, true},
		"a drawing, with the word":          {pcb.RoleFabDrawing, "v score", []pcb.Feature{line(0, -8, 40, -8)}, 1, true},
		"mechanical":                        {pcb.RoleMechanical, "", []pcb.Feature{below, left}, 2, false},
		"on the outline's layer":            {pcb.RoleOutline, "", []pcb.Feature{below}, 1, false},
		"a frame":                           {pcb.RoleMechanical, "", frame, 0, false},
		"a dimension":                       {pcb.RoleMechanical, "", dimension, 0, false},
		"a drawing of many lines":           {pcb.RoleFabDrawing, "", table, 0, false},
		"shorter than the board":            {pcb.RoleMechanical, "", []pcb.Feature{line(5, -8, 35, -8)}, 0, false},
		"as long as the board":              {pcb.RoleMechanical, "", []pcb.Feature{line(0, -8, 40, -8)}, 0, false},
		"aslant":                            {pcb.RoleMechanical, "", []pcb.Feature{line(-5, -8, 45, -9)}, 0, false},
		"through the board":                 {pcb.RoleMechanical, "", []pcb.Feature{line(20, -5, 20, 35)}, 0, false},
		"on the silkscreen":                 {pcb.RoleSilk, "V-CUT", []pcb.Feature{below}, 0, false},
	} {
		b := &pcb.Board{Outline: pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(40*mm, 30*mm)})}}}}
		l := pcb.NewLayer("Layer", "x.gm2")
		l.Role, l.Features, l.Texts = c.role, c.lines, []pcb.Text{{Text: c.word}}
		l.Apertures = []pcb.Aperture{pcb.Circle(mm / 10)}
		b.Layers = []*pcb.Layer{l}
		panel.ReportScoresBeside(pcb.Meter{}, []*pcb.Board{b})
		got := 0
		for _, f := range b.Findings {
			if got = f.Count; f.Code != "score_beside" || f.Level != pcb.Warning || f.File != "x.gm2" || f.Layer != "Layer" || f.At == nil {
				t.Errorf("%s: finding %+v, want a warning score_beside of the layer and its file", name, f)
			}
		}
		if got != c.want || b.Facts.PanelWanted.Value != c.wanted {
			t.Errorf("%s: %d scores beside, a panel is asked for %v; want %d, %v", name, got, b.Facts.PanelWanted.Value, c.want, c.wanted)
		}
	}
	b := &pcb.Board{Layers: []*pcb.Layer{{Role: pcb.RoleVCut, Features: []pcb.Feature{below}}}}
	if panel.ReportScoresBeside(pcb.Meter{}, []*pcb.Board{b}); len(b.Findings) > 0 {
		t.Errorf("without an outline: %+v, want nothing", b.Findings)
	}
}
