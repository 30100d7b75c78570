// Package process tells from what people and tools call layers and files that these are for
// something which a plain board is made without.
package process

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"boardorder/pkg/board/pcb"
)

// names are what layers for a process are called, in lower case, words parted by one space:
// the word by itself and as it comes out of names such as CarbonMask and CARBON_MASK.
var names = map[pcb.Process][]string{
	pcb.BackDrilling: {"backdrill", "backdrills", "backdrilling", "backdrilled", "背钻"},
	pcb.Stiffening:   {"stiffener", "stiffeners", "stiffner", "stiffners", "stiffening", "versteifung", "raidisseur", "refuerzo", "补强"},
	pcb.Coverlaying:  {"coverlay", "coverlays", "cover lay", "coverfilm", "cover film", "覆盖膜"},
	pcb.CarbonPrinting: {
		"carbon", "carbonmask", "carbon mask", "carbonink", "carbon ink", "carbon print", "karbon", "karbondruck", "碳油",
	},
	pcb.PeelableMasking: {
		"peelable", "peelables", "peelablemask", "peelablesoldermask", "peel off", "peeloff", "abziehlack", "pelable", "蓝胶", "可剥胶",
	},
	pcb.DepthRouting: {
		"cavity", "cavities", "depthrout", "depthroute", "depth rout", "depth route", "depth routing", "depth milling", "controlled depth",
		"counterbore", "counterbores", "counterbored", "counter bore", "countersink", "countersinks", "countersunk", "counter sink",
		"blind slot", "blind slots", "tiefenfräsung", "tiefenfraesung", "senkung", "senkungen", "盲槽",
	},
	pcb.PressFitting:    {"pressfit", "press fit", "einpresstechnik", "压接"},
	pcb.ViaFilling:      {"viafill", "viafilling", "via fill", "via fills", "via filling", "viaplug", "viaplugging", "via plug", "via plugging", "filled vias", "plugged vias", "epoxy fill", "epoxy filled", "epoxy plug", "epoxy plugged", "resin fill", "resin filled", "resin plug", "resin plugged", "塞孔"},
	pcb.SelectiveFinish: {"hardgold", "hard gold", "goldmask", "gold mask", "selective gold", "silvermask", "silver mask", "tinmask", "tin mask", "hartgold", "镀金"},
	pcb.HeatsinkMasking: {"heatsinkmask", "heatsink mask", "heatsink paste", "heat sink paste"},
	pcb.EmbeddedParts: {
		"embedded component", "embedded components", "embedded resistor", "embedded resistors", "embedded capacitor", "embedded capacitors", "embedded r", "embedded c",
	},
	pcb.RigidFlex: {"bend area", "bend areas", "bend line", "bend lines", "bendline", "bend zone", "flex area", "rigid area", "rigid flex", "rigidflex", "signal flex", "pg flex", "mixed flex"},
}

// Find is the process that something of that name is for; "" for none.
func Find(name string) pcb.Process {
	text := " " + strings.Join(words(name), " ") + " "
	for _, p := range pcb.Processes() {
		if slices.ContainsFunc(names[p], func(n string) bool { return says(text, n) }) {
			return p
		}
	}
	return ""
}

// denials are the words before a name that take it back.
var denials = []string{"no", "non", "not", "without", "ohne", "sans", "sin", "kein", "keine"}

func says(text, name string) bool {
	before, _, found := strings.Cut(text, " "+name+" ")
	if !found {
		return name[0] >= utf8.RuneSelf && strings.Contains(text, name) // Chinese is written without spaces
	}
	last := before[strings.LastIndexByte(before, ' ')+1:]
	return !slices.Contains(denials, last)
}

// words takes a name apart at whatever is no letter, and where a capital follows a small
// letter; digits part words and are left out.
func words(name string) []string {
	var parted strings.Builder
	before := rune(0)
	for _, c := range name {
		if unicode.IsUpper(c) && unicode.IsLower(before) {
			parted.WriteByte(' ')
		}
		if !unicode.IsLetter(c) {
			c = ' '
		}
		parted.WriteRune(unicode.ToLower(c))
		before = c
	}
	return strings.Fields(parted.String())
}

// Polyimide reports whether a dielectric of that name is a sheet of a flexible board.
func Polyimide(material string) bool {
	m := strings.ToLower(material)
	return strings.Contains(m, "polyimide") || strings.Contains(m, "kapton")
}
