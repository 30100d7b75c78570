package boardedge_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestEdgeOfFilms: where the outline's file draws nothing, the closed line round all copper
// that two layer files draw which say in their records that they show the board's edge gives its
// shape, with a warning that names the size. Less gives none.
func TestEdgeOfLayerFiles(t *testing.T) {
	t.Parallel()
	layerFile := func(side, more, drawn string) string {
		return "G04 Film Name:    " + side + "_SILKSCREEN*\nG04 Layer:  REF DES/SILKSCREEN_" + side + "*\n" + more + drawn
	}
	const shown, modern = "G04 Layer:  BOARD GEOMETRY/OUTLINE*\n", "G04 Layer:  BOARD GEOMETRY/DESIGN_OUTLINE*\n"
	edge := uploads.GerberWithPen("0.254", 0, 0, 20, 10, "5,5")
	silks := func(top, bottom string) uploads.Set {
		return uploads.Set{"x-F_Silkscreen.gbr": top, "x-B_Silkscreen.gbr": bottom, "x-Edge_Cuts.gbr": uploads.Gerber("")}
	}
	for _, c := range []struct {
		name  string
		more  uploads.Set
		width int64 // in millimetres; 0: the size is asked
	}{
		{"both legends", silks(layerFile("TOP", shown, edge), layerFile("BOTTOM", shown, edge)), 20},
		{"as newer releases call it", silks(layerFile("TOP", modern, edge), layerFile("BOTTOM", modern, edge)), 20},
		{"one says nothing of the edge", silks(layerFile("TOP", shown, edge), layerFile("BOTTOM", "", edge)), 0},
		{"none does", silks(layerFile("TOP", "", edge), layerFile("BOTTOM", "", edge)), 0},
		{"one draws no edge", silks(layerFile("TOP", shown, edge), layerFile("BOTTOM", shown, uploads.Gerber("", "5,5"))), 0},
		{"of two sizes", silks(layerFile("TOP", shown, edge), layerFile("BOTTOM", shown, uploads.GerberWithPen("0.254", 0, 0, 21, 10, "5,5"))), 0},
		{"not closed", silks(layerFile("TOP", shown, strings.Replace(edge, "X0Y0D01*\n", "", 1)), layerFile("BOTTOM", shown, strings.Replace(edge, "X0Y0D01*\n", "", 1))), 0},
		{"round some of the copper", silks(layerFile("TOP", shown, uploads.GerberWithPen("0.254", 0, 0, 12, 10)), layerFile("BOTTOM", shown, uploads.GerberWithPen("0.254", 0, 0, 12, 10))), 0},
		{"a frame far round it", silks(layerFile("TOP", shown, uploads.GerberWithPen("0.254", -40, -40, 60, 50)), layerFile("BOTTOM", shown, uploads.GerberWithPen("0.254", -40, -40, 60, 50))), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			copper := uploads.Gerber("", "5,5", "10,5", "15,5", "5,5 15,5")
			p := uploads.Ordinary().Merge(uploads.Set{"x-F_Cu.gbr": copper, "x-B_Cu.gbr": copper}).Merge(c.more).Read(t)
			b := p.Boards[0]
			if w := b.Facts.Width; w.Known != (c.width > 0) || w.Value != c.width*1e6 {
				t.Fatalf("width %+v, want %d mm: %q", w, c.width, uploads.Codes(p, pcb.Note))
			}
			requested := slices.Contains(uploads.Codes(p, pcb.Problem), "outline_missing")
			reported := slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool {
				return f.Code == "outline_elsewhere" && f.Level == pcb.Warning && strings.Contains(f.Message, "20.00 mm by 10.00 mm")
			})
			if requested != (c.width == 0) || reported == requested {
				t.Errorf("findings %+v; want the size asked for: %v, or else outline_elsewhere with it", b.Findings, c.width == 0)
			}
		})
	}
}
