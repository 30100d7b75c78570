package reading_test

import (
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/services/design-check/internal/reading"
)

// TestFactsOfProcesses: what a board needs is a fact by the name of its process, and what
// was only guessed is marked as doubtful.
func TestFactsOfProcesses(t *testing.T) {
	t.Parallel()
	var f pcb.Facts
	src := pcb.Source{File: "a.gbr"}
	f.Needs(pcb.State(pcb.CarbonPrinting, src, 0.9, ""))
	f.GoldFingers = pcb.State(true, src, 0.6, "")
	f.Castellations = pcb.State(true, src, 0.85, "")
	f.EmptyInner = pcb.State(3, src, 0.9, "")
	f.CopperUnknown = pcb.State(true, src, 0.9, "")
	got := reading.Facts(f)
	for name, want := range map[string]any{"carbon_ink": true, "gold_fingers": true, "castellations": true, "empty_inner_layers": 3, "copper_unknown": true, "peelable_mask": nil} {
		if got[name].Value != want || want != nil && got[name].Source != "a.gbr" {
			t.Errorf("%s is %+v, want %v", name, got[name], want)
		}
		if doubtful := name == "gold_fingers"; got[name].Doubtful != doubtful {
			t.Errorf("%s is doubtful: %v, want %v", name, got[name].Doubtful, doubtful)
		}
	}
}
