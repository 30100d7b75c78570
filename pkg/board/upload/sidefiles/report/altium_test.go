package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
)

// TestLayerPairs: the layers that drill files pass, by Altium's export of layer pairs.
func TestLayerPairs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []LayerPair
	}{
		{
			"a heading and a pair", "Layer Pairs Export File for PCB: C:\\x.PcbDoc\r\nLayersSetName=Top_Bot_Thru_Holes|DrillFile=X.txt|DrillLayers=gtl,g1,gp1,gbl\r\n",
			[]LayerPair{{Name: "Top_Bot_Thru_Holes", DrillFile: "x.txt", Layers: []string{"gtl", "g1", "gp1", "gbl"}}},
		},
		{
			"blanks between layers, and none", "LayersSetName=a|DrillFile=b|DrillLayers= GTL , ,GBL,\n",
			[]LayerPair{{Name: "a", DrillFile: "b", Layers: []string{"gtl", "gbl"}}},
		},
		{
			"the outer layers alone", "LayersSetName=a|DrillFile=b|LayerPairs=GTL, GBL\n",
			[]LayerPair{{Name: "a", DrillFile: "b", From: "gtl", To: "gbl"}},
		},
		{
			"a name that tells the span", "LayersSetName=L2_L7_Buried_Vias|DrillFile=\n",
			[]LayerPair{{Name: "L2_L7_Buried_Vias"}},
		},
		{"no layers", "LayersSetName=a|DrillFile=b|DrillLayers=\n", nil},
		{"one end alone", "LayersSetName=a|DrillFile=b|LayerPairs=gtl\n", nil},
		{"no name", "DrillFile=b|DrillLayers=gtl,gbl\n", nil},
		{"nothing", "", nil},
	} {
		if diff := cmp.Diff(c.want, LayerPairs([]byte(c.in))); diff != "" {
			t.Errorf("%s: LayerPairs(%q) (-want +got):\n%s", c.name, c.in, diff)
		}
	}
}

// TestIsPartial: names of sets of holes that end within the board.
func TestIsPartial(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"L2_L7_Buried_Vias": true, "L1_L2_Blind_Vias": true, "Top_L2_MICROVIAS": true, "Top_Bot_Thru_Holes": false, "Blind_Vias": false, "_L2_Blind": false, "": false,
	} {
		if got := IsPartial(in); got != want {
			t.Errorf("IsPartial(%q) = %v, want %v", in, got, want)
		}
	}
}

// TestLengthIn: lengths of reports in nanometres. What is below zero or above a kilometre is none.
func TestLengthIn(t *testing.T) {
	t.Parallel()
	for in, want := range map[struct {
		v    float64
		unit string
	}]int64{
		{1, "mm"}: geom.Millimetre, {0.3, "mm"}: 300_000, {1, "mil"}: 25_400, {12, "mil"}: 304_800, {1, "in"}: 25_400_000, {0.5, "inch"}: 12_700_000,
		{0, "mm"}: 0, {-1, "mm"}: 0, {1e6, "mm"}: 1e12, {1e6 + 1, "mm"}: 0, {1, ""}: geom.Millimetre,
	} {
		if got := lengthIn(in.v, in.unit); got != want {
			t.Errorf("lengthIn(%v, %q) = %d nm, want %d", in.v, in.unit, got, want)
		}
	}
}

// TestDrillRows: rows of Altium's drill report, in every unit and with every word for the plating.
func TestDrillRows(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]Drill{
		"T1  0.3mm (12mil)  Round  114  PTH  440mm":         {{Tool: 1, Diameter: 300_000, Count: 114, Plated: true}},
		"T02 12mil (0.3mm)  Round  1  Plated":               {{Tool: 2, Diameter: 304_800, Count: 1, Plated: true}},
		"T3  0.125in  Slot  3  NPTH":                        {{Tool: 3, Diameter: 3_175_000, Count: 3, Slot: true}},
		"T3  0.125inch  Square  3  Non-Plated":              {{Tool: 3, Diameter: 3_175_000, Count: 3}},
		"T4  1mm  Round  2":                                 nil, // the plating is a column of its own
		"T4  1mm  Round  2  NonPlated":                      {{Tool: 4, Diameter: geom.Millimetre, Count: 2}},
		"T4  1cm  Round  2  PTH":                            nil,
		"Totals  Round  2  PTH":                             nil,
		"T5  1.2.3mm  Round  2  PTH":                        {{Tool: 5, Count: 2, Plated: true}},
		"ASCII RoundHoles File : a.TXT\nT1 1mm Round 2 PTH": {{File: "a.TXT", Tool: 1, Diameter: geom.Millimetre, Count: 2, Plated: true}},
		"EIA File : a.DRL\nT1 1mm Round 2 PTH":              {{Tool: 1, Diameter: geom.Millimetre, Count: 2, Plated: true}},
	} {
		if diff := cmp.Diff(want, Drills([]byte(in))); diff != "" {
			t.Errorf("Drills(%q) (-want +got):\n%s", in, diff)
		}
	}
}

// TestDrillUnit: the unit in which the smallest size can be drilled.
func TestDrillUnit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sizes []float64
		want  string
	}{
		{nil, "mil"}, {[]float64{3}, "mil"}, {[]float64{2.99}, "mm"}, {[]float64{10, 0.3}, "mm"}, {[]float64{0.05}, "mm"}, {[]float64{0.049}, "in"}, {[]float64{0.125, 0.012}, "in"},
	} {
		if got := drillUnit(c.sizes); got != c.want {
			t.Errorf("drillUnit(%v) = %q, want %q", c.sizes, got, c.want)
		}
	}
}

// TestNCParamPlaces: digits of coordinates, of which there are seven at most.
func TestNCParamPlaces(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]NC{
		"FORMAT 2.4":                         {Integer: 2, Decimal: 4},
		"FORMAT 7.7":                         {Integer: 7, Decimal: 7},
		"FORMAT 8.-1":                        {},
		"FORMAT 24":                          {},
		"FORMAT":                             {},
		"INTEGER-PLACES 3\nDECIMAL-PLACES x": {Integer: 3},
		"OUTPUT-UNITS METRIC":                {Metric: true, Units: true},
		"SUPPRESS-LEAD-ZEROES YES\nSUPPRESS-TRAIL-ZEROES NO":     {DropsLeading: true},
		"SUPPRESS-LEAD-ZEROES yes\nSUPPRESS-EQUAL-COORDINATES Y": {},
		"": {},
	} {
		if diff := cmp.Diff(want, NCParam([]byte(in))); diff != "" {
			t.Errorf("NCParam(%q) (-want +got):\n%s", in, diff)
		}
	}
}
