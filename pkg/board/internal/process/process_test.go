package process

import (
	"testing"

	"boardorder/pkg/board"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		want board.Process
	}{
		{"Gerber_BottomStiffenerLayer_2024-01-02", board.Stiffening},
		{"TOP STIFFENER PI 0.2", board.Stiffening},
		{"补强层", board.Stiffening},
		{"NoStiffener", ""},
		{"stiff_bar", ""},
		{"TopCoverlay", board.Coverlaying},
		{"F.Coverlay", board.Coverlaying},
		{"overlay", ""},
		{"BACKDRILL_1-4", board.BackDrilling},
		{"Backdrills_Drill_1_3", board.BackDrilling},
		{"MANUFACTURING/BACKDRILL", board.BackDrilling},
		{"Back_Drill", ""}, // the drills of the back
		{"CARBON_MASK", board.CarbonPrinting},
		{"CarbonTop", board.CarbonPrinting},
		{"bicarbonate", ""},
		{"PEELABLE_TOP", board.PeelableMasking},
		{"peel", ""},
		{"Cavity Top", board.DepthRouting},
		{"Controlled-Depth Rout", board.DepthRouting},
		{"countersinks_bottom", board.DepthRouting},
		{"concavity", ""},
		{"depth", ""},
		{"PTH_PressFit", board.PressFitting},
		{"press", ""},
		{"press_button", ""},
		{"fitting", ""},
		{"ViaFill_1_4", board.ViaFilling},
		{"via-plugging", board.ViaFilling},
		{"board-epoxy-plug", board.ViaFilling},
		{"epoxy", ""},
		{"usb_plug", ""},
		{"fill", ""},
		{"GND_Fill", ""},
		{"HardGold_Top", board.SelectiveFinish},
		{"marigold", ""},
		{"heatsink", ""},
		{"HeatsinkMask", board.HeatsinkMasking},
		{"Embedded Resistors", board.EmbeddedParts},
		{"embedded_controller", ""},
		{"Bend Lines", board.RigidFlex},
		{"SIGNAL_FLEX", board.RigidFlex},
		{"flexible_mount", ""},
		{"without-carbon", ""},
		{"", ""},
	} {
		if got := Find(tt.name); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.name, got, tt.want)
		}
	}
}
