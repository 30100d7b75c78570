package copperlayers_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// drawTracks draws tracks from land to land.
func drawTracks(lands []string) []string {
	out := slices.Clone(lands)
	for i := 1; i < len(lands); i++ {
		out = append(out, lands[i-1]+" "+lands[i])
	}
	return out
}

// besideHoles gives places that no hole of the drilled board lies at.
var besideHoles = []string{"1,1", "4,1", "7,1", "10,1", "13,1", "16,1", "1,5", "4,5", "7,5", "10,5", "13,5", "16,5"}

// TestCopperByNameOnly: what is copper by its name only, and has no land where other
// layers have one at every hole, is none: neither a layer too many follows from it nor
// one that does not fit. What states itself, what draws tracks, and what the files count
// stays, and so does everything where no layer fits.
func TestCopperByNameOnly(t *testing.T) {
	t.Parallel()
	coating := uploads.Gerber("", "1,1 4,1", "4,1 4,6", "7,1 9,1")
	_, lands := uploads.BoardWithHoles()
	for _, c := range []struct {
		name     string
		more     uploads.Set
		layers   int
		reported bool // that a file is left out
	}{
		{"none", nil, 2, false},
		{"strokes", uploads.Set{"bottom.gbr": coating}, 2, true},
		{"openings of a mask", uploads.Set{"bottom.gbr": uploads.Gerber("", besideHoles...)}, 2, true},
		{"an extension", uploads.Set{"y.g3": coating}, 2, true},
		{"two of them", uploads.Set{"y.g3": coating, "y.g4": uploads.Gerber("", besideHoles...)}, 2, true},
		{"tracks from land to land, of another board", uploads.Set{"x-In1_Cu.gbr": uploads.Gerber("", drawTracks(besideHoles)...), "x-In2_Cu.gbr": uploads.Gerber("", lands...)}, 4, false},
		{"says that it is copper", uploads.Set{"y.gbr": uploads.Gerber(uploads.Function("Copper,L2,Inr"), besideHoles...), "z.gbr": uploads.Gerber(uploads.Function("Copper,L3,Inr"), lands...)}, 4, false},
		{"listed by the job file", uploads.Set{"x-In1_Cu.gbr": coating, "x-In2_Cu.gbr": uploads.Gerber("", lands...), "x.gbrjob": `{"GeneralSpecs":{"LayerNumber":4},"FilesAttributes":[]}`}, 4, false},
		{"a drill down to the fourth layer", uploads.Set{"x-In1_Cu.gbr": coating, "x-In2_Cu.gbr": uploads.Gerber("", lands...), "x-PTH.drl": uploads.Drill("; #@! TF.FileFunction,Plated,1,4,PTH\n", lands...)}, 4, false},
		{"lands on a quarter of the holes", uploads.Set{"x-In1_Cu.gbr": uploads.Gerber("", lands[:3]...), "x-In2_Cu.gbr": uploads.Gerber("", lands...)}, 4, false},
		{"an inner layer fits, the outer ones a little", uploads.Set{"x-In1_Cu.gbr": uploads.Gerber("", "0,5 20,5"), "x-In2_Cu.gbr": uploads.Gerber("", lands...), "x-F_Cu.gbr": uploads.Gerber("", lands[:3]...), "x-B_Cu.gbr": uploads.Gerber("", lands[:3]...)}, 3, true},
		{"no layer that fits", uploads.Set{"x-F_Cu.gbr": uploads.Gerber("", besideHoles...), "x-B_Cu.gbr": uploads.Gerber("", besideHoles...)}, 2, false},
		{"nine holes", uploads.Set{"x-PTH.drl": uploads.Drill("", lands[:9]...), "x-In1_Cu.gbr": coating, "x-In2_Cu.gbr": coating}, 4, false},
		{"a side, and nothing drawn", uploads.Set{"bottom.gbr": uploads.Gerber("")}, 2, true},
		{"an inner layer, and nothing drawn", uploads.Set{"x-In1_Cu.gbr": uploads.Gerber(""), "x-In2_Cu.gbr": uploads.Gerber("", lands...)}, 4, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _ := uploads.BoardWithHoles()
			p := s.Merge(c.more).Read(t)
			if len(p.Boards) != 1 {
				t.Fatalf("%s: %d boards, want 1", c.name, len(p.Boards))
			}
			b := p.Boards[0]
			if n := len(b.Copper()); n != c.layers || b.Facts.CopperLayers.Value != c.layers {
				t.Errorf("%d layers, stated %d, want %d: %+v", n, b.Facts.CopperLayers.Value, c.layers, b.Findings)
			}
			for i, l := range b.Copper() {
				if l.Order != i+1 || i == 0 && l.Side != pcb.Top || i > 0 && i == c.layers-1 && l.Side != pcb.Bottom {
					t.Errorf("%s: layer %d is number %d, %s; want its place, the top first and the bottom last", c.name, i+1, l.Order, l.Side)
				}
			}
			reported := false
			for _, f := range b.Findings {
				reported = reported || f.Code == "copper_doubtful" && f.Level == pcb.Warning && f.File != "" && strings.Contains(f.Message, "left out")
				if c.reported && (f.Code == "layer_missing" || f.Code == "layer_count_mismatch" || f.Code == "layer_count_odd" && c.layers%2 == 0) {
					t.Errorf("%s: finding %+v, want none about the number of layers", c.name, f)
				}
			}
			if reported != c.reported {
				t.Errorf("said %v, want %v: %+v", reported, c.reported, b.Findings)
			}
		})
	}
}

// TestTopThatIsNone: the file that took the place of the top gives it back.
func TestTopThatIsNone(t *testing.T) {
	t.Parallel()
	_, lands := uploads.BoardWithHoles()
	s := uploads.Ordinary().Merge(uploads.Set{"x-F_Cu.gbr": "", "x-B_Cu.gbr": uploads.Gerber("", lands...), "top_varnish.gbr": uploads.Gerber("", "1,1 4,1", "4,1 4,6"),
		"x-In1_Cu.gbr": uploads.Gerber("", lands...), "x-PTH.drl": uploads.Drill("; #@! TF.FileFunction,Plated,1,2,PTH\n", lands...)})
	b := s.Read(t).Boards[0]
	var got []string
	for _, l := range b.Copper() {
		got = append(got, l.Name+" "+l.Side.String())
	}
	if want := []string{"x-In1_Cu.gbr top", "x-B_Cu.gbr bottom"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q: %+v", got, want, b.Findings)
	}
	for i := range b.Holes {
		if h := &b.Holes[i]; !h.IsThrough(2) {
			t.Errorf("hole from %d to %d, want it through two layers", h.From, h.To)
		}
	}
}
