// Package preset is the table of what design tools write of a board's build by
// themselves. A build that is one of these is nobody's choice, so it counts as unstated:
// see board.Fact.Default. Every reader of a tool's files asks here.
package preset

import (
	"cmp"
	"slices"
	"strings"
)

// A Stack is the build that a tool gives a new board. Lengths are nanometres.
type Stack struct {
	Tool   string
	Source string // where it was seen
	Copper int64  // of every layer
	// Dielectrics lie between layers. Where Numbered, they belong to the tool's layer
	// numbers, and a board of fewer layers has some of them; else the last one stands
	// for all that follow.
	Dielectrics []int64
	Numbered    bool
	Added       int64 // what the tool lays between layers that somebody adds; 0: the same
	Slack       int64 // what lengths of a layer lose on their way through a file
}

// Stacks is the table.
var Stacks = []Stack{
	{
		Tool: "EAGLE", Source: "default.dru of EAGLE 6 to 9 and Fusion Electronics, parameters mtCopper and mtIsolate",
		Copper: 35_000, Dielectrics: eagle(1_500_000, 150_000, 200_000), Numbered: true, Slack: 2_000,
	},
	{
		Tool: "KiCad", Source: "BOARD_STACKUP::BuildDefaultStackupList of KiCad 6 to 10",
		Copper: 35_000, Dielectrics: []int64{1_510_000}, Slack: 0,
	},
	{
		Tool: "Altium", Source: "new PcbDoc of Altium Designer: 1.4 mil of copper, 12.6 mil of FR-4; layers that are added: CF-004 of 1.378 mil, PP-006 of 2.8 mil",
		Copper: 35_560, Dielectrics: []int64{320_040}, Added: 71_120, Slack: 1_000,
	},
	{
		Tool: "EasyEDA Pro", Source: "layer manager of EasyEDA Pro 1 and 2: 1.378 mil of copper on both sides of 59.449 mil of FR4",
		Copper: 35_001, Dielectrics: []int64{1_510_005}, Slack: 1_000,
	},
}

// eagle is EAGLE's list: a core, then prepreg and core in turn, for 16 layers.
func eagle(first, odd, even int64) []int64 {
	list := []int64{first}
	for i := 1; i < 15; i++ {
		list = append(list, []int64{even, odd}[i%2])
	}
	return list
}

// What tools write of a whole board where nobody said anything, in lower case.
var (
	MaskColours       = []string{"green"}             // KiCad, Fusion Electronics, Altium
	SilkscreenColours = []string{"white"}             // KiCad, Fusion Electronics, Altium
	Materials         = []string{"fr4", "fr-4"}       // KiCad, Fusion Electronics; Altium
	Finishes          = []string{"hasl"}              // Altium's layer stack table
	Thicknesses       = []int64{1_600_000, 1_570_000} // KiCad; EAGLE and Fusion Electronics
)

// AltiumMask is the red, green and blue of the mask that Altium's layer stack begins with.
const AltiumMask = "008000"

// Ounce is the copper that tools write for every layer.
const Ounce = 1.0

// StackOf gives a tool's build.
func StackOf(tool string) Stack {
	return Stacks[slices.IndexFunc(Stacks, func(s Stack) bool { return strings.EqualFold(s.Tool, tool) })]
}

// CopperOf reports whether all copper layers are as the tool begins with.
func (s Stack) CopperOf(layers []int64) bool {
	for _, t := range layers {
		if !s.isNear(t, s.Copper) {
			return false
		}
	}
	return len(layers) > 0
}

// DielectricsOf reports whether all that lies between is as the tool begins with. list
// is the whole list of the tool's layer numbers where Numbered.
func (s Stack) DielectricsOf(list []int64) bool {
	first := false
	for i, t := range list {
		switch {
		case s.isNear(t, s.Dielectrics[min(i, len(s.Dielectrics)-1)]):
			first = true
		case s.Added == 0 || !s.isNear(t, s.Added):
			return false
		}
	}
	return first
}

// Begins reports whether the tool begins with a thickness under its layer i, counted from 0.
func (s Stack) Begins(i int, thickness int64) bool { return s.isNear(thickness, s.Dielectrics[i]) }

// Adds reports whether a thickness is what the tool's build of so many layers adds up
// to, whichever of its numbers the layers have.
func (s Stack) Adds(thickness int64, layers int) bool {
	if layers < 2 {
		return false
	}
	rest := thickness - int64(layers)*s.Copper - s.Dielectrics[0]
	if !s.Numbered {
		for added := range layers - 1 {
			sheets := int64(layers-2-added)*s.Dielectrics[0] + int64(added)*cmp.Or(s.Added, s.Dielectrics[0])
			if max(rest-sheets, sheets-rest) <= int64(layers)*s.Slack {
				return true
			}
		}
		return false
	}
	for odd := range layers - 1 {
		if s.isNear(rest, int64(odd)*s.Dielectrics[1]+int64(layers-2-odd)*s.Dielectrics[2]) {
			return true
		}
	}
	return false
}

func (s Stack) isNear(a, b int64) bool { return max(a-b, b-a) <= s.Slack }
