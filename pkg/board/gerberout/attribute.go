package gerberout

import (
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/board"
)

// field makes text fit for a field of an attribute: what the syntax claims for
// itself, and all beyond printable ASCII, becomes an escape.
func field(s string) string {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || strings.IndexByte(`%*,\`, c) >= 0 {
			plain = false
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "?") {
		switch {
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		case r < ' ', r > '~', strings.ContainsRune(`%*,\`, r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// fileAttributes are the attributes of a file as a whole, each "name,value,…".
func (p *plotter) fileAttributes(function, polarity string) []string {
	var out []string
	if p.opt.Vendor != "" {
		out = append(out, ".GenerationSoftware,"+field(p.opt.Vendor)+","+field(p.opt.Application)+","+field(p.opt.Version))
	}
	if !p.opt.Created.IsZero() {
		out = append(out, ".CreationDate,"+p.opt.Created.Format(time.RFC3339))
	}
	name, guid, revision := projectID(p.board)
	out = append(out, ".ProjectId,"+field(name)+","+guid+","+field(revision), ".Part,"+p.part(),
		".SameCoordinates,Original", ".FileFunction,"+function)
	if polarity != "" {
		out = append(out, ".FilePolarity,"+polarity)
	}
	return out
}

func (p *plotter) part() string {
	if f := p.board.Facts.Panel; f.Known && f.Value {
		return "Array"
	}
	return "Single"
}

// functions are the values of .AperFunction.
var functions = map[board.Function]string{
	board.FuncConductor: "Conductor", board.FuncPour: "Conductor", board.FuncNonConductor: "NonConductor",
	board.FuncViaPad: "ViaPad", board.FuncComponentPad: "ComponentPad", board.FuncSMDPad: "SMDPad,CuDef",
	board.FuncSMDPadMask: "SMDPad,SMDef", board.FuncBGAPad: "BGAPad,CuDef", board.FuncBGAPadMask: "BGAPad,SMDef",
	board.FuncConnectorPad: "ConnectorPad", board.FuncHeatsinkPad: "HeatsinkPad", board.FuncCastellatedPad: "CastellatedPad",
	board.FuncTestPad: "TestPad", board.FuncWasherPad: "WasherPad", board.FuncFiducial: "FiducialPad,Global",
	board.FuncFiducialLocal: "FiducialPad,Local", board.FuncThermalRelief: "ThermalReliefPad", board.FuncAntipad: "AntiPad",
	board.FuncBalancing: "CopperBalancing", board.FuncBorder: "Border", board.FuncProfile: "Profile",
	board.FuncMaterial: "Material", board.FuncEtched: "EtchedComponent",
}

// drillFunctions are the last field of .AperFunction in drill files.
var drillFunctions = map[board.Function]string{
	board.FuncViaDrill: "ViaDrill", board.FuncComponentDrill: "ComponentDrill", board.FuncMechanicalDrill: "MechanicalDrill",
	board.FuncBackDrill: "BackDrill", board.FuncSlot: "Slot", board.FuncCutOut: "CutOut",
}
