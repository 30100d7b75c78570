package drills_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/drills"
	"boardorder/pkg/board/upload/findings"
)

// TestReader: programs are read alone, with what lies beside them.
func TestReader(t *testing.T) {
	t.Parallel()
	withoutSizes := strings.Replace(uploads.Drill("", "5,5", "10,5"), "T1C0.800", "T1", 1)
	for name, c := range map[string]struct {
		data        string
		fileAnswers *answers.FileAnswers
		bottom      int // the last copper layer by the file's name
		codes       []string
		refused     []string
		to          int
	}{
		"as it is":                    {data: uploads.Drill("", "5,5", "10,5")},
		"without sizes":               {data: withoutSizes, codes: []string{"drill_no_size"}},
		"sizes by the customer":       {data: withoutSizes, fileAnswers: &answers.FileAnswers{ToolSizes: map[string]map[string]float64{"x.drl": {"T1": 0.9}}}},
		"a size that the file states": {data: uploads.Drill("", "5,5"), fileAnswers: &answers.FileAnswers{ToolSizes: map[string]map[string]float64{"x.drl": {"T1": 0.9}}}, refused: []string{"contradicts_files"}},
		"a tool that it has not":      {data: uploads.Drill("", "5,5"), fileAnswers: &answers.FileAnswers{ToolSizes: map[string]map[string]float64{"x.drl": {"T9": 0.9}}}, refused: []string{"unknown"}},
		"layers of EAGLE":             {data: uploads.Drill("", "5,5"), bottom: 16, to: 2},
	} {
		s := uploads.NewStage()
		s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", "5,5", "10,5"))
		s.AddArtwork("bottom.gbr", pcb.RoleCopper, pcb.Bottom, 2, uploads.Gerber("", "5,5", "10,5"))
		p := s.AddProgram("x.drl", pcb.PlatingUnknown, c.data)
		if c.bottom > 0 {
			p.Result.FromLayer, p.Result.ToLayer = 1, c.bottom
		}
		var list findings.List
		got := drills.Reader{Upload: s.Upload, List: &list, Art: s.Art, Board: s.Board, FileAnswers: c.fileAnswers}.Read(t.Context())
		var codes, refused []string
		for _, f := range s.Board.Findings {
			codes = append(codes, f.Code)
		}
		for _, f := range list {
			if f.Level > pcb.Note {
				codes = append(codes, f.Code)
			}
		}
		for _, r := range got.Refused {
			refused = append(refused, r.Problem)
		}
		if len(got.Programs) != 1 || got.Late || !slices.Equal(codes, c.codes) || !slices.Equal(refused, c.refused) || p.Result.ToLayer != c.to {
			t.Errorf("%s: %d programs, late %v, findings %v, refused %v, to layer %d; want 1, false, %v, %v, %d", name, len(got.Programs), got.Late, codes, refused, p.Result.ToLayer, c.codes, c.refused, c.to)
		}
		if len(got.Pads) != 4 {
			t.Errorf("%s: %d pads, want 4", name, len(got.Pads))
		}
	}
}

// TestReaderEnds: what ctx cuts off is left aside.
func TestReaderEnds(t *testing.T) {
	t.Parallel()
	s := uploads.NewStage()
	p := s.AddProgram("x.drl", pcb.PlatingUnknown, uploads.Drill("", "5,5"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := drills.Reader{Upload: s.Upload, List: findings.ListOf(s.Board), Board: s.Board}.Read(ctx)
	if len(got.Programs) != 0 || !got.Late || !strings.Contains(p.Result.Why, "left aside") {
		t.Errorf("%d programs, late %v, why %q; want none, late and left aside", len(got.Programs), got.Late, p.Result.Why)
	}
}

// TestDeepest: the lowest layer that a program states, or all.
func TestDeepest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ends []int
		want int
	}{
		"no program": {nil, 0}, "spans": {[]int{2, 3}, 3}, "one through all": {[]int{2, 0}, 6},
	} {
		s := uploads.NewStage()
		for i, to := range c.ends {
			s.AddProgram(fmt.Sprintf("%d.drl", i), pcb.Plated, uploads.Drill("", "5,5")).Result.ToLayer = to
		}
		if got := drills.Deepest(s.Programs, 6); got != c.want {
			t.Errorf("%s: layer %d, want %d", name, got, c.want)
		}
	}
}

// TestReaderAsksForUnit: sizes as large as the pads that fit in the other unit are asked for,
// and those that the customer gives are taken.
func TestReaderAsksForUnit(t *testing.T) {
	t.Parallel()
	const data = "M48\nINCH\nT1C0.8000\n%\nG90\nG05\nT1\nX0.1969Y0.1969\nX0.3937Y0.1969\nM30\n"
	for name, c := range map[string]struct {
		fileAnswers *answers.FileAnswers
		requested   bool
		wide        int64
	}{
		"nobody says": {nil, true, 20_320_000},
		"answered":    {&answers.FileAnswers{ToolSizes: map[string]map[string]float64{"x.drl": {"T1": 0.8}}}, false, 800_000},
	} {
		s := uploads.NewStage()
		s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", "5,5", "10,5"))
		s.AddProgram("x.drl", pcb.PlatingUnknown, data)
		got := drills.Reader{Upload: s.Upload, List: findings.ListOf(s.Board), Art: s.Art, Board: s.Board, FileAnswers: c.fileAnswers}.Read(t.Context())
		requested := slices.ContainsFunc(s.Board.Findings, func(f pcb.Finding) bool { return f.Code == "drill_tool_unit" && len(f.Answers) == 1 })
		if wide := got.Programs[0].Tools[0].Diameter; requested != c.requested || wide != c.wide {
			t.Errorf("%s: asked %v, tool %d nm wide; want %v, %d", name, requested, wide, c.requested, c.wide)
		}
	}
}
