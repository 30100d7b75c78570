package classify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// altiumSix is the copper of a board of six layers as Altium names it, and a drill file for
// each of the names given.
func altiumSix(drills ...string) []string {
	var out []string
	for _, ext := range []string{"GTL", "G1", "G2", "GP1", "G3", "GBL"} {
		out = append(out, "x."+ext, anyGerber)
	}
	for i, d := range drills {
		out = append(out, d, anyDrill+fmt.Sprintf("; %d\n", i))
	}
	return append(out, "x.LDP", "LayersSetName=Top_Bot_Thru_Holes|DrillFile=x.txt|DrillLayers=gtl,g1,g2,gp1,g3,gbl\n")
}

// TestReportedSpans: spans of drill files that reports state by the names of layers.
func TestReportedSpans(t *testing.T) {
	t.Parallel()
	const extensions = ".GTL Top Layer\n.G1 Signal A\n.GP1 Ground\n.GBL Bottom Layer\n"
	for _, c := range []struct {
		name        string
		files       []string
		spans, open string
	}{
		{
			"a drill report names the layers as the extension report does",
			append(altiumSix("x.txt", "x.tx1"), "x.EXTREP", extensions, "x.DRR", "Layer Pair : Signal A to Ground\nASCII RoundHoles File : x.tx1\n"), "1-6 2-4", "",
		},
		{
			"a drill report by numbers",
			append(altiumSix("x.txt", "x.tx1"), "x.DRR", "Layer Pair : L2 to L5\nASCII RoundHoles File : X.TX1\n"), "1-6 2-5", "",
		},
		{
			"a drill report by sides",
			append(altiumSix("x.txt", "x.tx1"), "x.DRR", "MicroVia : Top Layer to L2\nASCII RoundHoles File : x.tx1\n"), "1-6 1-2", "",
		},
		{
			"from below",
			append(altiumSix("x.txt", "x.tx1"), "x.DRR", "MicroVia : Bottom Layer to L5\nASCII RoundHoles File : x.tx1\n"), "1-6 5-6", "",
		},
		{
			"inner layers and planes as Altium calls them by itself",
			append(altiumSix("x.txt", "x.tx1"), "x.DRR", "Layer Pair : MidLayer 2 to Internal Plane 1\nASCII RoundHoles File : x.tx1\n"), "1-6 3-4", "",
		},
		{
			"a layer that no file is",
			append(altiumSix("x.txt", "x.tx1"), "x.DRR", "Layer Pair : Core A to Core B\nASCII RoundHoles File : x.tx1\n"), "1-6 0-0", "x.DRR: Layer Pair : Core A to Core B",
		},
		{
			"a layer below the board",
			append(altiumSix("x.txt", "x.tx1"), "x.DRR", "Layer Pair : L2 to L7\nASCII RoundHoles File : x.tx1\n"), "1-6 0-0", "x.DRR: Layer Pair : L2 to L7",
		},
		{
			"from a layer to itself",
			append(altiumSix("x.txt", "x.tx1"), "x.DRR", "Layer Pair : L2 to L2\nASCII RoundHoles File : x.tx1\n"), "1-6 0-0", "x.DRR: Layer Pair : L2 to L2",
		},
		{
			"what the file states itself counts more",
			append(altiumSix("x.txt"), "x.tx1", "; #@! TF.FileFunction,Plated,3,4,Buried\n"+anyDrill, "x.DRR", "Layer Pair : L2 to L5\nASCII RoundHoles File : x.tx1\n"), "1-6 3-4", "",
		},
		{
			"a pair without its file, and a drill file without a span",
			append(altiumSix("x.txt", "x.tx1"), "y.LDP", "LayersSetName=L2_L5_Buried_Vias|DrillFile=|DrillLayers=g1,g2,gp1,g3\n"), "1-6 2-5", "",
		},
		{
			"a pair without layers, told by its name",
			append(altiumSix("x.txt", "x.tx1"), "y.LDP", "LayersSetName=L1_L2_Blind_Vias|DrillFile=\n"), "1-6 1-2", "",
		},
		{
			"a pair told by its outer files",
			append(altiumSix("x.txt", "x.tx1"), "y.LDP", "LayersSetName=Blind|DrillFile=|LayerPairs=gtl,g2\n"), "1-6 1-3", "",
		},
		{
			"a pair told by its outer files, with its drill file",
			append(altiumSix("x.txt", "x.tx1", "x.tx2"), "y.LDP", "LayersSetName=Blind|DrillFile=x.tx1|LayerPairs=gtl,g2\n"), "1-6 1-3 0-0", "",
		},
		{
			"a pair of inner files with its drill file",
			append(altiumSix("x.txt", "x.tx1"), "y.LDP", "LayersSetName=Buried|DrillFile=x.tx1|LayerPairs=g1,gp1\n"), "1-6 2-4", "",
		},
		{
			"a pair of outer layers says nothing more than that the holes go through",
			append(altiumSix("x.txt", "x.tx1"), "y.LDP", "LayersSetName=Thru|DrillFile=x.tx1|LayerPairs=gtl,gbl\n"), "1-6 0-0", "",
		},
		{
			"a pair without its file, and two drill files",
			append(altiumSix("x.txt", "x.tx1", "x.tx2"), "y.LDP", "LayersSetName=L1_L2_Blind_Vias|DrillFile=\n"), "1-6 0-0 0-0", "y.LDP: L1_L2_Blind_Vias",
		},
		{
			"two pairs without files, and one drill file",
			append(altiumSix("x.txt", "x.tx1"), "y.LDP", "LayersSetName=L1_L2_Blind_Vias|DrillFile=\nLayersSetName=L5_L6_Blind_Vias|DrillFile=\n"), "1-6 0-0",
			"y.LDP: L1_L2_Blind_Vias, y.LDP: L5_L6_Blind_Vias",
		},
		{
			"a pair that another drill file states",
			append(altiumSix("x.txt", "x.tx1"), "x.tx2", "; #@! TF.FileFunction,Plated,1,2,Blind\n"+anyDrill, "y.LDP", "LayersSetName=L1_L2_Blind_Vias|DrillFile=\n"), "1-6 0-0 1-2", "",
		},
		{
			"holes without plating are no vias",
			append(altiumSix("x.txt", "x-NPTH.tx1"), "y.LDP", "LayersSetName=L1_L2_Blind_Vias|DrillFile=\n"), "1-6 0-0", "y.LDP: L1_L2_Blind_Vias",
		},
		{
			"a pair of another archive",
			append(altiumSix("x.txt", "x.tx1"), "b.zip!/y.LDP", "LayersSetName=L1_L2_Blind_Vias|DrillFile=\n"), "1-6 0-0", "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := classifyAll(c.files...)
			var spans, open []string
			for _, r := range s.Results {
				if r.Format == FormatExcellon {
					spans = append(spans, fmt.Sprintf("%d-%d", r.FromLayer, r.ToLayer))
				}
			}
			for _, g := range s.Groups {
				for _, o := range g.OpenSpans {
					open = append(open, o.Source+": "+o.Span)
				}
			}
			if diff := cmp.Diff([]string{c.spans, c.open}, []string{strings.Join(spans, " "), strings.Join(open, ", ")}); diff != "" {
				t.Errorf("spans of %q, and those that no file has (-want +got):\n%s", c.files, diff)
			}
		})
	}
}

// TestEagleSpan: EAGLE's extensions of drills between two of its 16 places.
func TestEagleSpan(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]int{
		"0102": {1, 2}, "0116": {1, 16}, "1516": {15, 16}, "0203": {2, 3},
		"0201": {}, "0101": {}, "0117": {}, "1601": {}, "0002": {}, "102": {}, "00116": {}, "drl": {}, "": {},
	} {
		from, to, ok := eagleSpan(in)
		if !ok {
			from, to = 0, 0
		}
		if got := [2]int{from, to}; got != want || ok != (want[0] > 0) {
			t.Errorf("eagleSpan(%q) = %v, %v; want %v", in, got, ok, want)
		}
	}
}

// TestSpanOf: spans at the end of a drill file's name.
func TestSpanOf(t *testing.T) {
	t.Parallel()
	type span struct {
		From, To int
		Numbers  bool
	}
	for in, want := range map[string]span{
		"board-1-4":         {1, 4, true},
		"board-l1-l4":       {1, 4, true},
		"board-01-12":       {1, 12, true},
		"1-64":              {1, 64, true},
		"board-1-65":        {},
		"board-0-4":         {},
		"board-4-1":         {},
		"board-2-2":         {},
		"board-123-4":       {},
		"board-1-4-plated":  {},
		"board-front-in1":   {1, 2, false},
		"board-in1-back":    {2, toBottom, false},
		"board-in2-in1":     {},
		"board-F_Cu-B_Cu":   {1, toBottom, false},
		"board-top-inner3":  {1, 4, false},
		"board-back-front":  {},
		"board-front":       {},
		"":                  {},
		"front-back-plated": {},
	} {
		from, to, numbers, ok := spanOf(splitWords(in))
		got := span{from, to, numbers}
		if !ok {
			got = span{}
		}
		if got != want {
			t.Errorf("spanOf(%q) = %+v, %v; want %+v", in, got, ok, want)
		}
	}
}
