package odb

import (
	"testing"

	"boardorder/pkg/board/pcb"
)

// TestFlexibleLayers: a board is flexible where all of its copper is; in part, it is a
// rigid one with flexible parts.
func TestFlexibleLayers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		top, bottom string
		flex, mixed bool
	}{
		"rigid":    {"", "", false, false},
		"flexible": {"ADD_TYPE=SIGNAL_FLEX", "ADD_TYPE=PG_FLEX", true, false},
		"both":     {"ADD_TYPE=SIGNAL_FLEX", "", false, true},
	} {
		matrix := oneStep + row(1, "TOP", "SIGNAL", c.top) + row(2, "BOT", "SIGNAL", c.bottom)
		boards, _ := Read(t.Context(), smallest(matrix, featuresText))
		f := boards[0].Facts
		if mixed := len(f.Processes) == 1 && f.Processes[0].Value == pcb.RigidFlex; f.Flex.Value != c.flex || mixed != c.mixed {
			t.Errorf("%s: flexible %v, processes %+v; want %v, rigid and flexible %v", name, f.Flex.Value, f.Processes, c.flex, c.mixed)
		}
	}
}

// TestLayersForProcesses: the kind that the matrix adds to a layer says what it is for.
func TestLayersForProcesses(t *testing.T) {
	t.Parallel()
	for add, want := range map[string]pcb.Process{
		"STIFFENER": pcb.Stiffening, "COVERLAY": pcb.Coverlaying, "BACKDRILL": pcb.BackDrilling, "CARBON_MASK": pcb.CarbonPrinting,
		"PEELABLE": pcb.PeelableMasking, "BEND_AREA": pcb.RigidFlex, "ASSEMBLY": "", "": "",
	} {
		matrix := oneStep + row(1, "TOP2", "SIGNAL") + row(2, "TOP", "MASK", "ADD_TYPE="+add)
		boards, _ := Read(t.Context(), smallest(matrix, featuresText))
		for _, l := range boards[0].Layers {
			if l.Name == "TOP" && l.Process != want {
				t.Errorf("%s is for %q, want %q", add, l.Process, want)
			}
		}
	}
}
