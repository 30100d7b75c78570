package notes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestNotes: what somebody wrote for the fabricator.
func TestNotes(t *testing.T) {
	t.Parallel()
	p := uploads.Ordinary().Merge(uploads.Set{
		"README.txt": "PCB notes\n2 layers\n0.8mm finished thickness\nBlack soldermask\nFinish: ENIG\n",
		"x.gbrjob":   `{"Header":{"GenerationSoftware":{}},"GeneralSpecs":{"LayerNumber":2,"Size":{"X":20,"Y":10},"BoardThickness":1.0}}`,
	}).Read(t)
	f := p.Boards[0].Facts
	got := strings.TrimSpace(fmt.Sprintln(f.Thickness.Value, f.Thickness.Source.Line, f.MaskColour.Value, f.Finish.Value))
	if want := "800000 3 black ENIG"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if diff := cmp.Diff([]string{"notes_differ"}, uploads.Codes(p, pcb.Warning)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", t.Name(), diff)
	}
}

// A setup in the board file is no better known than what the customer wrote.
func TestNotesGoBeforeTheBoardFile(t *testing.T) {
	t.Parallel()
	p := uploads.Set{
		"README.txt": "PCB notes\nBlack soldermask\n0.8mm finished thickness\n",
		"x.kicad_pcb": `(kicad_pcb (version 20211014) (general (thickness 1.2)) (layers (0 "F.Cu" signal) (31 "B.Cu" signal) (44 "Edge.Cuts" user))
			(setup (stackup (layer "F.Mask" (type "Top Solder Mask") (color "Red") (thickness 0.01)) (layer "F.Cu" (type "copper") (thickness 0.035))
				(layer "B.Cu" (type "copper") (thickness 0.035)) (copper_finish "ENIG")))
			(gr_rect (start 0 0) (end 30 20) (layer "Edge.Cuts") (width 0.1)))`,
	}.Read(t)
	f := p.Boards[0].Facts
	if f.MaskColour.Value != "black" || f.Thickness.Value != 800_000 || f.Finish.Value != "ENIG" || f.MaskColour.Source.File != "README.txt" {
		t.Errorf("mask %+v, thickness %+v, finish %+v; want black and 0.8 mm by README.txt, and ENIG", f.MaskColour, f.Thickness, f.Finish)
	}
	if diff := cmp.Diff([]string{"notes_differ", "notes_differ", "thickness_mismatch"}, uploads.Codes(p, pcb.Warning)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", t.Name(), diff)
	}
}
