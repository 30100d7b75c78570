package upload_test

import (
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
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
	other := func(kept int) set { // lands of which so many are the board's
		lands := append(at(12, 3, 2)[:kept], at(12, 3, 5)[kept:]...)
		frame := []string{"3,2 23,2", "23,2 23,12", "23,12 3,12", "3,12 3,2"}
		return set{
			"old.cmp": gerberFile("", lands...), "old.sol": gerberFile("", lands...), "old.stc": gerberFile("", lands...),
			"old.sts": gerberFile("", lands...), "old.plc": gerberFile("", frame...),
		}
	}
	for _, c := range []struct {
		name   string
		other  set
		boards int
	}{
		{"all lands", other(12), 1},
		{"five in six of the lands", other(10), 1},
		{"two thirds of the lands", other(8), 2},
		{"with holes of its own", other(12).merge(set{"old.drd": drillFile("", "5,4")}), 2},
		{"with a layer more", other(12).merge(set{"old.crc": gerberFile("", at(12, 3, 2)...)}), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			lands := at(12, 0, 0)
			s := set{
				"x/new-F_Cu.gbr": gerberFile("", lands...), "x/new-B_Cu.gbr": gerberFile("", lands...), "x/new-F_Mask.gbr": gerberFile("", lands...),
				"x/new-B_Mask.gbr": gerberFile("", lands...), "x/new-F_SilkS.gbr": gerberFile("", "1,1 2,1"),
				"x/new-Edge_Cuts.gbr": gerberFile("", outlineLines...), "x/new-PTH.drl": drillFile("", lands...),
			}
			for n, d := range c.other {
				s["x/"+n] = d
			}
			p := s.read(t)
			if said := slices.Contains(findings(p, pcb.Warning), "plot_incomplete"); len(p.Boards) != c.boards || said != (c.boards == 1) {
				t.Errorf("%d boards, want %d: %v", len(p.Boards), c.boards, findings(p, pcb.Note))
			}
		})
	}
}
