package eagle

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const um = geom.Micrometre

// rulesWith is the default rules with parameters of its own: name, value, …
func rulesWith(params ...string) *rules {
	u := defaultRules()
	for i := 0; i+1 < len(params); i += 2 {
		u.params[params[i]] = params[i+1]
	}
	return &u
}

func TestLengthOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"8mil": 203_200, "0.2mm": 200_000, "0.01inch": 254_000, "0.01in": 254_000, "100mic": 100_000, "1.5": 1_500_000,
		" 1 mm ": 1_000_000, "-1mm": -1_000_000, "0": 0, "": 0, "mm": 0, "x": 0, "1mmm": 0, "nan": 0, "NaNmm": 0, "inf": 0, "1e30mm": 0, "1e3mic": 1_000_000,
	} {
		if got := lengthOf(in); got != want {
			t.Errorf("%q is %d, want %d", in, got, want)
		}
	}
}

func TestNumbersOfRules(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]float64{"0.25": 0.25, " 2 ": 2, "": 0, "x": 0, "NaN": 0, "1e9": 0, "-1": -1} {
		if got := rulesWith("p", in).number("p"); got != want {
			t.Errorf("%q is %v, want %v", in, got, want)
		}
	}
}

// TestRings: a share of the drill, within the least and the most that the rules state.
func TestRings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		drill int64
		where string
		rules *rules
		want  int64
	}{
		{"a quarter of the drill", 1200 * um, "PadTop", rulesWith(), 300 * um},
		{"the least", 300 * um, "PadTop", rulesWith(), 254 * um},
		{"the most", 4000 * um, "PadTop", rulesWith(), 508 * um},
		{"a via's least", 300 * um, "ViaOuter", rulesWith(), 203_200},
		{"its own factor", 1000 * um, "PadInner", rulesWith("rvPadInner", "0.4"), 400 * um},
		{"the least goes before the most", 1000 * um, "PadTop", rulesWith("rlMinPadTop", "1mm", "rlMaxPadTop", "0.1mm"), 1000 * um},
		{"never below nothing", 1000 * um, "PadTop", rulesWith("rvPadTop", "-5", "rlMinPadTop", "0mil"), 0},
		{"rules that are no numbers", 1000 * um, "PadTop", rulesWith("rvPadTop", "x", "rlMinPadTop", "y", "rlMaxPadTop", "z"), 0},
	} {
		if got := c.rules.ring(c.drill, c.where); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestDiameters: a stated diameter counts where the rules let it, and only if it is
// larger.
func TestDiameters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		stated, drill int64
		where, use    string
		want          int64
	}{
		{"larger, on top", 3000 * um, 1000 * um, "PadTop", "13", 3000 * um},
		{"larger, inside: not asked", 3000 * um, 1000 * um, "PadInner", "13", 1508 * um},
		{"larger, at the bottom", 3000 * um, 1000 * um, "PadBottom", "13", 3000 * um},
		{"larger, a via", 900 * um, 300 * um, "ViaOuter", "13", 900 * um},
		{"larger, a via inside: not asked", 900 * um, 300 * um, "ViaInner", "13", 706_400},
		{"larger, everywhere", 3000 * um, 1000 * um, "PadInner", "31", 3000 * um},
		{"larger, nowhere", 3000 * um, 1000 * um, "PadTop", "0", 1508 * um},
		{"smaller", 100 * um, 1000 * um, "PadTop", "31", 1508 * um},
		{"none", 0, 1000 * um, "PadTop", "31", 1508 * um},
	} {
		if got := rulesWith("useDiameter", c.use).diameter(c.stated, c.drill, c.where); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestLands: the shape of a pad by what it states and what the rules force.
func TestLands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		item  item
		where string
		rules *rules
		want  land
	}{
		{"round", item{drill: 1000 * um, shape: "round"}, "PadTop", rulesWith(), land{shape: "round", d: 1508 * um, x: 1508 * um}},
		{"square", item{drill: 1000 * um, shape: "square"}, "PadTop", rulesWith(), land{shape: "square", d: 1508 * um, x: 1508 * um}},
		{"long, twice as long", item{drill: 1000 * um, shape: "long"}, "PadTop", rulesWith(), land{shape: "long", d: 1508 * um, x: 3016 * um}},
		{"long, half as long again", item{drill: 1000 * um, shape: "long"}, "PadTop", rulesWith("psElongationLong", "50"), land{shape: "long", d: 1508 * um, x: 2262 * um}},
		{"offset", item{drill: 1000 * um, shape: "offset"}, "PadTop", rulesWith(), land{shape: "offset", d: 1508 * um, x: 3016 * um, offset: 754 * um}},
		{"inside all are round", item{drill: 1000 * um, shape: "square"}, "PadInner", rulesWith(), land{shape: "round", d: 1508 * um, x: 1508 * um}},
		{"forced square on top", item{drill: 1000 * um, shape: "round"}, "PadTop", rulesWith("psTop", "0"), land{shape: "square", d: 1508 * um, x: 1508 * um}},
		{"forced round at the bottom", item{drill: 1000 * um, shape: "square"}, "PadBottom", rulesWith("psBottom", "1"), land{shape: "round", d: 1508 * um, x: 1508 * um}},
		{"forced octagon", item{drill: 1000 * um, shape: "square"}, "PadTop", rulesWith("psTop", "2"), land{shape: "octagon", d: 1508 * um, x: 1508 * um}},
		{"long ones are forced too", item{drill: 1000 * um, shape: "long"}, "PadTop", rulesWith("psTop", "1"), land{shape: "round", d: 1508 * um, x: 1508 * um}},
		{"long ones of the other side are not", item{drill: 1000 * um, shape: "long"}, "PadBottom", rulesWith("psTop", "1"), land{shape: "long", d: 1508 * um, x: 3016 * um}},
		{"offset ones, forced", item{drill: 1000 * um, shape: "offset"}, "PadBottom", rulesWith("psBottom", "2"), land{shape: "octagon", d: 1508 * um, x: 1508 * um}},
		{"the first pin", item{drill: 1000 * um, shape: "round", first: true}, "PadTop", rulesWith("psFirst", "0", "psTop", "1"), land{shape: "square", d: 1508 * um, x: 1508 * um}},
		{"elongation beyond reason", item{drill: 1000 * um, shape: "long"}, "PadTop", rulesWith("psElongationLong", "99999"), land{shape: "long", d: 1508 * um, x: 4524 * um}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, c.rules.landOf(&c.item, c.where), cmp.AllowUnexported(land{})); diff != "" {
				t.Errorf("land of %+v at %s (-want +got):\n%s", c.item, c.where, diff)
			}
		})
	}
}

// TestGrownLands: a land's aperture, and larger by a margin on every side.
func TestGrownLands(t *testing.T) {
	t.Parallel()
	for shape, want := range map[string][2]int64{"round": {1200, 1200}, "square": {1200, 1200}, "octagon": {1200, 1200}, "long": {2200, 1200}, "offset": {2200, 1200}, "": {1200, 1200}} {
		s := land{shape: shape, d: 1000 * um, x: 2000 * um}.growBy(100 * um)
		a := s.Build()
		if w, h := a.Box.Width()/um, a.Box.Height()/um; w != want[0] || h != want[1] {
			t.Errorf("%s: %d × %d µm, want %v", shape, w, h, want)
		}
	}
}

func TestMargins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		side        int64
		rules       *rules
		stop, cream int64
	}{
		{"as a new board has them", 1000 * um, rulesWith(), 101_600, 0},
		{"a tenth, within bounds", 1000 * um, rulesWith("mvStopFrame", "0.1", "mlMinStopFrame", "0mm", "mlMaxStopFrame", "1mm"), 100 * um, 0},
		{"the stencil smaller", 1000 * um, rulesWith("mvCreamFrame", "0.05", "mlMaxCreamFrame", "1mm"), 101_600, 50 * um},
	} {
		if stop, cream := c.rules.stop(c.side), c.rules.cream(c.side); stop != c.stop || cream != c.cream {
			t.Errorf("%s: %d, %d; want %d, %d", c.name, stop, cream, c.stop, c.cream)
		}
	}
}

func TestCorners(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		round float64
		rules *rules
		want  float64
	}{
		{0, rulesWith(), 0}, {50, rulesWith(), 0.5}, {100, rulesWith(), 1}, {250, rulesWith(), 1}, {-5, rulesWith(), 0},
		{0, rulesWith("srRoundness", "0.3", "srMinRoundness", "0mil", "srMaxRoundness", "1mm"), 0.3},
		{50, rulesWith("srRoundness", "0.3", "srMinRoundness", "0mil", "srMaxRoundness", "1mm"), 0.5},
	} {
		got := c.rules.corner(&item{dx: 1000 * um, dy: 2000 * um, round: c.round})
		if got-c.want > 1e-6 || c.want-got > 1e-6 {
			t.Errorf("roundness %v: %v, want %v", c.round, got, c.want)
		}
	}
}

// TestLayerSetups: which copper layers the rules build the board of.
func TestLayerSetups(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"(1*16)": "[1 16]", "(1*2*15*16)": "[1 2 15 16]", "[2:1+((2*3)+(14*15))+16:15]": "[1 2 3 14 15 16]", "1": "[1]", "16": "[16]",
		"": "[1 16]", "nothing": "[1 16]", "(0*17*99)": "[1 16]", "(16*1*1)": "[1 16]", "(99999999999999999999)": "[1 16]",
	} {
		if got := fmt.Sprint(rulesWith("layerSetup", in).copperLayers()); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// factory is what EAGLE writes between its sixteen layers.
const factory = "1.5mm 0.15mm 0.2mm 0.15mm 0.2mm 0.15mm 0.2mm 0.15mm 0.2mm 0.15mm 0.2mm 0.15mm 0.2mm 0.15mm 0.2mm"

// ofFour are the sheets of a board of four layers: those below the top and above the bottom alike.
const ofFour = "0.5mm 0.5mm 0.2mm 0.15mm 0.2mm 0.15mm 0.2mm 0.15mm 0.2mm 0.15mm 0.2mm 0.15mm 0.2mm 0.15mm 0.5mm"

// TestStackups: thickness and copper by the rules, and what counts as nobody's choice.
func TestStackups(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		rules            *rules
		thickness        int64
		outer, inner     float64
		chosen, oz, ozIn bool
	}{
		{"a new board", rulesWith(), 1_570 * um, 1, 0, false, false, false},
		{"through inches", rulesWith("mtCopper", "1.378mil", "mtIsolate", "59.055mil"), 1_569_999, 1, 0, false, false, false},
		{"thinner", rulesWith("mtIsolate", "0.8mm"), 870 * um, 1, 0, true, false, false},
		{"one ounce with its plating", rulesWith("mtCopper", "0.0432mm"), 1_586_400, 1, 0, false, true, false},
		{"more copper", rulesWith("mtCopper", "0.07mm"), 1_640 * um, 2, 0, false, true, false},
		{"four layers", rulesWith("layerSetup", "(1*2*15*16)", "mtCopper", "0.035mm 0.0175mm", "mtIsolate", "0.2mm"), 35*um + 3*17_500 + 600*um, 1, 0.5, true, true, true},
		{"four layers of the factory's", rulesWith("layerSetup", "(1*2*15*16)", "mtIsolate", factory), 1_990 * um, 1, 1, false, false, false},
		{"six of them", rulesWith("layerSetup", "(1*2*3*14*15*16)", "mtIsolate", factory), 2_410 * um, 1, 1, false, false, false},
		{"two within", rulesWith("layerSetup", "(2*15)", "mtIsolate", factory), 220 * um, 1, 0, false, false, false},
		{"of foil to be plated", rulesWith("layerSetup", "(1*2*15*16)", "mtIsolate", factory, "mtCopper", "0.0178mm 0.0356mm"), 1_850*um + 17_800 + 3*35_600, 1, 1, false, true, true},
		{"four layers by their rules", rulesWith("layerSetup", "(1*2*15*16)", "mtIsolate", ofFour), 1_640 * um, 1, 1, true, false, false},
		{"two layers by the rules of four", rulesWith("mtIsolate", ofFour), 570 * um, 1, 0, false, false, false},
		{"four others by the rules of four", rulesWith("layerSetup", "(1+2*3+16)", "mtIsolate", ofFour), 1_340 * um, 1, 1, false, false, false},
		{"two layers, thinner by their rules", rulesWith("mtIsolate", strings.Replace(factory, "1.5", "0.5", 1)), 570 * um, 1, 0, true, false, false},
		{"two layers of the sheet that is last", rulesWith("mtIsolate", strings.Replace(factory, "1.5", "0.2", 1)), 270 * um, 1, 0, true, false, false},
		{"a prepreg changed", rulesWith("layerSetup", "(1*2*15*16)", "mtIsolate", strings.Replace(factory, "0.15", "0.18", 1)), 2_020 * um, 1, 1, true, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := pcb.NewBoard("")
			c.rules.build(b, c.rules.copperLayers(), "x.brd")
			f := b.Facts
			if d := f.Thickness.Value - c.thickness; d < -100 || d > 100 || f.Thickness.IsStated() != c.chosen {
				t.Errorf("thickness %d, chosen %v; want %d, %v", f.Thickness.Value, f.Thickness.IsStated(), c.thickness, c.chosen)
			}
			if f.OuterCopper.Value != c.outer || f.OuterCopper.IsStated() != c.oz || f.InnerCopper.Value != c.inner || f.InnerCopper.IsStated() != c.ozIn {
				t.Errorf("copper %v oz (stated %v), inside %v oz (stated %v); want %v (%v), %v (%v)", f.OuterCopper.Value, f.OuterCopper.IsStated(), f.InnerCopper.Value, f.InnerCopper.IsStated(), c.outer, c.oz, c.inner, c.ozIn)
			}
			if n, want := len(b.Stackup), 2*f.CopperLayers.Value-1; n != want {
				t.Errorf("%d layers of the stackup for %d of copper, want %d", n, f.CopperLayers.Value, want)
			}
		})
	}
}

func TestRulesOfTheBoard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		rules *rules
		want  pcb.Rules
	}{
		{"as a new board has them", rulesWith(), pcb.Rules{AnnularRing: 203_200, MaskExpansion: 101_600}},
		{"the least of all clearances", rulesWith("mdWireWire", "8mil", "mdWirePad", "6mil", "mdViaVia", "7mil"), pcb.Rules{Clearance: 152_400, AnnularRing: 203_200, MaskExpansion: 101_600}},
		{"the others", rulesWith("msWidth", "0.15mm", "msDrill", "0.3mm", "mdDrill", "0.25mm", "mdCopperDimension", "0.4mm"),
			pcb.Rules{TrackWidth: 150 * um, ViaDrill: 300 * um, HoleToHole: 250 * um, EdgeClearance: 400 * um, AnnularRing: 203_200, MaskExpansion: 101_600}},
	} {
		b := pcb.NewBoard("")
		c.rules.state(b)
		if diff := cmp.Diff(c.want, b.Rules); diff != "" {
			t.Errorf("%s: rules stated of %+v (-want +got):\n%s", c.name, c.rules, diff)
		}
	}
}

func TestLayersByNumber(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][2]int{ // drawn on, and at the bottom
		1: {1, 16}, 16: {16, 1}, 2: {2, 15}, 17: {0, 17}, 18: {0, 18}, 19: {0, 19}, 20: {20, 20}, 21: {21, 22}, 22: {22, 21}, 23: {0, 24}, 25: {21, 26}, 26: {22, 25},
		29: {29, 30}, 31: {31, 32}, 39: {39, 40}, 41: {41, 42}, 43: {43, 43}, 44: {0, 44}, 46: {46, 46}, 51: {51, 52}, 52: {52, 51}, 0: {0, 0}, -3: {0, -3}, 121: {121, 121},
	} {
		if got := [2]int{targetLayer(n), mirrorLayer(n)}; got != want {
			t.Errorf("layer %d: %v, want %v", n, got, want)
		}
	}
	for n, want := range map[int]use{20: {pcb.RoleOutline, pcb.NoSide}, 21: {pcb.RoleSilk, pcb.Top}, 30: {pcb.RoleMask, pcb.Bottom}, 32: {pcb.RolePaste, pcb.Bottom}, 99: {pcb.RoleMechanical, pcb.NoSide}} {
		if got := useOf(n); got != want {
			t.Errorf("layer %d is for %+v, want %+v", n, got, want)
		}
	}
}

// TestSpansOfVias: an extent by the layers of the setup, from the outside in.
func TestSpansOfVias(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ extent, want string }{
		{"1-16", "0 0"}, {"1-2", "1 2"}, {"2-15", "2 3"}, {"15-2", "2 3"}, {"15-16", "3 4"}, {"1-3", "1 2"}, {"", "0 0"}, {"x-y", "0 0"}, {"5-5", "0 0"}, {"0-99", "0 0"},
	} {
		b := readOne(t, setup+`<signals><signal name="A"><via x="10" y="5" extent="`+c.extent+`" drill="0.3"/></signal></signals>`)
		for _, h := range b.Holes {
			if got := fmt.Sprint(h.From, " ", h.To); h.Function == pcb.FuncViaDrill && got != c.want {
				t.Errorf("extent %q is %s, want %s", c.extent, got, c.want)
			}
		}
	}
}

// TestWithoutDrill: what has no size is left out, and said.
func TestWithoutDrill(t *testing.T) {
	t.Parallel()
	lib := func(what string) string {
		return `<elements><element name="X" library="L" package="Q" x="20" y="10"/></elements>` + what
	}
	for _, c := range []struct{ name, body, code string }{
		{"a via", `<signals><signal name="A"><via x="10" y="5" extent="1-16" drill="0"/></signal></signals>`, "via_without_drill"},
		{"a via below nothing", `<signals><signal name="A"><via x="10" y="5" extent="1-16" drill="-0.3"/></signal></signals>`, "via_without_drill"},
		{"a pad", strings.ReplaceAll(lib(""), "Q", "Z1"), "pad_without_drill"},
		{"an smd", strings.ReplaceAll(lib(""), "Q", "Z2"), "pad_without_size"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(head, "</packages>", `<package name="Z1"><pad name="1" x="0" y="0" drill="0"/></package><package name="Z2"><smd name="1" x="0" y="0" dx="0" dy="1" layer="1"/></package></packages>`, 1)
			boards, findings := Read(t.Context(), []File{{"b.brd", []byte(text + setup + c.body + tail)}})
			for _, b := range boards {
				findings = append(findings, b.Findings...)
			}
			for _, f := range findings {
				if f.Code == c.code && f.Level == pcb.Warning {
					return
				}
			}
			t.Errorf("no %s in %+v", c.code, findings)
		})
	}
}

// TestDamagedFiles: what stands before the damage is read, and the damage is said.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	whole := head + setup + `<signals><signal name="A"><wire x1="1" y1="1" x2="5" y2="1" width="0.2" layer="1"/><via x="10" y="5" extent="1-16" drill="0.3"/></signal></signals>` + tail
	for name, text := range map[string]string{
		"cut off within a signal": whole[:strings.Index(whole, "<via x")],
		"cut off within a word":   whole[:strings.Index(whole, "<via x")+7],
		"another document":        "<html><body/></html>",
		"nothing":                 "",
		"a schematic":             `<?xml version="1.0"?><eagle version="9"><drawing><schematic/></drawing></eagle>`,
		"binary":                  "\x10\x80\x00\x01\x02",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			boards, findings := Read(t.Context(), []File{{"b.brd", []byte(text)}})
			for _, b := range boards {
				findings = append(findings, b.Findings...)
			}
			if len(findings) == 0 {
				t.Errorf("%d boards, and nothing is said", len(boards))
			}
			if cut := strings.HasPrefix(name, "cut off"); cut && (len(boards) != 1 || len(boards[0].Copper()[0].Features) == 0) {
				t.Errorf("what stands before the cut was not read: %d boards, want one with features", len(boards))
			}
		})
	}
}

// TestNumbersOutOfBounds: lengths that no board has are none.
func TestNumbersOutOfBounds(t *testing.T) {
	t.Parallel()
	for _, v := range []string{"1e300", "-1e300", "nan", "inf", "x", ""} {
		b := readOne(t, setup+`<signals><signal name="A"><wire x1="`+v+`" y1="1" x2="5" y2="`+v+`" width="0.2" layer="1"/></signal></signals>`)
		for _, l := range b.Layers {
			if box, limit := l.Bounds(), int64(2*geom.MaxCoord); !box.Empty() && (box.Width() > limit || box.Height() > limit) {
				t.Errorf("%s: layer %s covers %v, want %d nm either way at most", v, l.Name, box, limit)
			}
		}
	}
}
