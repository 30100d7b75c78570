package checks_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestWhatLiesBesideTheOutline: of outline, pads and holes the one that the two others
// contradict is told of.
func TestWhatLiesBesideTheOutline(t *testing.T) {
	t.Parallel()
	aside := uploads.Gerber("", "200,0 220,0", "220,0 220,10", "220,10 200,10", "200,10 200,0")
	for _, c := range []struct {
		name string
		more uploads.Set
		code string
	}{
		{"nothing", nil, ""},
		{"the outline", uploads.Set{"x-Edge_Cuts.gbr": aside}, "outline_elsewhere"},
		{"pieces beside nearly all pads", uploads.Set{"x-Edge_Cuts.gbr": uploads.Gerber("", "0,0 1,0", "1,0 1,10", "1,10 0,10", "0,10 0,0", "17.5,0 18.5,0", "18.5,0 18.5,10", "18.5,10 17.5,10", "17.5,10 17.5,0")}, "outline_elsewhere"},
		{"the holes", uploads.Set{"x-PTH.drl": uploads.Drill("", "205,5", "210,5", "215,5", "205,8")}, "holes_off_board"},
	} {
		s, _ := uploads.BoardWithHoles()
		found := uploads.Codes(s.Merge(c.more).Read(t), pcb.Problem)
		for _, code := range []string{"outline_elsewhere", "holes_off_board"} {
			if slices.Contains(found, code) != (code == c.code) {
				t.Errorf("%s: problems %q, want %q alone of the two", c.name, found, c.code)
			}
		}
	}
}

// TestOutlineByNameOnly: where what is the outline by its name does not go round the board
// and a drawing or a silkscreen does, the shape is the drawing's, which is said, and nothing
// is made of what the other draws. What states itself as the profile stays.
func TestOutlineByNameOnly(t *testing.T) {
	t.Parallel()
	part := uploads.Gerber("", "2,2 5,2", "5,2 5,5", "5,5 2,5")
	circle := "%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,0.2*%\nG75*\nD10*\nX22000000Y5000000D02*\nG02*\nX22000000Y5000000I-12000000J0D01*\nM02*\n"
	edge := uploads.Gerber("", append([]string{"7,7 8,8"}, uploads.OutlineLines...)...)
	farther := uploads.Gerber("", "-30,-30 50,-30", "50,-30 50,40", "50,40 -30,40", "-30,40 -30,-30")
	for _, c := range []struct {
		name     string
		more     uploads.Set
		reported bool
		problem  string
	}{
		{"a drill drawing", uploads.Set{"x-Edge_Cuts.gbr": part, "x-drill_drawing.gbr": edge}, true, ""},
		{"a fabrication drawing", uploads.Set{"x-Edge_Cuts.gbr": part, "x-F_Fab.gbr": edge}, true, ""},
		{"a legend", uploads.Set{"x-Edge_Cuts.gbr": part, "x-F_Silkscreen.gbr": edge}, true, ""},
		{"a legend within the frame of a sheet", uploads.Set{"x-Edge_Cuts.gbr": part, "x-F_Silkscreen.gbr": edge, "x-F_Fab.gbr": farther}, true, ""},
		{"the frame of a sheet only", uploads.Set{"x-Edge_Cuts.gbr": part, "x-F_Fab.gbr": farther}, false, "outline_open"},
		{"a profile that states itself", uploads.Set{"x-Edge_Cuts.gbr": uploads.Gerber(uploads.Function("Profile,NP"), "2,2 5,2", "5,2 5,5", "5,5 2,5"), "x-F_Silkscreen.gbr": edge}, false, "outline_open"},
		{"a circle round the board", uploads.Set{"x-Edge_Cuts.gbr": circle, "x-F_Silkscreen.gbr": edge}, false, ""},
		{"a circle beside the pads", uploads.Set{"x-Edge_Cuts.gbr": strings.ReplaceAll(circle, "I-12000000", "I-1000000"), "x-F_Silkscreen.gbr": edge}, true, ""},
		{"nothing", uploads.Set{"x-Edge_Cuts.gbr": uploads.Gerber(""), "x-F_Silkscreen.gbr": edge}, false, "outline_missing"},
		{"an open outline round the board", uploads.Set{"x-Edge_Cuts.gbr": uploads.Gerber("", uploads.OutlineLines[:3]...), "x-F_Silkscreen.gbr": edge}, false, "outline_open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _ := uploads.BoardWithHoles()
			p := s.Merge(c.more).Read(t)
			b := p.Boards[0]
			reported := slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool {
				return f.Code == "outline_elsewhere" && f.Level == pcb.Warning && f.File == "x-Edge_Cuts.gbr"
			})
			if width := b.Facts.Width.Value; reported != c.reported || c.reported && width != 20_000_000 {
				t.Errorf("said %v, want %v; %d wide: %+v", reported, c.reported, width, b.Findings)
			}
			if found := uploads.Codes(p, pcb.Problem); c.problem == "" && len(found) > 0 || c.problem != "" && !slices.Contains(found, c.problem) {
				t.Errorf("%q, want %q", found, c.problem)
			}
		})
	}
}

// TestOutlineThatDrawsNothing: an empty outline beside a mechanical layer that goes round the
// board is no answer to the question which of them it is; one that draws something is.
func TestOutlineThatDrawsNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		outline string
		answers int
	}{
		"empty":        {uploads.Gerber(""), 1},
		"of something": {uploads.Gerber("", "2,2 5,2", "5,2 5,5", "5,5 2,5"), 2},
	} {
		s, _ := uploads.BoardWithHoles()
		b := s.Merge(uploads.Set{"x-Edge_Cuts.gbr": "", "x.GKO": c.outline, "x.GM15": uploads.Gerber("", uploads.OutlineLines...)}).Read(t).Boards[0]
		i := slices.IndexFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == "outline_elsewhere" })
		if i < 0 || len(b.Findings[i].Answers) != c.answers || b.Findings[i].Answers[0].Value != "x.GM15" || b.Facts.Width.Value != 20_000_000 {
			t.Errorf("%s: %d nm wide, findings %+v; want 20 mm, and outline_elsewhere with %d answers", name, b.Facts.Width.Value, b.Findings, c.answers)
		}
	}
}
