package roles_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestScoresByName: what is V-scores by its name and a comment by its function draws a
// straight line from edge to edge of the board, 20 mm by 10 mm here, or it is none; what
// has no function draws more than lettering.
func TestScoresByName(t *testing.T) {
	t.Parallel()
	other := uploads.Function("Other,Comment")
	area := func(x1, y1, x2, y2 float64) string {
		n := func(v float64) int64 { return int64(v * 1e6) }
		return strings.Replace(uploads.Gerber(other), "M02*\n", fmt.Sprintf("G36*\nX%[1]dY%[2]dD02*\nX%[3]dY%[2]dD01*\nX%[3]dY%[4]dD01*\nX%[1]dY%[4]dD01*\nX%[1]dY%[2]dD01*\nG37*\nM02*\n", n(x1), n(y1), n(x2), n(y2)), 1)
	}
	for _, c := range []struct {
		name     string
		file     string
		scores   bool
		reported bool
	}{
		{"nothing", uploads.Gerber(""), true, false},
		{"lettering, with no function", uploads.Gerber("", "3,3 3.1,3", "3.2,3 3.2,3.2", "12,3 12.1,3.4"), false, true},
		{"nothing, with a function that is no word for it", uploads.Gerber(other), false, false},
		{"lettering", uploads.Gerber(other, "3,3 3.1,3", "3.2,3 3.2,3.2", "12,3 12.1,3.4"), false, true},
		{"a long line that ends within the board", uploads.Gerber(other, "4,5 16,5"), false, true},
		{"an arrow beside the board", uploads.Gerber(other, "30,1 30,9"), false, true},
		{"a line that stops within, with no function", uploads.Gerber("", "4,5 16,5"), true, false},
		{"from edge to edge", uploads.Gerber("", "0,5 20,5"), true, false},
		{"from edge to edge, with a function that is no word for it", uploads.Gerber(other, "0,5 20,5"), true, false},
		{"beyond both edges", uploads.Gerber(other, "10,-5 10,15"), true, false},
		{"1 mm short of the edges", uploads.Gerber(other, "1,5 19,5"), true, false},
		{"dashes from edge to edge", uploads.Gerber(other, "0,5 2,5", "4,5 6,5", "18,5 20,5"), true, false},
		{"from edge to edge, painted as an area", area(0, 4.9, 20, 5.1), true, false},
		{"an area within the board", area(4, 4.9, 16, 5.1), false, true},
		{"ticks at both edges", uploads.Gerber(other, "-3,5 -1,5", "21,5 23,5"), true, false},
		{"a function that says so", uploads.Gerber(uploads.Function("Vcut"), "4,5 16,5"), true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _ := uploads.BoardWithHoles()
			p := s.Merge(uploads.Set{"x-VScore.gbr": c.file}).Read(t)
			b := p.Boards[0]
			scores := slices.ContainsFunc(p.Files, func(f pcb.FileReport) bool { return f.Name == "x-VScore.gbr" && f.Role == pcb.RoleVCut })
			reported := slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == "score_doubtful" && f.File == "x-VScore.gbr" })
			if scores != c.scores || len(b.Find(pcb.RoleVCut, pcb.NoSide)) > 0 != c.scores || reported != c.reported {
				t.Errorf("scores %v, want %v; said %v, want %v: %+v", scores, c.scores, reported, c.reported, p.Files)
			}
		})
	}
}
