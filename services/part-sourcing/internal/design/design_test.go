package design_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/services/part-sourcing/internal/design"
	"boardorder/services/part-sourcing/internal/part"

	"github.com/google/go-cmp/cmp"
)

func example() *pcb.Board {
	b := pcb.NewBoard("demo")
	at := func(x int64) geom.Point { return geom.Pt(x*1_000_000, 0) }
	b.Components = []pcb.Component{
		{Ref: "R10", Value: "1k", Footprint: "R_0402", HasAt: true, At: at(1), Fields: map[string]string{"LCSC": "C11702"}, Mount: pcb.SurfaceMount},
		{Ref: "R2", Value: "1k", Footprint: "R_0402", HasAt: true, At: at(2), Fields: map[string]string{"LCSC": "C11702"}, Side: pcb.Bottom},
		{Ref: "R3", Value: "1k", Footprint: "R_0402", HasAt: true, DNP: true, Fields: map[string]string{"part": "LIB_1k"}},
		{Ref: "U1", Value: "LM358", MPN: "LM358DR", Manufacturer: "TI", HasAt: true, Fields: map[string]string{"Digikey": "296-1", "Supplier": "Mouser", "Supplier Part": "595-1", "Tolerance": "1%", "Own": "x", "part": "LIB_1k"}},
		{Ref: "U2", Value: "X1234", HasAt: true, Fields: map[string]string{"Config": "+big"}},
		{Ref: "U3", Value: "X1234", HasAt: true, Fields: map[string]string{"Variant": "-small, -tiny"}},
		{Ref: "FID1", NoBOM: true, NoPlace: true, HasAt: true},
		{Ref: "J9", Value: "from the schematic", NoPlace: true},
		{Ref: "PAD1", Value: "PAD", HasAt: true, NoPlace: true, Fields: map[string]string{"BOM": "EXCLUDE"}}, {Ref: "Y1", MPN: "*", NoPlace: true, Fields: map[string]string{"part": "ABM8-25.000MHZ"}},
		{Ref: "#PWR1", HasAt: true}, {Ref: "", HasAt: true},
	}
	for i, x := range []int64{0, 500_000, 1_000_000} {
		b.Pins = append(b.Pins, pcb.Pin{Component: 3, Number: fmt.Sprint(i), At: geom.Pt(x, 0), HasAt: true})
	}
	return b
}

func TestBOM(t *testing.T) {
	t.Parallel()
	for variant, want := range map[string]string{
		"":      "J9 x1 from the schematic; R2,R10 x2 1k fab C11702; R3 x1 1k DNP; U1 x1 LM358 LM358DR by TI A 296-1 B 595-1 desc 1%; U2 x1 X1234 DNP; U3 x1 X1234; Y1 x1 ABM8-25.000MHZ",
		"big":   "J9 x1 from the schematic; R2,R10 x2 1k fab C11702; R3 x1 1k DNP; U1 x1 LM358 LM358DR by TI A 296-1 B 595-1 desc 1%; U2,U3 x2 X1234; Y1 x1 ABM8-25.000MHZ",
		"small": "J9 x1 from the schematic; R2,R10 x2 1k fab C11702; R3 x1 1k DNP; U1 x1 LM358 LM358DR by TI A 296-1 B 595-1 desc 1%; U2,U3 x2 X1234 DNP; Y1 x1 ABM8-25.000MHZ",
	} {
		var got []string
		for _, l := range design.BOM(example(), variant).Lines {
			s := fmt.Sprintf("%s x%d %s", strings.Join(l.Refs, ","), l.Quantity, l.Value)
			for _, f := range [][2]string{{"", l.MPN}, {" by", l.Manufacturer}, {" fab", l.FabCode}, {" A", l.Codes.Number(part.DigiKey)}, {" B", l.Codes.Number(part.Mouser)}, {" desc", l.Description}} {
				if f[1] != "" {
					s += f[0] + " " + f[1]
				}
			}
			if l.DNP {
				s += " DNP"
			}
			got = append(got, s)
		}
		if d := cmp.Diff(want, strings.Join(got, "; ")); d != "" {
			t.Errorf("variant %q (-want +got):\n%s", variant, d)
		}
	}
}

func TestPlacements(t *testing.T) {
	t.Parallel()
	var got []string
	for _, p := range design.Placements(example()).Parts {
		got = append(got, p.Ref+" "+string(p.Side))
	}
	if d := cmp.Diff("R2 bottom, R3 top, R10 top, U1 top, U2 top, U3 top", strings.Join(got, ", ")); d != "" {
		t.Errorf("parts of the design (-want +got)\n%s", d)
	}
	if !design.Has(example()) || design.Has(pcb.NewBoard("bare")) {
		t.Error("Has")
	}
}

func TestFits(t *testing.T) {
	t.Parallel()
	fits := design.Fits(example())
	if want := (design.Fit{Joints: 3, Pins: 3, Pitch: 500_000, Box: geom.BoxOf(geom.Point{}, geom.Point{X: 1_000_000})}); fits["U1"] != want || fits["R10"].Mount != pcb.SurfaceMount {
		t.Errorf("fits %+v, want U1 as %+v and R10 mounted on the surface", fits, want)
	}
}

// TestDescriptionOfLands: what a library says of a land pattern is nothing that a part
// has to be.
func TestDescriptionOfLands(t *testing.T) {
	t.Parallel()
	b := pcb.Board{Components: []pcb.Component{
		{Ref: "R1", Value: "10k", Description: "Resistor SMD 0805 (2012 Metric), square (rectangular) end terminal, IPC_7351 nominal, generated with kicad-footprint-generator"},
		{Ref: "R2", Value: "22k", Description: "thin film"},
	}}
	lines := design.BOM(&b, "").Lines
	if len(lines) != 2 || lines[0].Description != "" || lines[1].Description != "thin film" {
		t.Errorf("lines %+v, want two, the second described as thin film", lines)
	}
}
