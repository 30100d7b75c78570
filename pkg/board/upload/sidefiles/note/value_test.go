package note

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
)

const um = geom.Micrometre

// TestLength: a number with its unit in nanometres; one without is taken for what a board's
// thickness can be, in millimetres or in mils.
func TestLength(t *testing.T) {
	t.Parallel()
	for in, want := range map[[2]string]int64{
		{"1.6", "mm"}:     1600 * um,
		{"1,6", "mm"}:     1600 * um,
		{"62", "mil"}:     1_574_800,
		{"62", "mils"}:    1_574_800,
		{"62", "thou"}:    1_574_800,
		{"35", "um"}:      35 * um,
		{"1", "inch"}:     25_400 * um,
		{"0.062", "in"}:   1_574_800,
		{"0.062", `"`}:    1_574_800,
		{"2", "inches"}:   50_800 * um,
		{"1.6", ""}:       1600 * um,
		{"0.1", ""}:       100 * um,
		{"0.09", ""}:      0,
		{"6.5", ""}:       6500 * um,
		{"6.6", ""}:       0,
		{"14", ""}:        0,
		{"15", ""}:        381 * um,
		{"62", ""}:        1_574_800,
		{"250", ""}:       6350 * um,
		{"251", ""}:       0,
		{"100001", "mm"}:  0,
		{"1.2.3", "mm"}:   0,
		{"", "mm"}:        0,
		{"100000", "mil"}: 2540 * geom.Millimetre,
	} {
		if got := length(in[0], in[1]); got != want {
			t.Errorf("length(%q, %q) = %d nm, want %d", in[0], in[1], got, want)
		}
	}
}

// TestLengthsIn: the lengths that differ, without tolerances.
func TestLengthsIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in, unit string
		want     []int64
	}{
		{"1.6 mm", "", []int64{1600 * um}},
		{"1.6mm ±0.16 mm", "", []int64{1600 * um}},
		{"1.6mm +/- 10%", "", []int64{1600 * um}},
		{"1.6 mm (tolerance 0.1 mm)", "", []int64{1600 * um}},
		{"0.8 mm or 1.6 mm", "", []int64{800 * um, 1600 * um}},
		{"0.062 inch (1.57 mm)", "", []int64{1_574_800}},
		{"62 mil, 1.6 mm", "", []int64{1_574_800}},
		{"1.6 mm, 1.7 mm", "", []int64{1600 * um, 1700 * um}},
		{"1.6", "", []int64{1600 * um}},
		{"~1.6", "", []int64{1600 * um}},
		{"1.6 (thin)", "", []int64{1600 * um}},
		{"62", "mil", []int64{1_574_800}},
		{"35", "um", []int64{35 * um}},
		{"1.6 percent", "", nil},
		{"thin", "", nil},
		{"0 mm", "", nil},
		{"", "", nil},
	} {
		if diff := cmp.Diff(c.want, lengthsIn(c.in, c.unit)); diff != "" {
			t.Errorf("lengthsIn(%q, %q) (-want +got):\n%s", c.in, c.unit, diff)
		}
	}
}

// TestOunces: weights of copper in ounces per square foot: as they stand, or of a foil in micrometres.
func TestOunces(t *testing.T) {
	t.Parallel()
	for in, want := range map[[2]string]float64{
		{"1", "oz"}: 1, {"0,5", "oz"}: 0.5, {"1/2", "oz"}: 0.5, {"1/3", "ounce"}: 1.0 / 3, {"2", "ounces"}: 2, {"1/0", "oz"}: 1,
		{"35", "um"}: 1, {"17.5", "um"}: 0.5, {"18", "um"}: 0.5, {"70", "microns"}: 2, {"105", "um"}: 3, {"12", "um"}: 0.33, {"1.2.3", "oz"}: 0, {"", "oz"}: 0,
	} {
		if got := ounces(in[0], in[1]); got != want {
			t.Errorf("ounces(%q, %q) = %v, want %v", in[0], in[1], got, want)
		}
	}
}

// TestWeights: which layers a weight is of.
func TestWeights(t *testing.T) {
	t.Parallel()
	outer, inner := label{topic: OuterCopper}, label{topic: InnerCopper}
	for _, c := range []struct {
		in   string
		of   label
		want string
	}{
		{"1 oz", outer, "outer copper 1 oz"},
		{"1 oz", inner, "inner copper 1 oz"},
		{"1 oz", label{}, "outer copper 1 oz"},
		{"1/2 oz", inner, "inner copper 0.5 oz"},
		{"2 oz outer, 1 oz inner", outer, "outer copper 2 oz; inner copper 1 oz"},
		{"outer 2 oz, inner 1 oz", outer, "outer copper 2 oz; inner copper 1 oz"},
		{"outer 2 oz and inner 1 oz", outer, "outer copper 2 oz; inner copper 1 oz"},
		{"inner 1 oz outer 2 oz", outer, "inner copper 1 oz; outer copper 2 oz"},
		{"2 oz outer and 1 oz inner", outer, "outer copper 2 oz; inner copper 1 oz"},
		{"2 oz and inner 1 oz", outer, "outer copper 2 oz; inner copper 1 oz"},
		{"2 oz (inner 1 oz)", outer, "outer copper 2 oz; inner copper 1 oz"},
		{"1 oz (35 um)", outer, "outer copper 1 oz"},
		{"1 oz (35 um) inner", outer, "inner copper 1 oz"},
		{"35 um = 1 oz outer, 70 um = 2 oz inner", outer, "outer copper 1 oz; inner copper 2 oz"},
		{"inner 1 oz (35 um), outer 2 oz (70 um)", outer, "inner copper 1 oz; outer copper 2 oz"},
		{"1 oz (70 um)", outer, "outer copper 1 oz; outer copper 2 oz"},
		{"1 oz inner and outer", outer, "outer copper 1 oz; inner copper 1 oz"},
		{"1 oz on each layer", outer, "outer copper 1 oz; inner copper 1 oz"},
		{"2 oz on layers 1, 4", outer, "layer copper 1 2 oz; layer copper 4 2 oz"},
		{"2 oz on layer 2 and 3", outer, "layer copper 2 2 oz; layer copper 3 2 oz"},
		{"l1: 2 oz, l2: 1 oz", outer, "layer copper 1 2 oz; layer copper 2 1 oz"},
		{"1. top 2 oz", label{topic: stack}, "layer copper 1 2 oz"},
		{"2 oz", label{topic: stack, layers: []int{3}}, "layer copper 3 2 oz"},
		{"70 um", outer, "outer copper 2 oz"},
		{"0.035 mm", outer, "outer copper 1 oz"},
		{"0.5 mm", outer, ""},
		{"2", label{topic: OuterCopper, unit: "oz"}, "outer copper 2 oz"},
		{"2", outer, ""},
		{"0.04 oz", outer, ""},
		{"0.05 oz", outer, "outer copper 0.05 oz"},
		{"20 oz", outer, "outer copper 20 oz"},
		{"21 oz", outer, ""},
		{"prepreg 70 um", outer, ""},
		{"2 oz on layer 65", outer, "outer copper 2 oz"},
	} {
		if got := words(Note{Statements: weightsIn(c.in, c.of, true)}); got != c.want {
			t.Errorf("weightsIn(%q) of %+v: %q, want %q", c.in, c.of, got, c.want)
		}
	}
}

// TestThickness: values behind a label for the board's thickness, in nanometres.
func TestThickness(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"1.6 mm":                "thickness 1.6 mm",
		"1,6mm":                 "thickness 1.6 mm",
		"0.1 mm":                "thickness 0.1 mm",
		"0.09 mm":               "",
		"10 mm":                 "thickness 10 mm",
		"10.1 mm":               "",
		"0.8 to 1.0 mm":         "thickness 0.8 to 1.0 mm ?",
		"0.8-1.0 mm":            "thickness 0.8-1.0 mm ?",
		"0.8 mm or 1.0 mm":      "thickness 0.8 mm; thickness 1 mm",
		"1.6-1.6 mm":            "thickness 1.6 mm",
		"62 mil":                "thickness 1.575 mm",
		"1.6 mm - 0.1 + 0.1 mm": "thickness 1.6 mm; thickness 0.1 mm",
	} {
		p := parser{}
		p.thickness(in, label{topic: Thickness})
		if got := words(Note{Statements: p.statements}); got != want {
			t.Errorf("thickness of %q: %q, want %q", in, got, want)
		}
	}
}

// TestFinishes: finishes by their many names, and what is no finish of the board.
func TestFinishes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"enig":                              "finish ENIG",
		"enepig":                            "finish ENEPIG",
		"pads pb/sn":                        "finish leaded HASL",
		"finish: sn/pb":                     "finish leaded HASL",
		"solder sn/pb 63/37":                "",
		"hasl sn/pb finish":                 "finish leaded HASL",
		"osp":                               "finish OSP",
		"immersion gold":                    "finish ENIG",
		"immersion-gold":                    "finish ENIG",
		"enig (immersion gold)":             "finish ENIG",
		"immersion nickel gold":             "finish immersion nickel gold",
		"electroless nickel immersion gold": "finish ENIG",
		"electroless nickel/immersion gold": "finish ENIG",
		"ni/au":                             "finish ENIG",
		"ni / au":                           "finish ENIG",
		"chem. gold":                        "finish ENIG",
		"chemical silver":                   "finish immersion silver",
		"chem tin":                          "finish immersion tin",
		"immersion silver":                  "finish immersion silver",
		"immersion au":                      "finish ENIG",
		"immersion-ag":                      "finish immersion silver",
		"immersion sn":                      "finish immersion tin",
		"immersion auger":                   "",
		"hal free":                          "finish HASL lead free",
		"hasl-free":                         "finish HASL lead free",
		"hal, free of charge":               "finish HASL",
		"hasl":                              "finish HASL",
		"hal":                               "finish HASL",
		"lead-free hasl":                    "finish HASL lead free",
		"hasl, rohs":                        "finish HASL lead free",
		"hasl pb free":                      "finish HASL lead free",
		"leaded hasl":                       "finish leaded HASL",
		"hasl with lead":                    "finish leaded HASL",
		"hasl sn/pb":                        "finish leaded HASL",
		"hard gold":                         "finish hard gold",
		"enig, hard gold on edge contacts":  "finish ENIG",
		"hard gold fingers":                 "",
		"bare copper":                       "finish bare copper",
		"solder mask over bare copper":      "",
		"carbon":                            "",
		"surface: carbon":                   "finish carbon",
		"no hasl":                           "",
		"enig, not hasl":                    "finish ENIG",
		"enig or hasl":                      "finish ENIG; finish HASL",
		"half the price":                    "",
		"shiny":                             "",
	} {
		if got := words(Note{Statements: finishesIn(in)}); got != want {
			t.Errorf("finishesIn(%q): %q, want %q", in, got, want)
		}
	}
}

// TestColours: the colours that words name, each once.
func TestColours(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"green": {"green"}, "matte black": {"matte black"}, "black matt": {"matte black"}, "black, black": {"black"}, "red or blue": {"red", "blue"},
		"grey": {"grey"}, "gray": {"gray"}, "greenish": nil, "shred": nil, "material black": {"black"}, "": nil,
	} {
		if diff := cmp.Diff(want, coloursIn(in)); diff != "" {
			t.Errorf("coloursIn(%q) (-want +got):\n%s", in, diff)
		}
	}
}

// TestMixed: sheets of FR-4 and of another kind, and not two of one kind.
func TestMixed(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"FR4 + Rogers RO4350B": true, "Isola 370HR + RO3003": true, "FR-4 + polyimide": true, "FR4 + 370HR": false, "FR-4 + FR-4 TG170": false, "RO4350B + RO4450": false,
		"FR4": false, "RO4003": false, "": false, "S1000-2 + PTFE": true, "IT-180A + KB-6160": false,
	} {
		if got := IsMixed(in); got != want {
			t.Errorf("IsMixed(%q) = %v, want %v", in, got, want)
		}
	}
}

// TestLayerCounts: how many layers a value behind a label counts.
func TestLayerCounts(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{
		"4": 4, "4 layers": 4, "1": 1, "64": 64, "65": 0, "0": 0, "2 (top and bottom)": 2, "4-layer": 4, "4, see the stack": 4, "6 copper": 6, "4.5": 0, "four": 0, "100": 0, "": 0,
	} {
		p := parser{}
		p.count(in)
		got := 0
		for _, s := range p.statements {
			got = s.Number
		}
		if got != want || len(p.statements) > 1 {
			t.Errorf("layers of %q: %d in %d statements, want %d", in, got, len(p.statements), want)
		}
	}
}
