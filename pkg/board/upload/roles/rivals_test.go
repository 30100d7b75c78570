package roles_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestLayerStatedTwice: of two files that both state to be the same copper layer, one is
// used: that which was plotted with the others. Both are named. Where both were or neither,
// the customer has to say which is right.
func TestLayerStatedTwice(t *testing.T) {
	t.Parallel()
	const day, dayBefore = "2018-10-02T15:59:07+02:00", "2018-10-01T02:54:44+02:00"
	plot := func(function, date string, items ...string) string {
		return uploads.Gerber("G04 #@! TF.CreationDate,"+date+"*\nG04 #@! TF.FileFunction,"+function+"*\n", items...)
	}
	base := func() uploads.Set {
		return uploads.Set{
			"b-F.Cu.gbr": plot("Copper,L1,Top,Signal", day, "5,5", "15,5"), "b-B.Cu.gbr": plot("Copper,L4,Bot,Signal", day, "5,5", "15,5"),
			"b-In.Cu.gbr": plot("Copper,L3,Inr,Signal", day, "5,5", "15,5"), "b-Edge.Cuts.gbr": plot("Profile,NP", day, uploads.OutlineLines...),
			"b-PTH.drl": uploads.Drill("", "5,5", "15,5"),
		}
	}
	older := plot("Copper,L2,Inr,Plane", dayBefore, "5,5", "15,5", "5,5 15,5", "5,6 15,6")
	for _, c := range []struct {
		name  string
		files uploads.Set
		used  string // of the two; "" where it may be either
		say   pcb.Level
	}{
		{"one is a day older", uploads.Set{"b-GND.gbr": older, "b-GND.Cu.gbr": plot("Copper,L2,Inr,Plane", day, "5,5", "15,5")}, "b-GND.Cu.gbr", pcb.Warning},
		{"one is newer than all else", uploads.Set{"b-GND.gbr": strings.Replace(older, "2018-10-01", "2018-11-01", 1), "b-GND.Cu.gbr": plot("Copper,L2,Inr,Plane", day, "5,5")}, "b-GND.Cu.gbr", pcb.Warning},
		{"of one time", uploads.Set{"b-GND.gbr": strings.Replace(older, dayBefore, day, 1), "b-GND.Cu.gbr": plot("Copper,L2,Inr,Plane", day, "5,5")}, "", pcb.Problem},
		{"an outer layer", uploads.Set{"b-GND.Cu.gbr": plot("Copper,L2,Inr,Plane", day, "5,5"), "b-B.Cu old.gbr": plot("Copper,L4,Bot,Signal", dayBefore, "5,5", "15,5", "5,5 15,5")}, "b-B.Cu.gbr", pcb.Warning},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := base().Merge(c.files).Read(t)
			b := p.Boards[0]
			if len(p.Boards) != 1 || len(b.Copper()) != 4 {
				t.Fatalf("%d boards, %d copper layers; want 1, 4", len(p.Boards), len(b.Copper()))
			}
			for i, l := range b.Copper() {
				if l.Order != i+1 {
					t.Errorf("%s is layer %d, want %d", l.Name, l.Order, i+1)
				}
			}
			found := false
			for _, f := range b.Findings {
				if f.Code == "layer_twice" {
					found = true
					if f.Level != c.say || c.used != "" && !strings.Contains(f.Message, c.used) || !strings.Contains(f.Message, "copper layer") {
						t.Errorf("layer_twice is %v, want level %v, the file %q and that it is copper", f, c.say, c.used)
					}
				}
			}
			if !found {
				t.Errorf("findings are %v, want layer_twice among them", b.Findings)
			}
		})
	}
	t.Run("another number", func(t *testing.T) {
		t.Parallel()
		b := base().Merge(uploads.Set{"b-GND.gbr": older}).Read(t).Boards[0]
		for _, f := range b.Findings {
			if f.Code == "layer_twice" {
				t.Errorf("finding %v, want no layer_twice: the layers differ", f)
			}
		}
		if len(b.Copper()) != 4 {
			t.Errorf("%d copper layers, want 4", len(b.Copper()))
		}
	})
}
