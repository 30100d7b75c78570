package panel_test

import (
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestSeveralBoardsInOneFile: pieces that nothing joins are for people, where nothing says
// that they are a panel; a small one beside the board is none.
func TestSeveralBoardsInOneFile(t *testing.T) {
	t.Parallel()
	second := func(x0, x1, y1 string) []string {
		return []string{x0 + ",0 " + x1 + ",0", x1 + ",0 " + x1 + "," + y1, x1 + "," + y1 + " " + x0 + "," + y1, x0 + "," + y1 + " " + x0 + ",0"}
	}
	for _, c := range []struct {
		name   string
		more   []string
		pad    string
		want   bool
		scored bool
	}{
		{"one board", nil, "5,5", false, false},
		{"two boards", second("30", "50", "10"), "40,5", true, false},
		{"two boards with a score between", second("20", "40", "10"), "30,5", false, true},
		{"one board with a line across", []string{"12,0 12,10"}, "15,5", false, true},
		{"two boards that a cutter parts", second("22", "42", "10"), "30,5", true, false},
		{"a chip of board beside", second("30", "32", "2"), "31,1", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := uploads.Set{
				"x-F_Cu.gbr": uploads.Gerber("", "5,5", c.pad), "x-B_Cu.gbr": uploads.Gerber("", "5,5", c.pad),
				"x-Edge_Cuts.gbr": uploads.Gerber("", slices.Concat(uploads.OutlineLines, c.more)...), "x-PTH.drl": uploads.Drill("", "5,5", c.pad),
			}.Read(t).Boards[0]
			got := slices.ContainsFunc(b.Facts.Processes, func(p pcb.Fact[pcb.Process]) bool { return p.Value == pcb.Separating })
			if got != c.want {
				t.Errorf("separate boards %v, want %v; %d areas", got, c.want, len(b.Outline.Areas))
			}
			if panel := b.Facts.Panel.IsStated() && b.Facts.Panel.Confidence > 0.7; panel != c.scored {
				t.Errorf("panel %+v of %d areas, want stated beyond 0.7: %v", b.Facts.Panel, len(b.Outline.Areas), c.scored)
			}
		})
	}
}
