package drawings_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestPlottedAlong: strokes of copper that repeat the outline, or a mechanical layer in
// several layer files, are no tracks: those along the edge are taken out, others marked. Few
// strokes, a part of a drawing, tracks of pads and nets, and other pens stay copper.
func TestPlottedAlong(t *testing.T) {
	t.Parallel()
	pads := []string{"5,5", "10,5", "15,5", "5,5 15,5"}
	measure := []string{"1,1 19,1", "1,0.5 1,1.5", "19,0.5 19,1.5", "18,1.2 19,1", "18,0.8 19,1"}
	both := append(slices.Clone(uploads.OutlineLines), measure...)
	layerFile := func(items ...string) string { return uploads.Gerber("", append(slices.Clone(pads), items...)...) }
	thick := func(s string) string { return strings.Replace(s, "D10C,0.2", "D10C,0.3", 1) }
	net := func(s string) string { return strings.Replace(s, "G01*\n", "%TO.N,GND*%\nG01*\n", 1) }
	tracks := []string{"5,5 5,8", "5,8 10,8", "10,8 10,5", "15,5 15,8", "15,8 18,8"}
	for _, c := range []struct {
		name        string
		more        uploads.Set
		cut, marked int // in the top copper
	}{
		{"nothing", nil, 0, 0},
		{"the outline", uploads.Set{"x-F_Cu.gbr": layerFile(uploads.OutlineLines...)}, 4, 0},
		{"the outline, drawn the other way round", uploads.Set{"x-F_Cu.gbr": layerFile("0,0 0,10", "0,10 20,10", "20,10 20,0", "20,0 0,0")}, 4, 0},
		{"an outline with its measures", uploads.Set{"x-Edge_Cuts.gbr": uploads.Gerber("", both...), "x-F_Cu.gbr": layerFile(both...)}, 4, 5},
		{"the measures of an outline only", uploads.Set{"x-Edge_Cuts.gbr": uploads.Gerber("", both...), "x-F_Cu.gbr": layerFile(measure...)}, 0, 0},
		{"three strokes of an outline", uploads.Set{"x-F_Cu.gbr": layerFile(uploads.OutlineLines[:3]...)}, 0, 0},
		{"another pen", uploads.Set{"x-F_Cu.gbr": thick(layerFile(uploads.OutlineLines...))}, 0, 0},
		{"a net", uploads.Set{"x-F_Cu.gbr": net(layerFile(uploads.OutlineLines...))}, 0, 0},
		{"a mechanical layer in two films", uploads.Set{"x.gm13": uploads.Gerber("", measure...), "x-F_Cu.gbr": layerFile(measure...), "x-B_Cu.gbr": layerFile(measure...)}, 0, 5},
		{"a mechanical layer in copper and mask", uploads.Set{"x.gm13": uploads.Gerber("", measure...), "x-F_Cu.gbr": layerFile(measure...), "x-F_Mask.gbr": uploads.Gerber("", append(slices.Clone(pads[:3]), measure...)...)}, 0, 5},
		{"a mechanical layer in one film", uploads.Set{"x.gm13": uploads.Gerber("", measure...), "x-F_Cu.gbr": layerFile(measure...)}, 0, 0},
		{"a mechanical layer that repeats tracks", uploads.Set{"x.gm13": uploads.Gerber("", tracks...), "x-F_Cu.gbr": layerFile(tracks...), "x-B_Cu.gbr": layerFile(tracks...)}, 0, 0},
		{"a negative", uploads.Set{"x-F_Cu.gbr": strings.Replace(layerFile(uploads.OutlineLines...), "%FS", "%IPNEG*%\n%FS", 1)}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := uploads.Ordinary().Merge(c.more)
			b := s.Read(t).Boards[0]
			top := b.Copper()[0]
			marked := 0
			for i := range top.Features {
				if top.Features[i].Function == pcb.FuncProfile {
					marked++
				}
			}
			drawn := strings.Count(s["x-F_Cu.gbr"], "D01*") + strings.Count(s["x-F_Cu.gbr"], "D03*")
			if cut := drawn - len(top.Features); cut != c.cut || marked != c.marked {
				t.Errorf("%d cut, %d marked, want %d and %d", cut, marked, c.cut, c.marked)
			}
			reported := slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool {
				return f.Code == "drawing_in_copper" && f.Level == pcb.Note
			})
			if reported != (c.cut+c.marked > 0) {
				t.Errorf("drawing_in_copper noted %v, want %v: %+v", reported, c.cut+c.marked > 0, b.Findings)
			}
		})
	}
}

// TestPlottedAlongTwice: layer files with the outline in their copper are the same again beside an
// archive of them that lacks the outline's file.
func TestPlottedAlongTwice(t *testing.T) {
	t.Parallel()
	s := uploads.Ordinary()
	layerFile := uploads.Gerber("", append([]string{"5,5", "10,5", "15,5", "5,5 15,5"}, uploads.OutlineLines...)...)
	s = s.Merge(uploads.Set{"x-F_Cu.gbr": layerFile, "x-B_Cu.gbr": layerFile})
	for name, data := range maps.Clone(s) {
		if name != "x-Edge_Cuts.gbr" {
			s["again/"+name] = data
		}
	}
	p := s.Read(t)
	if len(p.Boards) != 1 || p.Boards[0].Facts.Width.Value != 20_000_000 {
		t.Errorf("%d boards, want one 20 mm wide; findings %q", len(p.Boards), uploads.Codes(p, pcb.Note))
	}
}
