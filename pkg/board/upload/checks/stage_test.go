package checks_test

import (
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/board/answers"
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

// TestOtherSide: a layer file of mask or paste that opens places on a side without copper means that a
// layer file of copper was forgotten.
func TestOtherSide(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	many := make([]string, 20)
	for i := range many {
		many[i] = fmt.Sprintf("%d,5", i)
	}
	for name, c := range map[string]struct {
		role        pcb.Role
		side        pcb.Side
		at          []string
		fileAnswers *answers.FileAnswers
		codes       []string
	}{
		"a mask over the hole":       {pcb.RoleMask, pcb.Top, []string{"5,5"}, nil, []string{"single_sided"}},
		"a mask of many places":      {pcb.RoleMask, pcb.Top, many, nil, []string{"single_sided", "layer_missing"}},
		"a mask of the copper":       {pcb.RoleMask, pcb.Bottom, many, nil, []string{"single_sided"}},
		"a stencil":                  {pcb.RolePaste, pcb.Top, []string{"5,5"}, nil, []string{"single_sided", "layer_missing"}},
		"an empty stencil":           {pcb.RolePaste, pcb.Top, nil, nil, []string{"single_sided"}},
		"the customer says it is so": {pcb.RoleMask, pcb.Top, many, &answers.FileAnswers{LayerOrder: []string{"bottom.gbr"}}, []string{"single_sided"}},
	} {
		s := uploads.NewStage()
		s.AddArtwork("bottom.gbr", pcb.RoleCopper, pcb.Bottom, 1, uploads.Gerber("", "5,5"))
		s.AddArtwork("mask.gbr", pcb.RoleMask, pcb.Bottom, 0, uploads.Gerber("", "5,5"))
		s.AddArtwork("film.gbr", c.role, c.side, 0, uploads.Gerber("", c.at...))
		p := s.AddProgram("x.drl", pcb.Plated, uploads.Drill("", "5,5"))
		s.Board.Holes = []pcb.Hole{{A: geom.Pt(5*mm, 5*mm), B: geom.Pt(5*mm, 5*mm), Diameter: mm, File: int32(p.Index)}}
		s.Board.Outline = pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(20*mm, 10*mm)})}}}
		checks.Check{Upload: s.Upload, List: findings.ListOf(s.Board), Art: s.Art, Programs: s.Programs, Board: s.Board, FileAnswers: c.fileAnswers}.Run()
		var codes []string
		for _, f := range s.Board.Findings {
			codes = append(codes, f.Code)
			if stops := f.Code == "layer_missing"; stops != (f.Level == pcb.Problem && len(f.Answers) == 1) {
				t.Errorf("%s: %s has level %v and answers %v; want a problem with one answer: %v", name, f.Code, f.Level, f.Answers, stops)
			}
		}
		if !slices.Equal(codes, c.codes) {
			t.Errorf("%s: findings %v, want %v", name, codes, c.codes)
		}
	}
}
