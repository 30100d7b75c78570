package altium

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/pcbdoc"
)

// readBoard reads a written board, which must be one.
func readBoard(t *testing.T, f *pcbdoc.File) *pcb.Board {
	t.Helper()
	boards, findings := Read(t.Context(), []File{{"x.PcbDoc", f.Bytes()}})
	if len(boards) != 1 || len(findings) != 0 {
		t.Fatalf("%d boards, findings %v; want one board, no findings", len(boards), findings)
	}
	return boards[0]
}

// layerAt finds a layer by role and side.
func layerAt(b *pcb.Board, r pcb.Role, s pcb.Side) *pcb.Layer {
	for _, l := range b.Find(r, s) {
		return l
	}
	return pcb.NewLayer("none", "")
}

// describeFeatures puts a layer's features into words, lengths in mils.
func describeFeatures(b *pcb.Board, l *pcb.Layer) []string {
	mil := func(v int64) float64 { return float64((v+127)/254) / 100 }
	at := func(p geom.Point) string { return fmt.Sprintf("%g,%g", mil(p.X), mil(p.Y)) }
	var out []string
	for i := range l.Features {
		f := &l.Features[i]
		box := l.FeatureBounds(f)
		s := fmt.Sprintf("%s %s %gx%g", f.Kind, at(f.A), mil(box.Width()), mil(box.Height()))
		if a := l.Aperture(f); a != nil {
			s += " " + a.Kind.String()
		}
		if n := b.Nets[f.Net].Name; n != "" {
			s += " " + n
		}
		out = append(out, s)
	}
	return out
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func TestBoard(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	f.Rule("|RULEKIND=Clearance|SCOPE1EXPRESSION=All|SCOPE2EXPRESSION=All|ENABLED=TRUE|PRIORITY=1|GAP=6mil")
	f.Rule("|RULEKIND=Width|SCOPE1EXPRESSION=InNet('GND')|SCOPE2EXPRESSION=All|ENABLED=TRUE|PRIORITY=1|MINLIMIT=20mil")
	f.Rule("|RULEKIND=Width|SCOPE1EXPRESSION=All|SCOPE2EXPRESSION=All|ENABLED=TRUE|PRIORITY=2|MINLIMIT=5mil")
	f.Net("GND")
	f.Track(pcbdoc.NetObject(pcbdoc.Top, 0), 1100, 1100, 1200, 1100, 8)
	b := readBoard(t, f)
	o := b.Outline.Bounds()
	if o.Min != (geom.Point{}) || o.Width() != 50_800_000 || o.Height() != 25_400_000 || !b.Outline.Closed {
		t.Errorf("outline %v, closed %v; want 50.8 x 25.4 mm from the origin", o, b.Outline.Closed)
	}
	if n := b.Facts.CopperLayers; n.Value != 2 || !n.IsStated() {
		t.Errorf("copper layers %+v, want 2, stated", n)
	}
	if v := b.Facts.Thickness; v.Value != 1_600_000 && max(v.Value-1_600_000, 1_600_000-v.Value) >= 1_000 || !v.IsStated() {
		t.Errorf("thickness %+v; want 1.6 mm", v)
	}
	if v := b.Facts.MinTrack.Value; v != 203_200 {
		t.Errorf("narrowest track %d nm, want 203200", v)
	}
	if b.Rules.Clearance != 152_400 || b.Rules.TrackWidth != 127_000 {
		t.Errorf("rules %+v, want 152400 and 127000 nm", b.Rules)
	}
	same(t, "top", describeFeatures(b, b.Copper()[0]), []string{"line 100,100 108x8 circle GND"})
	if len(b.Findings) > 0 {
		t.Errorf("findings %v, want none", b.Findings)
	}
}

// TestUnits: the unit is 2.54 nm, and halves go away from zero.
func TestUnits(t *testing.T) {
	t.Parallel()
	for in, want := range map[int64]int64{0: 0, 1: 3, -1: -3, 25: 64, -25: -64, 50: 127, 10_000: 25_400, 393_701: 1_000_001, 1<<31 - 1: geom.MaxCoord} {
		if got := nanometres(in); got != want {
			t.Errorf("nanometres(%d) = %d, want %d", in, got, want)
		}
	}
	p := properties{"A": "39.3701mil", "B": "1mm", "C": " 2.5mil", "D": "x", "E": "1e300mil", "F": "-1in"}
	for name, want := range map[string]int64{"A": 1_000_001, "B": 1_000_000, "C": 63_500, "D": 0, "E": 0, "F": -25_400_000, "G": 0} {
		if got := p.length(name); got != want {
			t.Errorf("length %s = %d, want %d", name, got, want)
		}
	}
}

func TestDrawing(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	f.Net("GND")
	gnd := pcbdoc.NetObject(pcbdoc.Top, 0)
	f.Arc(gnd, 1500, 1500, 100, 0, 90, 10)
	f.Arc(pcbdoc.LayerObject(pcbdoc.TopOverlay), 1500, 1500, 100, 0, 360, 10)
	f.Fill(gnd, 1100, 1100, 1200, 1300, 90)
	keep := pcbdoc.LayerObject(pcbdoc.Top)
	keep.KeepOut = true
	f.Track(keep, 1000, 1000, 1500, 1500, 10)
	f.Track(pcbdoc.LayerObject(pcbdoc.Multi), 1800, 1100, 1900, 1100, 10)
	f.Region(gnd, "|KIND=0", []float64{1600, 1600, 1700, 1600, 1700, 1700, 1600, 1700}, []float64{1620, 1620, 1680, 1620, 1650, 1680})
	f.Region(gnd, "|KIND=1", []float64{1000, 1600, 1700, 1600, 1700, 1700})
	b := readBoard(t, f)
	same(t, "top", describeFeatures(b, b.Copper()[0]), []string{
		"region 600,600 100x100 GND", "region 250,150 200x100 GND", "line 800,100 110x10 circle", "arc 600,500 110x110 circle GND",
	})
	if r := b.Copper()[0].Regions[0]; len(r.Holes) != 1 {
		t.Errorf("the region has %d holes, want 1", len(r.Holes))
	}
	same(t, "bottom", describeFeatures(b, b.Copper()[1]), []string{"line 800,100 110x10 circle"})
	same(t, "legend", describeFeatures(b, layerAt(b, pcb.RoleSilk, pcb.Top)), []string{"arc 600,500 210x210 circle"})
}

func TestPads(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	f.Net("GND")
	f.Part("|SOURCEDESIGNATOR=U1|X=1200mil|Y=1200mil|LAYER=TOP")
	of := func(layer int) pcbdoc.Object { return pcbdoc.Object{Layer: layer, Net: 0, Pour: pcbdoc.None} }
	f.Pad(pcbdoc.Pad{Object: of(pcbdoc.Top), Name: "1", X: 1100, Y: 1100, W: 40, H: 20, Shape: pcbdoc.Square, Turn: 90, MaskMode: pcbdoc.ByRule, Mask: 4, Paste: -2})
	f.Pad(pcbdoc.Pad{Object: of(pcbdoc.Bottom), Name: "2", X: 1200, Y: 1100, W: 40, H: 40, Shape: pcbdoc.Round, MaskMode: pcbdoc.Manual, Mask: 2})
	f.Pad(pcbdoc.Pad{Object: of(pcbdoc.Multi), Name: "3", X: 1300, Y: 1100, W: 60, H: 60, Mid: [2]float64{50, 50}, Bottom: [2]float64{70, 80}, Shape: pcbdoc.Octagon, Drill: 30, Plated: true, MaskMode: pcbdoc.ByRule, Mask: 4})
	f.Pad(pcbdoc.Pad{Object: of(pcbdoc.Top), Name: "4", X: 1400, Y: 1100, W: 40, H: 20, Shape: pcbdoc.Round, Sized: true, AltShape: pcbdoc.RoundRect, Corner: 50, OffsetX: 10, Turn: 90, MaskMode: pcbdoc.ByRule, Paste: -15})
	f.Pad(pcbdoc.Pad{Object: pcbdoc.LayerObject(pcbdoc.Multi), X: 1500, Y: 1100, W: 100, H: 100, Shape: pcbdoc.Round, Drill: 100, MaskMode: pcbdoc.ByRule})
	f.Pad(pcbdoc.Pad{Object: of(pcbdoc.Multi), Name: "5", X: 1600, Y: 1100, W: 60, H: 100, Shape: pcbdoc.Round, Drill: 30, Plated: true, Sized: true, Hole: pcbdoc.SlotHole, Slot: 70, SlotTurn: 90, MaskMode: pcbdoc.ByRule})
	f.Pad(pcbdoc.Pad{Object: pcbdoc.LayerObject(pcbdoc.TopPaste), X: 1700, Y: 1100, W: 10, H: 10, Shape: pcbdoc.Square, MaskMode: pcbdoc.ByRule, Mask: 4})
	tent := of(pcbdoc.Multi)
	tent.Flags = 0x20
	f.Pad(pcbdoc.Pad{Object: tent, Name: "6", X: 1800, Y: 1100, W: 30, H: 30, Shape: pcbdoc.Round, Drill: 10, Plated: true, MaskMode: pcbdoc.ByRule, Mask: 1})
	b := readBoard(t, f)
	same(t, "top", describeFeatures(b, b.Copper()[0]), []string{
		"flash 100,100 20x40 rectangle GND", "flash 300,100 60x60 chamfered rectangle GND", "flash 400,110 20x40 rounded rectangle GND",
		"flash 500,100 100x100 circle", "flash 600,100 60x100 obround GND", "flash 800,100 30x30 circle GND",
	})
	same(t, "bottom", describeFeatures(b, b.Copper()[1]), []string{
		"flash 200,100 40x40 circle GND", "flash 300,100 70x80 chamfered rectangle GND", "flash 500,100 100x100 circle", "flash 600,100 60x100 obround GND", "flash 800,100 30x30 circle GND",
	})
	same(t, "top mask", describeFeatures(b, layerAt(b, pcb.RoleMask, pcb.Top)), []string{
		"flash 100,100 28x48 rectangle", "flash 300,100 68x68 chamfered rectangle", "flash 400,110 20x40 rounded rectangle", "flash 500,100 100x100 circle", "flash 600,100 60x100 obround",
	})
	same(t, "bottom mask", describeFeatures(b, layerAt(b, pcb.RoleMask, pcb.Bottom)), []string{
		"flash 200,100 44x44 circle", "flash 300,100 78x88 chamfered rectangle", "flash 500,100 100x100 circle", "flash 600,100 60x100 obround", "flash 800,100 32x32 circle",
	})
	same(t, "top stencil", describeFeatures(b, layerAt(b, pcb.RolePaste, pcb.Top)), []string{"flash 100,100 16x36 rectangle", "flash 700,100 10x10 rectangle"})
	same(t, "holes", holes(b), []string{
		"300,100 30 plated drill", "500,100 100 non-plated drill", "600,80 30 plated slot to 600,120", "800,100 10 plated drill",
	})
	if p := b.Pins[b.Pin("U1", "2")]; p.Side != pcb.Bottom || !p.HasAt || b.Nets[p.Net].Name != "GND" {
		t.Errorf("pin 2: %+v, want it of GND, on the bottom", p)
	}
	if c := b.Components[0]; c.Mount != pcb.ThroughHole {
		t.Errorf("mount %v, want %v", c.Mount, pcb.ThroughHole)
	}
}

func holes(b *pcb.Board) []string {
	mil := func(v int64) float64 { return float64((v+127)/254) / 100 }
	var out []string
	for _, h := range b.Holes {
		s := fmt.Sprintf("%g,%g %g %s drill", mil(h.A.X), mil(h.A.Y), mil(h.Diameter), h.Plating)
		if h.Kind == pcb.SlotHole {
			s = strings.TrimSuffix(s, "drill") + fmt.Sprintf("slot to %g,%g", mil(h.B.X), mil(h.B.Y))
		}
		if h.To > 0 {
			s += fmt.Sprintf(" %d-%d", h.From, h.To)
		}
		out = append(out, s)
	}
	return out
}

func TestVias(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	f.Board = "|RECORD=Board|ORIGINX=1000mil|ORIGINY=1000mil" + pcbdoc.Stack(1, 3, 2, 32) + pcbdoc.Outline(1000, 1000, 3000, 1000, 3000, 2000, 1000, 2000)
	f.Net("GND")
	f.AddVia(pcbdoc.NetObject(pcbdoc.Multi, 0), 1100, 1100, 20, 10, 1, 32, 3, 2)
	f.AddVia(pcbdoc.NetObject(pcbdoc.Multi, 0), 1200, 1100, 20, 10, 1, 3, -10)
	both := pcbdoc.NetObject(pcbdoc.Multi, 0)
	both.Flags = 0x60
	f.AddVia(both, 1300, 1100, 20, 10, 32, 1, 3)
	b := readBoard(t, f)
	same(t, "holes", holes(b), []string{"100,100 10 plated drill", "200,100 10 plated drill 1-2", "300,100 10 plated drill"})
	for i, want := range []string{"100 200 300", "100 200 300", "300", "100 300"} {
		var at []string
		for _, s := range describeFeatures(b, b.Copper()[i]) {
			x, _, _ := strings.Cut(strings.TrimPrefix(s, "flash "), ",")
			at = append(at, x)
		}
		if got := strings.Join(at, " "); got != want {
			t.Errorf("copper layer %d has vias at %s, want %s", i+1, got, want)
		}
	}
	same(t, "top mask", describeFeatures(b, layerAt(b, pcb.RoleMask, pcb.Top)), []string{"flash 100,100 26x26 circle"})
	same(t, "bottom mask", describeFeatures(b, layerAt(b, pcb.RoleMask, pcb.Bottom)), []string{"flash 100,100 26x26 circle"})
	if !b.Facts.BlindVias.Value {
		t.Error("blind vias are not stated")
	}
}

func TestOutline(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	f.Board = "|RECORD=Board" + pcbdoc.Stack(1, 32) +
		"|KIND0=0|VX0=0mil|VY0=0mil|KIND1=1|VX1=1000mil|VY1=0mil|CX1=1000mil|CY1=500mil|SA1=270|EA1=90|R1=500mil" +
		"|KIND2=0|VX2=1000mil|VY2=1000mil|KIND3=1|VX3=200mil|VY3=1000mil|CX3=0mil|CY3=1000mil|SA3=270|EA3=360|R3=200mil|KIND4=0|VX4=0mil|VY4=800mil|KIND5=0|VX5=0mil|VY5=0mil"
	f.Region(pcbdoc.LayerObject(pcbdoc.Multi), "|KIND=0|ISBOARDCUTOUT=TRUE", []float64{400, 400, 500, 400, 500, 500, 400, 500})
	b := readBoard(t, f)
	o := b.Outline
	if len(o.Areas) != 1 || len(o.Areas[0].Holes) != 1 {
		t.Fatalf("outline %+v, want one area with one cutout", o)
	}
	if w, h := o.Bounds().Width(), o.Bounds().Height(); w != 38_100_000 || h != 25_400_000 {
		t.Errorf("%d x %d nm, want 38.1 x 25.4 mm", w, h)
	}
	mil := float64(geom.Mil)
	want := (1e6 + 3.14159265*500*500/2 - 3.14159265*200*200/4 - 1e4) * mil * mil
	if got := o.Areas[0].Area(); got < want*0.9999 || got > want*1.0001 {
		t.Errorf("area %.0f, want %.0f", got, want)
	}
}

func TestPartsAndTexts(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	f.Part("|SOURCEDESIGNATOR=R1|X=1200mil|Y=1300mil|LAYER=BOTTOM|ROTATION= 9.00000000000000E+0001|PATTERN=0402|SOURCELIBREFERENCE=RES|SOURCEDESCRIPTION=Resistor|NAMEON=TRUE|COMMENTON=FALSE")
	f.Part("|SOURCEDESIGNATOR=NT1|X=0mil|Y=0mil|LAYER=TOP|COMPONENTKIND=4")
	f.Text(pcbdoc.Text{Object: pcbdoc.Object{Layer: 34, Net: pcbdoc.None, Pour: pcbdoc.None}, Ref: true, Words: "R1_A", X: 1200, Y: 1300, Height: 40, Pen: 6, Mirror: true})
	f.Text(pcbdoc.Text{Object: pcbdoc.Object{Layer: 34, Net: pcbdoc.None, Pour: pcbdoc.None}, Comment: true, Words: "10k", X: 1200, Y: 1300, Height: 40, Pen: 6})
	f.Text(pcbdoc.Text{Object: pcbdoc.LayerObject(pcbdoc.Top), Words: "L1", X: 1200, Y: 1300, Height: 40, Pen: 6, Font: 1})
	f.Text(pcbdoc.Text{Object: pcbdoc.LayerObject(33), Words: ".Print_Date", X: 1200, Y: 1300, Height: 40, Pen: 6})
	f.Text(pcbdoc.Text{Object: pcbdoc.LayerObject(33), Words: "123", X: 1200, Y: 1300, Height: 40, Pen: 6, Font: 2})
	f.Streams["PrimitiveParameters"] = slices.Concat(pcbdoc.Properties("|PRIMITIVEID=A|ID=Component#0|VARIANTGUID=|COUNT=1"), pcbdoc.Properties("|NAME=Manufacturer Part Number|VALUE=RC0402"))
	b := readBoard(t, f)
	c := b.Components[0]
	if c.Ref != "R1_A" || c.Value != "10k" || c.Footprint != "0402" || c.Side != pcb.Bottom || c.Rotation != 90 || c.At != geom.Pt(5_080_000, 7_620_000) || c.MPN != "RC0402" {
		t.Errorf("part %+v; want R1_A, 10k, 0402, RC0402, on the bottom, turned by 90, at 5.08, 7.62 mm", c)
	}
	if tie := b.Components[1]; !tie.NoBOM || tie.Fields["net_tie_pad_groups"] == "" {
		t.Errorf("net tie %+v, want it off the list of parts, with its groups of pads", tie)
	}
	l := layerAt(b, pcb.RoleSilk, pcb.Bottom)
	if len(l.Texts) != 1 || l.Texts[0].Text != "R1_A" || !l.Texts[0].Mirrored || l.Bounds().Max.X > c.At.X+100_000 {
		t.Errorf("legend %+v, %v: want the designator alone, to the left of its anchor", l.Texts, l.Bounds())
	}
	var codes []string
	for _, f := range b.Findings {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	same(t, "findings", codes, []string{"text_font", "text_plain", "text_unread", "text_unread"})
}

// TestRefused: what would be built wrongly gives no board, and says what it is.
func TestRefused(t *testing.T) {
	t.Parallel()
	const square = "|RECORD=Board"
	for name, tt := range map[string]struct {
		change     func(*pcbdoc.File)
		code, says string
	}{
		"an internal plane": {func(f *pcbdoc.File) {
			f.Board = square + pcbdoc.Stack(1, pcbdoc.Plane1, 32) + pcbdoc.Outline(0, 0, 9, 0, 9, 9)
		}, "format_unread", "internal plane"},
		"copper that is not in the stack": {func(f *pcbdoc.File) { f.Track(pcbdoc.LayerObject(5), 1000, 1000, 1100, 1000, 8) }, "format_unread", "does not build the board of it"},
		"embedded boards":                 {func(f *pcbdoc.File) { f.Add("EmbeddedBoards6", []byte{0}) }, "format_unread", "embeds 1"},
		"several stacks":                  {func(f *pcbdoc.File) { f.Streams["BoardRegions"] = nil; f.Count("BoardRegions", 2) }, "format_unread", "rigid-flex"},
		"no board shape":                  {func(f *pcbdoc.File) { f.Board = square + pcbdoc.Stack(1, 32) }, "outline_missing", "board shape"},
		"a stack that goes in a circle":   {func(f *pcbdoc.File) { f.Board = square + strings.ReplaceAll(pcbdoc.Stack(1, 32), "NEXT=0", "NEXT=1") }, "file_damaged", "layer stack"},
		"records that are missing":        {func(f *pcbdoc.File) { f.Net("GND"); f.Count("Nets6", 7) }, "file_damaged", "holds 1 records of 7"},
		"a record cut short":              {func(f *pcbdoc.File) { f.Add("Tracks6", []byte{4, 9, 0, 0, 0, 1}) }, "file_damaged", "too soon"},
		"a record of another kind":        {func(f *pcbdoc.File) { f.Add("Tracks6", []byte{9, 1, 0, 0, 0, 1}) }, "file_damaged", "of kind 9"},
		"regions without end": {func(f *pcbdoc.File) {
			f.Region(pcbdoc.LayerObject(1), "|KIND=0", []float64{1, 1, 2, 2})
			f.Streams["Regions6"] = f.Streams["Regions6"][:len(f.Streams["Regions6"])-8]
		}, "file_damaged", "Regions6"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := pcbdoc.New(2000, 1000)
			tt.change(f)
			boards, findings := Read(t.Context(), []File{{"x.PcbDoc", f.Bytes()}})
			if len(boards) != 0 || len(findings) != 1 || findings[0].Code != tt.code || !strings.Contains(findings[0].Message, tt.says) || findings[0].Level != pcb.Problem {
				t.Errorf("%d boards, findings %v; want %s with %q", len(boards), findings, tt.code, tt.says)
			}
		})
	}
}

func TestOtherFiles(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{
		"|RECORD=Board|X=1":                "format_unread",
		"":                                 "file_damaged",
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "file_damaged",
		string(pcbdoc.Compound(map[string][]byte{"FileHeader": {1}})): "no_board",
	} {
		boards, findings := Read(t.Context(), []File{{"x.PcbDoc", []byte(data)}})
		if len(boards) != 0 || len(findings) != 1 || findings[0].Code != want {
			t.Errorf("%.20q: %d boards, findings %v; want %s", data, len(boards), findings, want)
		}
	}
}

// TestSaid: what is read but doubtful is said.
func TestSaid(t *testing.T) {
	t.Parallel()
	for code, change := range map[string]func(*pcbdoc.File){
		"records_unknown": func(f *pcbdoc.File) { f.Add("Novelties6", []byte{1}) },
		"region_unknown": func(f *pcbdoc.File) {
			f.Region(pcbdoc.LayerObject(1), "|KIND=9", []float64{1100, 1100, 1200, 1100, 1200, 1200})
		},
		"pad_shape_unknown": func(f *pcbdoc.File) {
			f.Pad(pcbdoc.Pad{Object: pcbdoc.LayerObject(1), X: 1100, Y: 1100, W: 9, H: 9, Shape: pcbdoc.Round, Sized: true, AltShape: 12, MaskMode: pcbdoc.ByRule})
		},
		"hole_square": func(f *pcbdoc.File) {
			f.Pad(pcbdoc.Pad{Object: pcbdoc.LayerObject(pcbdoc.Multi), X: 1100, Y: 1100, W: 90, H: 90, Shape: pcbdoc.Round, Drill: 30, Sized: true, Hole: pcbdoc.SquareHole, MaskMode: pcbdoc.ByRule})
		},
		"pours_unfilled": func(f *pcbdoc.File) {
			f.Net("GND")
			f.Add("Polygons6", pcbdoc.Properties("|LAYER=TOP|NET=0|NAME=65,66"+pcbdoc.Outline(1000, 1000, 2000, 1000, 2000, 2000)))
		},
		"outline_doubt": func(f *pcbdoc.File) {
			for _, e := range [][4]float64{{1100, 1100, 1900, 1100}, {1900, 1100, 1900, 1900}, {1900, 1900, 1100, 1900}, {1100, 1900, 1100, 1100}} {
				f.Track(pcbdoc.LayerObject(pcbdoc.KeepOut), e[0], e[1], e[2], e[3], 10)
			}
			f.Track(pcbdoc.LayerObject(pcbdoc.Top), 1200, 1200, 1300, 1200, 10)
		},
		"mask_rule_unread": func(f *pcbdoc.File) {
			f.Rule("|RULEKIND=SolderMaskExpansion|SCOPE1EXPRESSION=IsVia|SCOPE2EXPRESSION=All|ENABLED=TRUE|PRIORITY=1|EXPANSION=0mil|NAME=a")
			f.Pad(pcbdoc.Pad{Object: pcbdoc.LayerObject(1), X: 1100, Y: 1100, W: 9, H: 9, Shape: pcbdoc.Round})
		},
	} {
		f := pcbdoc.New(2000, 1000)
		change(f)
		b := readBoard(t, f)
		if !slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == code }) {
			t.Errorf("findings %v; want %s", b.Findings, code)
		}
	}
}

// TestShelvedPours: copper of a pour that was put aside is not drawn; that of others is.
func TestShelvedPours(t *testing.T) {
	t.Parallel()
	for shelved, want := range map[string]int{"FALSE": 2, "TRUE": 0} {
		f := pcbdoc.New(2000, 1000)
		f.Net("GND")
		f.Add("Polygons6", pcbdoc.Properties("|LAYER=TOP|NET=0|SHELVED="+shelved+"|NAME=65"+pcbdoc.Outline(1000, 1000, 2000, 1000, 2000, 2000)))
		o := pcbdoc.LayerObject(1)
		o.Pour = 0
		f.Region(o, "|KIND=0", []float64{1100, 1100, 1900, 1100, 1900, 1900})
		f.Track(o, 1100, 1100, 1900, 1100, 10)
		got := 0
		for _, l := range readBoard(t, f).Copper() {
			got += len(l.Features)
		}
		if got != want {
			t.Errorf("shelved %s: %d things on copper, want %d", shelved, got, want)
		}
	}
}

// TestBudget: work counts as what the records come to, and its end gives no board.
func TestBudget(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	for range 2000 {
		f.Track(pcbdoc.LayerObject(pcbdoc.Multi), 1000, 1000, 1100, 1100, 10)
	}
	ctx, end := pcb.WithBudget(context.Background(), pcb.Limits{Objects: 3000})
	defer end()
	boards, _ := Read(ctx, []File{{"x.PcbDoc", f.Bytes()}})
	if e := pcb.Excess(ctx); len(boards) != 0 || e == nil || e.File != "x.PcbDoc" {
		t.Errorf("%d boards, excess %v; want none, and the excess of x.PcbDoc", len(boards), e)
	}
}

// sample is a board with something of every kind.
func sample() *pcbdoc.File {
	f := pcbdoc.New(2000, 1000)
	f.Net("GND")
	f.Part("|SOURCEDESIGNATOR=U1|X=1200mil|Y=1200mil|LAYER=TOP")
	f.Rule("|RULEKIND=SolderMaskExpansion|SCOPE1EXPRESSION=All|EXPANSION=4mil")
	f.Add("Polygons6", pcbdoc.Properties("|LAYER=TOP|NET=0"))
	f.Track(pcbdoc.NetObject(1, 0), 1000, 1000, 1100, 1100, 10)
	f.Arc(pcbdoc.NetObject(1, 0), 1500, 1500, 100, 0, 90, 10)
	f.Fill(pcbdoc.LayerObject(35), 1100, 1100, 1200, 1300, 45)
	f.AddVia(pcbdoc.NetObject(pcbdoc.Multi, 0), 1100, 1100, 20, 10, 1, 32, 3)
	f.Pad(pcbdoc.Pad{Object: pcbdoc.Object{Layer: pcbdoc.Multi, Pour: pcbdoc.None}, Name: "1", X: 1600, Y: 1100, W: 60, H: 100, Shape: pcbdoc.Round, Drill: 30, Plated: true, Sized: true, Hole: pcbdoc.SlotHole, Slot: 70})
	f.Region(pcbdoc.NetObject(1, 0), "|KIND=0", []float64{1600, 1600, 1700, 1600, 1700, 1700}, []float64{1620, 1610, 1680, 1620, 1650, 1630})
	f.Text(pcbdoc.Text{Object: pcbdoc.LayerObject(33), Words: "abc", X: 1200, Y: 1300, Height: 40, Pen: 6})
	return f
}

// FuzzRead: no file makes the reader fail, or gives a board whose tables do not fit.
func FuzzRead(f *testing.F) {
	s := sample()
	f.Add(s.Bytes())
	for name, data := range s.Streams {
		for _, cut := range []int{len(data) / 2, len(data) - 1} {
			s.Streams[name] = data[:cut]
			f.Add(s.Bytes())
		}
		s.Streams[name] = data
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 100_000, Steps: 1_000_000})
		defer end()
		boards, _ := Read(ctx, []File{{"x.PcbDoc", data}})
		for _, b := range boards {
			for _, l := range b.Layers {
				for i := range l.Features {
					if f := &l.Features[i]; int(f.Net) >= len(b.Nets) || int(f.Pin) >= len(b.Pins) {
						t.Fatalf("feature %+v refers to nothing: there are %d nets and %d pins", f, len(b.Nets), len(b.Pins))
					}
					l.FeatureBounds(&l.Features[i])
				}
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	f := sample()
	for i := range 20_000 {
		f.Track(pcbdoc.NetObject(1, 0), 1000, float64(1000+i%900), 2000, float64(1000+i%900), 5)
	}
	data := f.Bytes()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if boards, findings := Read(b.Context(), []File{{"x.PcbDoc", data}}); len(boards) != 1 {
			b.Fatalf("Read gives %d boards, want one; findings %+v", len(boards), findings)
		}
	}
}

// TestMutated: files whose bytes were changed, cut out or doubled end in a board or in
// words.
func TestMutated(t *testing.T) {
	t.Parallel()
	whole := sample().Bytes()
	boards := 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		data := slices.Clone(whole)
		for range 1 + r.IntN(6) {
			at := r.IntN(len(data))
			switch r.IntN(5) {
			case 0:
				data = data[:at+1]
			case 1:
				data = slices.Concat(data[:at], data[at/2:])
			case 2:
				for i := range min(4, len(data)-at) {
					data[at+i] = 0xFF
				}
			default:
				data[at] = byte(r.IntN(256))
			}
		}
		ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 100_000, Steps: 1_000_000})
		read, findings := Read(ctx, []File{{"x.PcbDoc", data}})
		if len(read) == 0 && len(findings) != 1 {
			t.Errorf("seed %d: no board, findings %v; want one finding", seed, findings)
		}
		boards += len(read)
		end()
	}
	t.Logf("%d of 1500 gave a board", boards)
}

// TestStack: newer files list every layer of the build.
func TestStack(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	f.Board += "|V9_STACK_LAYER0_NAME=Top Overlay|V9_STACK_LAYER0_LAYERID=16973830" +
		"|V9_STACK_LAYER1_NAME=Top Solder|V9_STACK_LAYER1_LAYERID=16973834|V9_STACK_LAYER1_DIELTYPE=3|V9_STACK_LAYER1_DIELHEIGHT=0.4mil" +
		"|V9_STACK_LAYER2_NAME=Front|V9_STACK_LAYER2_LAYERID=16777217|V9_STACK_LAYER2_COPTHICK=2.76mil" +
		"|V9_STACK_LAYER3_NAME=D1|V9_STACK_LAYER3_LAYERID=17039361|V9_STACK_LAYER3_DIELTYPE=2|V9_STACK_LAYER3_DIELHEIGHT=10mil|V9_STACK_LAYER3_DIELMATERIAL=PP" +
		"|V9_STACK_LAYER4_NAME=In|V9_STACK_LAYER4_LAYERID=16777219|V9_STACK_LAYER4_COPTHICK=0.7mil" +
		"|V9_STACK_LAYER5_NAME=D2|V9_STACK_LAYER5_LAYERID=17039362|V9_STACK_LAYER5_DIELTYPE=1|V9_STACK_LAYER5_DIELHEIGHT=40mil" +
		"|V9_STACK_LAYER6_NAME=Back|V9_STACK_LAYER6_LAYERID=16842751|V9_STACK_LAYER6_COPTHICK=2.76mil"
	b := readBoard(t, f)
	var names []string
	for _, l := range b.Copper() {
		names = append(names, fmt.Sprint(l.Order, l.Side, l.Name))
	}
	same(t, "copper", names, []string{"1 topFront", "2 innerIn", "3 bottomBack"})
	var kinds []pcb.StackupKind
	for _, s := range b.Stackup {
		kinds = append(kinds, s.Kind)
	}
	if want := []pcb.StackupKind{pcb.StackMask, pcb.StackCopper, pcb.StackPrepreg, pcb.StackCopper, pcb.StackCore, pcb.StackCopper}; !slices.Equal(kinds, want) {
		t.Errorf("stackup %v, want %v", kinds, want)
	}
	fact := b.Facts
	if fact.OuterCopper.Value != 2 || fact.InnerCopper.Value != 0.5 || fact.Thickness.Value != nanometres(562_200) {
		t.Errorf("copper %v and %v oz, thickness %d nm; want 2 and 0.5 oz, %d nm", fact.OuterCopper.Value, fact.InnerCopper.Value, fact.Thickness.Value, nanometres(562_200))
	}
}

// TestLayers: records in words and the layer stack name the same layers as the others
// number.
func TestLayers(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]layer{"TOP": 1, "MID1": 2, "MID30": 31, "bottom": 32, "PLANE16": 54, "MECHANICAL1": 57, "MECHANICAL16": 72, "MULTILAYER": 74, "MID31": 0, "MIDX": 0, "": 0} {
		if got := layerOf(name); got != want {
			t.Errorf("layerOf(%q) = %d, want %d", name, got, want)
		}
	}
	for id, want := range map[int]layer{0x1000001: 1, 0x100001F: 31, 0x100FFFF: 32, 0x1010001: 39, 0x1010010: 54, 0x1010011: 0, 0x1000020: 0, 0x1020001: 0} {
		if got := layerOfNumber(id); got != want {
			t.Errorf("layerOfNumber(%#x) = %d, want %d", id, got, want)
		}
	}
}

// TestOpenings: tracks and areas open the mask where the file says so.
func TestOpenings(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	f.Track(pcbdoc.LayerObject(pcbdoc.Top), 1100, 1100, 1200, 1100, 10)
	f.Track(pcbdoc.LayerObject(pcbdoc.Bottom), 1100, 1200, 1200, 1200, 10)
	f.Fill(pcbdoc.LayerObject(pcbdoc.Top), 1300, 1300, 1400, 1400, 0)
	mask := func(kind string, i int, mode string) []byte {
		return pcbdoc.Properties(fmt.Sprintf("|PRIMITIVEINDEX=%d|PRIMITIVEOBJECTID=%s|TYPE=Mask|SOLDERMASKEXPANSIONMODE=%s|SOLDERMASKEXPANSION_MANUAL=5mil|PASTEMASKEXPANSIONMODE=None", i, kind, mode))
	}
	f.Add("ExtendedPrimitiveInformation", mask("Track", 0, "Manual"))
	f.Add("ExtendedPrimitiveInformation", mask("Track", 1, "None"))
	f.Add("ExtendedPrimitiveInformation", mask("Fill", 0, "Rule"))
	b := readBoard(t, f)
	got := describeFeatures(b, layerAt(b, pcb.RoleMask, pcb.Top))
	same(t, "top mask", got[:2], []string{"region 300,300 100x100", "line 300,300 108x8 circle"})
	same(t, "over the track", got[len(got)-1:], []string{"line 100,100 120x20 circle"})
	if l := b.Find(pcb.RoleMask, pcb.Bottom); len(l) > 0 {
		t.Errorf("bottom mask %q, want no such layer", describeFeatures(b, l[0]))
	}
}
