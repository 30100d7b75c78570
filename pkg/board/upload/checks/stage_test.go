package checks_test

import (
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/board/format/gbrjob"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/checks"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
)

// TestCheck: what is missing of a board, and what contradicts itself.
func TestCheck(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	for name, c := range map[string]struct {
		layers []int
		job    *gbrjob.Job
		hole   geom.Point
		codes  []string
	}{
		"whole":                      {[]int{1, 2}, nil, geom.Pt(5*mm, 5*mm), nil},
		"a layer is missing":         {[]int{1, 2, 4}, nil, geom.Pt(5*mm, 5*mm), []string{"layer_missing"}},
		"an odd number":              {[]int{1, 2, 3}, nil, geom.Pt(5*mm, 5*mm), []string{"layer_count_odd"}},
		"the job file counts others": {[]int{1, 2}, &gbrjob.Job{Layers: 4}, geom.Pt(5*mm, 5*mm), []string{"layer_count_mismatch"}},
		"the job file is larger":     {[]int{1, 2}, &gbrjob.Job{Width: 30 * mm, Height: 10 * mm}, geom.Pt(5*mm, 5*mm), []string{"size_mismatch"}},
		"a hole beside the board":    {[]int{1, 2}, nil, geom.Pt(50*mm, 5*mm), []string{"holes_off_board"}},
	} {
		s := uploads.NewStage()
		for _, n := range c.layers {
			side := pcb.Inner
			if n == 1 {
				side = pcb.Top
				s.AddArtwork("mask.gbr", pcb.RoleMask, side, 0, uploads.Gerber("", "5,5"))
			}
			s.AddArtwork(fmt.Sprintf("%d.gbr", n), pcb.RoleCopper, side, n, uploads.Gerber("", "5,5"))
		}
		p := s.AddProgram("x.drl", pcb.Plated, uploads.Drill("", "5,5"))
		s.Board.Holes = []pcb.Hole{{A: c.hole, B: c.hole, Diameter: mm, File: int32(p.Index)}}
		s.Board.Outline = pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(20*mm, 10*mm)})}}}
		if c.job != nil {
			s.AddBeside("x.gbrjob", classify.FormatJob, "").Board = "x"
			s.Set.Jobs = map[int]*gbrjob.Job{len(s.Files) - 1: c.job}
		}
		checks.Check{Upload: s.Upload, List: findings.ListOf(s.Board), Art: s.Art, Programs: s.Programs, Board: s.Board}.Run()
		var codes []string
		for _, f := range s.Board.Findings {
			codes = append(codes, f.Code)
		}
		if !slices.Equal(codes, c.codes) {
			t.Errorf("%s: findings %v, want %v", name, codes, c.codes)
		}
	}
}
