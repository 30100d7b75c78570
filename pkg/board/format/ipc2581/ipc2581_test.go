package ipc2581

import (
	"math"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const mm = 1_000_000

const header = `<?xml version="1.0"?><IPC-2581 revision="C" xmlns="http://webstds.ipc.org/2581">
<Content roleRef="Owner"><DictionaryLineDesc units="INCH"><EntryLineDesc id="L1"><LineDesc lineEnd="ROUND" lineWidth="0.01"/></EntryLineDesc></DictionaryLineDesc>
<DictionaryFillDesc units="MILLIMETER"><EntryFillDesc id="VOID"><FillDesc fillProperty="VOID"/></EntryFillDesc></DictionaryFillDesc>
<DictionaryStandard units="MILLIMETER"><EntryStandard id="R"><RectCenter width="2" height="1"/></EntryStandard>
<EntryStandard id="O"><Oval width="2" height="1"/></EntryStandard></DictionaryStandard>
<DictionaryUser units="MILLIMETER"><EntryUser id="U"><UserSpecial><Location x="1" y="0"/><Circle diameter="1"/></UserSpecial></EntryUser></DictionaryUser></Content>
<LogisticHeader><Enterprise id="E1" name="Yageo" code="NONE"/></LogisticHeader>
<HistoryRecord number="1" origination="2026-01-02" software="Tool" lastChange="2026-01-03"/>
<Bom name="B"><BomItem OEMDesignNumberRef="P1"><RefDes name="R1" populate="true"/><RefDes name="R2" populate="false"/>
<Characteristics category="ELECTRICAL"><Textual textualCharacteristicName="Value" textualCharacteristicValue="10k"/></Characteristics></BomItem></Bom>
<Ecad name="D"><CadHeader units="MILLIMETER"><Spec name="MASKCOLOR"><General type="OTHER"><Property text="Color : Blue"/></General></Spec>
<Spec name="FIN"><SurfaceFinish type="ENIG-N"/></Spec></CadHeader><CadData>
<Layer name="BOT" layerFunction="CONDUCTOR" side="BOTTOM" polarity="POSITIVE"/>
<Layer name="TOP" layerFunction="CONDUCTOR" side="TOP" polarity="POSITIVE"/>
<Layer name="L2" layerFunction="PLANE" side="INTERNAL" polarity="NEGATIVE"/>
<Layer name="SMT" layerFunction="SOLDERMASK" side="TOP" polarity="POSITIVE"><SpecRef id="MASKCOLOR"/></Layer>
<Layer name="DR" layerFunction="DRILL" side="ALL" polarity="POSITIVE"><Span fromLayer="TOP" toLayer="L2"/></Layer>
<Stackup name="S" overallThickness="1.0"><StackupGroup name="G"><StackupLayer layerOrGroupRef="SMT" thickness="0.02" sequence="1"/>
<StackupLayer layerOrGroupRef="TOP" thickness="0.07" sequence="2"/><StackupLayer layerOrGroupRef="L2" thickness="0.035" sequence="3"/>
<StackupLayer layerOrGroupRef="BOT" thickness="0.07" sequence="4"/></StackupGroup></Stackup>
<Step name="board">`

const footer = `</Step></CadData></Ecad><Avl name="A"><AvlItem OEMDesignNumber="P1"><AvlVmpn><AvlMpn name="RC0402"/><AvlVendor enterpriseRef="E1"/></AvlVmpn></AvlItem></Avl></IPC-2581>`

const profile = `<Profile><Polygon><PolyBegin x="0" y="0"/><PolyStepSegment x="100" y="0"/><PolyStepSegment x="100" y="50"/>
<PolyStepCurve x="90" y="60" centerX="90" centerY="50" clockwise="false"/><PolyStepSegment x="0" y="60"/><PolyStepSegment x="0" y="0"/></Polygon>
<Cutout><PolyBegin x="10" y="10"/><PolyStepSegment x="20" y="10"/><PolyStepSegment x="20" y="20"/></Cutout></Profile>`

func readText(t *testing.T, text string) []*pcb.Board {
	t.Helper()
	boards, _ := Read(t.Context(), []File{{"b.xml", []byte(text)}})
	return boards
}

func readOne(t *testing.T, body string) *pcb.Board {
	t.Helper()
	boards := readText(t, header+body+footer)
	if len(boards) != 1 {
		t.Fatalf("boards = %d, want 1", len(boards))
	}
	return boards[0]
}

func TestBoard(t *testing.T) {
	t.Parallel()
	b := readOne(t, profile+`<Component refDes="R1" packageRef="0402" layerRef="BOT" mountType="SMT"><Xform rotation="90" mirror="true"/><Location x="5" y="6"/></Component>
		<Component refDes="R2" packageRef="0402" layerRef="TOP" mountType="SMT"><Location x="7" y="6"/></Component>
		<LogicalNet name="GND"><PinRef pin="1" componentRef="R1"/></LogicalNet>`)
	var names []string
	for _, l := range b.Copper() {
		names = append(names, l.Name)
	}
	if got := strings.Join(names, " "); got != "TOP L2 BOT" || !b.Copper()[1].Negative {
		t.Errorf("copper = %s, want the order of the stackup, L2 negative", got)
	}
	f := b.Facts
	if f.Thickness.Value != 1*mm || f.OuterCopper.Value != 2 || !f.OuterCopper.IsStated() || f.InnerCopper.Value != 1 ||
		f.MaskColour.Value != "Blue" || f.Finish.Value != "ENIG-N" || f.Tool.Value != "Tool" || f.Date.Value != "2026-01-03" {
		t.Errorf("facts = %+v; want 1 mm, 2 and 1 oz, blue, ENIG-N, Tool, 2026-01-03", f)
	}
	if f.Width.Value != 100*mm || f.Height.Value != 60*mm || len(b.Outline.Areas) != 1 || len(b.Outline.Areas[0].Holes) != 1 {
		t.Errorf("outline = %+v, want 100 by 60 mm with one cutout", b.Outline)
	}
	if got, want := b.Outline.Areas[0].Area()/1e12, 6000-100+25*math.Pi-50; math.Abs(got-want) > 0.1 {
		t.Errorf("area = %.2f mm², want %.2f", got, want)
	}
	r1, r2 := b.Components[0], b.Components[1]
	if r1.Side != pcb.Bottom || r1.At != geom.Pt(5*mm, 6*mm) || r1.Rotation != 90 || r1.MPN != "RC0402" || r1.Manufacturer != "Yageo" || r1.Value != "10k" || r1.DNP {
		t.Errorf("R1 = %+v; want 10k, RC0402 of Yageo, at 5, 6 mm on the bottom, turned by 90, fitted", r1)
	}
	if !r2.DNP || r2.Side != pcb.Top {
		t.Errorf("R2 = %+v, want it on top, not fitted", r2)
	}
	if pin := b.Pin("R1", "1"); b.Nets[b.Pins[pin].Net].Name != "GND" {
		t.Errorf("R1-1 = %+v, want net GND", b.Pins[pin])
	}
}

func TestFeatures(t *testing.T) {
	t.Parallel()
	b := readOne(t, `<LayerFeature layerRef="TOP"><Set net="N1">
		<Pad padstackDefRef="x"><Xform rotation="90"/><Location x="10" y="20"/><StandardPrimitiveRef id="R"/><PinRef pin="2" componentRef="U1"/></Pad>
		<Features><Location x="1" y="1"/><Line startX="0" startY="0" endX="3" endY="0"><LineDescRef id="L1"/></Line></Features>
		<Features><UserPrimitiveRef id="U"/></Features>
		<Features><Contour><Polygon><PolyBegin x="0" y="0"/><PolyStepSegment x="9" y="0"/><PolyStepSegment x="9" y="9"/></Polygon>
		<Cutout><PolyBegin x="4" y="1"/><PolyStepSegment x="5" y="1"/><PolyStepSegment x="5" y="2"/></Cutout></Contour></Features></Set>
		<Set polarity="NEGATIVE"><Pad><Location x="1" y="1"/><Circle diameter="1"/></Pad></Set></LayerFeature>`)
	l := b.Copper()[0]
	if len(l.Features) != 5 {
		t.Fatalf("features = %d, want 5", len(l.Features))
	}
	pad := &l.Features[0]
	if box, want := l.FeatureBounds(pad), (geom.Box{Min: geom.Pt(9_500_000, 19*mm), Max: geom.Pt(10_500_000, 21*mm)}); box != want {
		t.Errorf("turned pad covers %v, want %v", box, want)
	}
	if pad.Function != pcb.FuncSMDPad || b.Nets[pad.Net].Name != "N1" || b.Pins[pad.Pin].Number != "2" || pad.Line == 0 {
		t.Errorf("pad = %+v; want a surface mounted one, pin 2 of N1, with its line", pad)
	}
	if f := &l.Features[1]; f.A != geom.Pt(1*mm, 1*mm) || l.Width(f) != 254_000 {
		t.Errorf("line = %+v, width %d nm; want it from 1, 1 mm, 254000 nm wide", f, l.Width(f))
	}
	if f := &l.Features[2]; f.A != geom.Pt(1*mm, 0) {
		t.Errorf("circle of the user primitive at %v, want 1, 0 mm", f.A)
	}
	if f := &l.Features[3]; f.Kind != pcb.RegionFeature || len(l.Regions[f.Shape].Holes) != 1 || f.Function != pcb.FuncPour {
		t.Errorf("contour = %+v, want a pour with one hole", f)
	}
	if !l.Features[4].Clear {
		t.Error("a negative set is not clear")
	}
}

func TestHoles(t *testing.T) {
	t.Parallel()
	b := readOne(t, `<LayerFeature layerRef="DR"><Set geometry="VIA" net="N1"><Hole name="H1" diameter="0.3" platingStatus="VIA" x="1" y="2"/></Set>
		<Set><SlotCavity name="S" platingStatus="NONPLATED" plusTol="0" minusTol="0"><Xform rotation="90"/><Location x="5" y="5"/><StandardPrimitiveRef id="O"/></SlotCavity></Set></LayerFeature>`)
	if len(b.Holes) != 2 {
		t.Fatalf("holes = %d, want 2", len(b.Holes))
	}
	if h := b.Holes[0]; h.Diameter != 300_000 || h.From != 1 || h.To != 2 || h.Plating != pcb.Plated || h.Function != pcb.FuncViaDrill {
		t.Errorf("via = %+v; want 300000 nm, plated, from 1 to 2", h)
	}
	if h := b.Holes[1]; h.Kind != pcb.SlotHole || h.Diameter != 1*mm || h.A.X != 5*mm || h.B.X != 5*mm || h.Plating != pcb.NonPlated {
		t.Errorf("slot = %+v; want 1 mm, not plated, upright at X 5 mm", h)
	}
	if !b.Facts.BlindVias.Value || b.Facts.Slots.Value != 1 {
		t.Errorf("facts = %+v, want blind vias and one slot", b.Facts)
	}
}

func TestPanel(t *testing.T) {
	t.Parallel()
	text := header + profile + `<LayerFeature layerRef="TOP"><Set><Pad><Location x="10" y="0"/><StandardPrimitiveRef id="R"/></Pad></Set></LayerFeature></Step>
		<Step name="panel"><StepRepeat stepRef="board" x="5" y="5" nx="2" ny="3" dx="110" dy="70" angle="0" mirror="false"/>
		<StepRepeat stepRef="board" x="0" y="500" nx="1" ny="1" dx="0" dy="0" angle="90" mirror="false"/>` + footer
	boards := readText(t, text)
	if len(boards) != 2 || boards[0].Name != "b:board" || boards[1].Name != "b:panel" {
		t.Fatalf("%d boards, want b:board and b:panel", len(boards))
	}
	p := boards[1]
	if !p.Facts.Panel.Value || p.Facts.BoardsInPanel.Value != 7 {
		t.Errorf("panel %v, boards in it %+v; want true, 7", p.Facts.Panel.Value, p.Facts.BoardsInPanel)
	}
	top := p.Copper()[0]
	if len(top.Features) != 7 || top.Features[1].A != geom.Pt(15*mm, 75*mm) || top.Features[6].A != geom.Pt(0, 510*mm) {
		t.Errorf("features of the panel = %+v, want 7, the second at 15, 75 mm, the last at 0, 510 mm", top.Features)
	}
	if box := top.FeatureBounds(&top.Features[6]); box.Width() != 1*mm || box.Height() != 2*mm {
		t.Errorf("turned pad covers %v, want 1 x 2 mm", box)
	}
}

func TestDamaged(t *testing.T) {
	t.Parallel()
	text := header + profile + `<LayerFeature layerRef="TOP"><Set><Pad><Location x="1" y="2"/><StandardPrimitiveRef id="R"/></Pad></Set><Set><Pad>`
	boards := readText(t, text)
	if len(boards) != 1 || len(boards[0].Copper()[0].Features) != 1 {
		t.Fatalf("what stands before the cut was not read: %d boards, want one with one feature", len(boards))
	}
	found := false
	for _, f := range boards[0].Findings {
		found = found || f.Code == "file_damaged" && f.Line > 1
	}
	if !found {
		t.Errorf("findings = %+v, want file_damaged with its line", boards[0].Findings)
	}
	boards, findings := Read(t.Context(), []File{{"x.xml", []byte("<html/>")}})
	if len(boards) != 0 || len(findings) == 0 {
		t.Errorf("another document gave %d boards, findings %v; want none, and a finding", len(boards), findings)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(header + profile + footer))
	f.Add([]byte(header + `<StepRepeat stepRef="board" nx="9" ny="9"/></Step><Step name="p"><StepRepeat stepRef="board" x="1" nx="1000" ny="1000" dx="1"/>` + footer))
	f.Add([]byte(header + `<PadStackDef name="p"><PadstackHoleDef diameter="1" platingStatus="PLATED"/><PadstackPadDef layerRef="TOP"><Thermal outerDiameter="2" innerDiameter="1" gap="0.2" spokeCount="4"/></PadstackPadDef></PadStackDef>
		<LayerFeature layerRef="TOP"><Set><Pad padstackDefRef="p"><Donut outerDiameter="2" innerDiameter="1"/><RectCham width="2" height="1" chamfer="0.2" upperLeft="true"/><Butterfly diameter="2" shape="ROUND"/><Ellipse width="1" height="2"/></Pad></Set></LayerFeature>` + footer))
	f.Fuzz(func(t *testing.T, data []byte) {
		boards, _ := Read(t.Context(), []File{{"a.xml", data}})
		for _, b := range boards {
			for _, l := range b.Layers {
				l.Bounds()
			}
			for i := range b.Holes {
				b.HoleBounds(&b.Holes[i])
			}
		}
	})
}

func TestMirroredPadTurnsFirst(t *testing.T) {
	t.Parallel()
	b := readOne(t, `<LayerFeature layerRef="TOP"><Set><Pad padstackDefRef="x"><Xform rotation="30" mirror="true"/><Location x="10" y="20"/>
		<StandardPrimitiveRef id="R"/></Pad></Set></LayerFeature>`)
	l := b.Copper()[0]
	place := l.Place(&l.Features[0])
	// A point on the pad's X axis, turned by 30 degrees and then mirrored.
	want := geom.Pt(10*mm-866_025, 20*mm+500_000)
	if got := place.Apply(geom.Pt(1*mm, 0)); got.Dist(want) > 2 {
		t.Errorf("lies at %v, want %v", got, want)
	}
}
