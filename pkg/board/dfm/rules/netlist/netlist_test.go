package netlist

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

func TestNets(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		draw  func(k *kit.Kit)
		check dfm.Name
		level dfm.Level
		count int
		says  string
	}{
		"joined as stated": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "R1", "1")
			k.Land(15, 5, "A", "R2", "1")
			k.Wire(5, 5, 15, 5, "A")
		}, dfm.Open, dfm.MustFix, 0, ""},
		"not joined": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "R1", "1")
			k.Land(15, 5, "A", "R2", "1")
			k.Wire(5, 5, 12, 5, "A")
		}, dfm.Open, dfm.MustFix, 1, "A (pad R1-1 to pad R2-1)"},
		"in three pieces": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "R1", "1")
			k.Land(15, 5, "A", "R2", "1")
			k.Land(25, 5, "A", "R3", "1")
		}, dfm.Open, dfm.MustFix, 2, "R2-1 to pad R3-1"},
		"stray copper is no open": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "R1", "1")
			k.Wire(12, 5, 15, 5, "A")
		}, dfm.Open, dfm.MustFix, 0, ""},
		"joined on the other side": {func(k *kit.Kit) {
			for _, x := range []int64{5, 15} {
				k.Land(x, 5, "A", "R"+string(rune('0'+x/5)), "1")
				k.Bottom.Flash(geom.Pt(x*kit.Milli, 5*kit.Milli), artwork.Circle(kit.Milli), 0, false, k.MetaOf("A", "", ""))
				k.Hole(x*kit.Milli, 5*kit.Milli, kit.Milli/2, pcb.Plated)
			}
			k.Bottom.Line(geom.Pt(5*kit.Milli, 5*kit.Milli), geom.Pt(15*kit.Milli, 5*kit.Milli), kit.Milli/5, k.MetaOf("A", "", ""))
		}, dfm.Open, dfm.MustFix, 0, ""},
		"tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "A", "R1", "1")
			k.Land(15, 5, "A", "R2", "1")
		}, dfm.Unrouted, dfm.MustFix, 1, "1 unrouted connection"},
		"zone stored without fill": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "A", "R1", "1")
			k.Land(15, 5, "A", "R2", "1")
			k.Unfilled = []int32{k.Net("A")}
		}, dfm.Unrouted, dfm.Warning, 1, "Fill all zones"},
		"pads of one pin": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "J1", "S")
			k.Land(15, 5, "A", "J1", "S")
		}, dfm.Open, dfm.Warning, 1, "same part"},
		"pads of one pin, alone, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "A", "J1", "S")
			k.Land(15, 5, "A", "J1", "S")
		}, dfm.Unrouted, dfm.Warning, 1, "same part"},
		"pads of one pin, and others, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "A", "J1", "S")
			k.Land(15, 5, "A", "J1", "S")
			k.Land(5, 10, "A", "R1", "1")
			k.Wire(5, 5, 5, 10, "A")
		}, dfm.Unrouted, dfm.Warning, 1, "J1-S to pad J1-S"},
		"legs of one pin in EAGLE, nearest to another part": {func(k *kit.Kit) { legsOfPin(k, "x.brd", "X3", "1@1", "1", false) }, dfm.Unrouted, dfm.Warning, 1, "same part"},
		"two such legs, called so both":                     {func(k *kit.Kit) { legsOfPin(k, "x.brd", "X3", "1@1", "1@2", false) }, dfm.Unrouted, dfm.Warning, 1, "same part"},
		"legs of one number in KiCad":                       {func(k *kit.Kit) { legsOfPin(k, "x.kicad_pcb", "J3", "1", "1", false) }, dfm.Unrouted, dfm.Warning, 1, "same part"},
		"legs of one number in artwork":                     {func(k *kit.Kit) { legsOfPin(k, "", "J3", "1", "1", false) }, dfm.Open, dfm.Warning, 1, "same part"},
		"lands of one number for leads of another spacing":  {func(k *kit.Kit) { legsOfPin(k, "x.kicad_pcb", "C3", "1", "1", false) }, dfm.Unrouted, dfm.MustFix, 1, ""},
		"pins of two numbers in EAGLE":                      {func(k *kit.Kit) { legsOfPin(k, "x.brd", "X3", "2@1", "1", false) }, dfm.Unrouted, dfm.MustFix, 1, ""},
		"a leg that other parts are on":                     {func(k *kit.Kit) { legsOfPin(k, "x.brd", "X3", "1@1", "1", true) }, dfm.Unrouted, dfm.MustFix, 1, ""},
		"an antenna drawn without a net":                    {func(k *kit.Kit) { antenna(k, pcb.FuncNonConductor, false) }, dfm.Short, dfm.Warning, 1, "antennas"},
		"an antenna that is stated to be etched":            {func(k *kit.Kit) { antenna(k, pcb.FuncEtched, false) }, dfm.Short, dfm.Warning, 1, "antennas"},
		"an etched part across a track":                     {func(k *kit.Kit) { antenna(k, pcb.FuncEtched, true) }, dfm.Short, dfm.MustFix, 2, "A and B"},
		"the same of copper that is a conductor":            {func(k *kit.Kit) { antenna(k, pcb.FuncConductor, false) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"the same across a track":                           {func(k *kit.Kit) { antenna(k, pcb.FuncNonConductor, true) }, dfm.Short, dfm.MustFix, 2, "A and B"},
		"an antenna that a pad without a net leads to": {func(k *kit.Kit) {
			antenna(k, pcb.FuncNonConductor, false)
			k.Top.Flash(geom.Pt(15*kit.Milli, 5*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{Function: pcb.FuncSMDPad})
		}, dfm.Short, dfm.Warning, 1, "antennas"},
		"a stroke of the outline across two nets": {func(k *kit.Kit) { drawEdgeStroke(k, 0) }, dfm.Short, dfm.Warning, 1, "cut out on"},
		"the same stroke within the board":        {func(k *kit.Kit) { drawEdgeStroke(k, 100) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"a pad of two nets":                       {func(k *kit.Kit) { drawTornPad(k, 5) }, dfm.Open, dfm.Warning, 1, "two nets for one pad"},
		"an area of that pin at another place":    {func(k *kit.Kit) { drawTornPad(k, 9) }, dfm.Open, dfm.MustFix, 1, "GND"},
		"the copper of an antenna, grounded":      {func(k *kit.Kit) { drawGroundedPad(k, "AE1", 10) }, dfm.Short, dfm.Warning, 1, "antennas"},
		"a pad of an antenna beside a track":      {func(k *kit.Kit) { drawGroundedPad(k, "AE1", 2) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"a long pad of another part, grounded":    {func(k *kit.Kit) { drawGroundedPad(k, "J1", 10) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"lands of a shunt for current and sense": {func(k *kit.Kit) {
			shunt(k, "R7", 4)
		}, dfm.Short, dfm.Warning, 1, "within parts"},
		"touching lands of an array of resistors": {func(k *kit.Kit) { shunt(k, "R7", 8) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"touching lands of another part":          {func(k *kit.Kit) { shunt(k, "U7", 4) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"one net of two boards in a panel":        {func(k *kit.Kit) { touching(k, "Board_0-GND", "Board_1-GND") }, dfm.Short, dfm.Warning, 1, "same name"},
		"two nets of one board in a panel":        {func(k *kit.Kit) { touching(k, "Board_0-GND", "Board_0-VCC") }, dfm.Short, dfm.MustFix, 1, "VCC"},
		"two nets of two boards in a panel":       {func(k *kit.Kit) { touching(k, "Board_0-GND", "Board_1-VCC") }, dfm.Short, dfm.MustFix, 1, "VCC"},
		"a star point of grounds":                 {func(k *kit.Kit) { touching(k, "/psu/AGND", "GND") }, dfm.Short, dfm.Warning, 1, "grounds at one place"},
		"grounds at two places": {func(k *kit.Kit) {
			touching(k, "AGND", "GND")
			k.Wire(10, 10, 10, 9, "AGND")
			k.Wire(10, 5, 10, 9, "GND")
			k.Wire(15, 10, 15, 9, "GND")
			k.Wire(15, 5, 15, 9, "AGND")
		}, dfm.Short, dfm.MustFix, 4, "AGND"},
		"a ground of an isolated side":           {func(k *kit.Kit) { touching(k, "GND2", "GND") }, dfm.Short, dfm.MustFix, 1, "GND2"},
		"a ground and a supply":                  {func(k *kit.Kit) { touching(k, "AGND", "VCC") }, dfm.Short, dfm.MustFix, 1, "VCC"},
		"KiCad's name of an open pin, and a net": {func(k *kit.Kit) { touching(k, "Net-(R1-Pad1)", "VCC") }, dfm.Short, dfm.Warning, 1, "leaves unconnected"},
		"Altium's name of an open pin":           {func(k *kit.Kit) { touching(k, "NetR1_1", "VCC") }, dfm.Short, dfm.Warning, 1, "leaves unconnected"},
		"EasyEDA's name of an open pin":          {func(k *kit.Kit) { touching(k, "R1_1", "VCC") }, dfm.Short, dfm.Warning, 1, "leaves unconnected"},
		"a net of one pin, after another part":   {func(k *kit.Kit) { touching(k, "NetR9_1", "VCC") }, dfm.Short, dfm.MustFix, 1, "VCC"},
		"a net called after one of its pins": {func(k *kit.Kit) {
			touching(k, "NetR1_1", "VCC")
			k.Land(5, 15, "NetR1_1", "R8", "1")
			k.Wire(5, 5, 5, 15, "NetR1_1")
		}, dfm.Short, dfm.MustFix, 1, "VCC"},
		"a net tie by its number": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "TIE1", "1")
			k.Land(7, 5, "B", "TIE1", "2")
			k.Wire(5, 5, 7, 5, "")
			k.Wire(5, 5, 1, 5, "A")
			k.Wire(7, 5, 12, 5, "B")
		}, dfm.Short, dfm.MustFix, 0, ""},
		"Allegro's net of what is not connected": {func(k *kit.Kit) { touching(k, "Dummy Net", "VCC") }, dfm.Short, dfm.MustFix, 0, ""},
		"a tab and its lead":                     {func(k *kit.Kit) { regulator(k, "SOT223", "4", "2", "4") }, dfm.Open, dfm.Warning, 1, "same part"},
		"a tab and its lead, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.brd"
			regulator(k, "TO-252-3", "TAB", "2", "TAB")
		}, dfm.Unrouted, dfm.Warning, 1, "same part"},
		"a tab and its lead, of five, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			regulator(k, "Package_TO_SOT_SMD:TO-263-5_TabPin6", "6", "3", "6")
		}, dfm.Unrouted, dfm.Warning, 1, "same part"},
		"a tab and another lead": {func(k *kit.Kit) { regulator(k, "SOT223", "4", "1", "4") }, dfm.Open, dfm.MustFix, 1, ""},
		"a tab and its lead, each with parts of its own": {func(k *kit.Kit) {
			regulator(k, "SOT223", "4", "2", "4")
			k.Land(5, 25, "V", "C2", "1")
			k.Wire(5, 25, 5, 20, "V")
		}, dfm.Open, dfm.Warning, 1, "same part"},
		"a tab of a package that is not named": {func(k *kit.Kit) { drawTab(k, "2", 3) }, dfm.Open, dfm.Warning, 1, "same part"},
		"such a tab and another lead":          {func(k *kit.Kit) { drawTab(k, "1", 3) }, dfm.Open, dfm.MustFix, 1, "U1-4"},
		"a fourth pad that is little larger":   {func(k *kit.Kit) { drawTab(k, "2", 1) }, dfm.Open, dfm.MustFix, 1, "U1-4"},
		"four leads without a tab":             {func(k *kit.Kit) { regulator(k, "SOT143", "4", "2", "4") }, dfm.Open, dfm.MustFix, 1, ""},
		"a tab in plastic":                     {func(k *kit.Kit) { regulator(k, "TO-220F-4", "4", "2", "4") }, dfm.Open, dfm.MustFix, 1, ""},
		"pieces that legs of a shield join, nearest by other pads": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "J1", "S1")
			k.Land(15, 5, "A", "J1", "s1")
			k.Land(14, 10, "A", "R1", "1")
			k.Wire(5, 5, 14, 10, "A")
		}, dfm.Open, dfm.Warning, 1, "same part"},
		"pieces that pads of one number of another part lead to": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "C1", "1")
			k.Land(15, 5, "A", "C1", "1")
			k.Land(14, 10, "A", "R1", "1")
			k.Wire(5, 5, 14, 10, "A")
		}, dfm.Open, dfm.MustFix, 1, "R1-1"},
		"a piece that no leg of the shield is on": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "J1", "S1")
			k.Land(15, 5, "A", "J1", "s1")
			k.Land(14, 10, "A", "R1", "1")
		}, dfm.Open, dfm.MustFix, 1, "R1-1"},
		"the coil of an antenna":          {func(k *kit.Kit) { coil(k, "AE1") }, dfm.Short, dfm.Warning, 1, "within parts"},
		"a long way round by a connector": {func(k *kit.Kit) { coil(k, "J1") }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"pins of a net that no other part is on": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "U1", "1")
			k.Land(15, 5, "A", "U1", "2")
		}, dfm.Open, dfm.Warning, 1, "same part"},
		"pins of one part, on a net with others": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "U1", "1")
			k.Land(15, 5, "A", "U1", "2")
			k.Land(25, 5, "B", "U1", "3")
			k.Land(5, 10, "A", "R1", "1")
			k.Wire(5, 5, 5, 10, "A")
		}, dfm.Open, dfm.MustFix, 1, "U1-1 to pad U1-2"},
		"legs of a switch": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "SW1", "1")
			k.Land(15, 5, "A", "SW1", "2")
			k.Land(5, 10, "A", "R1", "1")
			k.Wire(5, 5, 5, 10, "A")
		}, dfm.Open, dfm.Warning, 1, "same part"},
		"pieces that the clips of a battery lead to": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "BT1", "1")
			k.Land(15, 5, "A", "BT1", "1")
			k.Land(5, 10, "A", "R1", "1")
			k.Wire(5, 5, 5, 10, "A")
			k.Land(15, 10, "A", "R2", "1")
			k.Wire(15, 5, 15, 10, "A")
		}, dfm.Open, dfm.Warning, 1, "same part"},
		"legs of one pin, each with a net of its own": {func(k *kit.Kit) {
			k.Land(5, 5, "unconnected-(J2-Pad6)", "J2", "6")
			k.Land(15, 5, "unconnected-(J2-Pad6)_1", "J2", "6")
			k.Wire(5, 5, 15, 5, "unconnected-(J2-Pad6)")
		}, dfm.Short, dfm.Warning, 1, "unconnected-"},
		"pads of a pin that is left open": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "unconnected-(J4-VBUS-PadA4)", "J4", "A4")
			k.Land(15, 5, "unconnected-(J4-VBUS-PadA4)", "J4", "B9")
		}, dfm.Unrouted, dfm.MustFix, 0, ""},
		"a net called so, of two parts": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "unconnected-(J4-VBUS-PadA4)", "J4", "A4")
			k.Land(15, 5, "unconnected-(J4-VBUS-PadA4)", "J5", "A4")
		}, dfm.Unrouted, dfm.MustFix, 1, "J4-A4 to pad J5-A4"},
		"a pin that is left open, joined to a net": {func(k *kit.Kit) {
			k.Land(5, 5, "Net-(U1-SHDN)", "R99", "1")
			k.Land(15, 5, "unconnected-(U2-n.c.-Pad5)", "U2", "5")
			k.Wire(5, 5, 15, 5, "Net-(U1-SHDN)")
		}, dfm.Short, dfm.Warning, 1, "leaves unconnected"},
		"a pin that is left open, joined to a net of a panel": {func(k *kit.Kit) {
			k.Land(5, 5, "Board_1-/A20", "R99", "1")
			k.Land(15, 5, "Board_1-unconnected-(U2-n.c.-Pad5)", "U2", "5")
			k.Wire(5, 5, 15, 5, "Board_1-/A20")
		}, dfm.Short, dfm.Warning, 1, "leaves unconnected"},
		"a pin that is left open, joined to a net, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "/A20", "U9", "20")
			k.Land(25, 5, "/A20", "U8", "20")
			k.Land(15, 5, "unconnected-(U3-NC-Pad10)", "U3", "10")
			k.Wire(5, 5, 25, 5, "/A20")
		}, dfm.Short, dfm.Warning, 1, "leaves unconnected"},
		"two pins that are left open, joined to one net": {func(k *kit.Kit) {
			k.Land(5, 5, "/A20", "U9", "20")
			k.Land(10, 5, "unconnected-(U6-NC-Pad10)", "U6", "10")
			k.Land(15, 5, "unconnected-(U3-NC-Pad10)", "U3", "10")
			k.Wire(5, 5, 15, 5, "/A20")
		}, dfm.Short, dfm.Warning, 2, "leaves unconnected"},
		"a pin that is left open, joined to a net by a netlist": {func(k *kit.Kit) {
			k.Land(5, 5, "", "", "")
			k.Land(15, 5, "", "", "")
			k.Wire(5, 5, 15, 5, "")
			k.ListPin(5, 5, "A", "R1", "1", pcb.Top)
			k.ListPin(15, 5, "UNCONNECTED-(U2-PAD5)", "U2", "5", pcb.Top)
		}, dfm.Short, dfm.Warning, 1, "leaves unconnected"},
		"a pin that is left open, joined to two nets": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "R1", "1")
			k.Land(10, 5, "unconnected-(U2-Pad5)", "U2", "5")
			k.Land(15, 5, "B", "R2", "1")
			k.Wire(5, 5, 10, 5, "A")
			k.Wire(10, 5, 15, 5, "B")
		}, dfm.Short, dfm.MustFix, 3, "A and B"},
		"a net called so, of two parts, joined to a net": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "R1", "1")
			k.Land(15, 5, "unconnected-(U2-Pad5)", "U2", "5")
			k.Land(15, 9, "unconnected-(U2-Pad5)", "U3", "5")
			k.Wire(15, 5, 15, 9, "unconnected-(U2-Pad5)")
			k.Wire(5, 5, 15, 5, "A")
		}, dfm.Short, dfm.MustFix, 1, "A and"},
		"a net called by a like word, joined to a net": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "R1", "1")
			k.Land(15, 5, "unconnected_sense", "U2", "5")
			k.Wire(5, 5, 15, 5, "A")
		}, dfm.Short, dfm.MustFix, 1, "A and"},
		"text that another net was left in force for": {func(k *kit.Kit) {
			graphic(k, pcb.FuncNonConductor, 9)
		}, dfm.Short, dfm.MustFix, 0, ""},
		"fill that another net was left in force for": {func(k *kit.Kit) {
			graphic(k, pcb.FuncBalancing, 9)
		}, dfm.Short, dfm.MustFix, 0, ""},
		"text that joins two nets": {func(k *kit.Kit) {
			graphic(k, pcb.FuncNonConductor, 15)
		}, dfm.Short, dfm.MustFix, 1, "A and B"},
		"copper that is not said to be text": {func(k *kit.Kit) {
			graphic(k, pcb.FuncConductor, 9)
		}, dfm.Short, dfm.MustFix, 1, "A and B"},
		"two open pins of one part": {func(k *kit.Kit) {
			k.Land(5, 5, "unconnected-(J2-Pad6)", "J2", "6")
			k.Land(15, 5, "unconnected-(J2-Pad7)", "J2", "7")
			k.Wire(5, 5, 15, 5, "unconnected-(J2-Pad6)")
		}, dfm.Short, dfm.MustFix, 1, "unconnected-"},
		"one name on two sheets, a pin on each": {func(k *kit.Kit) {
			k.Land(5, 5, "Board_1-ALARM", "U1", "1")
			k.Land(15, 5, "Board_1-/adc/ALARM", "U2", "1")
			k.Wire(5, 5, 15, 5, "Board_1-ALARM")
		}, dfm.Short, dfm.Warning, 1, "ALARM"},
		"one name on two boards of a panel": {func(k *kit.Kit) {
			k.Land(5, 5, "Board_0-ALARM", "U1", "1")
			k.Land(15, 5, "Board_1-/adc/ALARM", "U2", "1")
			k.Wire(5, 5, 15, 5, "Board_0-ALARM")
		}, dfm.Short, dfm.MustFix, 1, "ALARM"},
		"one name on two sheets, with more pins": {func(k *kit.Kit) {
			k.Land(5, 5, "/a/SDA", "U1", "1")
			k.Land(15, 5, "/b/SDA", "U2", "1")
			k.Land(15, 9, "/b/SDA", "U3", "1")
			k.Wire(15, 5, 15, 9, "/b/SDA")
			k.Wire(5, 5, 15, 5, "/a/SDA")
		}, dfm.Short, dfm.MustFix, 1, "SDA"},
		"switch that is not connected": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "SW1", "1")
			k.Land(15, 5, "A", "R1", "1")
		}, dfm.Open, dfm.MustFix, 1, "SW1-1 to pad R1-1"},
		"not connected on purpose": {func(k *kit.Kit) {
			k.Land(5, 5, "N/C", "U1", "1")
			k.Land(15, 5, "N/C", "U1", "2")
			k.Wire(5, 5, 25, 5, "A")
		}, dfm.Open, dfm.MustFix, 0, ""},
		"a resistor with both leads on one net": {func(k *kit.Kit) { drawPartBetween(k, "R4", "R9", "C9") }, dfm.Open, dfm.Warning, 1, "R4-1 to pad R4-2"},
		"a resistor so, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			drawPartBetween(k, "R4", "R9", "C9")
		}, dfm.Unrouted, dfm.Warning, 1, "R4-1 to pad R4-2"},
		"a resistor that resists": {func(k *kit.Kit) {
			drawPartBetween(k, "R4", "R9", "C9")
			k.Components[k.Component("R4")].Value = "1K"
		}, dfm.Open, dfm.MustFix, 1, "R4-1 to pad R4-2"},
		"a resistor of nothing": {func(k *kit.Kit) {
			drawPartBetween(k, "R4", "R9", "C9")
			k.Components[k.Component("R4")].Value = "0R"
		}, dfm.Open, dfm.Warning, 1, "R4-1 to pad R4-2"},
		"legs of a shell that both lead on, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			legs(k, "P25", "R9", "C9")
		}, dfm.Unrouted, dfm.MustFix, 1, "P25-2 to pad P25-2"},
		"legs of a shell that both lead on, in artwork": {func(k *kit.Kit) { legs(k, "P25", "R9", "C9") },
			dfm.Open, dfm.Warning, 1, "P25-2 to pad P25-2"},
		"legs of a switch that both lead on, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			legs(k, "SW1", "R9", "C9")
		}, dfm.Unrouted, dfm.Warning, 1, "SW1-2 to pad SW1-2"},
		"a leg of a shell by itself beside two that lead on, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(10, 12, "A", "P25", "2")
			legs(k, "P25", "R9", "C9")
		}, dfm.Unrouted, dfm.MustFix, 1, "P25-2 to pad P25-2"},
		"the tab of a regulator by itself, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "A", "U4", "2")
			k.Land(5, 10, "A", "C9", "1")
			k.Wire(5, 5, 5, 10, "A")
			k.Land(15, 5, "A", "U4", "2")
		}, dfm.Unrouted, dfm.Warning, 1, "U4-2 to pad U4-2"},
		"the clip of a battery by itself, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "A", "BT1", "1")
			k.Land(5, 10, "A", "C9", "1")
			k.Wire(5, 5, 5, 10, "A")
			k.Land(15, 5, "A", "BT1", "1")
		}, dfm.Unrouted, dfm.Warning, 1, "BT1-1 to pad BT1-1"},
		"the clips of a battery that both lead on, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			legs(k, "BT1", "R9", "C9")
		}, dfm.Unrouted, dfm.MustFix, 1, "BT1-2 to pad BT1-2"},
		"a spring contact of two pads": {func(k *kit.Kit) { contact(k, "RESET", "") }, dfm.Open, dfm.Warning, 1, "RESET-P$1"},
		"a spring contact of two pads, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.brd"
			contact(k, "RESET", "")
		}, dfm.Unrouted, dfm.Warning, 1, "RESET-P$1"},
		"a header with two pins on one net": {func(k *kit.Kit) { contact(k, "J7", "") }, dfm.Open, dfm.MustFix, 1, "J7-P$1"},
		"a part with a pad on another net":  {func(k *kit.Kit) { contact(k, "RESET", "B") }, dfm.Open, dfm.MustFix, 1, "RESET-P$1"},
		"a contact that leads on from both pads": {func(k *kit.Kit) {
			contact(k, "RESET", "")
			k.Land(15, 10, "A", "R8", "1")
			k.Wire(15, 5, 15, 10, "A")
		}, dfm.Open, dfm.MustFix, 1, ""},
		"the can of a crystal":      {func(k *kit.Kit) { crystal(k, "Y1", "2", "4") }, dfm.Open, dfm.Warning, 1, "Y1-4"},
		"a crystal's leads":         {func(k *kit.Kit) { crystal(k, "Y1", "1", "3") }, dfm.Open, dfm.MustFix, 1, "Y1-3"},
		"four pads of another part": {func(k *kit.Kit) { crystal(k, "U1", "2", "4") }, dfm.Open, dfm.MustFix, 1, "U1-4"},
		"legs of a button, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.brd"
			button(k, "BOOT_BUTTON", 4)
		}, dfm.Unrouted, dfm.Warning, 1, "BOOT_BUTTON"},
		"pins of a switch with many":                 {func(k *kit.Kit) { button(k, "BOOT_SWITCH", 8) }, dfm.Open, dfm.MustFix, 1, "BOOT_SWITCH"},
		"a tab of a connector's case":                {func(k *kit.Kit) { leg(k, "J2", "MP1", "MP3", false) }, dfm.Open, dfm.Warning, 1, "J2-MP3"},
		"tabs of a case that both lead on":           {func(k *kit.Kit) { leg(k, "J2", "MP1", "MP3", true) }, dfm.Open, dfm.MustFix, 1, "J2-MP"},
		"such pads of another part":                  {func(k *kit.Kit) { leg(k, "U2", "MP1", "MP3", false) }, dfm.Open, dfm.MustFix, 1, "U2-MP3"},
		"the supply of USB-C":                        {func(k *kit.Kit) { leg(k, "J2", "A4", "B9", false) }, dfm.Open, dfm.Warning, 1, "J2-B9"},
		"two lines of USB-C":                         {func(k *kit.Kit) { leg(k, "J2", "A6", "B6", false) }, dfm.Open, dfm.MustFix, 1, "J2-B6"},
		"grounds of a module by their names":         {func(k *kit.Kit) { leg(k, "U2", "GND@1", "GND@7", false) }, dfm.Open, dfm.Warning, 1, "GND@7"},
		"lines of a module by their names":           {func(k *kit.Kit) { leg(k, "U2", "D@1", "D@7", false) }, dfm.Open, dfm.MustFix, 1, "D@7"},
		"the leg of an edge connector":               {func(k *kit.Kit) { straddle(k, 1) }, dfm.Unrouted, dfm.Warning, 1, "J1-2"},
		"the same away from the edge":                {func(k *kit.Kit) { straddle(k, 15) }, dfm.Unrouted, dfm.MustFix, 1, "J1-2"},
		"halves of a solder jumper without a number": {func(k *kit.Kit) { drawFacingPads(k, 1300, "1", "2") }, dfm.Open, dfm.Warning, 1, "REF**-1"},
		"such pads farther apart":                    {func(k *kit.Kit) { drawFacingPads(k, 1500, "1", "2") }, dfm.Open, dfm.MustFix, 1, "REF**-1"},
		"such pads of higher numbers":                {func(k *kit.Kit) { drawFacingPads(k, 1300, "2", "3") }, dfm.Open, dfm.MustFix, 1, "REF**-2"},
		"halves of a solder bridge":                  {func(k *kit.Kit) { drawPartBetween(k, "SB4", "R9", "C9") }, dfm.Open, dfm.Warning, 1, "SB4-1 to pad SB4-2"},
		"halves of a jumper without a digit":         {func(k *kit.Kit) { drawPartBetween(k, "JMP", "R9", "C9") }, dfm.Open, dfm.Warning, 1, "JMP-1"},
		"a part called by a longer word":             {func(k *kit.Kit) { drawPartBetween(k, "JMPER", "R9", "C9") }, dfm.Open, dfm.MustFix, 1, "JMPER-1"},
		"a hole for a screw":                         {func(k *kit.Kit) { screw(k, "H1", 3200) }, dfm.Open, dfm.Warning, 1, "H1-1"},
		"a hole too small for a screw":               {func(k *kit.Kit) { screw(k, "H1", 1000) }, dfm.Open, dfm.MustFix, 1, "H1-1"},
		"the lug of a wire":                          {func(k *kit.Kit) { screw(k, "J1", 3200) }, dfm.Open, dfm.MustFix, 1, "J1-1"},
		"pins of a header that no other part is at, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "A", "J2", "1")
			k.Land(15, 5, "A", "J2", "3")
		}, dfm.Unrouted, dfm.MustFix, 1, "J2-1 to pad J2-3"},
		"a capacitor with both leads on one net": {func(k *kit.Kit) { drawPartBetween(k, "C4", "R9", "C9") }, dfm.Open, dfm.MustFix, 1, "C4-1 to pad C4-2"},
		"a resistor with both leads on one net, and a pad apart from it": {func(k *kit.Kit) {
			drawPartBetween(k, "R4", "R9", "C9")
			k.Land(5, 20, "A", "C8", "1")
		}, dfm.Open, dfm.MustFix, 1, "C8-1"},
		"an array of resistors": {func(k *kit.Kit) {
			drawPartBetween(k, "R4", "R9", "C9")
			k.Land(15, 20, "B", "R4", "3")
			k.Land(15, 25, "C", "R4", "4")
		}, dfm.Open, dfm.MustFix, 1, "R4-1 to pad R4-2"},
		"halves of a jumper that has no number": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			drawPartBetween(k, "REF**", "R9", "C9")
			k.Components[k.Component("REF**")].Footprint = "Jumper:SolderJumper-2_P1.3mm_Open"
		}, dfm.Unrouted, dfm.Warning, 1, "REF**"},
		"a part without a number that is no jumper": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			drawPartBetween(k, "REF**", "R9", "C9")
		}, dfm.Unrouted, dfm.MustFix, 1, "REF**"},
		"a jumper of three pads": {func(k *kit.Kit) {
			drawPartBetween(k, "JP4", "R9", "C9")
			k.Land(15, 20, "B", "JP4", "3")
		}, dfm.Open, dfm.Warning, 1, "JP4-1 to pad JP4-2"},
		"pins of a net that no other part is on, in the tool's own board": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "A", "J1", "A1")
			k.Land(15, 5, "A", "J1", "A12")
		}, dfm.Unrouted, dfm.Warning, 1, "J1-A1 to pad J1-A12"},
		"pins of one part that jumpers lead on from": {func(k *kit.Kit) { drawPinLeads(k, "JP1", "JP2") }, dfm.Open, dfm.Warning, 1, "U1-GND"},
		"pins of one part that capacitors are at":    {func(k *kit.Kit) { drawPinLeads(k, "C1", "C2") }, dfm.Open, dfm.MustFix, 1, "U1-GND"},
		"parts without a number that share a name": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "REF**", "1")
			k.Land(15, 5, "", "REF**", "1")
			k.Land(25, 5, "B", "REF**", "1")
			k.Land(5, 10, "A", "R1", "1")
			k.Wire(5, 5, 5, 10, "A")
		}, dfm.Open, dfm.MustFix, 0, ""},
		"parts without a number on one net": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "REF**", "1")
			k.Land(15, 5, "A", "REF**", "1")
		}, dfm.Open, dfm.MustFix, 1, "REF**"},
		"pads without a number of a part": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "MCU1", "2")
			k.Land(5, 10, "A", "R1", "1")
			k.Wire(5, 5, 5, 10, "A")
			k.Land(15, 5, "A", "MCU1", "")
		}, dfm.Open, dfm.Warning, 1, "MCU1-2 to pad"},
		"a piece with such a pad and another": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "MCU1", "2")
			k.Land(25, 5, "B", "MCU1", "3")
			k.Land(15, 5, "A", "MCU1", "")
			k.Land(15, 10, "A", "R1", "1")
			k.Wire(15, 5, 15, 10, "A")
		}, dfm.Open, dfm.MustFix, 1, "MCU1-2 to pad"},
		"KiCad's pads without a number": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			k.Land(5, 5, "A", "MCU1", "2")
			k.Land(5, 10, "A", "R1", "1")
			k.Wire(5, 5, 5, 10, "A")
			k.Top.Flash(geom.Pt(15*kit.Milli, 5*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false,
				artwork.Meta{Net: k.Net("A"), Function: pcb.FuncSMDPad})
		}, dfm.Unrouted, dfm.Warning, 1, "MCU1-2 to pad"},
		"another tool's pads without a part": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.PcbDoc"
			k.Land(5, 5, "A", "MCU1", "2")
			k.Land(5, 10, "A", "R1", "1")
			k.Wire(5, 5, 5, 10, "A")
			k.Top.Flash(geom.Pt(15*kit.Milli, 5*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false,
				artwork.Meta{Net: k.Net("A"), Function: pcb.FuncSMDPad})
		}, dfm.Unrouted, dfm.MustFix, 1, "MCU1-2 to pad"},
		"lands of a connector that touch, one left open": {func(k *kit.Kit) {
			connector(k, "unconnected-(J2-PadB4)")
		}, dfm.Short, dfm.Warning, 1, "VBUS"},
		"lands of a connector that touch, one left open in an older board": {func(k *kit.Kit) {
			connector(k, "Net-(J2-PadB4)")
		}, dfm.Short, dfm.Warning, 1, "VBUS"},
		"lands of a connector that touch, both connected": {func(k *kit.Kit) {
			connector(k, "Net-(J2-PadB4)")
			k.Land(15, 15, "Net-(J2-PadB4)", "R1", "1")
			k.Wire(6, 5, 15, 15, "Net-(J2-PadB4)")
		}, dfm.Short, dfm.MustFix, 1, "VBUS"},
		"parts that lie on each other's holes": {func(k *kit.Kit) { stackParts(k, 4, 4) }, dfm.Short, dfm.Warning, 4, "U1 and U2"},
		"parts that share half of their holes": {func(k *kit.Kit) { stackParts(k, 6, 3) }, dfm.Short, dfm.Warning, 3, "U1 and U2"},
		"parts that share fewer":               {func(k *kit.Kit) { stackParts(k, 8, 3) }, dfm.Short, dfm.MustFix, 3, "N0 and M0"},
		"small parts that do":                  {func(k *kit.Kit) { stackParts(k, 2, 2) }, dfm.Short, dfm.MustFix, 2, "N0 and M0"},
		"short of tracks": {func(k *kit.Kit) {
			k.Wire(5, 5, 15, 5, "A")
			k.Wire(10, 1, 10, 9, "B")
		}, dfm.Short, dfm.MustFix, 1, "A and B (top, at 10.0"},
		"short of a track with a pad by its hole's land, on the other side": {func(k *kit.Kit) {
			k.AddVia("A", 10_000, 5_000, 1600, 800)
			k.Wire(10, 5, 15, 5, "A")
			k.Bottom.Line(geom.Pt(10*kit.Milli+kit.Milli/5, kit.Milli), geom.Pt(10*kit.Milli+kit.Milli/5, 9*kit.Milli), kit.Milli/5, k.MetaOf("B", "", ""))
		}, dfm.Short, dfm.MustFix, 1, "A and B (bottom, at 10."},
		"short of a track with a hole's wall, where the hole has no land": {func(k *kit.Kit) {
			k.Top.Flash(geom.Pt(10*kit.Milli, 5*kit.Milli), artwork.Circle(8*kit.Milli/5), 0, false, k.MetaOf("A", "", ""))
			k.Hole(10*kit.Milli, 5*kit.Milli, 4*kit.Milli/5, pcb.Plated)
			k.Bottom.Line(geom.Pt(10*kit.Milli+kit.Milli/5, kit.Milli), geom.Pt(10*kit.Milli+kit.Milli/5, 9*kit.Milli), kit.Milli/5, k.MetaOf("B", "", ""))
		}, dfm.Short, dfm.MustFix, 1, "A and B (bottom with top by the wall of a hole, at 10.00, 5.00 mm)"},
		"short of tracks on the top beside a hole": {func(k *kit.Kit) {
			k.AddVia("A", 10_000, 5_000, 1600, 800)
			k.Wire(10, 5, 15, 5, "A")
			k.Wire(13, 1, 13, 9, "B")
		}, dfm.Short, dfm.MustFix, 1, "A and B (top, at 13."},
		"short by copper without a net": {func(k *kit.Kit) {
			k.Wire(5, 5, 15, 5, "A")
			k.Wire(5, 9, 15, 9, "B")
			k.Wire(10, 5, 10, 9, "")
		}, dfm.Short, dfm.MustFix, 1, "A and B"},
		"a land in two halves": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "D1", "2A")
			k.Land(6, 5, "B", "D1", "2B")
			k.Land(15, 5, "", "D1", "1")
			k.Land(25, 5, "", "D1", "3")
		}, dfm.Short, dfm.Warning, 1, "within parts"},
		"a jumper closed by a pad of several pieces": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "JP4", "2")
			k.Land(15, 5, "C", "JP4", "3")
			pieces := artwork.Shape{Key: "pieces", Build: func() pcb.Aperture {
				return pcb.Custom("pieces", []pcb.Primitive{
					{Kind: pcb.AreaPrimitive, Area: kit.Poly(-500, -500, 500, -500, 500, 500, -500, 500)},
					{Kind: pcb.AreaPrimitive, Area: kit.Poly(-3000, -200, -400, -200, -400, 200, -3000, 200)},
				})
			}}
			k.Top.Flash(geom.Pt(8*kit.Milli, 5*kit.Milli), pieces, 0, false, k.MetaOf("B", "JP4", "1"))
		}, dfm.Short, dfm.Warning, 1, "within parts"},
		"pads of two leads that touch": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "D1", "2A")
			k.Land(6, 5, "B", "D1", "3B")
			k.Land(15, 5, "", "D1", "1")
			k.Land(25, 5, "", "D1", "4")
		}, dfm.Short, dfm.MustFix, 1, "A and B"},
		"a solder bridge that is closed":                        {func(k *kit.Kit) { bridge(k, "Solderbridge_Shorted") }, dfm.Short, dfm.MustFix, 0, ""},
		"a solder bridge that is open, and closed all the same": {func(k *kit.Kit) { bridge(k, "Solderbridge") }, dfm.Short, dfm.MustFix, 2, "A and B"},
		"a star point without copper of its own":                {func(k *kit.Kit) { starPoint(k, "2 PIN STARPOINT", 15) }, dfm.Short, dfm.Warning, 1, "net ties"},
		"a star point elsewhere":                                {func(k *kit.Kit) { starPoint(k, "2 PIN STARPOINT", 35) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"another part without copper there":                     {func(k *kit.Kit) { starPoint(k, "R0402", 15) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"closed jumper": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "JP1", "1")
			k.Land(7, 5, "B", "JP1", "2")
			k.Wire(5, 5, 7, 5, "")
		}, dfm.Short, dfm.Warning, 1, "within parts"},
		"a jumper of solder that copper closes, nets of a netlist": {func(k *kit.Kit) { drawListedPart(k, 2, 1600, 1900, 15) }, dfm.Short, dfm.Warning, 1, "closed jumpers"},
		"lands of a resistor that copper joins, nets of a netlist": {func(k *kit.Kit) { drawListedPart(k, 2, 600, 1000, 15) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"lands too far apart for a jumper, nets of a netlist":      {func(k *kit.Kit) { drawListedPart(k, 2, 1600, 2200, 15) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"lands of a part with four pins, nets of a netlist":        {func(k *kit.Kit) { drawListedPart(k, 4, 1600, 1900, 15) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"lands with holes that copper joins, nets of a netlist": {func(k *kit.Kit) {
			drawListedPart(k, 2, 1600, 1900, 15)
			for i, pin := range []string{"1", "2"} {
				k.Hole(10*kit.Milli+int64(i)*1900*kit.Micron, 15*kit.Milli, kit.Milli/2, pcb.Plated)
				k.Pins[k.Pin("JP1", pin)].Side = pcb.NoSide
			}
		}, dfm.Short, dfm.MustFix, 1, "A and B"},
		"nets that meet beside a jumper of solder, nets of a netlist": {func(k *kit.Kit) { drawListedPart(k, 2, 1600, 1900, 8) }, dfm.Short, dfm.MustFix, 1, "A and B"},
		"a land on either side, of which the lower leads on":          {func(k *kit.Kit) { drawOnBothSides(k, pcb.NoSide) }, dfm.Open, dfm.MustFix, 0, ""},
		"a land above that leads nowhere, of a pin on the top":        {func(k *kit.Kit) { drawOnBothSides(k, pcb.Top) }, dfm.Open, dfm.MustFix, 1, "J1-1"},
		"EAGLE's jumper closed by a wire with a net of its own": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.brd"
			k.Land(5, 5, "A", "SJ1", "1")
			k.Land(7, 5, "B", "SJ1", "2")
			k.Wire(5, 5, 7, 5, "N$9")
		}, dfm.Short, dfm.Warning, 1, "within parts"},
		"EAGLE's wire between parts": {func(k *kit.Kit) {
			k.Top.Layer.File = "x.brd"
			k.Land(5, 5, "A", "R1", "1")
			k.Land(7, 5, "B", "R2", "2")
			k.Wire(5, 5, 7, 5, "N$9")
		}, dfm.Short, dfm.MustFix, 1, "A and B"},
		"net tie": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "NT1", "1")
			k.Land(7, 5, "B", "NT1", "2")
			k.Wire(5, 5, 7, 5, "")
			k.Wire(5, 5, 1, 5, "A")
			k.Wire(7, 5, 12, 5, "B")
		}, dfm.Short, dfm.MustFix, 0, ""},
		"net tie, and a short besides": {func(k *kit.Kit) {
			k.Land(5, 5, "A", "NT1", "1")
			k.Land(7, 5, "B", "NT1", "2")
			k.Wire(5, 5, 7, 5, "")
			k.Wire(5, 5, 5, 10, "A")
			k.Wire(7, 5, 7, 10, "B")
			k.Wire(5, 10, 7, 10, "A")
		}, dfm.Short, dfm.MustFix, 1, "A and B"},
		"by a netlist": {func(k *kit.Kit) {
			k.Land(5, 5, "", "", "")
			k.Land(15, 5, "", "", "")
			k.Wire(5, 5, 15, 5, "")
			k.ListPin(5, 5, "A", "R1", "1", pcb.Top)
			k.ListPin(15, 5, "B", "R2", "1", pcb.Top)
		}, dfm.Short, dfm.MustFix, 1, "A and B"},
		"open by a netlist": {func(k *kit.Kit) {
			k.Land(5, 5, "", "", "")
			k.Land(15, 5, "", "", "")
			k.ListPin(5, 5, "A", "R1", "1", pcb.Top)
			k.ListPin(15, 5, "A", "R2", "1", pcb.NoSide)
		}, dfm.Open, dfm.MustFix, 1, "R1-1 to pad R2-1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Hole(30*kit.Milli, 25*kit.Milli, kit.Milli, pcb.NonPlated)
			tt.draw(k)
			r := k.Judge(nets, nil)
			f := kit.Want(t, &r, tt.check, tt.level, tt.count)
			if !strings.Contains(f.What, tt.says) {
				t.Errorf("says %q, want %q in it", f.What, tt.says)
			}
			if tt.count == 0 && len(r.Findings) > 0 {
				t.Errorf("findings %+v, want none", r.Findings)
			}
		})
	}
}

// touching joins a pad of each of two nets.
func touching(k *kit.Kit, a, b string) {
	k.Land(5, 5, a, "R1", "1")
	k.Land(25, 5, b, "R2", "1")
	k.Wire(5, 5, 15, 5, a)
	k.Wire(15, 5, 25, 5, b)
}

// drawGroundedPad puts a pad of net A, so many millimetres long, of a part on a track of net B.
func drawGroundedPad(k *kit.Kit, ref string, long int64) {
	m := k.MetaOf("A", ref, "1")
	m.Function = pcb.FuncSMDPad
	k.Top.Flash(geom.Pt(15*kit.Milli, 5*kit.Milli), artwork.Rect(long*kit.Milli, kit.Milli), 0, false, m)
	for _, pin := range []string{"2", "3", "4", "5"} {
		k.Land(20, 15, "", ref, pin)
	}
	k.Land(25, 5, "B", "R2", "1")
	k.Wire(15, 5, 25, 5, "B")
}

// shunt puts down a part of so many pads, of which two touch.
func shunt(k *kit.Kit, ref string, pads int) {
	k.Land(5, 5, "A", ref, "1")
	k.Land(6, 5, "B", ref, "2")
	for i := 2; i < pads; i++ {
		k.Land(5+3*int64(i), 5, "", ref, string(rune('1'+i)))
	}
}

// leg puts down two pads of a part, of one net, and one of another net; the second leads
// on as the first does, or nowhere.
func leg(k *kit.Kit, ref, one, two string, on bool) {
	contact(k, ref, "B")
	k.Pins[k.Pin(ref, "P$1")].Number, k.Pins[k.Pin(ref, "P$2")].Number = one, two
	if on {
		k.Land(15, 10, "A", "R8", "1")
		k.Wire(15, 5, 15, 10, "A")
	}
}

// button puts down a switch of so many pads, of which two are on one net, each with another
// part.
func button(k *kit.Kit, ref string, pads int64) {
	for i, on := range [2]string{"R9", "C9"} {
		x := int64(5 + 10*i)
		k.Land(x, 5, "A", ref, "P"+string(rune('1'+i)))
		k.Land(x, 10, "A", on, "1")
		k.Wire(x, 5, x, 10, "A")
	}
	for i := int64(2); i < pads; i++ {
		n := string(rune('1' + i))
		k.Land(5+3*i, 20, "B"+n, ref, "P"+n)
	}
}

// drawTab puts three pads of a part in a row and a fourth, so many times as wide, beside
// them, on one net with one of the three; either has another part too.
func drawTab(k *kit.Kit, lead string, wide int64) {
	for i, name := range []string{"1", "2", "3"} {
		net := "X" + name
		if name == lead {
			net = "A"
			k.Land(15+3*int64(i), 10, "A", "C1", "1")
			k.Wire(15+3*int64(i), 5, 15+3*int64(i), 10, "A")
		}
		k.Land(15+3*int64(i), 5, net, "U1", name)
	}
	m := k.MetaOf("A", "U1", "4")
	m.Function = pcb.FuncSMDPad
	k.Top.Flash(geom.Pt(18*kit.Milli, 20*kit.Milli), artwork.Rect(wide*kit.Milli, kit.Milli), 0, false, m)
	k.Land(18, 25, "A", "C2", "1")
	k.Wire(18, 20, 18, 25, "A")
}

// contact puts down two pads of a part, the second without anything that leads to it, and
// a third pad where another net is given for it.
func contact(k *kit.Kit, ref, other string) {
	k.Land(5, 5, "A", ref, "P$1")
	k.Land(15, 5, "A", ref, "P$2")
	k.Land(5, 10, "A", "R9", "1")
	k.Wire(5, 5, 5, 10, "A")
	if other != "" {
		k.Land(25, 5, other, ref, "P$3")
	}
}

// crystal puts down a part of four pads, two of which are on one net, the second without
// anything that leads to it.
func crystal(k *kit.Kit, ref, one, two string) {
	for i, name := range []string{"1", "2", "3", "4"} {
		net := "X" + name
		if name == one || name == two {
			net = "A"
		}
		k.Land(5+5*int64(i), 5, net, ref, name)
		if name == one {
			k.Land(5+5*int64(i), 10, "A", "R9", "1")
			k.Wire(5+5*int64(i), 5, 5+5*int64(i), 10, "A")
		}
	}
}

// straddle puts pads of one pin on both sides, y millimetres from the edge, each with
// another part.
func straddle(k *kit.Kit, y int64) {
	k.Top.Layer.File, k.Bottom.Layer.File = "x.kicad_pcb", "x.kicad_pcb"
	for i, s := range []*artwork.Sheet{k.Top, k.Bottom} {
		ref := []string{"R8", "R9"}[i]
		m := k.MetaOf("A", "J1", "2")
		m.Function = pcb.FuncSMDPad
		s.Flash(geom.Pt(10*kit.Milli, y*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, m)
		m = k.MetaOf("A", ref, "1")
		m.Function = pcb.FuncSMDPad
		s.Flash(geom.Pt(20*kit.Milli, y*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, m)
		s.Line(geom.Pt(10*kit.Milli, y*kit.Milli), geom.Pt(20*kit.Milli, y*kit.Milli), kit.Milli/5, k.MetaOf("A", "", ""))
	}
}

// drawFacingPads puts two pads of 1 mm beside each other, so many micrometres from middle to
// middle, of a part without a number.
func drawFacingPads(k *kit.Kit, apart int64, one, two string) {
	k.Land(5, 5, "A", "R8", "1")
	k.Land(25, 5, "A", "R9", "1")
	for i, name := range []string{one, two} {
		m := k.MetaOf("A", "REF**", name)
		m.Function = pcb.FuncSMDPad
		at := geom.Pt(15*kit.Milli+int64(i)*apart*kit.Micron, 5*kit.Milli)
		k.Top.Flash(at, artwork.Rect(kit.Milli, kit.Milli), 0, false, m)
		k.Top.Line(at, geom.Pt(5*kit.Milli+int64(i)*20*kit.Milli, 5*kit.Milli), kit.Milli/5, k.MetaOf("A", "", ""))
	}
}

// screw puts a plated hole with a pad of net A, so many micrometres wide, beside two parts.
func screw(k *kit.Kit, ref string, drill int64) {
	k.Land(5, 5, "A", "R8", "1")
	k.Land(10, 5, "A", "R9", "1")
	k.Wire(5, 5, 10, 5, "A")
	m := k.MetaOf("A", ref, "1")
	m.Function = pcb.FuncComponentPad
	at := geom.Pt(25*kit.Milli, 15*kit.Milli)
	for _, s := range []*artwork.Sheet{k.Top, k.Bottom} {
		s.Flash(at, artwork.Circle(6*kit.Milli), 0, false, m)
	}
	k.Hole(at.X, at.Y, drill*kit.Micron, pcb.Plated)
}

// graphic draws copper of a function and of net B from the pads of net A, to y in
// millimetres: those of B lie at 15.
func graphic(k *kit.Kit, of pcb.Function, y int64) {
	k.Land(5, 5, "A", "R1", "1")
	k.Land(15, 5, "A", "R2", "1")
	k.Wire(5, 5, 15, 5, "A")
	k.Land(5, 15, "B", "R3", "1")
	k.Land(15, 15, "B", "R4", "1")
	k.Wire(5, 15, 15, 15, "B")
	k.Top.Line(geom.Pt(10*kit.Milli, 5*kit.Milli), geom.Pt(10*kit.Milli, y*kit.Milli), kit.Milli/5, artwork.Meta{Net: k.Net("B"), Function: of})
}

func TestNetsUnknown(t *testing.T) {
	t.Parallel()
	k := kit.New()
	if r := k.Judge(nets, nil); len(r.Unchecked) != 1 || !strings.Contains(r.Unchecked[0], "no nets") {
		t.Errorf("empty board: unchecked %q, want one sentence that there are no nets", r.Unchecked)
	}
	k.Wire(5, 5, 15, 5, "")
	for i := range int64(10) {
		k.ListPin(5+i, 20, "A", "R1", string(rune('a'+i)), pcb.Top)
	}
	if r := k.Judge(nets, nil); len(r.Unchecked) != 1 || !strings.Contains(r.Unchecked[0], "does not fit") || len(r.Findings) > 0 {
		t.Errorf("misfit netlist: unchecked %q, findings %+v; want one sentence that it does not fit, and no findings", r.Unchecked, r.Findings)
	}
}

// drawListedPart draws two lands of JP1, side micrometres wide and apart from middle to middle, which a
// netlist gives two nets; a stroke leads from the one to the other y millimetres up: they lie at 15.
func drawListedPart(k *kit.Kit, pins int, side, apart, y int64) {
	for i, net := range []string{"A", "B"} {
		x := 10*kit.Milli + int64(i)*apart*kit.Micron
		k.Top.Flash(geom.Pt(x, 15*kit.Milli), artwork.Rect(side*kit.Micron, side*kit.Micron), 0, false, artwork.Meta{})
		p := &k.Pins[k.Pin("JP1", string(rune('1'+i)))]
		p.At, p.HasAt, p.Net, p.Side = geom.Pt(x, 15*kit.Milli), true, k.Net(net), pcb.Top
		k.Top.Line(geom.Pt(x, 15*kit.Milli), geom.Pt(x, y*kit.Milli), kit.Milli/5, artwork.Meta{})
	}
	k.Top.Line(geom.Pt(10*kit.Milli, y*kit.Milli), geom.Pt(10*kit.Milli+apart*kit.Micron, y*kit.Milli), kit.Milli/5, artwork.Meta{})
	for i := 2; i < pins; i++ {
		k.Land(int64(20+2*i), 20, "", "JP1", string(rune('1'+i)))
	}
}

// drawOnBothSides draws a pin of a netlist with a land on either side, of which the one on the
// bottom leads to another pin of its net.
func drawOnBothSides(k *kit.Kit, side pcb.Side) {
	for _, s := range []*artwork.Sheet{k.Top, k.Bottom} {
		s.Flash(geom.Pt(10*kit.Milli, 15*kit.Milli), artwork.Rect(2*kit.Milli, 2*kit.Milli), 0, false, artwork.Meta{})
	}
	k.Bottom.Flash(geom.Pt(20*kit.Milli, 15*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{})
	k.Bottom.Line(geom.Pt(10*kit.Milli, 15*kit.Milli), geom.Pt(20*kit.Milli, 15*kit.Milli), kit.Milli/5, artwork.Meta{})
	k.ListPin(10, 15, "A", "J1", "1", side)
	k.ListPin(20, 15, "A", "U1", "1", pcb.Bottom)
}

// TestMissingCopper holds that a pin without copper is told of where all others fit.
func TestMissingCopper(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.Hole(30*kit.Milli, 25*kit.Milli, kit.Milli, pcb.NonPlated)
	for i := range int64(60) {
		x, y := 2+i%30, 5+i/30*5
		k.ListPin(x, y, "N"+string(rune('0'+i%30)), "U1", string(rune('A'+i)), pcb.Top)
		if i < 30 { // a track up to the second row, but for the last
			k.Wire(x, 5, x, 10-i/29*2, "")
		}
	}
	r := k.Judge(nets, nil)
	if f := kit.Want(t, &r, dfm.Open, dfm.MustFix, 1); !strings.Contains(f.What, "no copper at pad U1-") {
		t.Errorf("says %q, want no copper at pad U1-…", f.What)
	}
}

// drawPartBetween draws a net in two pieces that one part lies between.
func drawPartBetween(k *kit.Kit, part, left, right string) {
	k.Land(5, 5, "A", left, "1")
	k.Land(10, 5, "A", part, "1")
	k.Wire(5, 5, 10, 5, "A")
	k.Land(15, 5, "A", part, "2")
	k.Land(20, 5, "A", right, "1")
	k.Wire(15, 5, 20, 5, "A")
}

// legs draws two pads of one pin of a part, each with a pad of another.
func legs(k *kit.Kit, part, left, right string) {
	k.Land(5, 5, "A", left, "1")
	k.Land(10, 5, "A", part, "2")
	k.Wire(5, 5, 10, 5, "A")
	k.Land(15, 5, "A", part, "2")
	k.Land(20, 5, "A", right, "1")
	k.Wire(15, 5, 20, 5, "A")
}

// drawPinLeads draws two pins of a part, each with a pad of another.
func drawPinLeads(k *kit.Kit, one, other string) {
	for i, ref := range [2]string{one, other} {
		x := int64(5 + 10*i)
		k.Land(x, 5, "A", "U1", "GND_"+ref)
		k.Land(x, 10, "A", ref, "1")
		k.Wire(x, 5, x, 10, "A")
		k.Land(x, 15, "B"+ref, ref, "2")
	}
}

// connector draws two lands that touch, of which the second is on net.
func connector(k *kit.Kit, net string) {
	k.Land(5, 5, "VBUS", "J2", "A9")
	k.Land(6, 5, net, "J2", "B4")
	k.Land(15, 5, "VBUS", "C1", "1")
	k.Wire(5, 5, 15, 5, "VBUS")
	for i := range int64(4) {
		k.Land(5+2*i, 20, "", "J2", "S"+string(rune('1'+i)))
	}
}

// stackParts draws two parts with pins each, of which the first share are on one hole.
func stackParts(k *kit.Kit, pins, shared int) {
	for i := range int64(pins) {
		x, name := 4+4*i, string(rune('0'+i))
		k.Land(x, 5, "N"+name, "U1", name)
		k.Hole(x*kit.Milli, 5*kit.Milli, kit.Milli/2, pcb.Plated)
		y := int64(5)
		if int(i) >= shared {
			y = 25
			k.Hole(x*kit.Milli, y*kit.Milli, kit.Milli/2, pcb.Plated)
		}
		k.Land(x, y, "M"+name, "U2", name)
	}
}

// TestCopiesOfParts: where a panel holds each part several times under one reference, its
// nets are those of each board.
func TestCopiesOfParts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		apart int64 // how far the track of the second board ends from R2
		again bool  // all parts lie on the second board too
		cut   bool  // a score, which says where the panel comes apart
		level dfm.Level
		count int
	}{
		"two boards":                        {0, true, true, dfm.Warning, 1},
		"two boards, one not all connected": {5, true, true, dfm.MustFix, 1},
		"two boards that nothing parts":     {0, true, false, dfm.MustFix, 1},
		"one part twice":                    {0, false, false, dfm.MustFix, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Top.Layer.File = "panel.kicad_pcb"
			k.Hole(30*kit.Milli, 25*kit.Milli, kit.Milli, pcb.NonPlated)
			for b := range int64(2) {
				y := 5 + 10*b
				copyOf(k, 5, y, "R1")
				k.Wire(5, y, 15-b*c.apart, y, "A")
				if b == 0 || c.again {
					copyOf(k, 15, y, "R2")
				}
			}
			if c.cut { // beside the boards: only what it tells matters here
				v := artwork.NewSheet("v-cut", "v.gbr", pcb.RoleVCut, pcb.NoSide)
				v.Line(geom.Pt(-5*kit.Milli, 28*kit.Milli), geom.Pt(45*kit.Milli, 28*kit.Milli), 100*kit.Micron, artwork.Meta{})
				k.Layers = append(k.Layers, v.Layer)
			}
			r := k.Judge(nets, nil)
			kit.Want(t, &r, dfm.Unrouted, c.level, c.count)
		})
	}
}

// TestCopiesByReferences: parts and pins that are there several times tell of a panel, in
// artwork, whose file has one part for all of a reference, and in the tool's own file. What
// is missing is told within a board, between its own pads.
func TestCopiesByReferences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool   string
		refs   int64 // parts of a board, on one net
		boards int64
		short  bool // the track of the last board ends before its last part
		bus    bool // a track joins the first two boards
		level  dfm.Level
		count  int
	}{
		"artwork":                                 {"", 3, 4, false, false, dfm.MustFix, 0},
		"artwork, between boards":                 {"", 3, 4, false, false, dfm.Warning, 3},
		"artwork, one board not all connected":    {"", 3, 4, true, false, dfm.MustFix, 1},
		"artwork, boards that are joined":         {"", 3, 4, true, true, dfm.MustFix, 1},
		"artwork of one board":                    {"", 3, 1, true, false, dfm.MustFix, 1},
		"a tool's board":                          {"panel.kicad_pcb", 6, 3, false, false, dfm.MustFix, 0},
		"a tool's board, one not all connected":   {"panel.kicad_pcb", 6, 3, true, false, dfm.MustFix, 1},
		"a tool's board of few parts, not parted": {"panel.kicad_pcb", 5, 3, false, false, dfm.MustFix, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			check := dfm.Open
			if c.tool != "" {
				k.Top.Layer.File, check = c.tool, dfm.Unrouted
			}
			k.Hole(30*kit.Milli, 25*kit.Milli, kit.Milli, pcb.NonPlated)
			for b := range c.boards {
				y := 3 + 3*b
				for r := range c.refs {
					if ref := "U" + string(rune('1'+r)); c.tool != "" {
						copyOf(k, 3+6*r, y, ref)
					} else {
						k.Land(3+6*r, y, "A", ref, "1")
					}
				}
				end := 6 * (c.refs - 1)
				if c.short && b == c.boards-1 {
					end -= 3
				}
				k.Wire(3, y, 3+end, y, "A")
			}
			if c.bus {
				k.Wire(3, 3, 3, 6, "A")
			}
			r := k.Judge(nets, nil)
			f := kit.Want(t, &r, check, c.level, c.count)
			for _, p := range f.Places {
				if c.short && p.At.Y != p.To.Y {
					t.Errorf("missing from %v to %v, which is another board", p.At, p.To)
				}
			}
		})
	}
}

// TestCopiesWithNetsOfTheirOwn: in a panel whose nets were named anew for each board, what
// is missing on a board is told, though the parts have one reference on all.
func TestCopiesWithNetsOfTheirOwn(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.Hole(30*kit.Milli, 25*kit.Milli, kit.Milli, pcb.NonPlated)
	for b, net := range []string{"Board_0-A", "Board_1-A"} {
		x := 2 + 18*int64(b)
		k.Land(x, 5, net, "U1", "1")
		k.Land(x+12, 5, net, "U1", "2") // nearer to the first pin of the next board's
		k.Land(x, 9, net, "U2", "1")
		k.Wire(x, 5, x, 9, net)
	}
	r := k.Judge(nets, nil)
	kit.Want(t, &r, dfm.Open, dfm.MustFix, 2)
}

// legsOfPin draws a part of two pads on one net and one more on another. One of the two is
// routed to the part beside, to which the other, that is not, is nearer; with on, parts of
// its own are there.
func legsOfPin(k *kit.Kit, file, ref, one, other string, on bool) {
	if file != "" {
		k.Top.Layer.File = file
	}
	k.Land(25, 5, "A", ref, other)
	k.Land(35, 5, "B", ref, "9")
	k.Land(8, 5, "A", "R1", "1")
	k.Wire(25, 5, 8, 5, "A")
	k.Land(5, 8, "A", ref, one)
	if on {
		k.Land(5, 15, "A", "R2", "1")
		k.Wire(5, 8, 5, 15, "A")
	}
}

// copyOf draws a part of one pin beside others of its reference.
func copyOf(k *kit.Kit, x, y int64, ref string) {
	if len(k.Pins) == 0 {
		k.Pins = []pcb.Pin{{Component: -1}}
	}
	k.Components = append(k.Components, pcb.Component{Ref: ref})
	k.Pins = append(k.Pins, pcb.Pin{Component: int32(len(k.Components) - 1), Number: "1", Net: k.Net("A")})
	k.Top.Flash(geom.Pt(x*kit.Milli, y*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false,
		artwork.Meta{Net: k.Net("A"), Pin: int32(len(k.Pins) - 1), Function: pcb.FuncSMDPad})
}

// coil draws copper without a net from one pad of a part to the other, in many pieces.
func coil(k *kit.Kit, ref string) {
	const pieces = 40
	k.Land(2, 5, "A", ref, "1")
	k.Land(2+pieces/2, 5, "B", ref, "2")
	at := func(i int64) geom.Point { return geom.Pt(2*kit.Milli+i*kit.Milli/2, 5*kit.Milli) }
	for i := range int64(pieces) {
		k.Top.Line(at(i), at(i+1), kit.Milli/5, k.NetMeta(""))
	}
	for i := range int64(2 * pieces) { // most copper carries its net
		k.Wire(2+i%20, 8+i/20, 3+i%20, 8+i/20, "A")
	}
}

// TestPanelNets: a net of two boards in a panel is not told to be in pieces where the
// panel comes apart between them, and is where it does not.
func TestPanelNets(t *testing.T) {
	t.Parallel()
	slot := geom.Rect(geom.Box{Min: geom.Pt(11*kit.Milli, 2*kit.Milli), Max: geom.Pt(13*kit.Milli, 18*kit.Milli)})
	for _, c := range []struct {
		name   string
		rows   []int64 // y of rows of holes; the slot's tabs are at 1 and 19
		holes  int64   // in each
		pitch  int64   // of the holes, in thousandths of a millimetre
		second int64   // x of the other pad
		level  dfm.Level
	}{
		{"across the slot between two tabs", []int64{1, 19}, 5, 800, 20, dfm.Warning},
		{"across a slot that no tabs hold", nil, 5, 800, 20, dfm.MustFix},
		{"holes too far apart for a row", []int64{1, 19}, 5, 1600, 20, dfm.MustFix},
		{"on one of the boards", []int64{1, 19}, 5, 800, 9, dfm.MustFix},
		{"across the slot between tabs of three holes", []int64{1, 19}, 3, 800, 20, dfm.Warning},
		{"three holes away from any slot", []int64{25, 30}, 3, 800, 20, dfm.MustFix},
		{"two holes", []int64{1, 19}, 2, 800, 20, dfm.MustFix},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.SetOutline(geom.Rect(geom.Box{Max: geom.Pt(40*kit.Milli, 40*kit.Milli)}), slot)
			for _, y := range c.rows {
				for i := range c.holes {
					k.Hole(11*kit.Milli+i*c.pitch*geom.Micrometre, y*kit.Milli, kit.Milli/2, pcb.NonPlated)
				}
			}
			k.Hole(35*kit.Milli, 35*kit.Milli, kit.Milli, pcb.NonPlated)
			k.Land(5, 10, "A", "R1", "1")
			k.Land(c.second, 10, "A", "R2", "1")
			r := k.Judge(nets, nil)
			kit.Want(t, &r, dfm.Open, c.level, 1)
		})
	}
}

// bridge is a part on two nets whose pads copper joins, listed in a netlist.
func bridge(k *kit.Kit, footprint string) {
	k.Wire(5, 5, 25, 5, "")
	for _, x := range []int64{5, 14, 17, 25} {
		k.Land(x, 5, "", "", "")
	}
	k.ListPin(5, 5, "A", "R1", "1", pcb.Top)
	k.ListPin(25, 5, "B", "R2", "1", pcb.Top)
	k.ListPin(14, 5, "A", "SB1", "1", pcb.Top)
	k.ListPin(17, 5, "B", "SB1", "2", pcb.Top)
	setFootprint(k, "SB1", footprint)
}

// starPoint is a part without copper whose pins lie at x, beside where two nets meet at 15.
func starPoint(k *kit.Kit, footprint string, x int64) {
	k.Wire(5, 5, 15, 5, "A")
	k.Wire(15, 5, 25, 5, "B")
	for i := range int64(10) {
		k.Land(3+3*i, 20, "C"+string(rune('0'+i)), "U1", string(rune('0'+i)))
	}
	k.ListPin(x, 6, "A", "ST1", "1", pcb.Top)
	k.ListPin(x+1, 6, "B", "ST1", "2", pcb.Top)
	setFootprint(k, "ST1", footprint)
}

// setFootprint gives a part its footprint.
func setFootprint(k *kit.Kit, ref, footprint string) {
	for i := range k.Components {
		if k.Components[i].Ref == ref {
			k.Components[i].Footprint = footprint
		}
	}
}

// regulator is a part of leads in a row and a tab; its tab, at 5, 20, is called tab, and a
// net is on the pins one and other, of which one is wired to a capacitor.
func regulator(k *kit.Kit, footprint, tab, one, other string) {
	leads := []string{"1", "2", "3"}
	if tab == "6" {
		leads = []string{"1", "2", "3", "4", "5"}
	}
	for i, number := range append(leads, tab) {
		net := "N" + number
		if number == one || number == other {
			net = "V"
		}
		x, y := int64(3*i+5), int64(5)
		if number == tab {
			x, y = 5, 20
		}
		k.Land(x, y, net, "U1", number)
		if number == one {
			k.Land(x, 10, net, "C1", "1")
			k.Wire(x, 5, x, 10, net)
		}
	}
	setFootprint(k, "U1", footprint)
}

// antenna is a line without a net between pads of A and B, at 5 and 25, and more of A and
// B; crossed, a track of B lies across it.
func antenna(k *kit.Kit, f pcb.Function, crossed bool) {
	k.Land(5, 5, "A", "R1", "1")
	k.Land(25, 5, "B", "R2", "1")
	for i := range int64(5) {
		k.Land(5+3*i, 20, "A", "C1", string(rune('1'+i)))
	}
	k.Wire(5, 20, 17, 20, "A")
	k.Wire(5, 20, 5, 5, "A")
	k.Top.Line(geom.Pt(5*kit.Milli+400*kit.Micron, 5*kit.Milli), geom.Pt(25*kit.Milli, 5*kit.Milli), kit.Milli/2, artwork.Meta{Function: f})
	if crossed {
		k.Wire(15, 2, 15, 8, "B")
	}
}

// drawEdgeStroke draws tracks of A and B to the left edge of the board, and a stroke of no net
// from one to the other, so many micrometres within the edge.
func drawEdgeStroke(k *kit.Kit, within int64) {
	for i, net := range []string{"A", "B"} {
		y := 5 * int64(i+1)
		k.Land(5, y, net, "R"+net, "1")
		k.Wire(0, y, 5, y, net)
	}
	x := within * kit.Micron
	k.Top.Line(geom.Pt(x, 3*kit.Milli), geom.Pt(x, 12*kit.Milli), 50*kit.Micron, artwork.Meta{})
}

// drawTornPad draws a pad of R1 on net A, and an area of the same pin that is stated to be on GND,
// as a pad that lies elsewhere is, at the height y.
func drawTornPad(k *kit.Kit, y int64) {
	k.Land(5, 5, "A", "R1", "1")
	k.Land(15, 5, "A", "C1", "1")
	k.Wire(5, 5, 15, 5, "A")
	k.Land(25, 20, "GND", "C2", "1")
	m := k.MetaOf("GND", "R1", "1")
	m.Function = pcb.FuncSMDPad
	at := geom.Pt(5*kit.Milli, y*kit.Milli)
	k.Top.Region(geom.Polygon{Outer: geom.Rect(geom.Box{Min: at.Sub(geom.Pt(kit.Milli/4, kit.Milli/4)), Max: at.Add(geom.Pt(kit.Milli/4, kit.Milli/4))})}, m)
}

// TestPadsAlone: of files that hold pads and no tracks, which their reader tells, no
// connection is told to be missing.
func TestPadsAlone(t *testing.T) {
	t.Parallel()
	for _, reported := range []bool{false, true} {
		k := kit.New()
		k.Land(5, 5, "A", "R1", "1")
		k.Land(25, 5, "A", "R2", "1")
		k.AddVia("B", 10000, 20000, 600, 300)
		if reported {
			k.Findings = append(k.Findings, pcb.Finding{Code: "copper_missing", Level: pcb.Problem})
		}
		r := k.Judge(nets, nil)
		open := slices.ContainsFunc(r.Findings, func(f dfm.Finding) bool { return f.Check == dfm.Open && f.Level == dfm.MustFix })
		if open == reported {
			t.Errorf("contradiction told %v, an open must be mended %v; want one of them: %+v", reported, open, r)
		}
	}
}
