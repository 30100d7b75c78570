package gerber

import "boardorder/pkg/board/pcb"

// apertureFunction turns the values of .AperFunction into a Function.
func apertureFunction(v []string) pcb.Function {
	if len(v) == 0 {
		return pcb.FuncUnknown
	}
	second := ""
	if len(v) > 1 {
		second = v[1]
	}
	switch v[0] {
	case "SMDPad":
		if second == "SMDef" {
			return pcb.FuncSMDPadMask
		}
		return pcb.FuncSMDPad
	case "BGAPad":
		if second == "SMDef" {
			return pcb.FuncBGAPadMask
		}
		return pcb.FuncBGAPad
	case "FiducialPad":
		if second == "Local" {
			return pcb.FuncFiducialLocal
		}
		return pcb.FuncFiducial
	}
	if f, ok := functions[v[0]]; ok {
		return f
	}
	return pcb.FuncOther
}

var functions = map[string]pcb.Function{
	"ViaDrill": pcb.FuncViaDrill, "BackDrill": pcb.FuncBackDrill, "ComponentDrill": pcb.FuncComponentDrill,
	"MechanicalDrill": pcb.FuncMechanicalDrill, "CastellatedDrill": pcb.FuncComponentDrill,
	"OtherDrill": pcb.FuncOther, "Slot": pcb.FuncSlot, "CutOut": pcb.FuncCutOut, "Cavity": pcb.FuncCutOut,
	"ComponentPad": pcb.FuncComponentPad, "ConnectorPad": pcb.FuncConnectorPad,
	"HeatsinkPad": pcb.FuncHeatsinkPad, "ViaPad": pcb.FuncViaPad, "TestPad": pcb.FuncTestPad,
	"CastellatedPad": pcb.FuncCastellatedPad, "ThermalReliefPad": pcb.FuncThermalRelief,
	"WasherPad": pcb.FuncWasherPad, "AntiPad": pcb.FuncAntipad, "OtherPad": pcb.FuncOther,
	"OtherCopper": pcb.FuncOther, "Conductor": pcb.FuncConductor, "EtchedComponent": pcb.FuncEtched,
	"NonConductor": pcb.FuncNonConductor, "Nonconductor": pcb.FuncNonConductor, "CopperBalancing": pcb.FuncBalancing, "Border": pcb.FuncBorder,
	"OtherDrawing": pcb.FuncDrawing, "Profile": pcb.FuncProfile, "Material": pcb.FuncMaterial,
	"NonMaterial": pcb.FuncDrawing, "Other": pcb.FuncOther, "Drawing": pcb.FuncDrawing,
	"ComponentMain": pcb.FuncDrawing, "ComponentOutline": pcb.FuncDrawing, "ComponentPin": pcb.FuncDrawing,
}
