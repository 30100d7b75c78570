package eagle

import (
	"math"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const mm = 1_000_000

const head = `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE eagle SYSTEM "eagle.dtd"><eagle version="9.6.2"><drawing>
<layers><layer number="1" name="Top"/><layer number="16" name="Bottom"/></layers><board>
<plain><wire x1="0" y1="0" x2="40" y2="0" width="0" layer="20"/><wire x1="40" y1="0" x2="40" y2="20" width="0" layer="20" curve="180"/>
<wire x1="40" y1="20" x2="0" y2="20" width="0" layer="20"/><wire x1="0" y1="20" x2="0" y2="0" width="0" layer="20"/>
<hole x="5" y="15" drill="3.2"/><text x="1" y="1" size="1" layer="21">A&amp;B</text></plain>
<libraries><library name="L"><packages><package name="P">
<smd name="1" x="1" y="2" dx="2" dy="1" layer="1" roundness="50"/><smd name="2" x="-1" y="0" dx="1" dy="1" layer="1" stop="no" cream="no"/>
<text x="0" y="0" size="1" layer="25">&gt;NAME</text></package>
<package name="T"><pad name="A" x="0" y="0" drill="1" shape="long"/><pad name="B" x="5" y="0" drill="1" diameter="3" shape="square"/></package></packages></library></libraries>
<classes><class number="0" name="default" width="0.2" drill="0.3"><clearance class="0" value="0.15"/></class></classes>`

const setup = `<designrules name="x"><param name="layerSetup" value="(1*2*15*16)"/><param name="mtCopper" value="0.07mm 0.035mm"/>
<param name="mtIsolate" value="0.2mm 0.9mm 0.1mm 0.1mm 0.1mm 0.1mm 0.1mm 0.1mm 0.1mm 0.1mm 0.1mm 0.1mm 0.1mm 0.1mm 0.2mm"/>
<param name="mdWireWire" value="6mil"/><param name="msDrill" value="0.3mm"/></designrules>`

const tail = `</board></drawing></eagle>`

func readOne(t *testing.T, body string) *pcb.Board {
	t.Helper()
	boards, findings := Read(t.Context(), []File{{"dir/b.brd", []byte(head + body + tail)}})
	if len(boards) != 1 {
		t.Fatalf("%d boards, findings %v; want one board", len(boards), findings)
	}
	return boards[0]
}

func TestBoard(t *testing.T) {
	t.Parallel()
	b := readOne(t, setup+`<elements><element name="R1" library="L" package="P" value="10k" x="10" y="10" rot="MR90" populate="no"><attribute name="MPN" value="RC1"/></element>
		<element name="X1" library="L" package="T" value="" x="20" y="10"/></elements>
		<signals><signal name="GND"><contactref element="R1" pad="1"/></signal></signals>`)
	f := b.Facts
	if f.CopperLayers.Value != 4 || f.OuterCopper.Value != 2 || !f.OuterCopper.IsStated() || f.InnerCopper.Value != 1 || !f.InnerCopper.IsStated() {
		t.Errorf("copper layers %+v, outer %+v, inner %+v; want 4 layers, 2 oz and 1 oz, both stated", f.CopperLayers, f.OuterCopper, f.InnerCopper)
	}
	if want := int64(70_000 + 3*35_000 + 200_000 + 900_000 + 200_000); f.Thickness.Value != want || !f.Thickness.IsStated() {
		t.Errorf("thickness = %d, want %d", f.Thickness.Value, want)
	}
	if f.Width.Value != 50*mm || f.Height.Value != 20*mm || !b.Outline.Closed {
		t.Errorf("outline %d x %d nm, closed %v; want 50 x 20 mm, closed", f.Width.Value, f.Height.Value, b.Outline.Closed)
	}
	if b.Rules.Clearance != 152_400 || b.Rules.ViaDrill != 300_000 || len(b.Rules.Classes) != 1 {
		t.Errorf("rules = %+v; want 152400 nm between copper, drills of 300000, one class", b.Rules)
	}
	r1, x1 := b.Components[0], b.Components[1]
	if !r1.DNP || r1.Side != pcb.Bottom || r1.MPN != "RC1" || r1.Value != "10k" || r1.Mount != pcb.SurfaceMount || x1.Mount != pcb.ThroughHole {
		t.Errorf("parts = %+v; want R1 RC1 of 10k on the bottom, not fitted, and X1 through hole", b.Components)
	}
	pin := b.Pins[b.Pin("R1", "1")]
	// (1, 2) turned by 90 degrees is (-2, 1); mirrored, (2, 1).
	if b.Nets[pin.Net].Name != "GND" || pin.At != geom.Pt(12*mm, 11*mm) || pin.Side != pcb.Bottom {
		t.Errorf("pin = %+v; want GND, at 12, 11 mm on the bottom", pin)
	}
	if n := len(b.Find(pcb.RoleSilk, pcb.Bottom)); n != 1 {
		t.Errorf("the name of a part at the bottom is on %d layers there, want 1", n)
	}
}

// TestKeptCopperIsCounted: what waits for pours to be clear of it takes several times
// the memory of a feature, and counts so.
func TestKeptCopperIsCounted(t *testing.T) {
	t.Parallel()
	for tracks, want := range map[int]bool{50: false, 300: true} {
		wire := `<wire x1="1" y1="1" x2="9" y2="1" width="0.2" layer="1"/>`
		body := setup + `<signals><signal name="A">` + strings.Repeat(wire, tracks) + "</signal></signals>"
		ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 1000})
		boards, _ := Read(ctx, []File{{"b.brd", []byte(head + body + tail)}})
		if got := pcb.Excess(ctx) != nil; got != want || len(boards) != 1 {
			t.Errorf("%d tracks: too complex %v, want %v", tracks, got, want)
		}
		end()
	}
}

func TestPads(t *testing.T) {
	t.Parallel()
	b := readOne(t, setup+`<elements><element name="R1" library="L" package="P" x="10" y="10"/><element name="X1" library="L" package="T" x="20" y="10"/></elements>`)
	top, inner := b.Copper()[0], b.Copper()[1]
	sizes := func(l *pcb.Layer, f pcb.Function) (out []geom.Point) {
		for i := range l.Features {
			if l.Features[i].Function == f {
				box := l.FeatureBounds(&l.Features[i])
				out = append(out, geom.Pt(box.Width(), box.Height()))
			}
		}
		return out
	}
	// A ring is a quarter of the drill, 0.254 at least and 0.508 at most.
	if got := sizes(top, pcb.FuncComponentPad); len(got) != 2 || got[0] != geom.Pt(3_016_000, 1_508_000) || got[1] != geom.Pt(3*mm, 3*mm) {
		t.Errorf("pads of the top = %v, want 3.016 x 1.508 and 3 x 3 mm", got)
	}
	if got := sizes(inner, pcb.FuncComponentPad); len(got) != 2 || got[0] != geom.Pt(1_508_000, 1_508_000) || got[1] != got[0] {
		t.Errorf("pads inside = %v, want two of 1.508 x 1.508 mm", got)
	}
	if got := sizes(top, pcb.FuncSMDPad); len(got) != 2 || got[0] != geom.Pt(2*mm, 1*mm) {
		t.Errorf("pads = %v, want two, the first 2 by 1 mm", got)
	}
	mask, paste := b.Find(pcb.RoleMask, pcb.Top)[0], b.Find(pcb.RolePaste, pcb.Top)[0]
	if len(mask.Features) != 4 || len(paste.Features) != 1 { // a hole, two pads and the smd that has one
		t.Errorf("openings: mask %d, paste %d; want 4, 1", len(mask.Features), len(paste.Features))
	}
}

func TestViasAndPours(t *testing.T) {
	t.Parallel()
	b := readOne(t, setup+`<signals><signal name="A"><via x="10" y="5" extent="1-2" drill="0.3" diameter="0.9"/><wire x1="10" y1="5" x2="12" y2="5" width="0.2" layer="1"/></signal>
		<signal name="B"><polygon width="0.4" layer="1" isolate="0.3"><vertex x="2" y="2"/><vertex x="30" y="2"/><vertex x="30" y="12"/></polygon></signal></signals>`)
	if len(b.Holes) != 2 {
		t.Fatalf("holes = %+v, want two", b.Holes)
	}
	var via pcb.Hole
	for _, h := range b.Holes {
		if h.Function == pcb.FuncViaDrill {
			via = h
		}
	}
	if via.From != 1 || via.To != 2 || via.Plating != pcb.Plated || !b.Facts.BlindVias.Value {
		t.Errorf("via = %+v, blind %v; want 1 to 2, plated, blind", via, b.Facts.BlindVias.Value)
	}
	top := b.Copper()[0]
	if f := top.Features[0]; f.Kind != pcb.RegionFeature || f.Function != pcb.FuncPour || b.Nets[f.Net].Name != "B" {
		t.Errorf("the first feature is %+v, want the pour of net B", f)
	}
	clear := 0
	for i := range top.Features {
		if f := &top.Features[i]; f.Clear {
			clear++
			if f.Kind == pcb.FlashFeature && top.FeatureBounds(f).Width() < 1_500_000 {
				t.Errorf("the via's clearance is %d wide, want 0.9 and 2 x 0.3 mm", top.FeatureBounds(f).Width())
			}
		}
	}
	if clear != 2 {
		t.Errorf("%d clearances in the pour, want those of the via and the wire", clear)
	}
	if b.Facts.MinTrack.Value != 200_000 {
		t.Errorf("narrowest track = %d nm, want 200000", b.Facts.MinTrack.Value)
	}
	found := false
	for _, f := range b.Findings {
		found = found || f.Code == "pours_unfilled"
	}
	if !found {
		t.Error("nothing says that pours are not filled")
	}
}

// A pour keeps clear of a wide wire whose middle is far from it.
func TestPourBesideWideWire(t *testing.T) {
	t.Parallel()
	b := readOne(t, setup+`<signals><signal name="A"><wire x1="10" y1="4" x2="10" y2="8" width="2" layer="1"/></signal>
		<signal name="B"><polygon width="0.2" layer="1" isolate="0.3"><vertex x="2" y="2"/><vertex x="8.8" y="2"/><vertex x="8.8" y="12"/><vertex x="2" y="12"/></polygon></signal></signals>`)
	top := b.Copper()[0]
	for i := range top.Features {
		if top.Features[i].Clear {
			return
		}
	}
	t.Error("the pour ends 0.1 mm from the wire, without a clearance of 0.3 mm")
}

// What curves lose as chords is added to the gap of a pour, and no more.
func TestPourBesideVia(t *testing.T) {
	t.Parallel()
	b := readOne(t, setup+`<signals><signal name="A"><via x="10" y="10" extent="1-16" drill="0.3" diameter="0.6"/></signal>
		<signal name="B"><polygon width="0.2" layer="1" isolate="0.3"><vertex x="2" y="2"/><vertex x="18" y="2"/><vertex x="18" y="18"/><vertex x="2" y="18"/></polygon></signal></signals>`)
	top := b.Copper()[0]
	var gaps []int64
	for i := range top.Features {
		if f := &top.Features[i]; f.Kind == pcb.FlashFeature && f.A == geom.Pt(10*1_000_000, 10*1_000_000) {
			gaps = append(gaps, top.Apertures[f.Shape].BoundsAt(geom.Transform{}).Width())
		}
	}
	if len(gaps) != 2 || gaps[0]-gaps[1] != 2*(300_000+chordLoss) {
		t.Errorf("the pour is taken away and the via drawn %d nm wide, want the gap and what chords lose between them", gaps)
	}
}

// A pour keeps clear of a turned pad, of which a corner comes near.
func TestPourBesideTurnedPad(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		edge  string // of the pour; the pad's corner is at 11.13
		clear bool
	}{
		"near": {"11.2", true}, "far": {"13.2", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := readOne(t, setup+`<libraries><library name="l"><packages><package name="p"><smd name="1" x="0" y="0" dx="1.6" dy="1.6" layer="1"/></package></packages></library></libraries>
				<elements><element name="R1" library="l" package="p" value="" x="10" y="10" rot="R45"/></elements>
				<signals><signal name="A"><contactref element="R1" pad="1"/></signal>
				<signal name="B"><polygon width="0.2" layer="1" isolate="0.3"><vertex x="`+tt.edge+`" y="2"/><vertex x="20" y="2"/><vertex x="20" y="18"/><vertex x="`+tt.edge+`" y="18"/></polygon></signal></signals>`)
			top := b.Copper()[0]
			if got := slices.ContainsFunc(top.Features, func(f pcb.Feature) bool { return f.Clear && f.Kind == pcb.FlashFeature }); got != tt.clear {
				t.Errorf("clearance round the pad: %v, want %v", got, tt.clear)
			}
		})
	}
}

func TestEdge(t *testing.T) {
	t.Parallel()
	a, b := geom.Pt(0, 0), geom.Pt(10*mm, 0)
	for _, tt := range []struct{ curve, y, sweep float64 }{
		{90, 5, 90}, {-90, -5, 90}, {180, 0, 180}, {270, -5, 270},
	} {
		e := edge(a, b, tt.curve)
		if math.Abs(geom.Millimetres(e.Centre.Y)-tt.y) > 1e-3 || math.Abs(math.Abs(e.Sweep())*180/math.Pi-tt.sweep) > 0.01 {
			t.Errorf("curve %v: centre %v, sweep %v; want y %v mm, %v degrees", tt.curve, e.Centre, e.Sweep(), tt.y, tt.sweep)
		}
	}
	if edge(a, b, 0).IsArc() {
		t.Error("no curve gives an arc")
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		data []byte
		code string
	}{
		"binary":    {[]byte("\x10\x80rest"), "format_unread"},
		"schematic": {[]byte(`<eagle version="9"><drawing><schematic/></drawing></eagle>`), "no_board"},
	} {
		boards, findings := Read(t.Context(), []File{{"x.brd", tt.data}})
		if len(boards) != 0 || len(findings) != 1 || findings[0].Code != tt.code {
			t.Errorf("%s: %d boards, findings %+v; want none, and %s", name, len(boards), findings, tt.code)
		}
	}
	b := readOne(t, `<elements><element name="Q1" library="L" package="none" x="1" y="1"/></elements>`)
	for _, f := range b.Findings {
		if f.Code == "package_missing" && f.Line > 0 {
			return
		}
	}
	t.Errorf("findings %+v, want package_missing with its line", b.Findings)
}

// TestShortPolygons: polygons without an area are told of once a net, with how many.
func TestShortPolygons(t *testing.T) {
	t.Parallel()
	const short = `<polygon width="0.2" layer="1"><vertex x="1" y="1"/><vertex x="2" y="1"/></polygon>`
	b := readOne(t, setup+`<plain>`+short+`</plain><signals><signal name="A">`+short+short+short+`</signal></signals>`)
	got := map[int]int{}
	for _, f := range b.Findings {
		if f.Code == "polygon_short" {
			got[f.Count]++
		}
	}
	if len(got) != 2 || got[1] != 1 || got[3] != 1 {
		t.Errorf("counts %v, want 1 and 3: %+v", got, b.Findings)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(head + setup + tail))
	f.Add([]byte(head + `<elements><element name="R1" library="L" package="P" x="10" y="10" rot="SMR33.3"/><element name="T" library="L" package="T" rot="R45"/></elements>
		<signals><signal name="A"><contactref element="R1" pad="1"/><via x="1" y="1" drill="0.3" extent="1-16" shape="octagon"/>
		<polygon width="0.2" layer="1" rank="1"><vertex x="1" y="1" curve="90"/><vertex x="9" y="1"/><vertex x="1" y="9"/></polygon>
		<polygon width="0.2" layer="1" pour="cutout"><vertex x="2" y="2"/><vertex x="3" y="2"/><vertex x="2" y="3"/></polygon></signal></signals>` + tail))
	f.Add([]byte("\x10\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		boards, _ := Read(t.Context(), []File{{"a.brd", data}})
		for _, b := range boards {
			for _, l := range b.Layers {
				l.Bounds()
			}
		}
	})
}
