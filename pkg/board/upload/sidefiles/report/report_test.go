package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

func TestExtensions(t *testing.T) {
	t.Parallel()
	got := Extensions([]byte("----\r\nLayer Extension     Layer Description\r\n.GTL                L01-Top Layer   \r\n.GM                 Profile\r\n"))
	if diff := cmp.Diff(map[string]string{"gtl": "L01-Top Layer", "gm": "Profile"}, got); diff != "" {
		t.Errorf("Extensions (-want +got):\n%s", diff)
	}
}

func TestExtensionsTwice(t *testing.T) {
	t.Parallel()
	got := Extensions([]byte(".GTL  Top Layer\n.G1  GND\n.G1  VCC\n.GBL  Bottom Layer\n.GBL  Bottom Layer\n"))
	if diff := cmp.Diff(map[string]string{"gtl": "Top Layer", "gbl": "Bottom Layer"}, got); diff != "" {
		t.Errorf("Extensions of names given twice (-want +got):\n%s", diff)
	}
}

// TestPlotted: the layer that each file was made of. A file that two layers were written
// to tells nothing.
func TestPlotted(t *testing.T) {
	t.Parallel()
	got := PlotLayers([]byte("FileName = x.GBR\r\n***\r\nGenerating : Top Overlay\r\n      File : x_Legend_Top.gbr\r\n\r\n    Adding Layer      : Top Overlay\r\n\r\n    Adding Layer      : Board\r\n" +
		"Generating : Top Layer\r\n      File : X.GTL\r\nGenerating : Keep-Out Layer\r\nGenerating : A\r\n File : twice.gm1\r\nGenerating : B\r\n File : twice.gm1\r\n File : lone.gbr\r\n"))
	if diff := cmp.Diff(map[string]string{"x_legend_top.gbr": "Top Overlay", "x.gtl": "Top Layer"}, got); diff != "" {
		t.Errorf("PlotLayers (-want +got):\n%s", diff)
	}
}

func TestDrillSizes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		want []Drill
	}{
		"mils": {"Drill Sizes Report\n\nTool   Size(mil)  Pltd  Feed  Speed  Qty\n  1      13.00      x     95     3     1169\n  2     125.00      -     95     3        8\n\nTotal 1177\n",
			[]Drill{{Tool: 1, Diameter: geom.MM(0.3302), Count: 1169, Plated: true}, {Tool: 2, Diameter: geom.MM(3.175), Count: 8}}},
		"millimetres": {"Drill Sizes Report\nTool   Size(mm)  Pltd  Feed  Speed  Qty\n01  0.300  x  0  0  5\n", []Drill{{Tool: 1, Diameter: geom.MM(0.3), Count: 5, Plated: true}}},
		"no unit, millimetres by their size": {"Drill Sizes Report\nTool   Size   Pltd   Feed   Speed   Qty\n  1   0.25    x   0   0   10\n  14      4    -   35  900    4\n",
			[]Drill{{Tool: 1, Diameter: geom.MM(0.25), Count: 10, Plated: true}, {Tool: 14, Diameter: geom.MM(4), Count: 4}}},
		"no unit, mils by their size":   {"Drill Sizes Report\nTool   Size   Pltd   Feed   Speed   Qty\n  1   10    x   0   0   10\n", []Drill{{Tool: 1, Diameter: geom.MM(0.254), Count: 10, Plated: true}}},
		"no unit, inches by their size": {"Drill Sizes Report\nTool   Size   Pltd   Feed   Speed   Qty\n  1   0.01    x   0   0   10\n", []Drill{{Tool: 1, Diameter: geom.MM(0.254), Count: 10, Plated: true}}},
		"no rows":                       {"Drill Sizes Report\nnothing here\n", nil},
	} {
		if diff := cmp.Diff(c.want, Drills([]byte(c.in))); diff != "" {
			t.Errorf("%s: Drills(%q) (-want +got):\n%s", name, c.in, diff)
		}
	}
}

func TestDrills(t *testing.T) {
	t.Parallel()
	got := Drills([]byte(`
Layer Pair : Top Layer to Bottom Layer
ASCII RoundHoles File : demo.TXT

Tool       Hole Size               Hole Tolerance               Hole Type       Hole Count   Plated         Tool Travel
T1      0.3mm (12mil)           +0mm (0mil)/-0.3mm (12mil)        Round             114       PTH        440.42mm (17.34inch)
T3      59mil (1.5mm)                                             Slot             3         NPTH       0.00inch (0.00mm)
`))
	want := []Drill{
		{File: "demo.TXT", Pair: "Top Layer to Bottom Layer", Tool: 1, Diameter: geom.MM(0.3), Count: 114, Plated: true},
		{File: "demo.TXT", Pair: "Top Layer to Bottom Layer", Tool: 3, Diameter: geom.MM(1.4986), Count: 3, Slot: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("drills of a report (-want +got):\n%s", diff)
	}
}

// TestTools: a list of tools is told by its rows, alone or under the names of their columns.
func TestTools(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, beside string
		want             []Drill
	}{
		{"Allegro", "   0.3302  P  T01    0.000000    0.000000\r\n   3.2000  N  T02   +0.050000   -0.050000\r\n", "mm",
			[]Drill{{Tool: 1, Diameter: geom.MM(0.3302), Plated: true}, {Tool: 2, Diameter: geom.MM(3.2), Bare: true}}},
		{"Allegro, mils", "     13.00  P  T01    0.000000    0.000000\n", "in", []Drill{{Tool: 1, Diameter: geom.MM(0.3302), Plated: true}}},
		{"Allegro, mils beside millimetres", "     13.00  P  T01    0.000000    0.000000\n", "mm", []Drill{{Tool: 1, Diameter: geom.MM(0.3302), Plated: true}}},
		{"the router's", "    0.5000  T01\n    0.6500  T02\n", "mm", []Drill{{Tool: 1, Diameter: geom.MM(0.5)}, {Tool: 2, Diameter: geom.MM(0.65)}}},
		{"mils or millimetres", "  4.00  P  T01  0.0  0.0\n", "", nil},
		{"mils by the largest", "  4.00  P  T01  0.0  0.0\n  40.00  P  T02  0.0  0.0\n", "", []Drill{{Tool: 1, Diameter: geom.MM(0.1016), Plated: true}, {Tool: 2, Diameter: geom.MM(1.016), Plated: true}}},
		{"a rack", "; drills\nT01 0.010\nT02 0.8mm\n", "in", []Drill{{Tool: 1, Diameter: geom.MM(0.254)}, {Tool: 2, Diameter: geom.MM(0.8)}}},
		{"Protel", "Tool  Hole Size  Hole Count  Plated  Tool Travel\nT1    28mil (0.7112mm)   57   Yes   12.34 Inch\n", "", []Drill{{Tool: 1, Diameter: geom.MM(0.7112), Count: 57}}},
		{"twice alike", "T1 0.3mm\nT1 0.3mm\n", "", []Drill{{Tool: 1, Diameter: geom.MM(0.3)}}},
		{"twice, unlike", "T1 0.3mm\nT1 0.4mm\n", "", nil},
		{"no such columns", "T1 0.3mm\nis what we use\n", "", nil},
		{"a drill file", "M48\nT1C0.3\n%\nT1\nX1Y1\nM30\n", "", nil},
		{"a table of something else", "Tool name   Price\n1 20 3\n", "", nil},
		{"nothing", "", "", nil},
	} {
		l, ok := Tools([]byte(c.in))
		var got []Drill
		if ok {
			got = l.Drills(c.beside)
		}
		if len(got) == 0 {
			got = nil
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: drills (-want +got):\n%s", c.name, diff)
		}
	}
	if l, ok := Tools([]byte("Code Size used\nT01 0.0157inch 95\nPlotfiles:\n C:\\x\\My-Board.TXT\n")); !ok || len(l.Files) != 1 || l.Files[0] != "my-board.txt" || l.Rack {
		t.Errorf("Tools of a list with a plot file = %+v, %v; want my-board.txt alone, and no rack", l, ok)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	got := Rules([]byte("DRC Rules Export File\nRuleKind=Clearance|RuleName=C|Scope=Board|Minimum=5.91\nRuleKind=ShortCircuit|RuleName=S|Scope=Board|Allowed=0\n"))
	want := []Rule{{"Clearance", "C", "Board", geom.MM(0.150114)}, {Kind: "ShortCircuit", Name: "S", Scope: "Board"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Rules (-want +got):\n%s", diff)
	}
}

func TestNCParam(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]NC{
		"INTEGER-PLACES         2\nDECIMAL-PLACES         5\nOUTPUT-UNITS           ENGLISH\nSUPPRESS-LEAD-ZEROES   NO\n": {Integer: 2, Decimal: 5, Units: true},
		" FORMAT   \t\t2.4\n OUTPUT-UNITS\t\tMETRIC\n SUPPRESS-TRAIL-ZEROES\tYES\n":                                       {Integer: 2, Decimal: 4, Metric: true, Units: true, DropsTrailing: true},
		"INTEGER-PLACES 99\n": {},
	} {
		if diff := cmp.Diff(want, NCParam([]byte(in))); diff != "" {
			t.Errorf("NCParam(%q) (-want +got):\n%s", in, diff)
		}
	}
}

func TestApertures(t *testing.T) {
	t.Parallel()
	size := func(a pcb.Aperture) [3]any { return [3]any{a.Kind, a.X, a.Y} }
	for _, c := range []struct {
		name, in string
		want     map[int][3]any
	}{
		{"Protel", "D10   ROUNDED            10.000      10.000       0.000 FLASH       0.000\nD19   RECTANGULAR        20.000      30.000       0.000 FLASH     180.000\n",
			map[int][3]any{10: {pcb.CircleShape, geom.Mil * 10, geom.Mil * 10}, 19: {pcb.RectShape, geom.Mil * 20, geom.Mil * 30}}},
		{"Allegro", "INPUT-UNITS     INCHES\nWHEEL     1\nLINE               4            D32\nSQUARE            40   0.00000            D14\n",
			map[int][3]any{32: {pcb.CircleShape, geom.Mil * 4, geom.Mil * 4}, 14: {pcb.RectShape, geom.Mil * 40, geom.Mil * 40}}},
		{"CAM350", "GAPFile   Version 1.0\nD10 ROUND       4.00 0.102  0.00 0.000   0   0.00  0.00  D10   0   0.00  0.00 D0\n",
			map[int][3]any{10: {pcb.CircleShape, geom.Mil * 4, geom.Mil * 4}}},
		{"a plain table", "    12      8          0    round               0       1  BOTH    DRAW          a comment\n",
			map[int][3]any{12: {pcb.CircleShape, geom.Mil * 8, geom.Mil * 8}}},
		{"EAGLE's wheel", ";aperture wheel file generated by EAGLE\n\nD10      draw      0.0000inch\nD12      round     0.0660inch\nD16      square    0.0740inch\n" +
			"D22      rectangle 0.0150inch x 0.0200inch\nD23 oblong 0.5000mm x 1.0000mm\nD24 annulus 60.0mil x 40.0mil\nD25 octagon 0.1000inch\nD26 thermal 0.08inch x 0.04inch\n",
			map[int][3]any{10: {pcb.CircleShape, int64(0), int64(0)}, 12: {pcb.CircleShape, geom.Mil * 66, geom.Mil * 66}, 16: {pcb.RectShape, geom.Mil * 74, geom.Mil * 74},
				22: {pcb.RectShape, geom.Mil * 15, geom.Mil * 20}, 23: {pcb.ObroundShape, geom.MM(0.5), geom.MM(1)}, 24: {pcb.CircleShape, geom.Mil * 60, geom.Mil * 60},
				25: {pcb.PolygonShape, int64(2_749_270), int64(2_749_270)}, 26: {pcb.MacroShape, geom.Mil * 80, geom.Mil * 80}}},
		{"the uses in EAGLE's info of a plot are no size", " Code     Shape     Size                  used\n\n D12      round     0.0660inch              28\n D22      rectangle 0.0150inch x 0.0200inch   6\n",
			map[int][3]any{12: {pcb.CircleShape, geom.Mil * 66, geom.Mil * 66}, 22: {pcb.RectShape, geom.Mil * 15, geom.Mil * 20}}},
		{"not a list", "There are 10 round things here, 20 of them large.\nhello\n", map[int][3]any{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := map[int][3]any{}
			for code, a := range Apertures([]byte(c.in)) {
				got[code] = size(a)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("Apertures(%q) (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

// TestWheel: a list is told by its rows, whatever it is called; text with one among others is none.
func TestWheel(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		";aperture wheel file generated by EAGLE\n\nD10      draw      0.0000inch\n": true,
		"D10 round 1.2mm\r\nD11 annulus 2.0mm x 1.0mm\r\n":                           true,
		"D10*\nX100Y100D03*\n":                         false,
		"Apertures used:\n\nD12 round 0.0660inch 28\n": false,
		"D10 round 1.2\n":                              false,
		"":                                             false,
	} {
		if got := IsWheel([]byte(in)); got != want {
			t.Errorf("IsWheel(%q) = %v, want %v", in, got, want)
		}
	}
}

// TestPlotInfo: what EAGLE says of a plot.
func TestPlotInfo(t *testing.T) {
	t.Parallel()
	in := "Generated by EAGLE CAM Processor 7.6.0\r\n\r\nPhotoplotter Info File: C:/x/board.gpi\r\n\r\n Plotfile          : C:\\x\\board.sts\r\n Apertures         : /home/x/board.whl\r\n" +
		"Plotfile Info:\r\n\r\n Coordinate Format : 3.5\r\n Coordinate Units  : mm\r\n Data Mode         : Absolute\r\n Zero Suppression  : Trailing\r\n"
	got, ok := PlotInfo([]byte(in))
	if diff := cmp.Diff(Plot{File: "board.sts", Wheel: "board.whl", Integer: 3, Decimal: 5, TrailingOmitted: true, Metric: true, UnitStated: true}, got); diff != "" || !ok {
		t.Errorf("PlotInfo(%q): known %v (-want +got):\n%s", in, ok, diff)
	}
	if _, ok := PlotInfo([]byte("Plotfile : x\n")); ok {
		t.Errorf("PlotInfo(%q) is known, want no such file", "Plotfile : x\n")
	}
}

func TestStackup(t *testing.T) {
	t.Parallel()
	in := "\xef\xbb\xbfBoard Layer Stack\nNumber,Name,Type,Manufacturer,Material,Process,Thickness (mm),Weight (oz),Dk,Df,Color\n" +
		",Top Surface Finish,Surface Finish,,PbSn,HASL,0.004,,,,#FFF2F2F2\n1,Top Layer,Signal,x,CF-004,ED,0.035,1,,,\n" +
		",Dielectric 1,Prepreg,,PP-017,,0.2104,,4,0.02,\n\nNo impedances\n"
	want := []StackLayer{
		{Name: "Top Surface Finish", Type: "Surface Finish", Material: "PbSn", Process: "HASL", Thickness: 4000, Colour: "#FFF2F2F2"},
		{Number: 1, Name: "Top Layer", Type: "Signal", Material: "CF-004", Process: "ED", Thickness: 35_000, Ounces: 1},
		{Name: "Dielectric 1", Type: "Prepreg", Material: "PP-017", Thickness: 210_400, Epsilon: 4, Loss: 0.02},
	}
	if diff := cmp.Diff(want, Stackup([]byte(in))); diff != "" || !IsStackup([]byte(in)) {
		t.Errorf("Stackup(%q), known %v (-want +got):\n%s", in, IsStackup([]byte(in)), diff)
	}
}

func FuzzReports(f *testing.F) {
	f.Add([]byte("T1 0.3mm Round 1 PTH\nD10 ROUND 4\n.GTL Top\nRuleKind=a|Minimum=1e99\nFORMAT 9.9\nLayersSetName=a|DrillLayers=b,,\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range Drills(data) {
			if d.Diameter < 0 {
				t.Errorf("Drills(%q) has %+v, want no diameter below 0", data, d)
			}
		}
		Extensions(data)
		PlotLayers(data)
		LayerPairs(data)
		Rules(data)
		NCParam(data)
		Stackup(data)
		IsWheel(data)
		if l, ok := Tools(data); ok {
			for _, d := range l.Drills("in") {
				if d.Diameter < 0 {
					t.Errorf("Tools(%q) has %+v, want no diameter below 0", data, d)
				}
			}
		}
		PlotInfo(data)
		if n := len(Apertures(data)); n > maxApertures {
			t.Errorf("Apertures of %d bytes: %d, want at most %d", len(data), n, maxApertures)
		}
	})
}
