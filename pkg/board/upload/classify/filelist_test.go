package classify

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
)

// TestParseListLine: lines of a list of files, with the name first or last.
func TestParseListLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][3]string{
		".GM18 - V-score":             {"", "gm18", "V-score"},
		"x.GM1: outline":              {"x", "gm1", "outline"},
		" * x.GM1 => board outline":   {"x", "gm1", "board outline"},
		"x.GM1\tboard outline":        {"x", "gm1", "board outline"},
		"Board outline    x.GM1":      {"x", "gm1", "Board outline"},
		"Board outline - .GM1":        {"", "gm1", "Board outline"},
		"the outline is in x.GM1":     {},
		"x.GM1 and x.GM2 are outline": {},
		"x.GM1":                       {},
		"":                            {},
		"just a sentence of words":    {},
	} {
		stem, ext, words := parseListLine(in)
		if got := [3]string{stem, ext, words}; got != want {
			t.Errorf("parseListLine(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestFilmLists: notes that list the films of a flexible board take these out of the copper,
// and the layers below move up.
func TestFilmLists(t *testing.T) {
	t.Parallel()
	layers := func(n int) []string {
		var out []string
		for i := range n {
			out = append(out, "layer"+string(rune('1'+i))+".gbr", anyGerber)
		}
		return out
	}
	for _, c := range []struct {
		name  string
		files []string
		notes string
		want  []string
	}{
		{
			"a stiffener between", layers(4), "layer1.gbr  top copper\nlayer2.gbr  PI stiffener\nlayer3.gbr  ground\nlayer4.gbr  bottom copper\n",
			[]string{"layer1.gbr: L1", "layer2.gbr: other", "layer3.gbr: L2", "layer4.gbr: L3", "notes.txt: other"},
		},
		{
			"a coverlay above and one below", layers(4), "layer1.gbr: top coverlay\nlayer2.gbr: signal\nlayer3.gbr: signal\nlayer4.gbr: bottom coverlay\n",
			[]string{"layer1.gbr: mask top", "layer2.gbr: L1", "layer3.gbr: L2", "layer4.gbr: mask bottom", "notes.txt: other"},
		},
		{
			"copper under a stiffener is copper", layers(3), "layer1.gbr  copper\nlayer2.gbr  copper beneath the stiffener\nlayer3.gbr  copper\n",
			[]string{"layer1.gbr: L1", "layer2.gbr: L2", "layer3.gbr: L3", "notes.txt: other"},
		},
		{
			"two lines are no list", layers(4), "layer1.gbr  copper\nlayer2.gbr  stiffener\n",
			[]string{"layer1.gbr: L1", "layer2.gbr: L2", "layer3.gbr: L3", "layer4.gbr: L4", "notes.txt: other"},
		},
		{
			"what states its own layer keeps it", []string{
				"layer1.gbr", gerberWith("%TF.FileFunction,Copper,L1,Top*%"), "layer2.gbr", gerberWith("%TF.FileFunction,Copper,L2,Inr*%"),
				"layer3.gbr", gerberWith("%TF.FileFunction,Copper,L3,Bot*%"),
			}, "layer1.gbr  copper\nlayer2.gbr  stiffener\nlayer3.gbr  copper\n",
			[]string{"layer1.gbr: L1", "layer2.gbr: L2", "layer3.gbr: L3", "notes.txt: other"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, briefs(classifyAll(append(c.files, "notes.txt", c.notes)...))); diff != "" {
				t.Errorf("roles with notes %q (-want +got):\n%s", c.notes, diff)
			}
		})
	}
}

// TestNotesThatAreTooLong: a text of more than a list's length is no list.
func TestNotesThatAreTooLong(t *testing.T) {
	t.Parallel()
	const list = ".GTL - Top Copper\n.GBL - Bottom Copper\n.GM18 - VSCORE\n"
	for filler, want := range map[int]pcb.Role{10: pcb.RoleVCut, scanLimit: pcb.RoleMechanical} {
		notes := list + strings.Repeat("-", filler) + "\n"
		s := classifyAll("x.GTL", anyGerber, "x.GBL", anyGerber, "x.GKO", anyGerber, "x.GM18", anyGerber, "README.txt", notes)
		if got := s.Results[3].Role; got != want {
			t.Errorf("x.GM18 with notes of %d bytes: %v, want %v", len(notes), got, want)
		}
	}
}

func TestSidePlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]pcb.Side{
		"Top coverlay": pcb.Top, "coverlay, BOTTOM": pcb.Bottom, "top and bottom coverlay": pcb.NoSide, "coverlay": pcb.NoSide, "": pcb.NoSide,
	} {
		if got := sidePlain(in); got != want {
			t.Errorf("sidePlain(%q) = %v, want %v", in, got, want)
		}
	}
}
