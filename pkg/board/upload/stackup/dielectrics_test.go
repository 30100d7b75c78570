package stackup

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestDielectrics: what a stackup has between its copper layers, where it says it of each.
func TestDielectrics(t *testing.T) {
	t.Parallel()
	const um = geom.Micrometre
	src := pcb.Source{File: "x.kicad_pcb"}
	sheet := func(k pcb.StackupKind, t int64) pcb.StackupLayer {
		l := pcb.StackupLayer{Kind: k}
		if t > 0 {
			l.Thickness = pcb.State(t, src, 0.9, "")
		}
		return l
	}
	copper := sheet(pcb.StackCopper, 35*um)
	four := []pcb.StackupLayer{sheet(pcb.StackMask, 10*um), copper, sheet(pcb.StackPrepreg, 100*um), sheet(pcb.StackPrepreg, 110*um), copper,
		sheet(pcb.StackCore, 1_065*um), copper, sheet(pcb.StackPrepreg, 210*um), copper, sheet(pcb.StackMask, 10*um)}
	untold := append([]pcb.StackupLayer(nil), four...)
	untold[5].Thickness = pcb.Fact[int64]{}
	for _, c := range []struct {
		name   string
		stack  []pcb.StackupLayer
		copper pcb.Fact[float64]
		want   string
		stated bool
	}{
		{"four layers", four, pcb.State(1.0, src, 0.9, ""), "0.21, 1.07, 0.21 mm", true},
		{"as the tool began", four, pcb.Preset(1.0, src, ""), "0.21, 1.07, 0.21 mm", false},
		{"copper of another file as its tool began", four, pcb.Preset(1.0, pcb.Source{File: "y.gbrjob"}, ""), "0.21, 1.07, 0.21 mm", true},
		{"a sheet without thickness", untold, pcb.State(1.0, src, 0.9, ""), "", false},
		{"two layers", []pcb.StackupLayer{copper, sheet(pcb.StackCore, 1_500*um), copper}, pcb.State(1.0, src, 0.9, ""), "", false},
		{"copper alone", []pcb.StackupLayer{copper, copper, copper, copper}, pcb.State(1.0, src, 0.9, ""), "", false},
		{"no stackup", nil, pcb.State(1.0, src, 0.9, ""), "", false},
	} {
		b := pcb.NewBoard("")
		b.Stackup, b.Facts.OuterCopper = c.stack, c.copper
		if f := Dielectrics(b); f.Value != c.want || f.IsStated() != c.stated {
			t.Errorf("%s: %+v, want %q, stated %v", c.name, f, c.want, c.stated)
		}
	}
}
