package gerber

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestFormats: what FS states of coordinates, in the ways that tools write it.
func TestFormats(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]struct {
		Format   Format
		Findings string
	}{
		"LAX24Y24":              {Format{2, 4, false, false}, ""},
		"LAX46Y46":              {Format{4, 6, false, false}, ""},
		"lax24y24":              {Format{2, 4, false, false}, ""},
		"LA X24 Y24":            {Format{2, 4, false, false}, ""},
		"DAX24Y24":              {Format{2, 4, false, false}, ""},
		"TAX24Y24":              {Format{2, 4, true, false}, "trailing_zeros_omitted"},
		"LIX24Y24":              {Format{2, 4, false, true}, "incremental"},
		"TIX24Y24":              {Format{2, 4, true, true}, "trailing_zeros_omitted incremental"},
		"AX24Y24":               {Format{2, 4, false, false}, ""},
		"LAN2X24Y24D2M2":        {Format{2, 4, false, false}, ""},
		"LAX24":                 {Format{2, 4, false, false}, ""},
		"LAY35":                 {Format{3, 5, false, false}, ""},
		"LAX24Y25":              {Format{2, 4, false, false}, "uneven_format"},
		"LAX89Y89":              {Format{8, 9, false, false}, ""},
		"LAX00Y00":              {Format{0, 0, false, false}, ""},
		"LAX94Y94":              {Format{2, 4, false, false}, "bad_command"},
		"LAX2Y2":                {Format{2, 4, false, false}, "bad_command"},
		"LAX246Y246":            {Format{2, 4, false, false}, "bad_command"},
		"LA":                    {Format{2, 4, false, false}, "bad_command"},
		"":                      {Format{2, 4, false, false}, "bad_command"},
		"LAX24Y24*%%FSLAX24Y24": {Format{2, 4, false, false}, ""},
		"LAX24Y24*%%FSLAX25Y25": {Format{2, 5, false, false}, "format_changed"},
	} {
		f := Read(t.Context(), "x.gbr", []byte("%MOIN*%%ADD10C,1*%%FS"+in+"*%D10*X000012Y0D02*M02*"), Options{})
		var got []string
		for c := range strings.FieldsSeq(codes(f)) {
			if c != "empty_layer" && c != "format_assumed" {
				got = append(got, c)
			}
		}
		if f.Format != want.Format || strings.Join(got, " ") != want.Findings {
			t.Errorf("FS%s states %+v with findings %q, want %+v with %q", in, f.Format, got, want.Format, want.Findings)
		}
	}
}

// TestUnits: what states the unit, and what changes it.
func TestUnits(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]struct {
		metric, stated bool
		findings       string
	}{
		"%MOMM*%": {true, true, ""}, "%MOIN*%": {false, true, ""}, "%MOmm*%": {true, true, ""}, "G71*": {true, true, ""}, "G70*": {false, true, ""}, "": {false, false, "unit_assumed"},
		"%MOKM*%": {false, false, "bad_command unit_assumed"}, "%MOIN*%%MOMM*%": {true, true, "unit_changed"}, "%MOMM*%G71*": {true, true, ""},
	} {
		f := Read(t.Context(), "x.gbr", []byte("%FSLAX24Y24*%"+in+"%ADD10C,1*%D10*X0Y0D03*M02*"), Options{})
		if f.Metric != want.metric || f.UnitStated != want.stated || codes(f) != want.findings {
			t.Errorf("%q: metric %v, stated %v, findings %q; want %v, %v, %q", in, f.Metric, f.UnitStated, codes(f), want.metric, want.stated, want.findings)
		}
	}
}

// TestAperFunctions: what the attribute .AperFunction says that an aperture is for.
func TestAperFunctions(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]pcb.Function{
		"ViaPad": pcb.FuncViaPad, "ComponentPad": pcb.FuncComponentPad, "SMDPad,CuDef": pcb.FuncSMDPad, "SMDPad,SMDef": pcb.FuncSMDPadMask, "SMDPad": pcb.FuncSMDPad, "BGAPad,CuDef": pcb.FuncBGAPad,
		"BGAPad,SMDef": pcb.FuncBGAPadMask, "FiducialPad,Local": pcb.FuncFiducialLocal, "FiducialPad,Global": pcb.FuncFiducial, "FiducialPad,Panel": pcb.FuncFiducial, "FiducialPad": pcb.FuncFiducial,
		"Conductor": pcb.FuncConductor, "NonConductor": pcb.FuncNonConductor, "Nonconductor": pcb.FuncNonConductor, "CopperBalancing": pcb.FuncBalancing, "Profile": pcb.FuncProfile, "EtchedComponent": pcb.FuncEtched,
		"CastellatedDrill": pcb.FuncComponentDrill, "Cavity": pcb.FuncCutOut, "Slot": pcb.FuncSlot, "AntiPad": pcb.FuncAntipad, "HeatsinkPad": pcb.FuncHeatsinkPad, "Other,Whatever": pcb.FuncOther,
		"SomethingNew": pcb.FuncOther, "viapad": pcb.FuncOther, "": pcb.FuncOther,
	} {
		f := Read(t.Context(), "x.gbr", []byte("%FSLAX46Y46*%%MOMM*%%TA.AperFunction,"+in+"*%%ADD10C,1*%D10*X0Y0D03*M02*"), Options{})
		if got := f.Layer.Features[0].Function; got != want {
			t.Errorf(".AperFunction,%s is function %d, want %d", in, got, want)
		}
	}
	if got := apertureFunction(nil); got != pcb.FuncUnknown {
		t.Errorf("no value is function %d, want none", got)
	}
}

// TestAttributesInForce: which net, pin and function a flash has, as attributes are set and deleted.
func TestAttributesInForce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, net, pin string }{
		{"a net", "%TO.N,GND*%", "GND", ""},
		{"a net with a comma", "%TO.N,A,B*%", "A,B", ""},
		{"a pin", "%TO.P,U1,7*%", "", "U1.7"},
		{"a pin with its function", "%TO.P,U1,7,CLK*%", "", "U1.7 CLK"},
		{"a pin without a number", "%TO.P,U1*%", "", ""},
		{"a net that is none", "%TO.N,N/C*%", "", ""},
		{"a net without a name", "%TO.N,*%", "", ""},
		{"the last of two nets", "%TO.N,A*%%TO.N,B*%", "B", ""},
		{"a net that is deleted", "%TO.N,A*%%TO.P,U1,7*%%TD.N*%", "", "U1.7"},
		{"a pin that is deleted", "%TO.N,A*%%TO.P,U1,7*%%TD.P*%", "A", ""},
		{"all that is deleted", "%TO.N,A*%%TO.P,U1,7*%%TD*%", "", ""},
		{"another attribute that is deleted", "%TO.N,A*%%TO.C,R1*%%TD.C*%", "A", ""},
		{"in a comment", "G04 #@! TO.N,GND*", "GND", ""},
		{"letters that are escaped", `%TO.N,\u00C4\u002C1*%`, "Ä,1", ""},
		{"long escapes", `%TO.N,\U0001F600*%`, "😀", ""},
		{"escapes that are none", `%TO.N,\u00*%`, `\u00`, ""},
		{"escapes of no letter", `%TO.N,\uD800x*%`, `\uD800x`, ""},
	} {
		f := Read(t.Context(), "x.gbr", []byte(mm+"D10*"+c.src+"X0Y0D03*M02*"), Options{})
		x := f.Layer.Features[0]
		pin := ""
		if x.Pin > 0 {
			p := f.Layer.Pins[x.Pin]
			pin = strings.TrimSpace(p.Component + "." + p.Pin + " " + p.Function)
		}
		if got := f.Layer.Nets[x.Net]; got != c.net || pin != c.pin {
			t.Errorf("%s: %s gives net %q and pin %q, want %q and %q", c.name, c.src, got, pin, c.net, c.pin)
		}
	}
}

// TestUnsupported: commands that are not followed, and how bad that is.
func TestUnsupported(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"%ICAS*%": "", "%ICEB*%": "input_code problem", "%IJA0B0*%": "ignored_command note", "%IOA1B1*%": "ignored_command note", "%PFx*%": "ignored_command note", "%RO90*%": "ignored_command note",
		"%KOD*%": "ignored_command warning", "%IFx.gbr*%": "include_file problem", "%ZZ1*%": "unknown_command warning", "%LPX*%": "bad_command warning", "%IPX*%": "bad_command warning", "%LMZ*%": "bad_command warning",
		"%LS0*%": "bad_command warning", "%LS-1*%": "bad_command warning", "%LS1e7*%": "bad_command warning", "%TX.a,b*%": "unknown_command warning", "G99*": "unknown_command warning", "M30*": "unknown_command note",
		"D04*": "unknown_command warning", "G10*": "deprecated_interpolation warning", "G37*": "stray_region_end note", "G36*G36*G37*": "nested_region note", "%SRX1Y1I0J0*%": "", "%AB*%": "bad_block warning",
		"%ABX*%": "bad_block problem", "%ABD*%": "bad_block problem", "?*": "unknown_command warning", "%SFA0B1*%": "bad_command warning", "%LMX*%": "", "%LNx*%": "", "%INx*%": "",
	} {
		f := Read(t.Context(), "x.gbr", []byte(mm+"D10*"+in+"D10*X0Y0D03*M02*"), Options{})
		got := ""
		for _, x := range f.Findings {
			if x.Code != "block_not_ended" {
				got = x.Code + " " + x.Level.String()
			}
		}
		if got != want || len(f.Layer.Features) != 1 {
			t.Errorf("%s: findings %+v and %d features, want %q and one", in, f.Findings, len(f.Layer.Features), want)
		}
	}
}

// TestMacroAreas: what primitives of macros cover, by geometry, in square millimetres.
func TestMacroAreas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, macro string
		want        float64
	}{
		{"a circle", "1,1,2,0,0", math.Pi},
		{"a line", "20,1,0.5,0,0,3,4,0", 2.5},
		{"a line, turned", "20,1,0.5,0,0,3,4,77", 2.5},
		{"a line of no length", "20,1,0.5,1,1,1,1,0", 0},
		{"a rectangle by its middle", "21,1,3,2,5,5,30", 6},
		{"a rectangle by its corner", "22,1,3,2,5,5,30", 6},
		{"a triangle", "4,1,3,0,0,4,0,0,3,0,0,45", 6},
		{"an outline that is not closed", "4,1,3,0,0,4,0,0,3,0", 6},
		{"a hexagon", "5,1,6,1,1,2,15", 1.5 * math.Sqrt(3)},
		{"a thermal", "7,0,0,4,2,0.0000001,0", math.Pi * (4 - 1)},
		{"a thermal with gaps, turned", "7,1,1,4,2,0.5,30", math.Pi*(4-1) - 4*gapArea(2, 1, 0.25)},
		{"rings", "6,0,0,4,0.5,0.5,2,0,0,0", math.Pi * (4 - 2.25 + 1 - 0.25)},
		{"a ring whose middle is full", "6,0,0,4,3,0.5,1,0,0,0", math.Pi * 4},
		{"rings without a gap or a width", "6,0,0,4,0,0,5,0,0,0", 0},
	} {
		f := Read(t.Context(), "x.gbr", []byte("%FSLAX46Y46*%%MOMM*%%AMm*"+c.macro+"*%%ADD20m*%D20*X0Y0D03*M02*"), Options{})
		sum := 0.0
		for _, p := range f.Layer.Apertures[0].Primitives {
			sum += math.Abs(p.Path().Area()) / 1e12
		}
		if math.Abs(sum-c.want) > 1e-3 {
			t.Errorf("%s: macro %s covers %v mm², want %v (findings %+v)", c.name, c.macro, sum, c.want, f.Findings)
		}
	}
}

// gapArea is what a gap of half width g takes of a ring between radii ro and ri, along one axis.
func gapArea(ro, ri, g float64) float64 {
	part := func(r float64) float64 { return g*math.Sqrt(r*r-g*g) + r*r*math.Asin(g/r) } // of a disc, to the right of its middle
	return part(ro) - part(ri)
}

// TestMacrosThatAreWrong: what is refused of a macro, and what is drawn all the same.
func TestMacrosThatAreWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, macro, finding string }{
		{"a circle without its rotation", "1,1,1,0,0", ""},
		{"too few parameters of a circle", "1,1,1,0", "primitive 1 lacks parameters"},
		{"too few of a line", "20,1,1,0,0,1", "primitive 20 lacks parameters"},
		{"too few of a thermal", "7,0,0,2,1", "primitive 7 lacks parameters"},
		{"a polygon of two corners", "5,1,2,0,0,2,0", "a polygon has 2 corners"},
		{"a polygon of too many", "5,1,1001,0,0,2,0", "a polygon has 1001 corners"},
		{"a thermal without an outside", "7,0,0,0,0,0.1,0", "a thermal's sizes do not fit together"},
		{"a thermal that is turned inside out", "7,0,0,1,2,0.1,0", "a thermal's sizes do not fit together"},
		{"gaps that leave nothing", "7,0,0,2,1,1.5,0", "a thermal's sizes do not fit together"},
		{"an outline with fewer points", "4,1,3,0,0,4,0,0,3", "an outline of 4 points has only 3"},
		{"an unknown primitive", "9,1,1", "unknown primitive 9"},
		{"an old end", "3", ""},
		{"a variable beyond all", "$1001=1", "has a statement that cannot be read"},
		{"a variable without a value", "$1", "has a statement that cannot be read"},
		{"a variable of no number", "$x=1", "has a statement that cannot be read"},
		{"a division by nothing", "1,1,1/0,0,0", "divides by zero"},
	} {
		f := Read(t.Context(), "x.gbr", []byte("%FSLAX46Y46*%%MOMM*%%AMm*"+c.macro+"*%%ADD20m*%D20*X0Y0D03*M02*"), Options{})
		message := ""
		for _, x := range f.Findings {
			if x.Code == "bad_macro" {
				message = x.Message
			}
		}
		if !strings.Contains(message, c.finding) || (message == "") != (c.finding == "") {
			t.Errorf("%s: macro %s says %q, want %q", c.name, c.macro, message, c.finding)
		}
	}
	twice := Read(t.Context(), "x.gbr", []byte("%FSLAX46Y46*%%MOMM*%%AMm*1,1,1,0,0*%%AMm*1,1,2,0,0*%%ADD20m*%D20*X0Y0D03*M02*"), Options{})
	if codes(twice) != "macro_redefined" || twice.Layer.Apertures[0].X != 2*geom.Millimetre {
		t.Errorf("a macro defined twice: findings %q, %d nm wide; want macro_redefined and the second, 2 mm", codes(twice), twice.Layer.Apertures[0].X)
	}
}

// TestRepeats: step and repeat with the steps and counts that files write.
func TestRepeats(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"X2Y1I5.0J0": {"0,0", "5,0"}, "X1Y2I0J-3": {"0,0", "0,-3"}, "X2Y1": {"0,0", "0,0"}, "X2I5": {"0,0", "5,0"}, "Y2J4": {"0,0", "0,4"}, "X0Y0I1J1": {"0,0"}, "X-3Y1I1J1": {"0,0"}, "X1Y1I1J1": {"0,0"},
		"I5J5X2Y1": {"0,0", "5,0"}, "X2.9Y1I1J0": {"0,0", "1,0"}, "X2Y2I1J2": {"0,0", "0,2", "1,0", "1,2"},
	} {
		f := Read(t.Context(), "x.gbr", []byte(mm+"D10*%SR"+in+"*%X0Y0D03*%SR*%M02*"), Options{})
		var got []string
		for i := range f.Layer.Features {
			got = append(got, pt(f.Layer.Features[i].A))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("flashes of SR%s (-want +got):\n%s", in, diff)
		}
	}
}
