package roles_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestRoleUnknownOfABlankFile: whatever a file that draws nothing is for, nothing is lost.
func TestRoleUnknownOfABlankFile(t *testing.T) {
	t.Parallel()
	blank := "%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,0.2*%\nM02*\n"
	for data, want := range map[string]pcb.Level{blank: pcb.Note, uploads.Gerber("", "1,1 2,2"): pcb.Warning} {
		p := uploads.Ordinary().Merge(uploads.Set{"x-Whatever.gbr": data}).Read(t)
		for _, f := range p.Findings {
			if f.Code == "role_unknown" && f.Level != want {
				t.Errorf("%v, want %v", f.Level, want)
			}
		}
		if !slices.Contains(uploads.Codes(p, want), "role_unknown") {
			t.Errorf("findings %v, want role_unknown as a %v", uploads.Codes(p, pcb.Note), want)
		}
	}
}

// TestUnknownCopper: a board whose copper nobody recognises, or not all of it, says so.
func TestUnknownCopper(t *testing.T) {
	t.Parallel()
	copper := uploads.Ordinary()["x-F_Cu.gbr"]
	for name, c := range map[string]struct {
		change uploads.Set
		want   bool
	}{
		"all of it recognised": {uploads.Set{}, false},
		"none":                 {uploads.Set{"x-F_Cu.gbr": "", "x-B_Cu.gbr": "", "00.txt": copper, "01.txt": copper}, true},
	} {
		if p := uploads.Ordinary().Merge(c.change).Read(t); len(p.Boards) != 1 || p.Boards[0].Facts.CopperUnknown.Value != c.want {
			t.Errorf("%s: boards %+v, want one whose copper is unknown: %v", name, p.Boards, c.want)
		}
	}
}

// TestGuesses: artwork without a name is told by what it draws, but not used.
func TestGuesses(t *testing.T) {
	t.Parallel()
	s := uploads.Set{}
	for name, number := range map[string]string{
		"x-F_Cu.gbr": "11", "x-B_Cu.gbr": "12", "x-F_Mask.gbr": "21", "x-B_Mask.gbr": "22", "x-Edge_Cuts.gbr": "31", "x-PTH.drl": "41",
	} {
		s[number+".txt"] = uploads.Ordinary()[name]
	}
	p := s.Read(t)
	got := map[string]string{}
	for _, f := range p.Findings {
		if f.Code == "role_unknown" {
			_, looks, _ := strings.Cut(f.Message, "looks like ")
			looks, _, _ = strings.Cut(looks, ")")
			for _, a := range f.Answers { // what goes on from it, and is in its words
				looks += ", " + a.Field
				if !strings.Contains(f.Message, a.Field) {
					t.Errorf("finding says %q, want the field %s in it", f.Message, a.Field)
				}
			}
			got[f.File[:1]] = looks
		}
	}
	if diff := cmp.Diff(map[string]string{"1": "copper, file_answers.layer_order, file_answers.leave_out", "2": "mask", "3": "outline, file_answers.outline"}, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", t.Name(), diff)
	}
	if f := p.Boards[0].Facts.CopperLayers; f.Value != 2 || f.Confidence > 0.4 {
		t.Errorf("copper layers are %+v, want 2 with a confidence of 0.4 at most", f)
	}
}
