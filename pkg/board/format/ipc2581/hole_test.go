package ipc2581

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestHoleRecords: what holes and slots are, by where and how they are written.
func TestHoleRecords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		want       string // kind, size in micrometres, plating, span
		cutouts    int
	}{
		{"a plated hole", `<LayerFeature layerRef="DR"><Set><Hole diameter="1" platingStatus="PLATED" x="1" y="2"/></Set></LayerFeature>`, "hole 1000 plated 1-2", 0},
		{"a bare hole", `<LayerFeature layerRef="DR"><Set><Hole diameter="3" platingStatus="NONPLATED" x="1" y="2"/></Set></LayerFeature>`, "hole 3000 non-plated 1-2", 0},
		{"small letters", `<LayerFeature layerRef="DR"><Set><Hole diameter="3" platingStatus="nonplated" x="1" y="2"/></Set></LayerFeature>`, "hole 3000 non-plated 1-2", 0},
		{"nothing said", `<LayerFeature layerRef="DR"><Set><Hole diameter="3" x="1" y="2"/></Set></LayerFeature>`, "hole 3000 unknown 1-2", 0},
		{"no diameter", `<LayerFeature layerRef="DR"><Set><Hole diameter="0" x="1" y="2"/></Set></LayerFeature>`, "", 0},
		{"on a copper layer, through all", `<LayerFeature layerRef="TOP"><Set><Hole diameter="1" platingStatus="VIA" x="1" y="2"/></Set></LayerFeature>`, "hole 1000 plated 0-0", 0},
		{"an oval slot", `<LayerFeature layerRef="DR"><Set><SlotCavity platingStatus="PLATED"><Location x="50" y="30"/><Oval width="3" height="1"/></SlotCavity></Set></LayerFeature>`, "slot 1000 plated 0-0", 0},
		{"a round slot is a hole", `<LayerFeature layerRef="DR"><Set><SlotCavity platingStatus="PLATED"><Location x="50" y="30"/><Circle diameter="2"/></SlotCavity></Set></LayerFeature>`, "hole 2000 plated 0-0", 0},
		{"a square slot is cut out", `<LayerFeature layerRef="DR"><Set><SlotCavity platingStatus="NONPLATED"><Location x="50" y="30"/><RectCenter width="3" height="2"/></SlotCavity></Set></LayerFeature>`, "", 1},
		{"an outlined slot is cut out", `<LayerFeature layerRef="DR"><Set><SlotCavity platingStatus="NONPLATED"><Location x="50" y="30"/><Contour><Polygon><PolyBegin x="0" y="0"/><PolyStepSegment x="3" y="0"/><PolyStepSegment x="3" y="2"/></Polygon></Contour></SlotCavity></Set></LayerFeature>`, "", 1},
		{"a routed slot", `<LayerFeature layerRef="DR"><Set><SlotCavity platingStatus="PLATED"><Polyline><PolyBegin x="50" y="30"/><PolyStepSegment x="53" y="30"/><PolyStepSegment x="53" y="35"/><LineDesc lineWidth="1"/></Polyline></SlotCavity></Set></LayerFeature>`, "routed 1000 plated 0-0", 0},
		{"a stack of pads of revision A", `<PadStack net="N1"><LayerHole diameter="0.4" platingStatus="VIA" x="1" y="2"><Span fromLayer="TOP" toLayer="BOT"/></LayerHole><LayerPad layerRef="TOP"><Location x="1" y="2"/><Circle diameter="1"/></LayerPad></PadStack>`, "hole 400 plated 0-0", 0},
		{"the same, blind", `<PadStack net="N1"><LayerHole diameter="0.4" platingStatus="VIA" x="1" y="2"><Span fromLayer="L2" toLayer="BOT"/></LayerHole></PadStack>`, "hole 400 plated 2-3", 0},
		{"a stack put down on a layer", `<PadStackDef name="P"><PadstackHoleDef diameter="0.5" platingStatus="PLATED"/><PadstackPadDef layerRef="TOP" padUse="REGULAR"><Circle diameter="1"/></PadstackPadDef></PadStackDef>
			<LayerFeature layerRef="TOP"><Set net="N1"><Pad padstackDefRef="P"><Location x="1" y="2"/></Pad></Set></LayerFeature>`, "hole 500 plated 0-0", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := readOne(t, profile+c.body)
			var got []string
			for i := range b.Holes {
				h := &b.Holes[i]
				kind := map[pcb.HoleKind]string{pcb.DrillHole: "hole", pcb.SlotHole: "slot", pcb.RoutedHole: "routed"}[h.Kind]
				got = append(got, fmt.Sprintf("%s %d %s %d-%d", kind, h.Diameter/um, h.Plating, h.From, h.To))
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("holes %q, want %q", s, c.want)
			}
			if n := len(b.Outline.Areas[0].Holes) - 1; n != c.cutouts { // the profile has one of its own
				t.Errorf("%d cutouts more, want %d", n, c.cutouts)
			}
		})
	}
}

// TestPadFunctions: what a pad is for, by its set, its pin and its stack.
func TestPadFunctions(t *testing.T) {
	t.Parallel()
	const stack = `<PadStackDef name="V"><PadstackHoleDef diameter="0.3" platingStatus="VIA"/><PadstackPadDef layerRef="TOP"><Circle diameter="0.6"/></PadstackPadDef></PadStackDef>
		<PadStackDef name="T"><PadstackHoleDef diameter="1" platingStatus="PLATED"/><PadstackPadDef layerRef="TOP"><Circle diameter="2"/></PadstackPadDef></PadStackDef>`
	const pin = `<PinRef componentRef="U1" pin="1"/>`
	for _, c := range []struct {
		name, set, pad string
		want           pcb.Function
	}{
		{"an smd", ``, `<Pad><Location x="1" y="1"/><Circle diameter="1"/>` + pin + `</Pad>`, pcb.FuncSMDPad},
		{"of no pin", ``, `<Pad><Location x="1" y="1"/><Circle diameter="1"/></Pad>`, pcb.FuncOther},
		{"a via's stack", ``, `<Pad padstackDefRef="V"><Location x="1" y="1"/></Pad>`, pcb.FuncViaPad},
		{"a via by its geometry", `geometry="VIA"`, `<Pad><Location x="1" y="1"/><Circle diameter="1"/></Pad>`, pcb.FuncViaPad},
		{"a via by its usage", `padUsage="VIA"`, `<Pad><Location x="1" y="1"/><Circle diameter="1"/></Pad>`, pcb.FuncViaPad},
		{"a lead", ``, `<Pad padstackDefRef="T"><Location x="1" y="1"/>` + pin + `</Pad>`, pcb.FuncComponentPad},
		{"a plated hole of no pin", ``, `<Pad padstackDefRef="T"><Location x="1" y="1"/></Pad>`, pcb.FuncViaPad},
		{"a fiducial", ``, `<Fiducial><Location x="1" y="1"/><Circle diameter="1"/></Fiducial>`, pcb.FuncFiducial},
		{"a fiducial of the panel", ``, `<GlobalFiducial><Location x="1" y="1"/><Circle diameter="1"/></GlobalFiducial>`, pcb.FuncFiducial},
		{"a test point", `geometryUsage="TESTPOINT"`, `<Pad><Location x="1" y="1"/><Circle diameter="1"/></Pad>`, pcb.FuncTestPad},
		{"a thermal", `geometryUsage="THERMAL"`, `<Pad><Location x="1" y="1"/><Circle diameter="1"/></Pad>`, pcb.FuncThermalRelief},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := readOne(t, stack+`<LayerFeature layerRef="TOP"><Set net="N1" `+c.set+`>`+c.pad+`</Set></LayerFeature>`)
			l := b.Copper()[0]
			if len(l.Features) != 1 || l.Features[0].Function != c.want {
				t.Errorf("features %+v, want one for %v", l.Features, c.want)
			}
		})
	}
}

// TestLayersOfTheFile: roles and sides by the functions that the file states.
func TestLayersOfTheFile(t *testing.T) {
	t.Parallel()
	for function, want := range map[string]pcb.Role{
		"SOLDERMASK": pcb.RoleMask, "soldermask": pcb.RoleMask, "SOLDERPASTE": pcb.RolePaste, "PASTEMASK": pcb.RolePaste, "SILKSCREEN": pcb.RoleSilk, "LEGEND": pcb.RoleSilk,
		"DRILL": pcb.RoleDrill, "ROUT": pcb.RoleDrill, "BOARD_OUTLINE": pcb.RoleOutline, "BOARDFAB": pcb.RoleFabDrawing, "ASSEMBLY": pcb.RoleAssembly,
		"COURTYARD": pcb.RoleCourtyard, "GLUE": pcb.RoleGlue, "V_CUT": pcb.RoleVCut, "SCORE": pcb.RoleVCut, "DOCUMENT": pcb.RoleMechanical, "SOMETHING": pcb.RoleOther, "": pcb.RoleOther,
	} {
		text := strings.Replace(header, `<Layer name="BOT"`, `<Layer name="X" layerFunction="`+function+`" side="BOTTOM"/><Layer name="BOT"`, 1)
		boards := readText(t, text+`<LayerFeature layerRef="X"><Set><Pad><Location x="1" y="1"/><Circle diameter="1"/></Pad></Set></LayerFeature>`+footer)
		found := false
		for _, l := range boards[0].Layers {
			if l.Name == "X" {
				found = true
				if l.Role != want || l.Side != pcb.Bottom {
					t.Errorf("%q is %s %s, want %s", function, l.Side, l.Role, want)
				}
			}
		}
		if !found {
			t.Errorf("%q gave no layer", function)
		}
	}
}

// TestOutlineWithoutProfile: what an outline layer draws is the board where no profile
// stands.
func TestOutlineWithoutProfile(t *testing.T) {
	t.Parallel()
	text := strings.Replace(header, `<Layer name="BOT"`, `<Layer name="EDGE" layerFunction="BOARD_OUTLINE" side="ALL"/><Layer name="BOT"`, 1)
	body := `<LayerFeature layerRef="EDGE"><Set><Features><Polyline><PolyBegin x="0" y="0"/><PolyStepSegment x="30" y="0"/><PolyStepSegment x="30" y="20"/><PolyStepSegment x="0" y="20"/><PolyStepSegment x="0" y="0"/><LineDesc lineWidth="0.1"/></Polyline></Features></Set></LayerFeature>`
	b := readText(t, text+body+footer)[0]
	if f := b.Facts; f.Width.Value != 30*mm || f.Height.Value != 20*mm || !b.Outline.Closed {
		t.Errorf("%d × %d nm, closed %v; want 30 × 20 mm, closed", f.Width.Value, f.Height.Value, b.Outline.Closed)
	}
	if b = readText(t, text+profile+body+footer)[0]; b.Facts.Width.Value != 100*mm {
		t.Errorf("beside a profile the width is %d nm, want that of the profile, 100 mm", b.Facts.Width.Value)
	}
}

// TestNetNames: names for what has no net are none.
func TestNetNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"GND": "GND", "No_Net": "", "NO NET": "", "$NONE$": "", "Unconnected": "", "": ""} {
		b := readOne(t, `<LayerFeature layerRef="TOP"><Set net="`+name+`"><Pad><Location x="1" y="1"/><Circle diameter="1"/></Pad></Set></LayerFeature>`)
		if f := b.Copper()[0].Features[0]; b.Nets[f.Net].Name != want || (f.Net == 0) != (want == "") {
			t.Errorf("%q is net %q, number %d; want %q, number 0 only of no net", name, b.Nets[f.Net].Name, f.Net, want)
		}
	}
}

// TestCopperByThickness: copper weights by the stackup, and what counts as nobody's choice.
func TestCopperByThickness(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		outer, inner string
		oz, ozInside float64
		chosen       bool
	}{
		{"0.07", "0.035", 2, 1, true},
		{"0.035", "0.035", 1, 1, false},
		{"0.0348", "0.0348", 1, 1, false},
		{"0.035", "0.0175", 1, 0.5, true},
		{"0", "0.035", 0, 1, false},
	} {
		text := strings.NewReplacer(`"TOP" thickness="0.07"`, `"TOP" thickness="`+c.outer+`"`, `"BOT" thickness="0.07"`, `"BOT" thickness="`+c.outer+`"`, `"L2" thickness="0.035"`, `"L2" thickness="`+c.inner+`"`).Replace(header)
		f := readText(t, text+profile+footer)[0].Facts
		if f.OuterCopper.Value != c.oz || f.InnerCopper.Value != c.ozInside || f.OuterCopper.IsStated() != c.chosen {
			t.Errorf("%s and %s mm: %v and %v oz, chosen %v; want %v and %v oz, %v", c.outer, c.inner, f.OuterCopper.Value, f.InnerCopper.Value, f.OuterCopper.IsStated(), c.oz, c.ozInside, c.chosen)
		}
	}
}

// TestPartsList: values, numbers and what is not fitted.
func TestPartsList(t *testing.T) {
	t.Parallel()
	part := func(ref string) string {
		return `<Component refDes="` + ref + `" packageRef="P" layerRef="TOP" mountType="THMT"><Location x="1" y="1"/><NonstandardAttribute name="Value" value="own"/></Component>`
	}
	b := readOne(t, part("R1")+part("R2")+part("Q9"))
	for i, want := range []struct {
		ref        string
		dnp, nobom bool
		mpn        string
	}{{"R1", false, false, "RC0402"}, {"R2", true, false, "RC0402"}, {"Q9", false, true, ""}} {
		c := b.Components[i]
		if c.Ref != want.ref || c.DNP != want.dnp || c.NoBOM != want.nobom || c.MPN != want.mpn || c.Value != "own" || c.Mount != pcb.ThroughHole || c.At != geom.Pt(1*mm, 1*mm) {
			t.Errorf("%+v, want %+v", c, want)
		}
	}
}

// TestDamagedFiles: whatever a file lacks, it is read as far as it goes and the rest is said.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	whole := header + profile + `<LayerFeature layerRef="TOP"><Set><Pad><Location x="1" y="2"/><StandardPrimitiveRef id="R"/></Pad></Set></LayerFeature>` + footer
	for name, text := range map[string]string{
		"cut off within the layers":  whole[:strings.Index(whole, "<Stackup")],
		"cut off within the profile": whole[:strings.Index(whole, "<PolyStepCurve")],
		"cut off within a word":      whole[:strings.Index(whole, "<StandardPrimitiveRef id=\"R\"/></Pad>")+9],
		"nothing":                    "",
		"another document":           "<html><body/></html>",
		"features of no layer":       header + profile + `<LayerFeature layerRef="GONE"><Set/></LayerFeature>` + footer,
		"elements that never end":    header + strings.Repeat("<Set>", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			boards, findings := Read(t.Context(), []File{{"b.xml", []byte(text)}})
			for _, b := range boards {
				findings = append(findings, b.Findings...)
			}
			if len(findings) == 0 {
				t.Errorf("%d boards, and nothing is said", len(boards))
			}
		})
	}
}
