package gerberout

import (
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/board/pcb"
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
var functions = map[pcb.Function]string{
	pcb.FuncConductor: "Conductor", pcb.FuncPour: "Conductor", pcb.FuncNonConductor: "NonConductor",
	pcb.FuncViaPad: "ViaPad", pcb.FuncComponentPad: "ComponentPad", pcb.FuncSMDPad: "SMDPad,CuDef",
	pcb.FuncSMDPadMask: "SMDPad,SMDef", pcb.FuncBGAPad: "BGAPad,CuDef", pcb.FuncBGAPadMask: "BGAPad,SMDef",
	pcb.FuncConnectorPad: "ConnectorPad", pcb.FuncHeatsinkPad: "HeatsinkPad", pcb.FuncCastellatedPad: "CastellatedPad",
	pcb.FuncTestPad: "TestPad", pcb.FuncWasherPad: "WasherPad", pcb.FuncFiducial: "FiducialPad,Global",
	pcb.FuncFiducialLocal: "FiducialPad,Local", pcb.FuncThermalRelief: "ThermalReliefPad", pcb.FuncAntipad: "AntiPad",
	pcb.FuncBalancing: "CopperBalancing", pcb.FuncBorder: "Border", pcb.FuncProfile: "Profile",
	pcb.FuncMaterial: "Material", pcb.FuncEtched: "EtchedComponent",
}

// drillFunctions are the last field of .AperFunction in drill files.
var drillFunctions = map[pcb.Function]string{
	pcb.FuncViaDrill: "ViaDrill", pcb.FuncComponentDrill: "ComponentDrill", pcb.FuncMechanicalDrill: "MechanicalDrill",
	pcb.FuncBackDrill: "BackDrill", pcb.FuncSlot: "Slot", pcb.FuncCutOut: "CutOut",
}
