package copperlayers_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestOrderByDrillSpans: blind holes have lands on the layers they end on. An order that was
// guessed from names gives way to the one that fits; one that is stated does not.
func TestOrderByDrillSpans(t *testing.T) {
	t.Parallel()
	upper := []string{"2,2", "4,2", "6,2", "8,2", "10,2"} // 1-2
	lower := []string{"2,8", "4,8", "6,8", "8,8", "10,8"} // 3-4
	layer := func(head string, at ...[]string) string { return uploads.Gerber(head, slices.Concat(at...)...) }
	base := uploads.Set{
		"x-Top.gbr": layer("", upper, []string{"15,5"}), "x-Bottom.gbr": layer("", lower, []string{"15,5"}), "x-Outline.gbr": uploads.Gerber("", uploads.OutlineLines...),
		"x-1-4.drl": uploads.Drill("", "15,5"), "x-1-2.drl": uploads.Drill("", upper...), "x-3-4.drl": uploads.Drill("", lower...),
	}
	through := []string{"15,5"}
	for _, c := range []struct {
		name     string
		more     uploads.Set
		order    string
		level    pcb.Level // of the finding
		reported bool
		field    string // of the request, that the finding names
	}{
		{"as guessed", uploads.Set{"x-GND.gbr": layer("", upper, through), "x-PWR.gbr": layer("", lower, through)}, "GND PWR", 0, false, ""},
		{"the other way", uploads.Set{"x-GND.gbr": layer("", lower, through), "x-PWR.gbr": layer("", upper, through)}, "PWR GND", pcb.Warning, true, ""},
		{"numbers of two kinds", uploads.Set{"x-gnd1.gbr": layer("", lower, through), "x-in1.gbr": layer("", upper, through)}, "in1 gnd1", pcb.Warning, true, ""},
		{"both fit", uploads.Set{"x-GND.gbr": layer("", upper, lower), "x-PWR.gbr": layer("", upper, lower)}, "GND PWR", pcb.Warning, true, ""},
		{"neither fits", uploads.Set{"x-GND.gbr": layer("", through), "x-PWR.gbr": layer("", through)}, "GND PWR", pcb.Warning, true, "file_answers.layer_order"},
		{"stated the other way", uploads.Set{"x-GND.gbr": layer(uploads.Function("Copper,L2,Inr"), lower, through), "x-PWR.gbr": layer(uploads.Function("Copper,L3,Inr"), upper, through)}, "GND PWR", pcb.Warning, true, "file_answers.layer_order"},
		{"numbers of one kind", uploads.Set{"x-In1.gbr": layer("", lower, through), "x-In2.gbr": layer("", upper, through)}, "In1 In2", pcb.Warning, true, "file_answers.layer_order"},
		{"three holes tell nothing", uploads.Set{"x-GND.gbr": layer("", lower, through), "x-PWR.gbr": layer("", upper, through), "x-1-2.drl": uploads.Drill("", upper[:3]...), "x-3-4.drl": uploads.Drill("", lower[:3]...)}, "GND PWR", pcb.Warning, true, ""},
		{"several orders fit", uploads.Set{
			"x-GND.gbr": layer("", through), "x-PWR.gbr": layer("", upper), "x-VCC.gbr": layer("", upper), "x-SIG.gbr": layer("", lower),
			"x-1-4.drl": "", "x-3-4.drl": "", "x-1-6.drl": uploads.Drill("", through...), "x-5-6.drl": uploads.Drill("", lower...),
		}, "", pcb.Problem, true, "file_answers.layer_order"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := maps.Clone(base).Merge(c.more).Read(t).Boards[0]
			var names []string
			for _, l := range b.Copper() {
				if l.Side == pcb.Inner {
					names = append(names, strings.TrimSuffix(strings.TrimPrefix(l.Name, "x-"), ".gbr"))
				}
			}
			if got := strings.Join(names, " "); c.order != "" && got != c.order {
				t.Errorf("order %s, want %s", got, c.order)
			}
			i := slices.IndexFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == "layer_order" })
			if i >= 0 != c.reported || i >= 0 && b.Findings[i].Level != c.level {
				t.Errorf("%s: layer_order told %v, want %v at level %v: %v", c.name, i >= 0, c.reported, c.level, b.Findings)
			}
			if i >= 0 && !strings.Contains(b.Findings[i].Message, c.field) {
				t.Errorf("%s: finding says %q, want %q in it", c.name, b.Findings[i].Message, c.field)
			}
			if i >= 0 && c.field != "" && (len(b.Findings[i].Answers) != 1 || b.Findings[i].Answers[0].Field != "file_answers.layer_order" || c.level < pcb.Problem && !strings.Contains(b.Findings[i].Message, "special_notes")) {
				t.Errorf("%s: finding %q has answers %+v, want the order of layers", c.name, b.Findings[i].Message, b.Findings[i].Answers)
			}
		})
	}
}
