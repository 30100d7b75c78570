package note

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlain: a line in lower case, without the marks of lists, links and emphasis.
func TestPlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"  Finish: ENIG  ":              "finish: enig",
		"* Finish: ENIG":                "finish: enig",
		"- [x] Finish: ENIG":            "finish: enig",
		"## **Finish**: `ENIG`":         "finish: enig",
		"3. Finish: ENIG":               "finish: enig",
		"(3) Finish: ENIG":              "finish: enig",
		"> • Finish: ENIG":              "finish: enig",
		"3.2 mm holes":                  "3.2 mm holes",
		"Finish: [ENIG](https://x.y/z)": "finish: enig",
		"![ENIG](a.png)":                "enig",
		"see https://x.y/enig for more": "see  for more",
		"100 mm × 80 mm":                "100 mm x 80 mm",
		"35 µm – 70 μm":                 "35 um - 70 um",
		"0.062″":                        `0.062"`,
		"P.C.B. thickness":              "pcb thickness",
		"1\u00a0oz":                     "1 oz",
		"Dicke: 1,6 mm":                 "thickness: 1,6 mm",
		"½ oz":                          "1/2 oz",
		"":                              "",
		"***":                           "",
	} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestItems: where a line is parted into the things that it says.
func TestItems(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"a, b; c | d\te":                        {"a", "b", "c", "d", "e"},
		"a / b":                                 {"a", "b"},
		"a/b":                                   {"a/b"},
		"dielectric 0.2 / 1.03 / 0.2 mm, b / c": {"dielectric 0.2 / 1.03 / 0.2 mm", "b", "c"},
		"a. b":                                  {"a", "b"},
		"a.b":                                   {"a.b"},
		"approx. 1.6 mm":                        {"approx. 1.6 mm"},
		"min. 0.1 mm, max. 0.2 mm":              {"min. 0.1 mm", "max. 0.2 mm"},
		"0,8 mm":                                {"0,8 mm"},
		"4,0.8 mm":                              {"4", "0.8 mm"},
		"fr-4 (a, b), c":                        {"fr-4 (a, b)", "c"},
		"fr-4 [a; b] c":                         {"fr-4 [a; b] c"},
		"fr-4 (a, b":                            {"fr-4 (a, b"},
		"a) b, c":                               {"a) b", "c"},
		"yes! no":                               {"yes", "no"},
		"a != b":                                {"a != b"},
		"thickness: 1.6 mm finish: enig":        {"thickness: 1.6 mm", "finish: enig"},
		"board thickness: 1.6 mm copper: 1 oz":  {"board thickness: 1.6 mm", "copper: 1 oz"},
		"finish thickness: 1 um":                {"finish thickness: 1 um"},
		"inner copper: 1 oz outer copper: 2 oz": {"inner copper: 1 oz", "outer copper: 2 oz"},
		", ;":                                   nil,
		"":                                      {""},
	} {
		if in == "" {
			want = nil
		}
		if diff := cmp.Diff(want, itemsOf(in)); diff != "" {
			t.Errorf("itemsOf(%q) (-want +got):\n%s", in, diff)
		}
	}
}

// TestParseLabel: a label and its value, at the first separator.
func TestParseLabel(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"finish: enig":            {"finish", "enig"},
		"finish = enig":           {"finish", "enig"},
		"finish - enig":           {"finish", "enig"},
		"finish -- enig":          {"finish", "enig"},
		"finish ..... enig":       {"finish", "enig"},
		"finish -> enig":          {"finish", "enig"},
		"finish is enig":          {"finish", "enig"},
		"finish must be enig":     {"finish", "enig"},
		"vias to be tented":       {"vias", "tented"},
		"finish: a: b":            {"finish", "a: b"},
		`finish: "enig".`:         {"finish", "enig"},
		"lead-free enig":          {"lead-free enig", ""},
		": enig":                  {": enig", ""},
		"this enig":               {"this enig", ""},
		"":                        {"", ""},
		"finish:":                 {"finish", ""},
		"solder mask colour: red": {"solder mask colour", "red"},
	} {
		head, value, ok := parseLabel(in)
		if got := [2]string{head, value}; got != want || ok != (want[1] != "" || in == "finish:") {
			t.Errorf("parseLabel(%q) = %q, %v; want %q", in, got, ok, want)
		}
	}
}

// TestLabelOf: the subjects of labels, whatever filler is with them.
func TestLabelOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]label{
		"thickness":                  {topic: Thickness, weak: true},
		"board thickness":            {topic: Thickness},
		"finished pcb thickness":     {topic: Thickness},
		"thickness (mm)":             {topic: Thickness, weak: true, unit: "mm"},
		"thickness mil":              {topic: Thickness, weak: true, unit: "mil"},
		"copper weight (oz)":         {topic: OuterCopper, unit: "oz"},
		"inner copper":               {topic: InnerCopper},
		"outer copper":               {topic: OuterCopper},
		"inner and outer copper":     {topic: OuterCopper},
		"internal cu thickness":      {topic: InnerCopper},
		"inner layers":               {topic: InnerCopper, broad: true},
		"outer layers":               {topic: OuterCopper, broad: true},
		"inner layer":                {topic: InnerCopper, weak: true},
		"layer":                      {},
		"layers":                     {topic: Layers},
		"number of layers":           {topic: Layers},
		"no. of layers":              {topic: Layers},
		"layer count":                {topic: Layers},
		"copper layers":              {topic: OuterCopper, counts: true},
		"top solder mask":            {topic: MaskColour, sides: "top"},
		"bottom silkscreen color":    {topic: SilkscreenColour, sides: "bottom"},
		"colour":                     {topic: MaskColour, weak: true},
		"pcb colour":                 {topic: MaskColour},
		"lpi":                        {topic: MaskColour},
		"surface finish":             {topic: Finish},
		"finish":                     {topic: Finish, weak: true},
		"base material":              {topic: Material},
		"via protection":             {topic: ViaProcess},
		"panel size":                 {topic: Panel},
		"board dimensions":           {topic: Width},
		"colour of the case":         {},
		"trace width":                {},
		"":                           {},
		strings.Repeat("board ", 11): {},
	} {
		got := labelOf(in)
		if got.topic == "" {
			got = label{}
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(label{})); diff != "" {
			t.Errorf("labelOf(%q) (-want +got):\n%s", in, diff)
		}
	}
}

// TestColumns: lines of two columns, a subject and a value that is known.
func TestColumns(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"finish          enig":           "finish: enig",
		"board thickness   1.6 mm":       "board thickness: 1.6 mm",
		"castellated holes   yes":        "castellated holes: yes",
		"edge plating   none":            "edge plating: none",
		"edge plating   all around":      "edge plating   all around",
		"finish          shiny":          "finish          shiny",
		"finish enig":                    "finish enig",
		"top solder mask    board.gts":   "top solder mask    board.gts",
		"thickness   material    finish": "thickness   material    finish",
		"mask white":                     "mask: white",
		"silk black.":                    "silk: black",
		"solder mask matte black":        "solder mask: matte black",
		"mask white areas":               "mask white areas",
		"paste mask white":               "paste mask white",
		"x   y":                          "x   y",
	} {
		if got := insertColon(in); got != want {
			t.Errorf("insertColon(%q) = %q, want %q", in, got, want)
		}
	}
}
