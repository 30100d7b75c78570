package boardfacts_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/boardfacts"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
)

// TestReader: facts follow from layers, holes and programs alone.
func TestReader(t *testing.T) {
	t.Parallel()
	s := uploads.NewStage()
	s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("%TF.GenerationSoftware,Some Tool,7*%\n%TF.CreationDate,2026-01-02T03:04:05Z*%\n", "5,5", "5,5 15,5"))
	s.AddArtwork("bottom.gbr", pcb.RoleCopper, pcb.Bottom, 2, uploads.Gerber("", "5,5"))
	edge := s.AddArtwork("edge.gbr", pcb.RoleOutline, pcb.NoSide, 0, uploads.Gerber("%TF.FileFunction,Profile,P*%\n", uploads.OutlineLines...))
	s.AddBeside("x.rul", classify.FormatRules, "RuleKind: Clearance\n")
	s.Group.OpenSpans = []classify.OpenSpan{{Span: "2-3", Source: "report.txt"}}
	const mm = geom.Millimetre
	s.Board.Outline.Areas = []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(20*mm, 10*mm)})}}
	s.Board.Holes = []pcb.Hole{
		{A: geom.Pt(5*mm, 5*mm), B: geom.Pt(5*mm, 5*mm), Diameter: 800_000, Plating: pcb.Plated, File: -1},
		{A: geom.Pt(8*mm, 5*mm), B: geom.Pt(8*mm, 5*mm), Diameter: 600_000, Plating: pcb.NonPlated, File: -1},
		{A: geom.Pt(9*mm, 5*mm), B: geom.Pt(11*mm, 5*mm), Diameter: 500_000, Kind: pcb.SlotHole, File: -1},
	}
	boardfacts.Reader{Upload: s.Upload, List: findings.ListOf(s.Board), Art: s.Art, Programs: s.Programs, Board: s.Board}.State(t.Context())
	f := &s.Board.Facts
	got := fmt.Sprintln(f.CopperLayers.Value, f.PlatedHoles.Value, f.NonPlatedHoles.Value, f.UnknownHoles.Value, f.Slots.Value, f.MinDrill.Value, f.MinTrack.Value, f.EdgePlating.Value, f.BlindVias.Value, f.Panel.Known, f.Tool.Value, f.Date.Value)
	if want := "2 1 1 1 1 600000 200000 true true false Some Tool 7 2026-01-02T03:04:05Z\n"; got != want {
		t.Errorf("facts of %q and two copper files:\n got %swant %s", edge.Layer.File, got, want)
	}
	if f := uploads.FindingOf(&pcb.Project{Boards: []*pcb.Board{s.Board}}, "drill_span"); f == nil || f.File != "report.txt" {
		t.Errorf("finding on the open span: %+v, want one of report.txt", f)
	}
}

// TestCastellationsOfBoard: plated holes with pads on the edge, from four on surely.
func TestCastellationsOfBoard(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	for name, c := range map[string]struct {
		holes int
		y     int64
		sure  float64
	}{
		"four on the edge": {4, 0, 0.85}, "two on the edge": {2, 0, 0.5}, "one on the edge": {1, 0, 0}, "four within": {4, 5 * mm, 0},
	} {
		s := uploads.NewStage()
		var pads []string
		for i := range c.holes {
			at := geom.Pt(int64(3+3*i)*mm, c.y)
			pads = append(pads, fmt.Sprintf("%d,%d", at.X/mm, at.Y/mm))
			s.Board.Holes = append(s.Board.Holes, pcb.Hole{A: at, B: at, Diameter: 800_000, Plating: pcb.Plated, File: -1})
		}
		s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", pads...))
		s.Board.Outline.Areas = []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(20*mm, 10*mm)})}}
		boardfacts.Reader{Upload: s.Upload, List: findings.ListOf(s.Board), Art: s.Art, Board: s.Board}.State(t.Context())
		if got := s.Board.Facts.Castellations; got.Value != (c.sure > 0) || got.Confidence != c.sure {
			t.Errorf("%s: castellations %+v, want confidence %g", name, got, c.sure)
		}
	}
}

// TestFingersOfBoard: a row of long pads without paste at the edge, surely where one faces it.
func TestFingersOfBoard(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	row := func(y float64) string {
		var b strings.Builder
		b.WriteString("%FSLAX46Y46*%\n%MOMM*%\n%ADD12R,0.6X2.5*%\nG01*\nD12*\n")
		for i := range 10 {
			fmt.Fprintf(&b, "X%dY%dD03*\n", int64(float64(4+i)*1e6), int64(y*1e6))
		}
		return b.String() + "M02*\n"
	}
	for name, c := range map[string]struct {
		bottom, paste string
		sure          float64
	}{
		"on one side":            {uploads.Gerber(""), uploads.Gerber("", "5,8"), 0.6},
		"on both sides":          {row(1.6), uploads.Gerber("", "5,8"), 0.85},
		"with paste":             {uploads.Gerber(""), row(1.6), 0},
		"on the bottom, inside":  {row(5), uploads.Gerber("", "5,8"), 0.6},
		"ten, no paste to ask":   {uploads.Gerber(""), uploads.Gerber(""), 0},
		"at the edge from below": {row(8.4), uploads.Gerber("", "5,8"), 0.6},
	} {
		s := uploads.NewStage()
		s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, row(1.6))
		s.AddArtwork("bottom.gbr", pcb.RoleCopper, pcb.Bottom, 2, c.bottom)
		s.AddArtwork("paste.gbr", pcb.RolePaste, pcb.Top, 0, c.paste)
		s.AddArtwork("paste2.gbr", pcb.RolePaste, pcb.Bottom, 0, uploads.Gerber("", "5,8"))
		s.Board.Outline.Areas = []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(20*mm, 10*mm)})}}
		boardfacts.Reader{Upload: s.Upload, List: findings.ListOf(s.Board), Art: s.Art, Board: s.Board}.State(t.Context())
		if got := s.Board.Facts.GoldFingers; got.Value != (c.sure > 0) || got.Confidence != c.sure {
			t.Errorf("%s: gold fingers %+v, want confidence %g", name, got, c.sure)
		}
	}
}
