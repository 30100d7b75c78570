package boardedge_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// points is a netlist of three pads without an outline.
const points = "C  IPC-D-356 Netlist\nP  UNITS CUST 1\n" +
	"317N1              U1    -1    D0800PA00X+005000Y+005000X1500Y1500R000S0\n" +
	"317N1              U1    -2    D0800PA00X+010000Y+005000X1500Y1500R000S0\n" +
	"317N1              U1    -3    D0800PA00X+015000Y+005000X1500Y1500R000S0\n999\n"

// TestNoOutline: what is drawn is not the board's size, though it tells that the same
// board is there twice; a size that a file states is taken.
func TestNoOutline(t *testing.T) {
	t.Parallel()
	without := uploads.Ordinary().Merge(uploads.Set{"x-Edge_Cuts.gbr": ""})
	twice := uploads.Set{}
	for name, data := range without {
		twice[name], twice["again/"+name] = data, data
	}
	for name, c := range map[string]struct {
		files   uploads.Set
		width   int64
		message string
	}{
		"copper alone":        {without, 0, "outline_missing"},
		"twice":               {twice, 0, "board_twice"},
		"a netlist of points": {uploads.Set{"x.d356": points}.Merge(without), 0, "outline_missing"},
		"a job file":          {uploads.Set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"GeneralSpecs":{"LayerNumber":2,"Size":{"X":20,"Y":10}}}`}.Merge(without), 20, "outline_missing"},
		"notes":               {uploads.Set{"readme.txt": "Board size: 20 x 10 mm\nLayers: 2\n"}.Merge(without), 20, "outline_missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := c.files.Read(t)
			if len(p.Boards) != 1 || !slices.Contains(uploads.Codes(p, pcb.Note), c.message) {
				t.Fatalf("%d boards, findings %v, want %s", len(p.Boards), uploads.Codes(p, pcb.Note), c.message)
			}
			if w := p.Boards[0].Facts.Width; w.Known != (c.width > 0) || w.Value != c.width*geom.Millimetre {
				t.Errorf("width %+v, want %d mm", w, c.width)
			}
		})
	}
}

// TestRoutedOutline: the router's way round the board where nothing else is.
func TestRoutedOutline(t *testing.T) {
	t.Parallel()
	rout := "M48\nMETRIC\nT1C2.000\n%\nG90\nT1\nG00X-1.0Y-1.0\nM15\nG01X21.0Y-1.0\nG01X21.0Y11.0\nG01X-1.0Y11.0\nG01X-1.0Y-1.0\nM16\nM30\n"
	p := uploads.Ordinary().Merge(uploads.Set{"x-Edge_Cuts.gbr": "", "x.rou": rout}).Read(t)
	b := p.Boards[0]
	if b.Facts.Width.Value != geom.MM(22) || b.Facts.Height.Value != geom.MM(12) || !b.Outline.Closed || len(b.Holes) != 3 {
		t.Errorf("%d x %d nm, closed %v, %d holes; want 22 x 12 mm, closed, 3", b.Facts.Width.Value, b.Facts.Height.Value, b.Outline.Closed, len(b.Holes))
	}
	if diff := cmp.Diff([]string{"outline_from_rout"}, uploads.Codes(p, pcb.Warning)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", t.Name(), diff)
	}
}

// TestMistakenOutline: a file that is the outline by its name, but draws a title
// beside the board, gives way to a mechanical layer with a line round the board.
func TestMistakenOutline(t *testing.T) {
	t.Parallel()
	var pads []string
	for x := 2; x <= 18; x += 4 {
		pads = append(pads, fmt.Sprintf("%d,3", x), fmt.Sprintf("%d,7", x))
	}
	title := uploads.Gerber("", "5,14 9,14", "9,14 9,16", "9,16 5,16", "5,16 5,14")
	copper := uploads.Gerber("", pads...)
	beside := uploads.Gerber("", append([]string{"-3,0 -3,10"}, uploads.OutlineLines...)...)
	lost := uploads.Set{"x.gtl": copper, "x.gbl": copper, "x.gts": copper, "x.gbs": copper, "x.gm13": title, "x.drl": uploads.Drill("", pads...)}.Read(t)
	if diff := cmp.Diff([]string{"outline_missing"}, uploads.Codes(lost, pcb.Warning)); diff != "" {
		t.Errorf("a drawing as the only mechanical layer (-want +got):\n%s", diff)
	}
	corners := uploads.Gerber("", "0,1 1,0", "19,0 20,1", "20,9 19,10", "1,10 0,9")
	if alone := (uploads.Set{"x.gtl": copper, "x.gbl": copper, "x.gts": copper, "x.gbs": copper, "x.gko": corners, "x.drl": uploads.Drill("", pads...)}).Read(t); uploads.FindingOf(alone, "outline_open") == nil {
		t.Errorf("corners without a frame elsewhere: findings %v, want outline_open", uploads.Codes(alone, pcb.Warning))
	}
	for name, c := range map[string]struct {
		outline, mechanical string
		width               int64
		findings            []string
	}{
		"the edge in a mechanical layer": {title, beside, geom.MM(20), []string{"outline_elsewhere"}},
		"dimensions round the board": {uploads.Gerber("", "0,0 0,-5", "20,0 20,-5", "0,-4 9,-4", "11,-4 20,-4", "9,-5 10,-5", "10,-5 10,-3", "10,-3 9,-3", "9,-3 9,-5",
			"0,0 -5,0", "0,10 -5,10", "-4,0 -4,4", "-4,6 -4,10"), uploads.Gerber("", uploads.OutlineLines...), geom.MM(20), []string{"outline_elsewhere"}},
		"the edge where it should be": {beside, title, geom.MM(20), nil},
		"a gap in the outline":        {uploads.Gerber("", uploads.OutlineLines[:3]...), beside, geom.MM(20), []string{"outline_open"}},
		"corners of a keep-out":       {corners, beside, geom.MM(20), []string{"outline_elsewhere"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := uploads.Set{"x.gtl": copper, "x.gbl": copper, "x.gts": copper, "x.gbs": copper, "x.gko": c.outline, "x.gm2": c.mechanical, "x.drl": uploads.Drill("", pads...)}.Read(t)
			if len(p.Boards) != 1 || p.Boards[0].Facts.Width.Value != c.width {
				t.Fatalf("%s: %d boards, width %+v; want 1, %d", name, len(p.Boards), p.Boards[0].Facts.Width, c.width)
			}
			if diff := cmp.Diff(c.findings, uploads.Codes(p, pcb.Warning)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", t.Name(), diff)
			}
			for _, f := range p.Files {
				if taken := c.findings != nil && c.findings[0] == "outline_elsewhere"; taken && f.Name == "x.gko" && f.Used || taken && f.Name == "x.gm2" && (!f.Used || f.Role != pcb.RoleOutline) {
					t.Errorf("%s: file %+v, want x.gm2 used as the outline, and x.gko not", name, f)
				}
			}
		})
	}
}
