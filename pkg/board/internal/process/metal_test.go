package process

import "testing"

func TestMetalCore(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"30 mm Cage Plate LED MCPCB-F_Cu.gbr": true, "led_alu_pcb": true, "star-aluminum.kicad_pcb": true, "Metal-Core-LED": true, "LedMetalCore": true, "灯铝基板.zip": true,
		"ring-alupcb.GTL": true, "alu-case.GTL": false, "AluminumElectrolytic-F_Cu.gbr": false, "MCPCB adapter": false, "FR4 to MCPCB": false, "core.gtl": false,
		"valuation": false, "metal-film": false, "alum": false, "ALU8bit": true,
	} {
		if got := MetalCore(name); got != want {
			t.Errorf("MetalCore(%q) = %v, want %v", name, got, want)
		}
	}
}
