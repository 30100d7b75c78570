package jobfile_test

import (
	"fmt"
	"testing"

	"boardorder/pkg/board/format/gbrjob"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/jobfile"
)

// TestReader: a job file states facts and a stackup, and names what is missing.
func TestReader(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	s := uploads.NewStage()
	s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", "5,5"))
	s.AddArtwork("bottom.gbr", pcb.RoleCopper, pcb.Bottom, 2, uploads.Gerber("", "5,5"))
	s.AddBeside("x.gbrjob", classify.FormatJob, "{}")
	s.Set.Jobs = map[int]*gbrjob.Job{2: {
		Layers: 2, Width: 20 * mm, Height: 10 * mm, Thickness: mm, Finish: "ENIG", Impedance: true, ViaProtection: "VII",
		Files:   []gbrjob.File{{Path: "top.gbr", Function: "Copper,L1,Top"}, {Path: "bottom.gbr", Function: "Copper,L2,Bot"}, {Path: "edge.gbr", Function: "Profile,NP"}},
		Stackup: []gbrjob.Layer{{Type: "SolderMask", Colour: "Blue"}, {Type: "Copper", Thickness: 70_000}, {Type: "Dielectric", Material: "FR4", Thickness: 860_000}, {Type: "Copper", Thickness: 70_000}},
	}}
	jobfile.Reader{Upload: s.Upload, List: findings.ListOf(s.Board), Art: s.Art, Board: s.Board}.Read()
	f := &s.Board.Facts
	got := fmt.Sprintln(f.CopperLayers.Value, f.Width.Value, f.Height.Value, f.Thickness.Value, f.Finish.Value, f.Impedance.Value, f.MaskColour.Value, f.OuterCopper.Value, len(s.Board.Stackup), len(f.Processes))
	if want := "2 20000000 10000000 1000000 ENIG true Blue 2 4 1\n"; got != want {
		t.Errorf("facts: %swant %s", got, want)
	}
	if len(s.Board.Findings) != 1 || s.Board.Findings[0].Code != "job_file_missing" || s.Board.Findings[0].Level != pcb.Problem || len(s.Board.Findings[0].Answers) != 1 {
		t.Errorf("findings %+v, want the missing outline as a problem with one answer", s.Board.Findings)
	}
	if r := s.Result(2); !r.Used || r.Board != "x" {
		t.Errorf("report of the job file: %+v, want used for x", r.FileReport)
	}
}

// TestSize: the line that draws the outline is no part of the size.
func TestSize(t *testing.T) {
	t.Parallel()
	s := uploads.NewStage()
	s.AddArtwork("edge.gbr", pcb.RoleOutline, pcb.NoSide, 0, uploads.Gerber("", uploads.OutlineLines...))
	for with, want := range map[bool]int64{true: 20_000_000, false: 20_200_000} {
		if w, h := jobfile.Size(&gbrjob.Job{Width: 20_200_000, Height: 10_200_000, SizeWithStroke: with}, s.Board); w != want || h != want-10_000_000 {
			t.Errorf("with the line %v: %d x %d, want %d x %d", with, w, h, want, want-10_000_000)
		}
	}
}
