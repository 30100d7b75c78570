package process

import "testing"

func TestFlexible(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"Camera-v4-FlexPC-F_Cu.gbr": true, "sensor_tail_fpc.kicad_pcb": false, "tail_fpc.kicad_pcb": true, "my-flex-cable.zip": true,
		"FLEX_CIRCUIT": true, "Arm-Rigid-Flex": true, "led-fpcb.GTL": true, "柔性板.zip": true,
		"FPC-adapter.GTL": false, "ffc_fpc_breakout": false, "FPC to DIP": false, "flexy.zip": false, "FlexRay-node.kicad_pcb": false, "FlexSensor": false,
		"reflex-F_Cu.gbr": false, "complex": false, "top.gbr": false, "non-flex": false,
	} {
		if got := Flexible(name); got != want {
			t.Errorf("Flexible(%q) = %v, want %v", name, got, want)
		}
	}
}
