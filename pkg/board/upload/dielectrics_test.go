package upload

import (
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// TestDielectrics: what a stackup has between its copper layers, where it says it of each.
func TestDielectrics(t *testing.T) {
	t.Parallel()
	const um = geom.Micrometre
	src := board.Source{File: "x.kicad_pcb"}
	sheet := func(k board.StackupKind, t int64) board.StackupLayer {
		l := board.StackupLayer{Kind: k}
		if t > 0 {
			l.Thickness = board.State(t, src, 0.9, "")
		}
		return l
	}
	copper := sheet(board.StackCopper, 35*um)
	four := []board.StackupLayer{sheet(board.StackMask, 10*um), copper, sheet(board.StackPrepreg, 100*um), sheet(board.StackPrepreg, 110*um), copper,
		sheet(board.StackCore, 1_065*um), copper, sheet(board.StackPrepreg, 210*um), copper, sheet(board.StackMask, 10*um)}
	untold := append([]board.StackupLayer(nil), four...)
	untold[5].Thickness = board.Fact[int64]{}
	for _, c := range []struct {
		name   string
		stack  []board.StackupLayer
		copper board.Fact[float64]
		want   string
		stated bool
	}{
		{"four layers", four, board.State(1.0, src, 0.9, ""), "0.21, 1.07, 0.21 mm", true},
		{"as the tool began", four, board.Preset(1.0, src, ""), "0.21, 1.07, 0.21 mm", false},
		{"copper of another file as its tool began", four, board.Preset(1.0, board.Source{File: "y.gbrjob"}, ""), "0.21, 1.07, 0.21 mm", true},
		{"a sheet without thickness", untold, board.State(1.0, src, 0.9, ""), "", false},
		{"two layers", []board.StackupLayer{copper, sheet(board.StackCore, 1_500*um), copper}, board.State(1.0, src, 0.9, ""), "", false},
		{"no stackup", nil, board.State(1.0, src, 0.9, ""), "", false},
	} {
		b := board.NewBoard("")
		b.Stackup, b.Facts.OuterCopper = c.stack, c.copper
		if f := dielectricsOf(b); f.Value != c.want || f.IsStated() != c.stated {
			t.Errorf("%s: %+v, want %q, stated %v", c.name, f, c.want, c.stated)
		}
	}
}
