package holes_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestDrillFilesOfTwoVersions: of two drill files with mostly the same holes the one that
// does not fit the pads as the other does is left aside, with a warning. Files that share
// few holes, of which one holds all of the other, or that both fit, are both used, which is
// said where they share most of their holes.
func TestDrillFilesOfTwoVersions(t *testing.T) {
	t.Parallel()
	_, lands := uploads.BoardWithHoles()
	moved := func(keep, off int) []string {
		return append(slices.Clone(lands[:keep]), []string{"3,8", "6,8", "9,8", "12,8", "15,8"}[:off]...)
	}
	for _, c := range []struct {
		name  string
		other string
		aside bool
		both  bool // are drilled, and it is asked
		holes int
	}{
		{"an older one", uploads.Drill("", moved(10, 3)...), true, false, 12},
		{"an older one that is plated throughout", uploads.Drill("; #@! TF.FileFunction,Plated,1,2,PTH\n", moved(10, 3)...), true, false, 12},
		{"one with two holes on no pad", uploads.Drill("", moved(10, 2)...), false, true, 24},
		{"one with nine holes in common", uploads.Drill("", moved(9, 3)...), false, true, 24},
		{"one with all holes and more", uploads.Drill("", moved(12, 3)...), false, true, 27},
		{"one with few of the holes", uploads.Drill("", moved(2, 5)...), false, false, 19},
		{"one with some of the holes", uploads.Drill("", lands[:10]...), false, false, 12},
		{"holes without plating", uploads.Drill("; #@! TF.FileFunction,NonPlated,1,2,NPTH\n", moved(10, 3)...), false, true, 25},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _ := uploads.BoardWithHoles()
			p := s.Merge(uploads.Set{"x.drl": c.other}).Read(t)
			b := p.Boards[0]
			reported := func(words string) bool {
				return slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool {
					return f.Code == "drill_versions" && f.Level == pcb.Warning && strings.Contains(f.File+f.Message, "x.drl") && strings.Contains(f.File+f.Message, "x-PTH.drl") && strings.Contains(f.Message, words)
				})
			}
			if aside, both := reported("left aside"), reported("file_answers.leave_out"); aside != c.aside || both != c.both || len(b.Holes) != c.holes {
				t.Errorf("left aside %v, both %v, %d holes, want %d: %+v", aside, both, len(b.Holes), c.holes, b.Findings)
			}
		})
	}
}
