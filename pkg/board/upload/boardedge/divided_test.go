package boardedge_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestOutlineInSeveralFiles: what two files draw together is the board's edge where neither
// does alone; of two edges that hardly differ the surer is taken, and both sizes are told.
func TestOutlineInSeveralFiles(t *testing.T) {
	t.Parallel()
	frame := func(x, y string) []string {
		return []string{"0,0 " + x + ",0", x + ",0 " + x + "," + y, x + "," + y + " 0," + y, "0," + y + " 0,0"}
	}
	pads := []string{"1,1", "2,1", "3,1", "4,1", "5,1", "1,9", "5,9", "9,9", "12,9", "15,9", "19,9", "19,1"}
	for _, c := range []struct {
		name   string
		files  uploads.Set
		width  float64
		code   string
		level  pcb.Level
		says   []string
		closed bool
	}{
		{"two halves", uploads.Set{"x-OUTLINE.art": uploads.Gerber("", uploads.OutlineLines[:3]...), "x-DIMENSION.art": uploads.Gerber("", uploads.OutlineLines[3])}, 20, "outline_parts", pcb.Warning, []string{"x-OUTLINE.art"}, true},
		{"a half on a mechanical layer", uploads.Set{"x-OUTLINE.art": uploads.Gerber("", uploads.OutlineLines[:3]...), "x-Mechanical_2.art": uploads.Gerber("", uploads.OutlineLines[3])}, 20, "outline_parts", pcb.Warning, nil, true},
		{"the whole on a mechanical layer", uploads.Set{"x-OUTLINE.art": uploads.Gerber("", uploads.OutlineLines[:2]...), "x-DIMENSION.art": uploads.Gerber("", "0,5 20,5"), "x-Mechanical_1.art": uploads.Gerber("", uploads.OutlineLines...)}, 20, "outline_elsewhere", pcb.Warning, nil, true},
		{"halves of nothing", uploads.Set{"x-OUTLINE.art": uploads.Gerber("", uploads.OutlineLines[:2]...), "x-DIMENSION.art": uploads.Gerber("", uploads.OutlineLines[1])}, 0, "outline_missing", pcb.Problem, nil, false},
		{"a whole one and a part", uploads.Set{"x-OUTLINE.art": uploads.Gerber("", uploads.OutlineLines...), "x-DIMENSION.art": uploads.Gerber("", uploads.OutlineLines[0])}, 20, "layer_twice", pcb.Note, nil, true},
		{"two that differ a little", uploads.Set{"x.GKO": uploads.Gerber("", frame("20.1", "10.26")...), "x.GM1": uploads.Gerber("", frame("20", "10")...)}, 20.1, "layer_twice", pcb.Warning, []string{"20.00 x 10.00 mm", "20.10 x 10.26 mm", "x.GKO"}, true},
		{"two that are one", uploads.Set{"x.GKO": uploads.Gerber("", frame("20.01", "10")...), "x.GM1": uploads.Gerber("", frame("20", "10")...)}, 20.01, "layer_twice", pcb.Note, nil, true},
		{"a sheet", uploads.Set{"x.GKO": uploads.Gerber("", frame("20", "10")...), "x.GM1": uploads.Gerber("", frame("200", "100")...)}, 20, "layer_twice", pcb.Note, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := uploads.Set{"x.top": uploads.Gerber("", pads...), "x.bot": uploads.Gerber("", pads...), "x.drl": uploads.Drill("", pads...)}.Merge(c.files).Read(t).Boards[0]
			if got := geom.Millimetres(b.Outline.Bounds().Width()); c.closed && got != c.width || b.Outline.Closed != c.closed {
				t.Errorf("%.2f mm wide, closed %v; want %.2f, %v", got, b.Outline.Closed, c.width, c.closed)
			}
			i := slices.IndexFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == c.code })
			if i < 0 || b.Findings[i].Level != c.level {
				t.Fatalf("findings %+v, want %s, %v", b.Findings, c.code, c.level)
			}
			for _, s := range c.says {
				if !strings.Contains(b.Findings[i].Message, s) {
					t.Errorf("%q does not say %s", b.Findings[i].Message, s)
				}
			}
		})
	}
}
