package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stackText tells the layers of a table, each with its thickness in micrometres.
func stackText(layers []StackLayer) string {
	var out []string
	for _, l := range layers {
		s := fmt.Sprintf("%d %s %s %g um", l.Number, l.Name, l.Type, float64(l.Thickness)/1000)
		if l.Ounces > 0 {
			s += fmt.Sprintf(" %g oz", l.Ounces)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// TestLayerTable: tables of layers as people write them.
func TestLayerTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, want string
		table          bool
	}{
		{
			"copper by its material", "Layer,Material,Thickness (mm)\nTop,Copper,0.035\nCore,FR4,1.5\nBottom,Copper,0.035\n",
			"1 Top Signal 35 um 1 oz; 0 Core Core 1500 um; 2 Bottom Signal 35 um 1 oz", true,
		},
		{
			"types and weights", "Name;Type;Thickness;Copper Weight (oz)\nL1;Signal;35um;1\nPP1;Prepreg;0,2 mm;\nL2;Plane;17.5um;0.5\n",
			"1 L1 Signal 35 um 1 oz; 0 PP1 Prepreg 200 um; 2 L2 Signal 17.5 um 0.5 oz", true,
		},
		{
			"copper by its number", "Layer,Type,Height (mil)\n1,,1.4\nPP,prepreg,8\n2,,1.4\n",
			"1 1 Signal 35.56 um 1 oz; 0 PP Prepreg 203.2 um; 2 2 Signal 35.56 um 1 oz", true,
		},
		{
			"weights in micrometres", "Layer,Material,Thickness,Copper thickness (um)\nTop,Cu,,35\nFR4 core,FR4,1.5,\nBottom,Cu,,70\n",
			"1 Top Signal 0 um 1 oz; 0 FR4 core Core 1500 um; 2 Bottom Signal 0 um 2 oz", true,
		},
		{
			"mask, legend and totals", "Layer,Type,Thickness\nTop Mask,Solder Mask,0.02\nSilkscreen,Legend,0.02\nTop,Copper,0.035\nTotal,Copper,1.6\n",
			"0 Top Mask Solder Mask 20 um; 1 Top Signal 35 um 1 oz", false,
		},
		{
			"dielectrics", "Layer,Type,Thickness\nTop,Copper,0.035\nD1,Dielectric,1.5\nBottom,Copper,0.035\n",
			"1 Top Signal 35 um 1 oz; 0 D1 Dielectric 1500 um; 2 Bottom Signal 35 um 1 oz", true,
		},
		{
			"one copper layer", "Layer,Type,Thickness\nTop,Copper,0.035\nD1,Core,1.5\n",
			"1 Top Signal 35 um 1 oz; 0 D1 Core 1500 um", false,
		},
		{
			"copper alone", "Layer,Type,Thickness\nTop,Copper,0.035\nBottom,Copper,0.035\n",
			"1 Top Signal 35 um 1 oz; 2 Bottom Signal 35 um 1 oz", false,
		},
		{
			"words before the heading", "Stackup of x,,\nLayer,Type,Thickness\nTop,Copper,0.035\n",
			"1 Top Signal 35 um 1 oz", false,
		},
		{
			"German", "Lage;Typ;Dicke (mm)\nTop;Copper;0,035\nKern;Core;1,5\n",
			"1 Top Signal 35 um 1 oz; 0 Kern Core 1500 um", false,
		},
		{"parts", "Reference,Value,Quantity\nR1,10k,1\n", "", false},
		{"a heading alone", "Layer,Type,Thickness\n", "", false},
		{"no thickness", "Layer,Type\nTop,Copper\nCore,Core\nBottom,Copper\n", "", false},
		{"nothing", "", "", false},
	} {
		got := LayerTable([]byte(c.in))
		if diff := cmp.Diff(c.want, stackText(got)); diff != "" || IsLayerTable([]byte(c.in)) != c.table {
			t.Errorf("%s: LayerTable(%q), a table of layers %v, want %v (-want +got):\n%s", c.name, c.in, !c.table, c.table, diff)
		}
	}
	long := "Layer,Type,Thickness\n" + strings.Repeat("Top,Copper,0.035\n", 300)
	if got := len(LayerTable([]byte(long))); got != 200 {
		t.Errorf("%d layers of a table of 300, want 200", got)
	}
}

// TestTableLength: lengths in the cells of a table, in nanometres: in the unit of the cell, else
// of the column, else in millimetres.
func TestTableLength(t *testing.T) {
	t.Parallel()
	for in, want := range map[[2]string]int64{
		{"0.035", ""}: 35_000, {"0,035", ""}: 35_000, {"35", "um"}: 35_000, {"35 µm", ""}: 35_000, {"35μm", "mm"}: 35_000, {"1.4", "mil"}: 35_560, {"1.4 mils", "mm"}: 35_560,
		{"0.062", "inch"}: 1_574_800, {"1", "oz"}: 34_800, {"1oz", "mm"}: 34_800, {"1.6MM", "mil"}: 1_600_000,
		{"100000", "um"}: 100_000_000, {"100001", "um"}: 0, {"1.2.3", ""}: 0, {"-1", ""}: 0, {"thin", ""}: 0, {"", ""}: 0,
	} {
		if got := tableLength(in[0], in[1]); got != want {
			t.Errorf("tableLength(%q, %q) = %d nm, want %d", in[0], in[1], got, want)
		}
	}
}

// TestTableOunces: weights of copper in the cells of a table.
func TestTableOunces(t *testing.T) {
	t.Parallel()
	for in, want := range map[[2]string]float64{
		{"1", ""}: 1, {"0,5", "oz"}: 0.5, {"2 oz", "um"}: 2, {"35", "um"}: 1, {"70 um", ""}: 2, {"0.035", "mm"}: 1, {"1.4", "mil"}: 1,
		{"20", "oz"}: 20, {"21", "oz"}: 0, {"-", ""}: 0, {"", "oz"}: 0,
	} {
		if got := tableOunces(in[0], in[1]); got != want {
			t.Errorf("tableOunces(%q, %q) = %v, want %v", in[0], in[1], got, want)
		}
	}
}

// TestStackupTables: Altium's own tables of a stack, and what ends them.
func TestStackupTables(t *testing.T) {
	t.Parallel()
	const heading = "Board Layer Stack\nNumber,Name,Type,Material,Thickness (mm),Weight (oz),Dk,Df\n"
	for _, c := range []struct{ name, in, want string }{
		{"millimetres", heading + "1,Top,Signal,Cu,0.035,1,,\n", "1 Top Signal 35 um 1 oz"},
		{"mils", strings.Replace(heading, "(mm)", "(mil)", 1) + "1,Top,Signal,Cu,1.4,1,,\n", "1 Top Signal 35.56 um 1 oz"},
		{"a row of nothing ends it", heading + "1,Top,Signal,Cu,0.035,1,,\n,,,,,,,\n2,Other,Signal,Cu,0.035,1,,\n", "1 Top Signal 35 um 1 oz"},
		{"rows before the first layer", heading + ",,,,,,,\n1,Top,Signal,Cu,0.035,1,,\n", "1 Top Signal 35 um 1 oz"},
		{"a thickness of no board", heading + "1,Top,Signal,Cu,20.1,1,,\n", "1 Top Signal 0 um 1 oz"},
		{"the thickest", heading + "1,Top,Signal,Cu,20,1,,\n", "1 Top Signal 20000 um 1 oz"},
		{"figures that are none", heading + "x,Top,Signal,Cu,-1,x,,\n", "0 Top Signal 0 um"},
		{"fewer cells", heading + "1,Top,Signal\n", "1 Top Signal 0 um"},
		{"no heading", "1,Top,Signal,Cu,0.035,1,,\n", ""},
	} {
		if diff := cmp.Diff(c.want, stackText(Stackup([]byte(c.in)))); diff != "" {
			t.Errorf("%s: Stackup(%q) (-want +got):\n%s", c.name, c.in, diff)
		}
	}
	for in, want := range map[string]bool{heading: true, "Layer Stack\n": false, "Thickness\n": false, strings.Repeat(" ", 400) + heading: false} {
		if got := IsStackup([]byte(in)); got != want {
			t.Errorf("IsStackup(%q) = %v, want %v", in, got, want)
		}
	}
}
