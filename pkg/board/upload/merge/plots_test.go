package merge_test

import (
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestOtherPlots: another plot of the board beside it, moved by 3 mm and 2 mm, that has no
// holes, is left aside with a word; what has holes of its own, another layer or other lands
// is asked.
func TestOtherPlots(t *testing.T) {
	t.Parallel()
	at := func(n, dx, dy int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("%d,%d", 2+i+i/6+dx, 1+i*i%7+dy))
		}
		return out
	}
	other := func(kept int) uploads.Set { // lands of which so many are the board's
		lands := append(at(12, 3, 2)[:kept], at(12, 3, 5)[kept:]...)
		frame := []string{"3,2 23,2", "23,2 23,12", "23,12 3,12", "3,12 3,2"}
		return uploads.Set{
			"old.cmp": uploads.Gerber("", lands...), "old.sol": uploads.Gerber("", lands...), "old.stc": uploads.Gerber("", lands...),
			"old.sts": uploads.Gerber("", lands...), "old.plc": uploads.Gerber("", frame...),
		}
	}
	for _, c := range []struct {
		name   string
		other  uploads.Set
		boards int
	}{
		{"all lands", other(12), 1},
		{"five in six of the lands", other(10), 1},
		{"two thirds of the lands", other(8), 2},
		{"with holes of its own", other(12).Merge(uploads.Set{"old.drd": uploads.Drill("", "5,4")}), 2},
		{"with a layer more", other(12).Merge(uploads.Set{"old.crc": uploads.Gerber("", at(12, 3, 2)...)}), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			lands := at(12, 0, 0)
			s := uploads.Set{
				"x/new-F_Cu.gbr": uploads.Gerber("", lands...), "x/new-B_Cu.gbr": uploads.Gerber("", lands...), "x/new-F_Mask.gbr": uploads.Gerber("", lands...),
				"x/new-B_Mask.gbr": uploads.Gerber("", lands...), "x/new-F_SilkS.gbr": uploads.Gerber("", "1,1 2,1"),
				"x/new-Edge_Cuts.gbr": uploads.Gerber("", uploads.OutlineLines...), "x/new-PTH.drl": uploads.Drill("", lands...),
			}
			for n, d := range c.other {
				s["x/"+n] = d
			}
			p := s.Read(t)
			if reported := slices.Contains(uploads.Codes(p, pcb.Warning), "plot_incomplete"); len(p.Boards) != c.boards || reported != (c.boards == 1) {
				t.Errorf("%d boards, want %d: %v", len(p.Boards), c.boards, uploads.Codes(p, pcb.Note))
			}
		})
	}
}
