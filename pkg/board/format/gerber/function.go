package gerber

import "boardorder/pkg/board"

// apertureFunction turns the values of .AperFunction into a Function.
func apertureFunction(v []string) board.Function {
	if len(v) == 0 {
		return board.FuncUnknown
	}
	second := ""
	if len(v) > 1 {
		second = v[1]
	}
	switch v[0] {
	case "SMDPad":
		if second == "SMDef" {
			return board.FuncSMDPadMask
		}
		return board.FuncSMDPad
	case "BGAPad":
		if second == "SMDef" {
			return board.FuncBGAPadMask
		}
		return board.FuncBGAPad
	case "FiducialPad":
		if second == "Local" {
			return board.FuncFiducialLocal
		}
		return board.FuncFiducial
	}
	if f, ok := functions[v[0]]; ok {
		return f
	}
	return board.FuncOther
}

var functions = map[string]board.Function{
	"ViaDrill": board.FuncViaDrill, "BackDrill": board.FuncBackDrill, "ComponentDrill": board.FuncComponentDrill,
	"MechanicalDrill": board.FuncMechanicalDrill, "CastellatedDrill": board.FuncComponentDrill,
	"OtherDrill": board.FuncOther, "Slot": board.FuncSlot, "CutOut": board.FuncCutOut, "Cavity": board.FuncCutOut,
	"ComponentPad": board.FuncComponentPad, "ConnectorPad": board.FuncConnectorPad,
	"HeatsinkPad": board.FuncHeatsinkPad, "ViaPad": board.FuncViaPad, "TestPad": board.FuncTestPad,
	"CastellatedPad": board.FuncCastellatedPad, "ThermalReliefPad": board.FuncThermalRelief,
	"WasherPad": board.FuncWasherPad, "AntiPad": board.FuncAntipad, "OtherPad": board.FuncOther,
	"OtherCopper": board.FuncOther, "Conductor": board.FuncConductor, "EtchedComponent": board.FuncEtched,
	"NonConductor": board.FuncNonConductor, "Nonconductor": board.FuncNonConductor, "CopperBalancing": board.FuncBalancing, "Border": board.FuncBorder,
	"OtherDrawing": board.FuncDrawing, "Profile": board.FuncProfile, "Material": board.FuncMaterial,
	"NonMaterial": board.FuncDrawing, "Other": board.FuncOther, "Drawing": board.FuncDrawing,
	"ComponentMain": board.FuncDrawing, "ComponentOutline": board.FuncDrawing, "ComponentPin": board.FuncDrawing,
}
