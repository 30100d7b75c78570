package panel_test

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/panel"
)

// TestTakeScores: lines from edge to edge of all boards on a layer whose lettering calls them
// V-scores are such; other lines of it, and those without the words, are not.
func TestTakeScores(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	line := func(x1, y1, x2, y2 int64) pcb.Feature {
		return pcb.Feature{Kind: pcb.LineFeature, A: geom.Pt(x1*mm, y1*mm), B: geom.Pt(x2*mm, y2*mm)}
	}
	upright, level := line(20, -3, 20, 33), line(0, 15, 40, 15)
	for name, c := range map[string]struct {
		word  string
		role  pcb.Role
		lines []pcb.Feature
		own   bool // a layer of V-scores is there
		want  int
	}{
		"beyond the edge, and from edge to edge": {"V-CUT", pcb.RoleMechanical, []pcb.Feature{upright, level}, false, 2},
		"on a drawing":                           {"v score", pcb.RoleFabDrawing, []pcb.Feature{upright}, false, 1},
		"short of the edge":                      {"V-CUT", pcb.RoleMechanical, []pcb.Feature{line(20, 2, 20, 30)}, false, 0},
		"aslant":                                 {"V-CUT", pcb.RoleMechanical, []pcb.Feature{line(19, -3, 21, 33)}, false, 0},
		"beside the board":                       {"V-CUT", pcb.RoleMechanical, []pcb.Feature{line(45, -3, 45, 33)}, false, 0},
		"along the edge":                         {"V-CUT", pcb.RoleMechanical, []pcb.Feature{line(40, -3, 40, 33)}, false, 0},
		"a word within a sentence":               {"no V-CUT here", pcb.RoleMechanical, []pcb.Feature{upright}, false, 0},
		"another word":                           {"CUT", pcb.RoleMechanical, []pcb.Feature{upright}, false, 0},
		"on the silkscreen":                      {"V-CUT", pcb.RoleSilk, []pcb.Feature{upright}, false, 0},
		"beside a layer of their own":            {"V-CUT", pcb.RoleMechanical, []pcb.Feature{upright}, true, 0},
	} {
		b := &pcb.Board{Outline: pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(40*mm, 30*mm)})}}}}
		b.Layers = []*pcb.Layer{{Name: "Comments", File: "x.kicad_pcb", Role: c.role, Features: c.lines, Texts: []pcb.Text{{Text: c.word}}}}
		if c.own {
			b.Layers = append(b.Layers, &pcb.Layer{Role: pcb.RoleVCut})
		}
		panel.TakeScores(pcb.Meter{}, b)
		got := 0
		for _, l := range b.Layers[1:] {
			got += len(l.Features)
		}
		if got != c.want || b.Facts.Panel.Value != (c.want > 0) || len(b.Findings) != min(1, c.want) || len(b.Layers[0].Features) != len(c.lines) {
			t.Errorf("%s: %d scores, panel %v, findings %+v; want %d scores", name, got, b.Facts.Panel.Value, b.Findings, c.want)
		}
	}
}

// TestTakeCrossings: lines on a panel's layer of the outline that run past all of it on both sides
// are V-scores; edges, frames, lines of a single board and those beside a layer of scores are not.
func TestTakeCrossings(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	line := func(x1, y1, x2, y2 int64) pcb.Feature {
		return pcb.Feature{Kind: pcb.LineFeature, A: geom.Pt(x1*mm, y1*mm), B: geom.Pt(x2*mm, y2*mm)}
	}
	for name, c := range map[string]struct {
		lines         []pcb.Feature
		panel, scored bool
		want          int
	}{
		"upright and level":             {[]pcb.Feature{line(20, -3, 20, 33), line(-5, 15, 45, 15)}, true, false, 2},
		"from edge to edge":             {[]pcb.Feature{line(20, 0, 20, 30)}, true, false, 0},
		"past one edge":                 {[]pcb.Feature{line(20, 0, 20, 33)}, true, false, 0},
		"a frame round the panel":       {[]pcb.Feature{line(-3, -3, -3, 33), line(43, -3, 43, 33), line(-3, -3, 43, -3)}, true, false, 0},
		"aslant":                        {[]pcb.Feature{line(19, -3, 21, 33)}, true, false, 0},
		"a single board":                {[]pcb.Feature{line(20, -3, 20, 33)}, false, false, 0},
		"beside a layer of their own":   {[]pcb.Feature{line(20, -3, 20, 33)}, true, true, 0},
		"an arc, and what is taken off": {[]pcb.Feature{{Kind: pcb.ArcFeature, A: geom.Pt(20*mm, -3*mm), B: geom.Pt(20*mm, 33*mm)}, {Kind: pcb.LineFeature, Clear: true, A: geom.Pt(20*mm, -3*mm), B: geom.Pt(20*mm, 33*mm)}}, true, false, 0},
	} {
		b := &pcb.Board{Outline: pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(40*mm, 30*mm)})}}}}
		b.Layers = []*pcb.Layer{{Name: "Edge", File: "x.gko", Role: pcb.RoleOutline, Features: c.lines}}
		b.Facts.Panel = pcb.State(c.panel, pcb.Source{}, 0.7, "test")
		if c.scored {
			b.Layers = append(b.Layers, &pcb.Layer{Role: pcb.RoleVCut})
		}
		panel.TakeCrossings(pcb.Meter{}, []*pcb.Board{b})
		got := 0
		for _, l := range b.Find(pcb.RoleVCut, pcb.NoSide) {
			got += len(l.Features)
		}
		if got != c.want || len(b.Findings) != min(1, c.want) {
			t.Errorf("%s: %d scores, findings %+v; want %d scores", name, got, b.Findings, c.want)
		}
	}
}

// TestWarnOfInnerLines: lines across a panel may be its scores; those of a single board, and
// beside a layer of scores, are drawing.
func TestWarnOfInnerLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		panel, scored bool
		code          string
		want          pcb.Level
	}{
		"a panel": {true, false, "outline_inner_line", pcb.Warning}, "one board": {false, false, "outline_inner_line", pcb.Note},
		"a panel with scores": {true, true, "outline_inner_line", pcb.Note}, "another finding": {true, false, "outline_drawing", pcb.Note},
	} {
		b := pcb.NewBoard("b")
		b.Findings = []pcb.Finding{{Code: c.code, Level: pcb.Note, Message: "lines"}}
		b.Facts.Panel = pcb.State(c.panel, pcb.Source{}, 0.7, "test")
		if c.scored {
			b.Layers = append(b.Layers, &pcb.Layer{Role: pcb.RoleVCut})
		}
		panel.WarnOfInnerLines([]*pcb.Board{b})
		if got := b.Findings[0].Level; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
