package process

import (
	"testing"

	"boardorder/pkg/board/pcb"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		want pcb.Process
	}{
		{"Gerber_BottomStiffenerLayer_2024-01-02", pcb.Stiffening},
		{"TOP STIFFENER PI 0.2", pcb.Stiffening},
		{"补强层", pcb.Stiffening},
		{"NoStiffener", ""},
		{"stiff_bar", ""},
		{"TopCoverlay", pcb.Coverlaying},
		{"F.Coverlay", pcb.Coverlaying},
		{"overlay", ""},
		{"BACKDRILL_1-4", pcb.BackDrilling},
		{"Backdrills_Drill_1_3", pcb.BackDrilling},
		{"MANUFACTURING/BACKDRILL", pcb.BackDrilling},
		{"Back_Drill", ""}, // the drills of the back
		{"CARBON_MASK", pcb.CarbonPrinting},
		{"CarbonTop", pcb.CarbonPrinting},
		{"bicarbonate", ""},
		{"PEELABLE_TOP", pcb.PeelableMasking},
		{"peel", ""},
		{"Cavity Top", pcb.DepthRouting},
		{"Controlled-Depth Rout", pcb.DepthRouting},
		{"countersinks_bottom", pcb.DepthRouting},
		{"concavity", ""},
		{"depth", ""},
		{"PTH_PressFit", pcb.PressFitting},
		{"press", ""},
		{"press_button", ""},
		{"fitting", ""},
		{"ViaFill_1_4", pcb.ViaFilling},
		{"via-plugging", pcb.ViaFilling},
		{"board-epoxy-plug", pcb.ViaFilling},
		{"epoxy", ""},
		{"usb_plug", ""},
		{"fill", ""},
		{"GND_Fill", ""},
		{"HardGold_Top", pcb.SelectiveFinish},
		{"marigold", ""},
		{"heatsink", ""},
		{"HeatsinkMask", pcb.HeatsinkMasking},
		{"Embedded Resistors", pcb.EmbeddedParts},
		{"embedded_controller", ""},
		{"Bend Lines", pcb.RigidFlex},
		{"SIGNAL_FLEX", pcb.RigidFlex},
		{"flexible_mount", ""},
		{"without-carbon", ""},
		{"", ""},
	} {
		if got := Find(tt.name); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.name, got, tt.want)
		}
	}
}
