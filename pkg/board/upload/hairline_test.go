package upload_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestEdgeOfNoWidth: where no file draws the outline, a closed line of no width round all
// pads gives the shape, with a warning, and is no copper. Lines that may be something else
// give none.
func TestEdgeOfNoWidth(t *testing.T) {
	t.Parallel()
	pads := []string{"5,5", "10,5", "15,5", "5,5 15,5"}
	edge := func(pen string, more ...string) string {
		return uploads.GerberWithPen(pen, 0, 0, 20, 10, append(slices.Clone(pads), more...)...)
	}
	region := "G36*\n" + uploads.Rectangle(0, 0, 20, 10) + "G37*\n"
	hatch := ""
	for y := 0.5; y < 10; y += 0.5 {
		hatch += fmt.Sprintf("X0Y%dD02*\nX20000000Y%dD01*\n", int64(y*1e6), int64(y*1e6))
	}
	within := func(film, more string) string { return strings.Replace(film, "D10*\n", "D10*\n"+more, 1) }
	thin := func(more string) string { return strings.Replace(edge("0.0"), "D11*\n", more+"D11*\n", 1) }
	nothing := uploads.Gerber("")
	for _, c := range []struct {
		name  string
		more  uploads.Set
		width int64 // in millimetres; 0: the size is asked
	}{
		{"in copper", uploads.Set{"x-F_Cu.gbr": edge("0.0")}, 20},
		{"in copper, beside an outline that draws nothing", uploads.Set{"x-F_Cu.gbr": edge("0.0"), "x-Edge_Cuts.gbr": nothing}, 20},
		{"in both coppers", uploads.Set{"x-F_Cu.gbr": edge("0.0"), "x-B_Cu.gbr": edge("0.0")}, 20},
		{"in copper and all else", uploads.Set{"x-F_Cu.gbr": edge("0.0"), "x-B_Cu.gbr": edge("0.0"), "x-F_Silkscreen.gbr": edge("0.0")}, 20},
		{"in the legend", uploads.Set{"x-F_Silkscreen.gbr": uploads.GerberWithPen("0.0", 0, 0, 20, 10)}, 20},
		{"in the legend, beside an outline that draws nothing", uploads.Set{"x-F_Silkscreen.gbr": uploads.GerberWithPen("0.0", 0, 0, 20, 10), "x-Edge_Cuts.gbr": nothing}, 20},
		{"of hardly any width", uploads.Set{"x-F_Cu.gbr": edge("0.0025")}, 20},
		{"beside the rim of a pour", uploads.Set{"x-F_Cu.gbr": edge("0.0"), "x-B_Cu.gbr": uploads.GerberWithPen("0.25", 1, 1, 19, 9, pads...)}, 20},
		{"with cutouts and a part of no width", uploads.Set{"x-F_Cu.gbr": thin(uploads.Rectangle(2, 7, 4, 8) + uploads.Rectangle(7, 7, 9, 8))}, 20},
		{"of some width", uploads.Set{"x-F_Cu.gbr": edge("0.01")}, 0},
		{"the frame of a sheet", uploads.Set{"x-F_Cu.gbr": uploads.GerberWithPen("0.0", -40, -40, 60, 50, pads...)}, 0},
		{"round some of the pads", uploads.Set{"x-F_Cu.gbr": uploads.GerberWithPen("0.0", 0, 0, 12, 10, pads...)}, 0},
		{"not closed", uploads.Set{"x-F_Cu.gbr": strings.Replace(edge("0.0"), "X0Y0D01*\n", "", 1)}, 0},
		{"crossed by a track", uploads.Set{"x-F_Cu.gbr": edge("0.0", "15,5 25,5")}, 0},
		{"the border of an area", uploads.Set{"x-F_Cu.gbr": within(edge("0.0"), region)}, 0},
		{"the border of an area, beside an outline that draws nothing", uploads.Set{"x-F_Cu.gbr": within(edge("0.0"), region), "x-Edge_Cuts.gbr": nothing}, 0},
		{"filled with lines of no width", uploads.Set{"x-F_Cu.gbr": thin(hatch)}, 0},
		{"of a net", uploads.Set{"x-F_Cu.gbr": strings.Replace(edge("0.0"), "D12*\n", "%TO.N,GND*%\nD12*\n", 1)}, 0},
		{"stated as conductor", uploads.Set{"x-F_Cu.gbr": strings.Replace(edge("0.0"), "%ADD12C", "%TA.AperFunction,Conductor*%\n%ADD12C", 1)}, 0},
		{"of a pen that nobody defined", uploads.Set{"x-F_Cu.gbr": strings.Replace(edge("0.0"), "%ADD12C,0.0*%\n", "", 1)}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := uploads.Ordinary().Merge(uploads.Set{"x-Edge_Cuts.gbr": ""}).Merge(c.more).Read(t)
			b := p.Boards[0]
			if w := b.Facts.Width; w.Known != (c.width > 0) || w.Value != c.width*1e6 {
				t.Fatalf("width %+v, want %d mm: %q", w, c.width, uploads.Codes(p, pcb.Note))
			}
			if c.width == 0 {
				if !slices.Contains(uploads.Codes(p, pcb.Problem), "outline_missing") {
					t.Errorf("the size is not asked: findings %q, want outline_missing", uploads.Codes(p, pcb.Note))
				}
				return
			}
			reported := slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool {
				return (f.Code == "outline_elsewhere" || f.Code == "outline_repeated") && f.Level == pcb.Warning
			})
			if !reported || slices.Contains(uploads.Codes(p, pcb.Problem), "outline_missing") {
				t.Errorf("findings %+v, want a warning of the outline and no outline_missing", b.Findings)
			}
			box := b.Outline.Bounds()
			for _, l := range b.Copper() {
				for i := range l.Features {
					if f := &l.Features[i]; l.Hairline(f) && (f.A.X == box.Min.X || f.B.X == box.Max.X) {
						t.Errorf("%s: the edge is left in the copper", l.Name)
					}
				}
			}
		})
	}
}
